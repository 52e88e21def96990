import type { QuestionForm, RecordedDecision, RecordedDoubtDecision } from "./approval.ts";
import type { Budget } from "./budget.ts";
import type { SerializedError } from "./error.ts";
import type { CallOutcome, ConsoleLine, ExecutionResult, ExecutorFactory } from "./executor.ts";
import type { EncodedValue } from "./functions/value-codec.ts";
import type { JsonSchema, JsonValue } from "./json.ts";
import type { ChatMessage, ContentPart } from "./message.ts";
import type { FinishReason, TokenUsage } from "./model.ts";
import type { CompactionView, StepChange, Timing } from "./step.ts";
import type { ToolEffects } from "./tool.ts";

/**
 * How a run ended, or `suspended` while it waits for people. A run with `max-steps` or `budget` has
 * an answer that the model was forced to give at the limit.
 */
export type RunStatus = "success" | "max-steps" | "budget" | "suspended" | "aborted" | "failed";

/**
 * The names of the agents that called each other, such as `["manager", "search#3.1"]`. The first
 * was started by the user, and the last emits the event.
 */
export type Path = readonly string[];

/** The content of the events that the log keeps. */
export type DurableBody =
  | {
      readonly type: "run-start";
      /** A hash of everything that defines the agent: prompt, tools, model, limits. */
      readonly definitionDigest: string;
      /**
       * A short hash of each part of the definition: name, prompt, model, tools, limits, modules.
       */
      readonly definitionParts?: { readonly [part: string]: string };
      /** The model's id, `provider/model`. */
      readonly model: string;
      readonly task: readonly ContentPart[];
      /** Earlier messages of the conversation, shown before the task. */
      readonly history?: readonly ChatMessage[];
      readonly systemPrompt: string;
      /** Variables that the code agent's sandbox starts with, such as `additionalArgs`. */
      readonly variables: { readonly [name: string]: EncodedValue };
      readonly maxSteps: number;
      /** The limits that are set for the run. */
      readonly budget?: Budget;
      /**
       * The schema of the answer; absent when any answer is valid. A resume must pass the same
       * schema again.
       */
      readonly answerSchema?: JsonSchema;
      /** The language of the run's code; JavaScript if absent. */
      readonly language?: ExecutorFactory["language"];
      /**
       * The versions of the environment that runs the code, such as that of the engine. The results
       * of the code depend on them. Absent when the executor reports none.
       */
      readonly environment?: ExecutorFactory["environment"];
      /** Present when the model is not forced to give an answer after the last step. */
      readonly forceAnswer?: false;
      /** The seed of the random numbers of all steps: 128 random bits in hex. */
      readonly seed: string;
      /**
       * 128 random bits in hex, from which idempotency keys are made. A resume keeps them; a fork
       * gets new ones.
       */
      readonly lineage: string;
      /** For the run of a managed agent: the id of the call that started it. */
      readonly parentCallId?: string;
      /**
       * Present when the sandboxes of earlier runs were abandoned. See the field of this name in
       * `run-resume`.
       */
      readonly emptySandbox?: true;
    }
  /**
   * The run waits for people to decide about these calls. Calls of its managed agents are included.
   */
  | { readonly type: "run-suspend"; readonly callIds: readonly string[] }
  /**
   * The run continues from the end of its log: after a crash, an abort or a failure, or because a
   * limit was raised.
   */
  | {
      readonly type: "run-resume";
      readonly attempt: number;
      readonly definitionDigest: string;
      /**
       * The parts of the agent's definition that have changed since the run began; absent when none
       * has.
       */
      readonly changed?: readonly string[];
      /** The same field as in `run-start`, if its value has changed since then. */
      readonly environment?: ExecutorFactory["environment"];
      /** The new limit of steps; absent when the limit has not changed. */
      readonly maxSteps?: number;
      /** The new budget; absent when the budget has not changed. */
      readonly budget?: Budget;
      /**
       * Present when sandboxes were abandoned because their code cannot run again. Blocks after
       * this event run in new, empty sandboxes. A block that had not ended is not continued.
       */
      readonly emptySandbox?: true;
    }
  /**
   * The first event of a forked log. Copies of another log's events follow it, under a new run id.
   */
  | {
      readonly type: "fork";
      /**
       * The place where the copy was taken: the id of the log, the run in it, and the `seq` of the
       * last copied event.
       */
      readonly parent: { readonly log: string; readonly runId: string; readonly seq: number };
      /** A hash of the copied events as they are in the parent log. */
      readonly sum: string;
      /** The number of the step that the fork runs again, from 1. */
      readonly atStep: number;
      /**
       * How many copied events follow this event. If there are fewer, the copying was interrupted.
       */
      readonly copied: number;
      readonly definitionDigest: string;
      /** The code that runs in step `atStep`, instead of what a model writes. */
      readonly code?: string;
      /** The same field as in `run-start`, for the steps from `atStep` on. */
      readonly seed: string;
      /** The same field as in `run-start`, for the steps from `atStep` on. */
      readonly lineage: string;
    }
  /**
   * The session starts over: later runs know nothing of the earlier ones. This event belongs to no
   * run, so no other event has its `runId`.
   */
  | { readonly type: "reset" }
  | {
      readonly type: "run-end";
      readonly status: RunStatus;
      readonly answer?: EncodedValue;
      readonly error?: SerializedError;
    }
  /** The facts and the plan that the model wrote before a step. */
  | {
      readonly type: "plan";
      /** The number of the step that follows the plan. */
      readonly stepNumber: number;
      readonly plan: string;
      readonly message: ChatMessage;
      readonly usage: TokenUsage | null;
      readonly finishReason: FinishReason;
      readonly timing: Timing;
    }
  /**
   * A request is sent to the model for a plan, for a summary of the history, or because a tool
   * asked for it. The request of an ordinary step is recorded by `step-start` instead. If no answer
   * follows in the log, the answer was lost.
   */
  | { readonly type: "model-request"; readonly purpose: "plan"; readonly stepNumber: number }
  | { readonly type: "model-request"; readonly purpose: "summary" }
  | { readonly type: "model-request"; readonly purpose: "tool"; readonly callId: string }
  | {
      readonly type: "step-start";
      readonly stepNumber: number;
      /** The names of the only tools that this step may use. Absent when it may use all of them. */
      readonly tools?: readonly string[];
    }
  | {
      readonly type: "model-response";
      readonly stepNumber: number;
      readonly message: ChatMessage;
      readonly usage: TokenUsage | null;
      readonly finishReason: FinishReason;
      readonly timing: Timing;
    }
  | {
      readonly type: "code-start";
      readonly stepNumber: number;
      readonly code: string;
      /**
       * If output was cut in the previous step's observation, variables hold all of it. These are
       * the names of those variables. Absent when nothing was cut.
       */
      readonly cut?: readonly string[];
      /**
       * Identifies a sandbox whose state cannot be rebuilt from the log, so that it can be found
       * again; see `Executor.attachment`.
       */
      readonly sandbox?: JsonValue;
    }
  /** The program or the model calls a tool. */
  | {
      readonly type: "tool-call";
      readonly stepNumber: number;
      readonly callId: string;
      /** The number of the call within its step, from 1. */
      readonly callIndex: number;
      readonly name: string;
      readonly args: readonly EncodedValue[];
      readonly providerId?: string;
    }
  /**
   * The tool and the policies have been asked about a call and allow it without a person's
   * decision. They are not asked again on resume.
   */
  | {
      readonly type: "approval-policy";
      readonly callId: string;
      /**
       * The input of the tool after mapping and validation. The call runs with exactly this input.
       */
      readonly input: EncodedValue;
      /** A hash of the tool's declaration. */
      readonly definitionDigest: string;
    }
  /** A call needs approval before it runs. */
  | {
      readonly type: "approval-request";
      readonly callId: string;
      readonly name: string;
      /**
       * The input of the tool after mapping and validation. The call runs with exactly this input.
       */
      readonly input: EncodedValue;
      /** A hash of the tool's name, input and declaration, and of `expiresAt` if there is one. */
      readonly digest: string;
      /** A hash of the tool's declaration. */
      readonly definitionDigest: string;
      readonly each: boolean;
      /** The last moment for a decision, in epoch ms. Without this field there is no time limit. */
      readonly expiresAt?: number;
      /** The reason for asking again: why the previous decision could not be used. */
      readonly problem?: string;
      /** Present when a tool asks a person for values instead of permission. */
      readonly form?: QuestionForm;
    }
  /** A person's decision about a request. Only the first decision counts. */
  | {
      readonly type: "approval-response";
      readonly callId: string;
      readonly digest: string;
      readonly decision: RecordedDecision;
      readonly by?: string;
    }
  /**
   * A call began before an interruption, has no recorded outcome, and must not be repeated. A
   * person has to say what happened.
   */
  | {
      readonly type: "doubt-request";
      readonly callId: string;
      readonly name: string;
      /** The input of the tool. */
      readonly input: EncodedValue;
      /** A hash of the tool's name and input. */
      readonly digest: string;
      /** Why the previous decision could not be used, so that the person is asked again. */
      readonly problem?: string;
    }
  /** A person's decision about a call in doubt. Only the first decision counts. */
  | {
      readonly type: "doubt-response";
      readonly callId: string;
      readonly digest: string;
      readonly decision: RecordedDoubtDecision;
      readonly by?: string;
    }
  /** The tool of a call starts to run. Tools without effects do not record this event. */
  | {
      readonly type: "tool-start";
      readonly callId: string;
      /** 1-based. */
      readonly attempt: number;
      /**
       * Starts at 1. Increases each time a person decides `again-as-new`, which makes the call with
       * a new idempotency key.
       */
      readonly generation: number;
      /** The input of the tool, after mapping and validation. */
      readonly input: EncodedValue;
      readonly effects: ToolEffects;
      readonly idempotencyKey: string;
      /** A hash of the tool's declaration. */
      readonly definitionDigest?: string;
    }
  /** The outcome of a call. The program gets its outcomes in the order of these events. */
  | { readonly type: "tool-result"; readonly callId: string; readonly outcome: CallOutcome }
  | ({ readonly type: "console"; readonly stepNumber: number } & ConsoleLine)
  | { readonly type: "code-end"; readonly stepNumber: number; readonly result: ExecutionResult }
  /** A message that was sent to the agent while it was working. */
  | { readonly type: "message"; readonly message: ChatMessage }
  /** The result of a check of the final answer. */
  | {
      readonly type: "check-result";
      readonly stepNumber: number;
      readonly name: string;
      readonly passed: boolean;
      readonly reason?: string;
    }
  /**
   * From this step on, the model is shown less of the past. The event records what is left out, so
   * that a resume leaves out the same.
   */
  | ({ readonly type: "compaction"; readonly stepNumber: number; readonly timing: Timing } & CompactionView)
  /** A callback changed what the run remembers of a step. */
  | { readonly type: "step-edit"; readonly stepNumber: number; readonly change: StepChange }
  /**
   * A limit of the budget was reached. Instead of running this step, the run asks the model for an
   * answer.
   */
  | {
      readonly type: "budget-stop";
      readonly stepNumber: number;
      readonly limit: keyof Budget;
      readonly allowed: number;
      /** The amount that was used, including `estimated`. */
      readonly used: number;
      /**
       * The part of `used` that is estimated. A crash or an abort can lose a model's answer before
       * the answer is recorded, so its usage has to be estimated. Absent when no answer was lost.
       */
      readonly estimated?: number;
    }
  /** A step ended. The event holds only facts that cannot be derived from earlier events. */
  | {
      readonly type: "step-end";
      readonly stepNumber: number;
      readonly observation: readonly ContentPart[];
      readonly error: SerializedError | null;
      readonly answer: { readonly value: EncodedValue } | null;
    }
  /**
   * A note of another package, with a `name` such as `vendor/x`. It is never shown to the model.
   */
  | { readonly type: "note"; readonly name: string; readonly data: JsonValue };

