import type {
  Budget,
  CodeCheck,
  ExecutorFactory,
  GivenDecision,
  JsonValue,
  Model,
  Modules,
  RunStore,
  Tool,
} from "@smolts/protocol";
import type { ParseToolCalls } from "../parsing/text-tool-calls.ts";
import type { Prompts } from "../prompts/prompts-option.ts";
import type { RunReader } from "../session/agent-run.ts";
import type { RunInputOptions } from "../session/run-input.ts";
import type { FinalAnswerCheck } from "../step/answer-checks.ts";
import type { BeforeStep } from "../step/before-step.ts";
import type { ContextOptions } from "../step/compaction.ts";
import type { ModelFunction } from "../step/model-from-function.ts";
import type { StepCallbacks } from "../step/step-callbacks.ts";
import type { ApprovalPolicy, ApproveHandler } from "../tool-calls/approvals.ts";
import type { AgentTool } from "../tools/agent-tool.ts";
import type { AnswerSchema } from "../tools/typed-answer.ts";

/** Tools as a list, or as a record whose keys are their names. */
export type ToolsOption = readonly Tool[] | { readonly [name: string]: Tool };

/** An agent as another one manages it. */
export interface ManagedAgentOption {
  readonly name: string;
  readonly description: string | undefined;
  asTool(): AgentTool;
}

/** What both kinds of agent take. All but `model` is optional. */
export interface AgentOptions<Output = unknown> {
  /**
   * The model that thinks: `openai("gpt-5-mini")`, any other model, or a function of the messages.
   */
  readonly model: Model | ModelFunction;
  /**
   * The tools that the agent can call: a list, or a record whose keys are their names.
   * `finalAnswer` is always among them. No other tools when absent.
   */
  readonly tools?: ToolsOption;
  /**
   * Agents that this one can call as it calls tools: each needs a name and a description.
   * `asTool()` makes tools of agents with other settings.
   */
  readonly managedAgents?: readonly ManagedAgentOption[];
  /**
   * Whether an agent that calls this one gets a summary of its work with its answer; false when
   * absent.
   */
  readonly provideRunSummary?: boolean;
  /**
   * The form of the answer: `finalAnswer` takes a value of that form, and `await agent.run(...)`
   * has its type.
   */
  readonly output?: AnswerSchema<Output>;
  /** Added to the system prompt. */
  readonly instructions?: string;
  /**
   * Words in place of ours, prompt by prompt; `classicPrompts` are ours with long worked examples.
   */
  readonly prompts?: Prompts;
  /** How many steps a run may take, a whole number >= 1; 20 when absent. */
  readonly maxSteps?: number;
  /**
   * The model writes down what it knows and a plan before the first step, and again after every so
   * many steps; never when absent.
   */
  readonly planningInterval?: number;
  /** What each run may use up; a run's own `budget` goes before it, limit by limit. */
  readonly budget?: Budget;
  /** Must all let an answer pass before it ends the run; a forced answer is not checked. */
  readonly finalAnswerChecks?: readonly FinalAnswerCheck[];
  /** Is asked before each step and may change the model, the tools or the messages of that step. */
  readonly beforeStep?: BeforeStep;
  /** Are told of each step when it is complete, in order. */
  readonly stepCallbacks?: StepCallbacks;
  /** A JavaScript identifier. */
  readonly name?: string;
  /**
   * A description of what the agent can do, in words for an agent that manages it. `managedAgents`
   * and `asTool()` need it.
   */
  readonly description?: string;
  /** How many tool calls run at the same time; 8 when absent, 0 or Infinity for any number. */
  readonly maxParallelToolCalls?: number;
  /**
   * How long the rest of a run may begin new calls when one of them waits for a person, in ms. Then
   * what has begun settles, and the run is suspended.
   *
   * @defaultValue 30,000
   */
  readonly suspendGraceMs?: number;
  /**
   * How long a person may take to decide on a call, in ms. A later decision is refused, and the
   * next resume asks again. It holds for managed agents that say nothing of their own. For ever
   * when absent.
   */
  readonly approvalTimeoutMs?: number;
  /**
   * Asks a person about calls that need one. Without it a run is suspended when nothing else is
   * left to do.
   */
  readonly approve?: ApproveHandler;
  /**
   * Which calls need approval besides those of tools that ask for it; it holds for managed agents,
   * too.
   */
  readonly approval?: ApprovalPolicy;
  /**
   * The caller's own; tools find it in their context. No log holds it. For keys and passwords wrap
   * the value with `secret()`.
   */
  readonly metadata?: unknown;
  /**
   * Keeps the logs of runs and sessions, so that they outlive this process: `fileStore(folder)`,
   * for example. In memory only when absent.
   */
  readonly store?: RunStore;
  /**
   * How a long history is kept within the model's context; `false` to never shorten it. The
   * provider's refusal is answered in any case when absent.
   */
  readonly context?: ContextOptions | false;
  /**
   * Reads each run of the agent while it goes, from its first event: prints it, for example.
   * Nothing reads it when absent.
   */
  readonly reader?: RunReader;
}

