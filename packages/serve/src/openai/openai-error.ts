// Writes errors in OpenAI's format, which OpenAI clients turn into their own exceptions.

import { type RefusalReason, RefusedRequest } from "../refused-request.ts";
import type { ClientFailure } from "../runs/client-errors.ts";

const kinds = {
  "bad-request": ["invalid_request_error", null],
  unsupported: ["invalid_request_error", "unsupported_parameter"],
  "no-key": ["authentication_error", "invalid_api_key"],
  "not-found": ["invalid_request_error", "not_found"],
  conflict: ["invalid_request_error", "conflict"],
  "too-large": ["invalid_request_error", "request_too_large"],
  "too-slow": ["invalid_request_error", "request_timeout"],
  "too-many": ["rate_limit_error", "rate_limit_exceeded"],
  stopping: ["server_error", "server_stopping"],
} as const satisfies Record<RefusalReason, readonly [type: string, code: string | null]>;

/** Answers a request with an error. */
export function openAIError(error: RefusedRequest | ClientFailure): Response {
  if (error instanceof RefusedRequest) {
    const [type, code] = kinds[error.reason];
    const headers = error.isPassing ? { "retry-after": "1" } : { "x-should-retry": "false" };
    return body(error.status, { message: error.message, type, param: error.field, code }, headers);
  }
  const failure = { message: error.message, type: "server_error", param: null, code: error.code };
  // The client must not retry by itself: the run may have had effects, and they would happen twice.
  return body(500, failure, { "x-should-retry": "false" });
}

/**
 * Creates the response for a run that ended without an answer. The response tells clients not to
 * retry, because the run may have had effects.
 */
export function runError({ message, code }: { readonly message: string; readonly code: string }): Response {
  return body(422, { message, type: "agent_error", param: null, code }, { "x-should-retry": "false" });
}

const body = (status: number, error: object, headers: Readonly<Record<string, string>>): Response =>
  Response.json({ error }, { status, headers: { ...headers, "cache-control": "no-store" } });
