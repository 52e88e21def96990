import type { SerializedError } from "./error.ts";
import type { CallOutcome } from "./executor.ts";
import type { EncodedValue } from "./functions/value-codec.ts";
import type { JsonValue } from "./json.ts";
import type { ChatMessage, ContentPart } from "./message.ts";
import type { TokenUsage } from "./model.ts";

/** A start and an end time, both in epoch ms. */
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
 * A message that did not come from the model: an earlier message that was passed with the task, or
 * a message that was sent while the agent was working.
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
  /** The number of the action step that follows the plan. */
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
  /** The id that the model's provider assigned to the call; absent for calls from code. */
  readonly providerId?: string;
  /** The input after a person edited it; absent when nobody did. */
  readonly editedInput?: EncodedValue;
  /** The outcome; null while the call is running. */
  readonly outcome: CallOutcome | null;
}

/**
 * One round of the loop: the model answers, its code or calls run, and the model gets an
 * observation.
 */
export interface ActionStep {
  readonly type: "action";
  readonly runId: string;
  /**
   * The number of the step within its run, from 1. The forced last answer has the number after the
   * last step.
   */
  readonly stepNumber: number;
  /** The model's message; null when the model failed. */
  readonly modelOutput: ChatMessage | null;
  /** The code that ran; null for an agent that does not write code. */
  readonly code: string | null;
  readonly toolCalls: readonly ToolCallRecord[];
  /** The lines that the program printed. */
  readonly logs: string;
  /**
   * The value of the program's last expression; null when there is none or it is not plain data.
   */
  readonly output: EncodedValue | null;
  /** The observation that is shown to the model. */
  readonly observation: readonly ContentPart[];
  readonly error: SerializedError | null;
  /** The answer, if this step answered the task; otherwise null. */
  readonly answer: { readonly value: EncodedValue } | null;
  readonly usage: TokenUsage | null;
  readonly timing: Timing;
}

/** A change to a completed step. */
export interface StepChange {
  /** The new text of the plan before the step. */
  readonly plan?: string;
  /**
   * The new observation of the step. The existing results of native tool calls stay, unless this
   * observation contains results itself.
   */
  readonly observation?: readonly ContentPart[];
}

/** Describes which part of the past is hidden from the model. */
export interface CompactionView {
  /**
   * Why the past was shortened. `share`: the messages reached the agent's share of the context
   * window. `overflow`: the provider said that the messages are too long.
   */
  readonly reason: "share" | "overflow";
  /**
   * The last step of this run that is left out; all steps up to it and all earlier runs are hidden.
   * Null when no step is left out.
   */
  readonly through: number | null;
  /**
   * Steps whose observation is left out, with the names of the variables in which code can still
   * find the results.
   */
  readonly shortened: readonly { readonly stepNumber: number; readonly names: readonly string[] }[];
  /**
   * A summary that replaces the hidden steps. A model wrote it from unverified text. Null when
   * there is none.
   */
  readonly summary: string | null;
  /**
   * Descriptions of hidden calls that must not be forgotten: a person denied them, or nobody knows
   * whether they happened.
   */
  readonly keptCalls: readonly string[];
  /**
   * The tokens that the summary cost; null when the model did not report them, absent when no model
   * was asked.
   */
  readonly usage?: TokenUsage | null;
}

/** Marks that the model is shown less of the past from here on. */
export interface CompactionStep extends CompactionView {
  readonly type: "compaction";
  readonly runId: string;
  /** The number of the action step that follows. */
  readonly stepNumber: number;
}

/** The answer that a run ended with. */
export interface FinalAnswerStep {
  readonly type: "final-answer";
  readonly runId: string;
  readonly answer: EncodedValue;
}

/** A step that another package added, with a `name` such as `vendor/x`. The model never sees it. */
export interface CustomStep {
  readonly type: "custom";
  readonly name: string;
  readonly data: JsonValue;
}

/**
 * Everything that a run remembers, as plain data. If you add a member here, the compiler lists the
 * places to extend.
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
