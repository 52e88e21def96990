import type { EncodedValue } from "./value-codec.ts";

/** A call that waits for a person: for an approval, or for word of whether it happened. */
export interface ApprovalRequest {
  /**
   * `doubt`: the call began before an interruption, and nobody knows whether it happened. Answer it with a {@link DoubtDecision}. Absent for a question
   * of approval.
   */
  readonly kind?: "doubt";
  /** Unique in its run; a decision names it. It is the id of the call. */
  readonly id: string;
  readonly runId: string;
  /** The agents from the outermost to the one that asks. */
  readonly path: readonly string[];
  /** The tool's name. */
  readonly name: string;
  /** What the tool will be given, unless a person changes it. */
  readonly input: unknown;
  /** Of the input's bytes; a decision repeats it, so that nobody decides on something else than was shown. */
  readonly digest: string;
  /** Whether each call needs a decision of its own, so that `always` is no answer. */
  readonly each: boolean;
  /** Why the decision that was given could not be used. */
  readonly problem?: string;
}

/**
 * What a person says to an {@link ApprovalRequest}.
 *
 * `edit` runs the call with another input. `always` also answers what this agent asks in this run with the same tool from now on, as far as the named
 * `fields` of the input stay as they are.
 */
export type ApprovalDecision = { readonly by?: string } & (
  | { readonly type: "approve" }
  | { readonly type: "edit"; readonly input: unknown }
  | { readonly type: "deny"; readonly reason?: string }
  | { readonly type: "always"; readonly fields?: readonly string[] }
);

/** A decision as the log keeps it. An edit was validated before, unless it is `unchecked`: then the resume validates it. */
export type RecordedDecision =
  | { readonly type: "approve" }
  | { readonly type: "edit"; readonly input: EncodedValue; readonly unchecked?: true }
  | { readonly type: "deny"; readonly reason?: string }
  | { readonly type: "always"; readonly fields: readonly string[] };

/**
 * What a person says about a call of which nobody knows whether it happened.
 *
 * `happened` gives the program this output. `again` makes the same call again, with the same idempotency key; `again-as-new` makes it with a new key.
 * `fail` tells the program that the call failed.
 */
export type DoubtDecision = { readonly by?: string } & (
  | { readonly type: "happened"; readonly output?: unknown }
  | { readonly type: "again" }
  | { readonly type: "again-as-new" }
  | { readonly type: "fail"; readonly reason?: string }
);

/** A {@link DoubtDecision} as the log keeps it. */
export type RecordedDoubtDecision =
  | { readonly type: "happened"; readonly output: EncodedValue }
  | { readonly type: "again" }
  | { readonly type: "again-as-new" }
  | { readonly type: "fail"; readonly reason?: string };

/** A decision that is given to a run when it is resumed. */
export type GivenDecision = Pick<ApprovalRequest, "id" | "digest"> & (ApprovalDecision | DoubtDecision);
