// Selects the part of a tool's failure that may be shown.
//
// Errors of HTTP clients and drivers contain headers, URLs with passwords, and bodies of responses.
// So only the name and the message are passed on, without anything that looks like a secret. The
// stack, the cause and other fields stay on the host.

import { AgentError, type AgentErrorCode, redact, type SerializedError } from "@smolts/protocol";

/**
 * Returns a tool's failure in the form for the model and the log: name, message and code, without
 * secrets and cut at 2,000 characters.
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
    // Reading the thrown value throws an error itself, so nothing is known about it.
    return { code: "tool-execution", message: "the tool failed with an error that cannot be read" };
  }
}

const maxMessageLength = 2_000;

/**
 * Codes that a tool may choose for its failure. With any other code the failure counts as
 * `tool-execution`.
 */
const ownCodes: ReadonlySet<AgentErrorCode> = new Set<AgentErrorCode>(["tool-input", "tool-execution", "denied"]);

function describe(error: unknown): SerializedError {
  const message = shownText(messageOf(error));
  if (AgentError.is(error)) {
    const code = ownCodes.has(error.code) ? error.code : "tool-execution";
    return { code, message, ...(error.hint === undefined ? {} : { hint: shownText(error.hint) }) };
  }
  const name = nameOf(error);
  return { code: "tool-execution", ...(name === null ? {} : { name }), message };
}

function messageOf(error: unknown): string {
  if (typeof error === "string") return error;
  if (typeof error !== "object" || error === null) return `the tool threw ${String(error)}`;
  const message: unknown = Reflect.get(error, "message");
  if (typeof message === "string" && message !== "") return message;
  return error instanceof Error
    ? "the tool failed without saying why"
    : "the tool threw an object that is not an error";
}

function nameOf(error: unknown): string | null {
  const name: unknown = error instanceof Error ? error.name : null;
  return typeof name === "string" && /^[\w$]{1,60}$/.test(name) ? name : null;
}

function shownText(text: string): string {
  // Cut the text before redaction too, because redacting megabytes would take long. Cut it at twice
  // the length, so that a secret at the end of the shown part is still recognised as a whole.
  const redacted = redact(text.slice(0, maxMessageLength * 2));
  return redacted.length <= maxMessageLength ? redacted : `${redacted.slice(0, maxMessageLength - 1)}…`;
}
