import type {
  Budget,
  CodeCheck,
  DecisionInput,
  ExecutorFactory,
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

/** A list of tools, or an object whose keys are the names of the tools. */
export type ToolsOption = readonly Tool[] | { readonly [name: string]: Tool };

/**
 * An agent as the option `managedAgents` takes it: its name, its description and a way to turn it
 * into a tool.
 */
export interface ManagedAgentOption {
  readonly name: string;
  readonly description: string | undefined;
  asTool(): AgentTool;
}

/** Options that both kinds of agent have. Only `model` is required. */
export interface AgentOptions<Output = unknown> {
  /**
   * The model that the agent asks: `openai("gpt-5-mini")`, any other model, or a function of the
   * messages.
   */
  readonly model: Model | ModelFunction;
  /**
   * The tools that the agent can call: a list, or an object whose keys are their names.
   * `finalAnswer` is always added. If absent, there are no other tools.
   */
  readonly tools?: ToolsOption;
  /**
   * Agents that this agent can call like tools. Each needs a name and a description. For other
   * settings, turn an agent into a tool with `asTool()`.
   */
  readonly managedAgents?: readonly ManagedAgentOption[];
  /**
   * Whether an agent that calls this agent gets a summary of its work together with the answer;
   * false if absent.
   */
  readonly provideRunSummary?: boolean;
  /**
   * The schema of the answer. `finalAnswer` takes a value that matches the schema, and
   * `await agent.run(...)` returns the schema's type.
   */
  readonly output?: AnswerSchema<Output>;
  /** Text that is added to the system prompt. */
  readonly instructions?: string;
  /**
   * Prompts that replace the built-in ones; the keys are the names of the prompts. `classicPrompts`
   * is a set of prompts with long worked examples.
   */
  readonly prompts?: Prompts;
  /** How many steps a run may take, a whole number >= 1; 20 if absent. */
  readonly maxSteps?: number;
  /**
   * The number of steps after which the model makes a new plan. The model also plans before the
   * first step. A plan begins with a list of facts. No plans if absent.
   */
  readonly planningInterval?: number;
  /** The limits of each run. A limit in a run's own `budget` replaces the same limit here. */
  readonly budget?: Budget;
  /**
   * The checks that an answer must pass before it ends the run. An answer that the model gives
   * because a limit was reached is not checked.
   */
  readonly finalAnswerChecks?: readonly FinalAnswerCheck[];
  /**
   * Called before each step. The callback may change the model, the tools or the messages of that
   * step.
   */
  readonly beforeStep?: BeforeStep;
  /** Called with each step when it is complete, in order. */
  readonly stepCallbacks?: StepCallbacks;
  /** The name of the agent, which must be a JavaScript identifier; `agent` if absent. */
  readonly name?: string;
  /**
   * A description of what the agent can do, for an agent that manages it. `managedAgents` and
   * `asTool()` need it.
   */
  readonly description?: string;
  /** How many tool calls run at the same time; 8 if absent, 0 or Infinity for no limit. */
  readonly maxParallelToolCalls?: number;
  /**
   * How long a run continues to start new calls while another call waits for a person's approval,
   * in ms. After that time, running calls finish and the run is suspended.
   *
   * @defaultValue 30,000
   */
  readonly suspendGraceMs?: number;
  /**
   * How long a person may take to decide on a call, in ms. A later decision is refused, and the
   * next resume asks again. The limit also applies to managed agents that do not set their own. No
   * limit if absent.
   */
  readonly approvalTimeoutMs?: number;
  /**
   * Asks a person about calls that need approval. Without this handler, a run is suspended when no
   * other work is left.
   */
  readonly approve?: ApproveHandler;
  /**
   * Selects calls that need approval, in addition to all calls of tools that require it. The policy
   * also applies to managed agents.
   */
  readonly approval?: ApprovalPolicy;
  /**
   * Any value of the caller, which tools find in their context. It is never written to a log. Wrap
   * keys and passwords with `secret()`.
   */
  readonly metadata?: unknown;
  /**
   * Stores the logs of runs and sessions, so that they outlive this process: `fileStore(folder)`,
   * for example. If absent, logs are only kept in memory.
   */
  readonly store?: RunStore;
  /**
   * How a long history is kept within the model's context; `false` to never shorten it. If absent,
   * the history is shortened only after the provider has refused a request as too long.
   */
  readonly context?: ContextOptions | false;
  /**
   * Reads each run of the agent live, from its first event. For example, it can print the run.
   */
  readonly reader?: RunReader;
}

/** Further options of a CodeAgent. */
export interface CodeAgentOptions<Output = unknown> extends AgentOptions<Output> {
  /** The executor that runs the model's code; the interpreter in this process if absent. */
  readonly executor?: ExecutorFactory;
  /**
   * The tags around code in the model's text, or `"markdown"` for fenced blocks. If absent, the
   * tags are `<code>` and `</code>`.
   */
  readonly codeBlockTags?: readonly [open: string, close: string] | "markdown";
  /**
   * Whether the model writes `{ thought, code }` as JSON, enforced by the model's server, instead
   * of code between tags; false if absent.
   */
  readonly structuredOutput?: boolean;
  /**
   * Checks code before it runs, such as `typecheck()` of `@smolts/typecheck`. The model is shown
   * the problems that the check finds.
   */
  readonly checkCode?: CodeCheck;
  /**
   * How many characters of a program's printed text the model is shown; 50,000 if absent, 0 or
   * Infinity for all.
   */
  readonly maxPrintedLength?: number;
  /**
   * The modules that code may import, by name. `guestModule(source)` runs in the sandbox,
   * `hostModule({ name: function })` on the host.
   */
  readonly modules?: Modules;
  /**
   * The modules that the code may import, as patterns: `name`, `name/path`, `name.*` for a
   * module and everything below it, or `*`. If absent, code may import every module.
   */
  readonly additionalAuthorizedImports?: readonly string[];
}

/** Further options of a ToolCallingAgent. */
export interface ToolCallingAgentOptions<Output = unknown> extends AgentOptions<Output> {
  /**
   * Reads tool calls from the text of a message that has no native calls; JSON with `name` and
   * `arguments` if absent.
   */
  readonly parseToolCalls?: ParseToolCalls;
  /**
   * Whether a text without tool calls counts as the answer instead of as a mistake; false if
   * absent.
   */
  readonly answerByText?: boolean;
}

/** Options of one run. */
export interface RunOptions<Schema extends AnswerSchema = AnswerSchema> extends RunInputOptions {
  /** The schema of this run's answer. It replaces the schema of the agent. */
  readonly output?: Schema;
  /** How many steps the run may take, a whole number >= 1; the agent's own number if absent. */
  readonly maxSteps?: number;
  /** The limits of the run. The agent's own value applies to each limit that is absent. */
  readonly budget?: Budget;
  /** Ends the run when it aborts; the run then rejects with `interrupted`. */
  readonly signal?: AbortSignal;
  /** Replaces the `approve` handler of the agent. */
  readonly approve?: ApproveHandler;
  /** Replaces the `metadata` of the agent. */
  readonly metadata?: unknown;
  /** The id of the run in its log and its store; a random one if absent. */
  readonly runId?: string;
  /**
   * Whether the model is asked for an answer when the steps or the budget are exhausted; true if
   * absent.
   */
  readonly forceAnswer?: boolean;
  /**
   * Whether the run waits for a call of `next()` before each step; false if absent. Awaiting such a
   * run does not start a step.
   */
  readonly manual?: boolean;
  /**
   * The caller's own data for the log, under names such as `vendor/x`. It is recorded right after
   * the run has begun. The model never sees it.
   */
  readonly notes?: { readonly [name: string]: JsonValue };
}

/** Options of a resumed run. */
export interface ResumeOptions<Schema extends AnswerSchema = AnswerSchema>
  extends Pick<RunOptions<Schema>, "signal" | "metadata" | "approve" | "output"> {
  /** People's decisions that a suspended run waits for. */
  readonly decisions?: readonly DecisionInput[];
  /** Whether to resume a run even if three resumes have made no progress; false if absent. */
  readonly force?: boolean;
  /**
   * How many additional steps the run may take. With additional steps, a resume can also continue a
   * run that ended because its steps were exhausted.
   */
  readonly moreSteps?: number;
  /**
   * New limits, which replace the same limits of the run's budget. They count from the beginning of
   * the run. With new limits, a resume can also continue a run that ended because a limit was
   * exhausted.
   */
  readonly budget?: Budget;
  /**
   * Whether to continue in a new, empty sandbox, without the variables and files of earlier steps;
   * false if absent. Use this option if the sandbox is lost and its executor cannot run code again
   * (`replay: "never"`, such as containers). The log records the new sandbox, and the model gets a
   * message about it. A block of code that was still running counts as stopped. The option has no
   * effect on sandboxes that can be rebuilt from the log, such as the interpreter's.
   */
  readonly emptySandbox?: boolean;
}

/** Options of a fork: the step from which the run is forked, and what differs in the fork. */
export interface ForkOptions<Schema extends AnswerSchema = AnswerSchema>
  extends Pick<
    ResumeOptions<Schema>,
    "signal" | "metadata" | "approve" | "output" | "moreSteps" | "budget" | "emptySandbox"
  > {
  /**
   * The first step that the fork runs again; the first step of a run is 1. If the run has 5 steps,
   * `atStep: 6` repeats no step and continues after step 5.
   */
  readonly atStep: number;
  /**
   * The code to run in step `atStep` instead of the model's code; only for agents that write code.
   */
  readonly code?: string;
  /** A message to the model. It comes before step `atStep`, or after that step if `code` is set. */
  readonly message?: string;
  /** The id of the new run, and of its session in the store; a random one if absent. */
  readonly runId?: string;
  /**
   * Confirms that effects of the repeated steps may happen a second time; false if absent. Without
   * it, a fork that would repeat effects is refused with `effects-repeat`.
   */
  readonly repeatEffects?: boolean;
}
