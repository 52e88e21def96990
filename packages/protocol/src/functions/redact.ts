// Removes everything that looks like a secret from texts. A key in a log would also be in every
// copy of the log.

/**
 * Returns a text without everything that looks like a secret: passwords in URLs, keys and tokens in
 * queries, headers and fields, and values in the format of well-known services' keys.
 *
 * @example
 * ```ts
 * import { redact } from "@smolts/protocol";
 *
 * console.log(redact("GET https://me:pw@example.com/?api_key=abc")); // GET https://[redacted]@example.com/?api_key=[redacted]
 * ```
 */
export function redact(text: string): string {
  return patterns.reduce((rest, [pattern, replacement]) => rest.replaceAll(pattern, replacement), text);
}

/**
 * Returns plain data without everything that looks like a secret, in its strings and in fields with
 * names such as `apiKey`. Data without secrets is returned as the same object.
 *
 * @param text - removes the secrets from one string. Default: {@link redact}
 * @example
 * ```ts
 * import { redactData } from "@smolts/protocol";
 *
 * console.log(redactData({ user: "ana", password: "correct horse" })); // { user: 'ana', password: '[redacted]' }
 * ```
 */
export function redactData<Data>(data: Data, text: (text: string) => string = redact): Data {
  return redacted(data, text) as Data; // the redaction changes only strings
}

function redacted(value: unknown, text: (text: string) => string): unknown {
  if (typeof value === "string") return text(value);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => {
    const isSecret = typeof item === "string" && item !== "" && secretField.test(name);
    return [name, isSecret ? gone : redacted(item, text)] as const;
  });
  if (entries.every(([name, item]) => item === (value as Record<string, unknown>)[name])) return value;
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

const gone = "[redacted]";
const secretName =
  "(?:api[_-]?key|access[_-]?key|token|secret|password|passwd|pwd|signature|credential|private[_-]?key)";

const assigned = String.raw`[\w-]{0,40}["']?\s{0,3}[:=]\s{0,3}`;
const secretValue = String.raw`(?!\[redacted\])[^\s"',;&<>#}]+`;

const patterns: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // scheme://user:password@host
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@"'<>]{1,500}@/gi, `$1${gone}@`],
  // Headers: Authorization: Bearer x, "x-api-key": "x", Cookie: a=b
  [
    /\b((?:proxy-)?authorization|x-api-key|(?:set-)?cookie)(["']?\s{0,3}[:=]\s{0,3}["']?)(?:(?:bearer|basic|token|digest)\s+)?[^\s"',]+/gi,
    `$1$2${gone}`,
  ],
  [/\b(bearer|basic)\s+[a-z0-9._~+/=-]{8,}/gi, `$1 ${gone}`],
  // Query and JSON fields: ?key=x&token=x, "api_key": "x", password=x
  [/([?&;](?:key|sig|auth)=)[^&\s"'<>#]+/gi, `$1${gone}`],
  [new RegExp(`(${secretName}${assigned}(?:["']|(?<=[:=])))${secretValue}`, "gi"), `$1${gone}`],
  // This pattern is for a value that follows after a space. Such a value is more likely to be prose
  // ("invalid token: expected a name"). So it must have a digit or at least 16 characters.
  [new RegExp(`(${secretName}${assigned})(?=\\S{0,100}\\d|\\S{16})${secretValue}`, "gi"), `$1${gone}`],
  // The formats of known keys: OpenAI and others, Hugging Face, npm, GitHub, GitLab, Slack, AWS,
  // Google, E2B, JSON Web Tokens.
  [/\b(?:sk|pk|rk|gsk|xai|r8)[-_][\w-]{16,}/g, gone],
  [/\b(?:hf|npm|ghp|gho|ghu|ghs|ghr|github_pat|glpat|e2b|nvapi)[-_][\w-]{10,}/g, gone],
  [/\bxox[abeoprs]-[\w-]{10,}/g, gone],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, gone],
  [/\bAIza[\w-]{30,}/g, gone],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, gone],
];

/** The names of fields whose value is secret, no matter what it looks like. */
const secretField =
  /^(?:.*[_-])?(?:api[_-]?key|access[_-]?key|(?:access|auth|refresh|bearer|session)?[_-]?token|secret|client[_-]?secret|password|passwd|pwd|credential|private[_-]?key|authorization|cookie)$/i;
