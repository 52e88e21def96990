// The parts of a run. All wire formats of this package are made from them.

import type { JsonValue, RunStatus, SerializedError, TokenUsage } from "@smolts/protocol";

/**
 * The agent that a part belongs to: null for the outermost agent, else the id of a managed agent.
 */
export type Place = string | null;

/** The tokens that one model used. */
export type ModelUsage = TokenUsage & { readonly model: string };

/**
 * A part of a run. Every part that opens is closed before the part `end`, even if the run fails.
 */
export type OutlinePart =
  | { readonly type: "start"; readonly runId: string; readonly task: string }
  | {
      readonly type: "agent-start";
      readonly id: string;
      readonly name: string;
      readonly place: Place;
      readonly callId?: string;
    }
  | {
      readonly type: "agent-end";
      readonly id: string;
      readonly place: Place;
      readonly error?: string;
      readonly isSuspended?: boolean;
    }
  | { readonly type: "step-start"; readonly name: string; readonly place: Place }
  | {
      readonly type: "step-end";
      readonly name: string;
      readonly place: Place;
      readonly durationMs: number;
      readonly usage: TokenUsage | null;
    }
  /** The model's thoughts: its reasoning, its plan, and its text outside the code. */
  | { readonly type: "thought-start"; readonly id: string; readonly place: Place }
  | { readonly type: "thought-delta"; readonly id: string; readonly place: Place; readonly text: string }
  | { readonly type: "thought-end"; readonly id: string; readonly place: Place; readonly text: string }
  | { readonly type: "plan"; readonly id: string; readonly place: Place; readonly text: string }
  /** A tool call. An agent's code is a call of `runCode`. */
  | {
      readonly type: "call-start";
      readonly id: string;
      readonly name: string;
      readonly place: Place;
      readonly parentId?: string;
    }
  /** A piece of a call's input. All pieces together are the input as JSON. */
  | { readonly type: "call-delta"; readonly id: string; readonly place: Place; readonly text: string }
  | {
      readonly type: "call-input";
      readonly id: string;
      readonly name: string;
      readonly place: Place;
      readonly input: JsonValue;
    }
  | { readonly type: "call-end"; readonly id: string; readonly place: Place; readonly result: CallResult }
  | { readonly type: "console"; readonly callId: string; readonly place: Place; readonly text: string }
  /** The run is suspended until a person has decided about this call. */
  | {
      readonly type: "approval";
      readonly id: string;
      /** The id of the call in the log. */
      readonly callId: string;
      readonly name: string;
      readonly place: Place;
      readonly input: JsonValue;
      readonly digest: string;
    }
  | { readonly type: "answer"; readonly id: string; readonly text: string; readonly value: JsonValue }
  | {
      readonly type: "end";
      readonly status: RunStatus;
      readonly error?: SerializedError;
      readonly answer?: JsonValue;
      readonly usage: readonly ModelUsage[];
    };

/** The outcome of a call. */
export interface CallResult {
  readonly type: "ok" | "error" | "denied";
  /** The result as text, for people and models. */
  readonly text: string;
  /** The result as data, if it is data. */
  readonly value?: JsonValue;
}

/** The name of the calls that represent an agent's code. */
export const codeCallName = "runCode";
