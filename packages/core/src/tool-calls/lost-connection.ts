// Whether a failed tool may have done its work all the same: its request was sent, and the answer
// did not come.

/**
 * Codes of Node, undici and drivers for a connection that broke after it was there. A refused one
 * or an unknown host is none of them.
 */
const codes: ReadonlySet<unknown> = new Set([
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ERR_STREAM_PREMATURE_CLOSE",
  "UND_ERR_SOCKET",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_ABORTED",
]);

/** The name of an error that a time limit of the tool throws. */
const names: ReadonlySet<unknown> = new Set(["AbortError", "TimeoutError"]);

/** The code by which a tool says itself that its call may have happened. */
const inDoubt = "in-doubt";

const maxDepth = 8;

/** Whether an error, or one that caused it, says that nobody knows what became of a request. */
export function isLostConnection(error: unknown, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > maxDepth) return false;
  const { code, name, cause, errors } = error as { readonly [key: string]: unknown }; // read, and compared with strings
  if (code === inDoubt || codes.has(code) || names.has(name)) return true;
  const others = Array.isArray(errors) ? errors.slice(0, maxDepth) : [];
  return [cause, ...others].some((other) => isLostConnection(other, depth + 1));
}
