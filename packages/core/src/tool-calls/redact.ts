// What of a tool's failure may be told.
//
// Errors of HTTP clients and drivers carry URLs with passwords, headers and provider bodies. So only name and message go on, without what looks like
// a secret; stack, cause and other fields stay with the host.

import { AgentError, type AgentErrorCode, type SerializedError } from "@smolts/protocol";

/**
 * A text without what looks like a secret: passwords in URLs, keys and tokens in queries, headers and fields, and values with the shape of known
 * services' keys.
 *
 * @example
 * ```ts
 * import { redact } from "@smolts/core";
 *
 * console.log(redact("GET https://me:pw@example.com/?api_key=abc")); // GET https://[redacted]@example.com/?api_key=[redacted]
 * ```
 */
export function redact(text: string): string {
  return patterns.reduce((rest, [pattern, replacement]) => rest.replaceAll(pattern, replacement), text);
}

/**
 * A tool's failure as it is shown to the model and kept in the log: name, message and code, redacted and cut at 2,000 characters.
 *
 * @example
 * ```ts
 * import { toToolError } from "@smolts/core";
 *
 * console.log(toToolError(new TypeError("no such row"))); // { code: 'tool-execution', name: 'TypeError', message: 'no such row' }
 * ```
 */
export function toToolError(error: unknown): SerializedError {
  try {
    return describe(error);
  } catch {
    // The thrown value's own accessors throw: there is nothing to be had from it.
    return { code: "tool-execution", message: "the tool failed with an error that cannot be read" };
  }
}

const gone = "[redacted]";
const secretName =
  "(?:api[_-]?key|access[_-]?key|token|secret|password|passwd|pwd|signature|credential|private[_-]?key)";

const assigned = String.raw`[\w-]{0,40}["']?\s{0,3}[:=]\s{0,3}`;
const secretValue = String.raw`(?!\[redacted\])[^\s"',;&<>#}]+`;

const patterns: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // scheme://user:password@host
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"'<>]{1,500}@/gi, `$1${gone}@`],
  // Authorization: Bearer x, "x-api-key": "x", Cookie: a=b
  [
    /\b((?:proxy-)?authorization|x-api-key|(?:set-)?cookie)(["']?\s{0,3}[:=]\s{0,3}["']?)(?:(?:bearer|basic|token|digest)\s+)?[^\s"',]+/gi,
    `$1$2${gone}`,
  ],
  [/\b(bearer|basic)\s+[a-z0-9._~+/=-]{8,}/gi, `$1 ${gone}`],
  // ?key=x&token=x, "api_key": "x", password=x
  [/([?&;](?:key|sig|auth)=)[^&\s"'<>#]+/gi, `$1${gone}`],
  [new RegExp(`(${secretName}${assigned}(?:["']|(?<=[:=])))${secretValue}`, "gi"), `$1${gone}`],
  // After a space a plain word is more likely prose: "invalid token: expected a name".
  [new RegExp(`(${secretName}${assigned})(?=\\S{0,100}\\d|\\S{16})${secretValue}`, "gi"), `$1${gone}`],
  // The shapes of keys: OpenAI and others, Hugging Face, npm, GitHub, GitLab, Slack, AWS, Google, E2B, JSON Web Tokens.
  [/\b(?:sk|pk|rk|gsk|xai|r8)[-_][\w-]{16,}/g, gone],
  [/\b(?:hf|npm|ghp|gho|ghu|ghs|ghr|github_pat|glpat|e2b|nvapi)[-_][\w-]{10,}/g, gone],
  [/\bxox[abeoprs]-[\w-]{10,}/g, gone],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, gone],
  [/\bAIza[\w-]{30,}/g, gone],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, gone],
];

const maxMessageLength = 2_000;

/** Codes that a tool may choose for its own failure; with any other it has just failed. */
const ownCodes: ReadonlySet<AgentErrorCode> = new Set<AgentErrorCode>(["tool-input", "tool-execution", "denied"]);

function describe(error: unknown): SerializedError {
  const message = told(messageOf(error));
  if (AgentError.is(error)) {
    const code = ownCodes.has(error.code) ? error.code : "tool-execution";
    return { code, message, ...(error.hint === undefined ? {} : { hint: told(error.hint) }) };
  }
  const name = nameOf(error);
  return { code: "tool-execution", ...(name === null ? {} : { name }), message };
}

function messageOf(error: unknown): string {
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null) return `the tool threw ${String(error)}`;
  const message: unknown = Reflect.get(error, "message");
  if (typeof message === "string" && message !== "") return message;
  return error instanceof Error ? "the tool failed without saying why" : "the tool threw an object that is no error";
}

function nameOf(error: unknown): string | null {
  const name: unknown = error instanceof Error ? error.name : null;
  return typeof name === "string" && /^[\w$]{1,60}$/.test(name) ? name : null;
}

function told(text: string): string {
  // Cut before as well, so that a message of megabytes costs little; wide enough that a secret at the end of what is told is seen whole.
  const redacted = redact(text.slice(0, maxMessageLength * 2));
  return redacted.length <= maxMessageLength ? redacted : `${redacted.slice(0, maxMessageLength - 1)}…`;
}
