// The parts of a run that open and close: what all wires have in common.

import type { JsonValue, RunStatus, SerializedError, TokenUsage } from "@smolts/protocol";

/** Where a part belongs: null for the outermost agent, else the id of the managed agent. */
export type Place = string | null;

/** Tokens by model. */
export type ModelUsage = TokenUsage & { readonly model: string };

/** A part of a run. What is opened is closed again before `end`, however the run ends. */
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
  /** The model's thoughts: its reasoning, its plan, and its text beside the code. */
  | { readonly type: "thought-start"; readonly id: string; readonly place: Place }
  | { readonly type: "thought-delta"; readonly id: string; readonly place: Place; readonly text: string }
  | { readonly type: "thought-end"; readonly id: string; readonly place: Place; readonly text: string }
  | { readonly type: "plan"; readonly id: string; readonly place: Place; readonly text: string }
  /** A call of a tool; the code of an agent is a call of `runCode`. */
  | {
      readonly type: "call-start";
      readonly id: string;
      readonly name: string;
      readonly place: Place;
      readonly parentId?: string;
    }
  /** The pieces join to the call's input as JSON. */
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
  /** The run is suspended until a person has decided about the call. */
  | {
      readonly type: "approval";
      readonly id: string;
      /** The id in the log. */
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
  /** For people and models. */
  readonly text: string;
  /** The value, where it is data. */
  readonly value?: JsonValue;
}

/** The name that an agent's code has among the calls. */
export const codeCallName = "runCode";