/** Further options of a CodeAgent. */
export interface CodeAgentOptions<Output = unknown> extends AgentOptions<Output> {
  /** Where the model's code runs; the interpreter in this process when absent. */
  readonly executor?: ExecutorFactory;
  /**
   * What stands around code in the model's text; `<code>` and `</code>` when absent, `"markdown"`
   * for fenced blocks.
   */
  readonly codeBlockTags?: readonly [open: string, close: string] | "markdown";
  /**
   * Whether the model writes `{ thought, code }` as JSON, held to by its server, instead of code
   * between tags; false when absent.
   */
  readonly structuredOutput?: boolean;
  /**
   * Looks at code before it runs, such as `typecheck()` of `@smolts/typecheck`; what it finds goes
   * back to the model.
   */
  readonly checkCode?: CodeCheck;
  /**
   * How many characters of what a program prints the model is shown; 50,000 when absent, 0 or
   * Infinity for all.
   */
  readonly maxPrintedLength?: number;
  /**
   * The modules that code may import, by name: `guestModule(source)` runs in the sandbox,
   * `hostModule({ name: function })` on the host.
   */
  readonly modules?: Modules;
  /**
   * Narrows what the code may import: `name`, `name/path`, `name.*` with all below it, or `*`;
   * every module when absent.
   */
  readonly additionalAuthorizedImports?: readonly string[];
}

/** Further options of a ToolCallingAgent. */
export interface ToolCallingAgentOptions<Output = unknown> extends AgentOptions<Output> {
  /**
   * Reads tool calls out of the text of a message that has no native ones; JSON with `name` and
   * `arguments` when absent.
   */
  readonly parseToolCalls?: ParseToolCalls;
  /** Whether a text without tool calls is the answer, instead of a mistake; false when absent. */
  readonly answerByText?: boolean;
}

/** Options of one run. */
export interface RunOptions<Schema extends AnswerSchema = AnswerSchema> extends RunInputOptions {
  /** The form of the answer, instead of the agent's own. */
  readonly output?: Schema;
  /** How many steps the run may take, a whole number >= 1; the agent's own number when absent. */
  readonly maxSteps?: number;
  /** The limits of the run; each one that is absent is the agent's own. */
  readonly budget?: Budget;
  /** Ends the run when it aborts: the run rejects with `interrupted`. */
  readonly signal?: AbortSignal;
  /** Instead of the agent's own. */
  readonly approve?: ApproveHandler;
  /** Instead of the agent's own. */
  readonly metadata?: unknown;
  /** The id of the run in its log and its store; a random one when absent. */
  readonly runId?: string;
  /** Whether the model is asked for an answer at the last step or budget; true when absent. */
  readonly forceAnswer?: boolean;
  /**
   * Whether the run waits for `next()` before each step; false when absent. Awaiting such a run
   * does not move it on.
   */
  readonly manual?: boolean;
  /**
   * The caller's own data for the log, by names such as `vendor/x`. It is recorded right after the
   * beginning of the run. The model never sees it.
   */
  readonly notes?: { readonly [name: string]: JsonValue };
}

/** Options of a resumed run. */
export interface ResumeOptions<Schema extends AnswerSchema = AnswerSchema>
  extends Pick<RunOptions<Schema>, "signal" | "metadata" | "approve" | "output"> {
  /** What people say to the requests of a suspended run. */
  readonly decisions?: readonly GivenDecision[];
  /** Whether to resume a run even after three resumes that got no further; false when absent. */
  readonly force?: boolean;
  /** How many steps more the run may take, also one that ended because its steps were used up. */
  readonly moreSteps?: number;
  /**
   * Replaces limits of the run's budget, counted from its beginning; also for a run that ended at
   * such a limit.
   */
  readonly budget?: Budget;
  /**
   * Whether to continue in a new, empty sandbox, without the variables and files of earlier steps;
   * false when absent. It is for executors that never run code again (`replay: "never"`, such as
   * containers) and have lost the sandbox. The log records it, and the model gets a message. A
   * block that had not ended counts as stopped. Sandboxes that are rebuilt from the log, such as
   * the interpreter's, keep their state.
   */
  readonly emptySandbox?: boolean;
}

/** From where a run is forked, and what the fork has of its own. */
export interface ForkOptions<Schema extends AnswerSchema = AnswerSchema>
  extends Pick<
    ResumeOptions<Schema>,
    "signal" | "metadata" | "approve" | "output" | "moreSteps" | "budget" | "emptySandbox"
  > {
  /** The step that is done again, 1-based; one more than the last step continues after it. */
  readonly atStep: number;
  /** Runs in that step, in place of what the model wrote; only for agents that write code. */
  readonly code?: string;
  /** Said to the model before that step or, with `code`, after it. */
  readonly message?: string;
  /** The id of the new run, and of its session in the store; a random one when absent. */
  readonly runId?: string;
  /**
   * Confirms that effects of the steps that are done again may happen a second time; false when
   * absent, which refuses such a fork with `effects-repeat`.
   */
  readonly repeatEffects?: boolean;
}
