import type { EncodedValue } from "./functions/value-codec.ts";
import type { JsonSchema } from "./json.ts";

/** A call that waits for a person, who either approves it or says whether it has happened. */
export interface ApprovalRequest {
  /**
   * `doubt`: the call began before an interruption, and nobody knows whether it took effect. Answer
   * with a {@link DoubtDecision}. Absent when the person is asked for approval.
   */
  readonly kind?: "doubt";
  /** The id of the call, unique in its run. A decision refers to the request by this id. */
  readonly id: string;
  readonly runId: string;
  /**
   * The names of the agents that called each other. The first was started by the user, and the last
   * makes the call.
   */
  readonly path: readonly string[];
  /** The tool's name. */
  readonly name: string;
  /** The input that the tool will get, unless a person edits it. */
  readonly input: unknown;
  /**
   * A hash of what the person is asked. A decision repeats it, so that the decision counts only for
   * the input that was shown.
   */
  readonly digest: string;
  /**
   * Whether each call of this tool needs its own decision. If so, the decision `always` is refused.
   */
  readonly each: boolean;
  /**
   * The last moment for a decision, in epoch ms. A later decision is refused, and a resume asks
   * again. Without this field there is no time limit.
   */
  readonly expiresAt?: number;
  /** Why the previous decision about this call could not be used. */
  readonly problem?: string;
  /** Present when a tool asks a person for values instead of permission. */
  readonly form?: QuestionForm;
}

/**
 * A form that a person fills in. The answer is an `edit` decision whose `input` holds the values,
 * one property for each field.
 */
export interface QuestionForm {
  readonly message: string;
  /** The JSON Schema of the values: an object of strings, numbers, booleans and enums. */
  readonly schema: JsonSchema;
}

/**
 * A person's answer to an {@link ApprovalRequest}.
 *
 * `edit` runs the call with another input. `always` approves this call, and later calls of the same
 * tool by the same agent in this run. If the decision names `fields`, a later call is approved only
 * if these fields of its input have the same values.
 */
export type ApprovalDecision = { readonly by?: string } & (
  | { readonly type: "approve" }
  | { readonly type: "edit"; readonly input: unknown }
  | { readonly type: "deny"; readonly reason?: string }
  | { readonly type: "always"; readonly fields?: readonly string[] }
);

/**
 * An {@link ApprovalDecision} as the log keeps it. The input of an edit is validated before it is
 * recorded, unless the edit is marked as `unchecked`. In that case, the resume validates the input.
 */
export type RecordedDecision =
  | { readonly type: "approve" }
  | { readonly type: "edit"; readonly input: EncodedValue; readonly unchecked?: true }
  | { readonly type: "deny"; readonly reason?: string }
  | { readonly type: "always"; readonly fields: readonly string[] };

/**
 * A person's answer about a call that may or may not have happened.
 *
 * `happened` returns `output` to the program as the result of the call. `again` makes the same call
 * again, with the same idempotency key. `again-as-new` makes it with a new key. `fail` makes the
 * call fail in the program.
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

/** A decision that the caller passes in when a run is resumed, with the request that it answers. */
export type DecisionInput = Pick<ApprovalRequest, "id" | "digest"> & (ApprovalDecision | DoubtDecision);
