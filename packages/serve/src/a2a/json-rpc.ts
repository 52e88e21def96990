import { type RefusalReason, RefusedRequest } from "../refused-request.ts";
import type { ClientFailure } from "../runs/client-errors.ts";

/** The id of a request; null if it could not be read. */
export type RequestId = string | number | null;

const codes: Readonly<Record<RefusalReason, number>> = {
  "bad-request": -32_602,
  unsupported: -32_005,
  "no-key": -32_000,
  // The task does not exist.
  "not-found": -32_001,
  // The task accepts no more messages.
  conflict: -32_004,
  "too-large": -32_600,
  "too-slow": -32_600,
  "too-many": -32_000,
  stopping: -32_000,
};

/**
 * Writes an error as a response. An error of a JSON-RPC request has status 200 and an error code.
 * If the request was refused before it was read, for example because its key is missing, the
 * response also has an HTTP status.
 */
export function rpcError(
  error: RefusedRequest | ClientFailure,
  id: RequestId,
  given?: { readonly code: number },
): Response {
  const isRefused = error instanceof RefusedRequest;
  const code = given?.code ?? (isRefused ? codes[error.reason] : -32_603);
  const outside: readonly RefusalReason[] = ["no-key", "too-large", "too-slow", "too-many", "stopping"];
  const status = isRefused && outside.includes(error.reason) ? error.status : 200;
  const headers = isRefused && error.isPassing ? { "retry-after": "1" } : {};
  return Response.json(
    { jsonrpc: "2.0", id, error: { code, message: error.message } },
    { status, headers: { ...headers, "cache-control": "no-store" } },
  );
}

export const rpcResult = (result: object, id: RequestId): Response => Response.json({ jsonrpc: "2.0", id, result });
