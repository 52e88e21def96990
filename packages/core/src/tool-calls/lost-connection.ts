// Finds out whether a failed tool may still have done its work. This is possible if its request was
// sent, but no answer arrived.

/**
 * Error codes of Node, undici and drivers for a connection that broke after it was established.
 * Codes for a refused connection or an unknown host are not included.
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

/** Names of errors that a tool's own time limit throws. */
const names: ReadonlySet<unknown> = new Set(["AbortError", "TimeoutError"]);

/** The error code that a tool uses to report that its call may have happened. */
const inDoubt = "in-doubt";

const maxDepth = 8;

/** Says whether an error, or one of its causes, means that the result of a request is unknown. */
export function isLostConnection(error: unknown, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > maxDepth) return false;
  // the fields are only compared with strings
  const { code, name, cause, errors } = error as { readonly [key: string]: unknown };
  if (code === inDoubt || codes.has(code) || names.has(name)) return true;
  const others = Array.isArray(errors) ? errors.slice(0, maxDepth) : [];
  return [cause, ...others].some((other) => isLostConnection(other, depth + 1));
}
