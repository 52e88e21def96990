import type { SerializedError } from "./error.ts";
import type { CallOutcome } from "./executor.ts";
import type { JsonValue } from "./json.ts";
import type { ChatMessage, ContentPart } from "./message.ts";
import type { TokenUsage } from "./model.ts";
import type { EncodedValue } from "./value-codec.ts";

/** From when to when, in epoch ms. */
export interface Timing {
  readonly startTime: number;
  readonly endTime: number;
}

/** What the model is told first. */
export interface SystemPromptStep {
  readonly type: "system-prompt";
  readonly text: string;
}

/** A message put in from outside: an earlier one that came with the task, or what somebody said while the agent was at work. */
export interface MessageStep {
  readonly type: "message";
  readonly runId: string;
  readonly message: ChatMessage;
}

/** What is asked. */
export interface TaskStep {
  readonly type: "task";
  readonly runId: string;
  readonly content: readonly ContentPart[];
}

/** What the model knew and meant to do before a step. */
export interface PlanningStep {
  readonly type: "planning";
  readonly runId: string;
  /** Of the action step that the plan was made before. */
  readonly stepNumber: number;
  readonly plan: string;
  /** What the model wrote, as it came. */
  readonly modelOutput: ChatMessage;
  readonly usage: TokenUsage | null;
  readonly timing: Timing;
}

/** A tool call of a step and what came of it. */
export interface ToolCallRecord {
  readonly callId: string;
  readonly name: string;
  readonly args: readonly EncodedValue[];
  /** The id the model's provider gave the call; absent for calls from code. */
  readonly providerId?: string;
  /** What a person made of the input before the call ran; absent when it ran as asked. */
  readonly editedInput?: EncodedValue;
  /** Null while the call is going on. */
  readonly outcome: CallOutcome | null;
}

/** One think-act-observe round. */
export interface ActionStep {
  readonly type: "action";
  readonly runId: string;
  /** 1-based within its run; the forced last answer has the number after the last step. */
  readonly stepNumber: number;
  /** Null when the model failed. */
  readonly modelOutput: ChatMessage | null;
  /** The code that ran, for a code agent. */
  readonly code: string | null;
  readonly toolCalls: readonly ToolCallRecord[];
  /** What the program printed, line by line. */
  readonly logs: string;
  /** The value of the program's last expression; null when it has none that is plain data. */
  readonly output: EncodedValue | null;
  /** What the model is shown of all this. */
  readonly observation: readonly ContentPart[];
  readonly error: SerializedError | null;
  /** Set when this step answered the task. */
  readonly answer: { readonly value: EncodedValue } | null;
  readonly usage: TokenUsage | null;
  readonly timing: Timing;
}

/** What is changed of a step after it was complete. */
export interface StepChange {
  /** Of the plan before the step. */
  readonly plan?: string;
  /** What the model is shown of the step; results of native tool calls stay unless there are some here. */
  readonly observation?: readonly ContentPart[];
}

/** The answer that a run ended with. */
export interface FinalAnswerStep {
  readonly type: "final-answer";
  readonly runId: string;
  readonly answer: EncodedValue;
}

/** A step of somebody else's making; `name` is `vendor/x`. It is never shown to the model. */
export interface CustomStep {
  readonly type: "custom";
  readonly name: string;
  readonly data: JsonValue;
}

/** Everything a run remembers, as plain data. Add a member here and the compiler lists what to write next. */
export type MemoryStep =
  | SystemPromptStep
  | MessageStep
  | TaskStep
  | PlanningStep
  | ActionStep
  | FinalAnswerStep
  | CustomStep;