/** The content of transient events: live readers see them, and the log does not keep them. */
export type TransientBody =
  /** A piece of the text that the model writes outside its code. */
  | { readonly type: "text-delta"; readonly stepNumber: number; readonly text: string }
  /** A piece of the plan that the model writes before this step. */
  | { readonly type: "plan-delta"; readonly stepNumber: number; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly stepNumber: number; readonly text: string }
  /** A piece of the code that the model writes. */
  | { readonly type: "code-delta"; readonly stepNumber: number; readonly text: string }
  | {
      readonly type: "tool-call-delta";
      readonly stepNumber: number;
      readonly index: number;
      readonly name?: string;
      readonly inputText: string;
    }
  | { readonly type: "tool-progress"; readonly callId: string; readonly data: JsonValue }
  | {
      readonly type: "retry";
      readonly stepNumber: number;
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: SerializedError;
    };

/** The position of an event in the log, and its time. The log adds these fields. */
export interface EventStamp {
  readonly runId: string;
  readonly path: Path;
  /**
   * The number of the event in its log: 1, 2, 3, and so on without gaps. A transient event has the
   * number of the last event that the log kept.
   */
  readonly seq: number;
  /** Epoch ms. */
  readonly time: number;
}

/** An event that the log keeps. */
export type DurableEvent = EventStamp & DurableBody;

/** An event that only live readers see. */
export type TransientEvent = EventStamp & TransientBody;

/** Any event that a run emits. The union is closed, so a `switch` over `type` can be exhaustive. */
export type RunEvent = DurableEvent | TransientEvent;

/** The events of one type, such as `EventOf<"run-start">`. */
export type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { readonly type: Type }>;
