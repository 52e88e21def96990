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

/** How a run ended, or that it waits for people. `max-steps` and `budget` have a forced answer. */
export type RunStatus = "success" | "max-steps" | "budget" | "suspended" | "aborted" | "failed";

/** The agents from the outermost to the one that speaks, such as `["manager", "search#3.1"]`. */
export type Path = readonly string[];

/** What happened, and stays: the members of the log. */
export type DurableBody =
  | {
      readonly type: "run-start";
      /** Hash of what defines the agent: prompt, tools, model, limits. */
      readonly definitionDigest: string;
      /** Short hashes of the parts: name, prompt, model, tools, limits, modules. */
      readonly definitionParts?: { readonly [part: string]: string };
      /** The model's id, `provider/model`. */
      readonly model: string;
      readonly task: readonly ContentPart[];
      /** Earlier messages of the conversation, shown before the task. */
      readonly history?: readonly ChatMessage[];
      readonly systemPrompt: string;
      /** Bindings of the code agent's sandbox, such as `additionalArgs`. */
      readonly variables: { readonly [name: string]: EncodedValue };
      readonly maxSteps: number;
      /** The limits that are set. */
      readonly budget?: Budget;
      /** The schema of the answer; absent when any answer is valid. A resume must pass it again. */
      readonly answerSchema?: JsonSchema;
      /** The language of the run's code; JavaScript when absent. */
      readonly language?: ExecutorFactory["language"];
      /**
       * The versions that the results of the run's code rest on; absent when its executor names
       * none.
       */
      readonly environment?: ExecutorFactory["environment"];
      /** Present when no answer is forced after the last step. */
      readonly forceAnswer?: false;
      /** 128 random bits in hex, from which each step's random numbers are made. */
      readonly seed: string;
      /**
       * 128 random bits in hex: what idempotency keys are made from. The same over resumes, new in
       * a fork.
       */
      readonly lineage: string;
      /** For a managed agent: the call that started it. */
      readonly parentCallId?: string;
      /** Present when sandboxes of earlier runs were given up, as in `run-resume`. */
      readonly emptySandbox?: true;
    }
  /** The run waits for decisions about these calls, including calls of its managed agents. */
  | { readonly type: "run-suspend"; readonly callIds: readonly string[] }
  /**
   * The run continues where its log ends: after a crash, an abort, a failure, or a limit that was
   * raised.
   */
  | {
      readonly type: "run-resume";
      readonly attempt: number;
      readonly definitionDigest: string;
      /**
       * The parts of the agent's definition that are not as they were when the run began; absent
       * for none.
       */
      readonly changed?: readonly string[];
      /** As in `run-start`, when it has changed since. */
      readonly environment?: ExecutorFactory["environment"];
      /** The limit of steps from here on; absent when it stays as it was. */
      readonly maxSteps?: number;
      /** The budget from here on; absent when it stays as it was. */
      readonly budget?: Budget;
      /**
       * Present when sandboxes whose code cannot run again were given up: blocks after this event
       * run in new, empty ones. A block that had not ended is not continued.
       */
      readonly emptySandbox?: true;
    }
  /**
   * The first event of a log that shares its beginning with another one. The copied events follow
   * it, under a run id of their own.
   */
  | {
      readonly type: "fork";
      /**
       * Where the copy was taken: the id of the log, the run in it, and the `seq` of the last
       * copied event.
       */
      readonly parent: { readonly log: string; readonly runId: string; readonly seq: number };
      /** Hash of the copied events as the parent holds them. */
      readonly sum: string;
      /** The step that the fork does again, 1-based. */
      readonly atStep: number;
      /**
       * How many events after this one the fork began with. A log with fewer was not copied to its
       * end.
       */
      readonly copied: number;
      readonly definitionDigest: string;
      /** The code that runs in step `atStep`, instead of what a model writes. */
      readonly code?: string;
      /** As in `run-start`, from step `atStep` on. */
      readonly seed: string;
      /** As in `run-start`, from step `atStep` on. */
      readonly lineage: string;
    }
  /**
   * The session begins again: later runs know nothing of what was before. It belongs to no run, so
   * its `runId` is in no other event.
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
      /** The step that follows the plan. */
      readonly stepNumber: number;
      readonly plan: string;
      readonly message: ChatMessage;
      readonly usage: TokenUsage | null;
      readonly finishReason: FinishReason;
      readonly timing: Timing;
    }
  /**
   * The model is asked outside of a step, whose start says so itself: for a plan, for a summary of
   * the history, or by the tool of a call. Where no answer follows, it was lost.
   */
  | { readonly type: "model-request"; readonly purpose: "plan"; readonly stepNumber: number }
  | { readonly type: "model-request"; readonly purpose: "summary" }
  | { readonly type: "model-request"; readonly purpose: "tool"; readonly callId: string }
  | {
      readonly type: "step-start";
      readonly stepNumber: number;
      /** The names of the tools that this step is confined to. */
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
       * The names of the variables that it got for what was cut of the step before; absent for
       * none.
       */
      readonly cut?: readonly string[];
      /**
       * How the sandbox is found again whose state cannot be rebuilt from the log; see
       * `Executor.attachment`.
       */
      readonly sandbox?: JsonValue;
    }
  /** The program or the model asks for a tool. */
  | {
      readonly type: "tool-call";
      readonly stepNumber: number;
      readonly callId: string;
      /** 1-based within its step. */
      readonly callIndex: number;
      readonly name: string;
      readonly args: readonly EncodedValue[];
      readonly providerId?: string;
    }
  /**
   * The tool and the policies were asked about a call, and no person has to decide. They are not
   * asked again on resume.
   */
  | {
      readonly type: "approval-policy";
      readonly callId: string;
      /**
       * The input of the tool after mapping and validation. The call runs with exactly this input.
       */
      readonly input: EncodedValue;
      /** Hash of the tool's declaration. */
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
      /** Hash of tool name and input, and of `expiresAt` when it is there. */
      readonly digest: string;
      /** Hash of the tool's declaration. */
      readonly definitionDigest: string;
      readonly each: boolean;
      /** Until when it can be decided, in epoch ms; absent for ever. */
      readonly expiresAt?: number;
      /** Why the decision before could not be used; the call is asked about again. */
      readonly problem?: string;
      /** Present when a tool asks for values and not for permission. */
      readonly form?: QuestionForm;
    }
  /** A person's decision; the first one counts. */
  | {
      readonly type: "approval-response";
      readonly callId: string;
      readonly digest: string;
      readonly decision: RecordedDecision;
      readonly by?: string;
    }
  /**
   * A call began before an interruption, must not be repeated, and has no outcome: a person has to
   * say what happened.
   */
  | {
      readonly type: "doubt-request";
      readonly callId: string;
      readonly name: string;
      /** The input of the tool. */
      readonly input: EncodedValue;
      /** Hash of tool name and input. */
      readonly digest: string;
      /** Why the decision before could not be used; the person is asked again. */
      readonly problem?: string;
    }
  /** A person's decision about a call in doubt; the first one counts. */
  | {
      readonly type: "doubt-response";
      readonly callId: string;
      readonly digest: string;
      readonly decision: RecordedDoubtDecision;
      readonly by?: string;
    }
  /** The effect begins; left out for tools without effects. */
  | {
      readonly type: "tool-start";
      readonly callId: string;
      /** 1-based. */
      readonly attempt: number;
      /** 1, or more when a person said that the call is to count as a new one. */
      readonly generation: number;
      /** The input of the tool, after mapping and validation. */
      readonly input: EncodedValue;
      readonly effects: ToolEffects;
      readonly idempotencyKey: string;
      /** Hash of the tool's declaration. */
      readonly definitionDigest?: string;
    }
  /** The outcome of a call. The order of these events is the order of delivery. */
  | { readonly type: "tool-result"; readonly callId: string; readonly outcome: CallOutcome }
  | ({ readonly type: "console"; readonly stepNumber: number } & ConsoleLine)
  | { readonly type: "code-end"; readonly stepNumber: number; readonly result: ExecutionResult }
  /** A message to the agent while it was working. */
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
   * From this step on the model is shown less of the past. What is left out is recorded here, so it
   * is never decided again.
   */
  | ({ readonly type: "compaction"; readonly stepNumber: number; readonly timing: Timing } & CompactionView)
  /** A callback changed the memory of a step. */
  | { readonly type: "step-edit"; readonly stepNumber: number; readonly change: StepChange }
  /** A budget is used up: instead of this step the model is asked for an answer. */
  | {
      readonly type: "budget-stop";
      readonly stepNumber: number;
      readonly limit: keyof Budget;
      readonly allowed: number;
      /** With `estimated`. */
      readonly used: number;
      /**
       * How much of `used` is an estimate, for answers that a crash or an abort took before they
       * were recorded; absent for nothing.
       */
      readonly estimated?: number;
    }
  /** Only what cannot be folded from the events before it. */
  | {
      readonly type: "step-end";
      readonly stepNumber: number;
      readonly observation: readonly ContentPart[];
      readonly error: SerializedError | null;
      readonly answer: { readonly value: EncodedValue } | null;
    }
  /** Open to others: `name` is `vendor/x`. It is never shown to the model. */
  | { readonly type: "note"; readonly name: string; readonly data: JsonValue };

/** What happens and passes: live readers see it, the log does not keep it. */
export type PassingBody =
  /** A piece of what the model writes outside its code. */
  | { readonly type: "text-delta"; readonly stepNumber: number; readonly text: string }
  /** A piece of the plan the model writes before that step. */
  | { readonly type: "plan-delta"; readonly stepNumber: number; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly stepNumber: number; readonly text: string }
  /** A piece of the code the model writes. */
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

/** Where and when an event stands; the log adds it. */
export interface EventStamp {
  readonly runId: string;
  readonly path: Path;
  /** Dense from 1 in a log; a passing event carries that of the last durable one. */
  readonly seq: number;
  /** Epoch ms. */
  readonly time: number;
}

/** An event that the log keeps. */
export type DurableEvent = EventStamp & DurableBody;

/** An event that only live readers see. */
export type PassingEvent = EventStamp & PassingBody;

/** Whatever a run tells. The union is closed: switches over `type` are exhaustive. */
export type RunEvent = DurableEvent | PassingEvent;

/** The event of one type. */
export type EventOf<Type extends RunEvent["type"]> = Extract<RunEvent, { readonly type: Type }>;
