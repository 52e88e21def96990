import { AgentError } from "@smolts/protocol";

/** Why a request is refused. Each protocol turns it into its own error code. */
export type RefusalReason =
  | "bad-request"
  | "unsupported"
  | "no-key"
  | "not-found"
  | "conflict"
  | "too-large"
  | "too-slow"
  | "too-many"
  | "stopping";

const statuses: Readonly<Record<RefusalReason, number>> = {
  "bad-request": 400,
  unsupported: 400,
  "no-key": 401,
  "not-found": 404,
  "too-slow": 408,
  conflict: 409,
  "too-large": 413,
  "too-many": 429,
  stopping: 503,
};

/** The longest message. Messages quote the request, and a quote may be as long as the request. */
const maxMessageLength = 1_000;

/** A request that the server refuses before it has any effect. */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";
  readonly reason: RefusalReason;
  /** The name of the wrong field; null if no single field is wrong. */
  readonly field: string | null;

  constructor(reason: RefusalReason, message: string, field: string | null = null) {
    super(message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message);
    this.reason = reason;
    this.field = field;
  }

  /** The HTTP status for this reason. */
  get status(): number {
    return statuses[this.reason];
  }

  /** Whether the same request may succeed a little later. */
  get isPassing(): boolean {
    return this.reason === "too-many" || this.reason === "stopping";
  }
}

export const badRequest = (message: string, field: string | null = null): RefusedRequest =>
  new RefusedRequest("bad-request", message, field);

export const unsupported = (message: string, field: string | null = null): RefusedRequest =>
  new RefusedRequest("unsupported", message, field);

/**
 * Turns an `invalid-option` error of the agent into a RefusedRequest, because the client can
 * correct its request.
 */
export function asRequest<Value>(make: () => unknown): Value {
  try {
    return make() as Value; // safe cast: `served-agent.ts` declares these types
  } catch (error) {
    if (AgentError.is(error) && error.code === "invalid-option") throw badRequest(error.message);
    throw error;
  }
}
