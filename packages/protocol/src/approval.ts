import type { EncodedValue } from "./functions/value-codec.ts";
import type { JsonSchema } from "./json.ts";

/** A call that waits for a person: for an approval, or for word of whether it happened. */
export interface ApprovalRequest {
  /**
   * `doubt`: the call began before an interruption, and nobody knows whether it happened. Answer it
   * with a {@link DoubtDecision}. Absent for a question of approval.
   */
  readonly kind?: "doubt";
  /** Unique in its run; a decision names it. It is the id of the call. */
  readonly id: string;
  readonly runId: string;
  /** The agents from the outermost to the one that asks. */
  readonly path: readonly string[];
  /** The tool's name. */
  readonly name: string;
  /** The input of the tool, unless a person edits it. */
  readonly input: unknown;
  /**
   * Hash of the input. A decision repeats it, so that it counts only for the input that was shown.
   */
  readonly digest: string;
  /** Whether each call needs its own decision. `always` is then refused. */
  readonly each: boolean;
  /**
   * Until when it can be decided, in epoch ms; a later decision is refused, and a resume asks
   * again. Absent for ever.
   */
  readonly expiresAt?: number;
  /** Why the decision that was given could not be used. */
  readonly problem?: string;
  /** Present when a tool asks for values and not for permission. */
  readonly form?: QuestionForm;
}

/** A form that a person fills in: the answer is an `edit` whose input holds the values by name. */
export interface QuestionForm {
  readonly message: string;
  /** The JSON Schema of an object of texts, numbers, booleans and choices. */
  readonly schema: JsonSchema;
}

/**
 * A person's answer to an {@link ApprovalRequest}.
 *
 * `edit` runs the call with another input. `always` also answers what this agent asks in this run
 * with the same tool from now on, as far as the named `fields` of the input stay as they are.
 */
export type ApprovalDecision = { readonly by?: string } & (
  | { readonly type: "approve" }
  | { readonly type: "edit"; readonly input: unknown }
  | { readonly type: "deny"; readonly reason?: string }
  | { readonly type: "always"; readonly fields?: readonly string[] }
);

/**
 * A decision as the log keeps it. An edit was validated before, unless it is `unchecked`: then the
 * resume validates it.
 */
export type RecordedDecision =
  | { readonly type: "approve" }
  | { readonly type: "edit"; readonly input: EncodedValue; readonly unchecked?: true }
  | { readonly type: "deny"; readonly reason?: string }
  | { readonly type: "always"; readonly fields: readonly string[] };

/**
 * A person's answer about a call that may or may not have happened.
 *
 * `happened` returns this output to the program. `again` makes the same call again, with the same
 * idempotency key; `again-as-new` makes it with a new key. `fail` tells the program that the call
 * failed.
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
