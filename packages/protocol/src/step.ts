import type { SerializedError } from "./error.ts";
import type { CallOutcome } from "./executor.ts";
import type { EncodedValue } from "./functions/value-codec.ts";
import type { JsonValue } from "./json.ts";
import type { ChatMessage, ContentPart } from "./message.ts";
import type { TokenUsage } from "./model.ts";

/** From when to when, in epoch ms. */
export interface Timing {
  readonly startTime: number;
  readonly endTime: number;
}

/** The system prompt, the first message to the model. */
export interface SystemPromptStep {
  readonly type: "system-prompt";
  readonly text: string;
}

/**
 * A message put in from outside: an earlier one that came with the task, or one that was sent while
 * the agent was working.
 */
export interface MessageStep {
  readonly type: "message";
  readonly runId: string;
  readonly message: ChatMessage;
}

/** The task. */
export interface TaskStep {
  readonly type: "task";
  readonly runId: string;
  readonly content: readonly ContentPart[];
}

/** The facts and the plan that the model wrote before a step. */
export interface PlanningStep {
  readonly type: "planning";
  readonly runId: string;
  /** The action step that follows the plan. */
  readonly stepNumber: number;
  readonly plan: string;
  /** The model's message, unchanged. */
  readonly modelOutput: ChatMessage;
  readonly usage: TokenUsage | null;
  readonly timing: Timing;
}

/** A tool call of a step, with its outcome. */
export interface ToolCallRecord {
  readonly callId: string;
  readonly name: string;
  readonly args: readonly EncodedValue[];
  /** The id the model's provider gave the call; absent for calls from code. */
  readonly providerId?: string;
  /** The input after a person's edit; absent when the call ran unchanged. */
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
  /** The program's printed lines. */
  readonly logs: string;
  /** The value of the program's last expression; null when it has none that is plain data. */
  readonly output: EncodedValue | null;
  /** The observation that the model sees. */
  readonly observation: readonly ContentPart[];
  readonly error: SerializedError | null;
  /** Set when this step answered the task. */
  readonly answer: { readonly value: EncodedValue } | null;
  readonly usage: TokenUsage | null;
  readonly timing: Timing;
}

/** A change to a completed step. */
export interface StepChange {
  /** The new text of the plan before the step. */
  readonly plan?: string;
  /** The new observation of the step. Results of native tool calls stay, unless this has some. */
  readonly observation?: readonly ContentPart[];
}

/** Which part of the past the model is not shown. */
export interface CompactionView {
  /**
   * Why: the messages reached the agent's share of the context window, or the provider said that
   * they are too long.
   */
  readonly reason: "share" | "overflow";
  /** Steps of this run up to this number are left out, and all of earlier runs; null for none. */
  readonly through: number | null;
  /** Steps of which the observation is left out, with the variables in which code finds it. */
  readonly shortened: readonly { readonly stepNumber: number; readonly names: readonly string[] }[];
  /** Stands for what is left out; written by a model, out of text that nobody vouches for. */
  readonly summary: string | null;
  /**
   * Calls that were left out and must not be forgotten: a person denied them, or nobody knows
   * whether they happened.
   */
  readonly keptCalls: readonly string[];
  /**
   * The tokens of the summary; null when the model did not say it, absent when no model was asked.
   */
  readonly usage?: TokenUsage | null;
}

/** From here on the model is shown less of the past. */
export interface CompactionStep extends CompactionView {
  readonly type: "compaction";
  readonly runId: string;
  /** The number of the action step after it. */
  readonly stepNumber: number;
}

/** The answer that a run ended with. */
export interface FinalAnswerStep {
  readonly type: "final-answer";
  readonly runId: string;
  readonly answer: EncodedValue;
}

/** A step of another package; `name` is `vendor/x`. The model never sees it. */
export interface CustomStep {
  readonly type: "custom";
  readonly name: string;
  readonly data: JsonValue;
}

/**
 * Everything a run remembers, as plain data. Add a member here and the compiler lists what to write
 * next.
 */
export type MemoryStep =
  | SystemPromptStep
  | MessageStep
  | TaskStep
  | PlanningStep
  | ActionStep
  | CompactionStep
  | FinalAnswerStep
  | CustomStep;
