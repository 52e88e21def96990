import { type Budget, invalidOption, type Model, readOptions, type Tool } from "@smolts/protocol";
import { defaults } from "../defaults.ts";
import { type Prompts, promptTable } from "../prompts/prompts-option.ts";
import { checkBudget } from "../run/budget.ts";
import type { SessionRunOptions } from "../session/session.ts";
import { isObject, shown } from "../shown-value.ts";
import { checkAnswerChecks, type FinalAnswerCheck } from "../step/answer-checks.ts";
import { type BeforeStep, checkBeforeStep } from "../step/before-step.ts";
import { type ContextLimits, checkContext } from "../step/compaction.ts";
import { checkModel } from "../step/model-from-function.ts";
import { type CallbacksByType, checkStepCallbacks } from "../step/step-callbacks.ts";
import type { AgentOptions, ForkOptions, ResumeOptions } from "./agent-options.ts";
import { checkIdentifier } from "./identifier.ts";
import { codeAgentOptions, forkOptions, resumeOptions, runOptions, toolCallingAgentOptions } from "./option-tables.ts";
import { checkTools } from "./tools-option.ts";

/** The options of an agent after they were checked, with their defaults. */
export interface CheckedOptions {
  /** The agent's name; `agent` if none was passed. */
  readonly name: string;
  /** The model. If a function was passed, it has been turned into a model. */
  readonly model: Model;
  /** All tools by name, including managed agents and `finalAnswer`. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** The most steps that a run may take. */
  readonly maxSteps: number;
  /**
   * The number of steps between two plans; the first plan is made before the first step. Null for
   * no plans.
   */
  readonly planningInterval: number | null;
  /** The limits of a run. */
  readonly budget: Budget;
  /** The limits at which a long history is shortened; null if it never is. */
  readonly context: ContextLimits | null;
  /** The checks that an answer must pass. */
  readonly finalAnswerChecks: readonly FinalAnswerCheck[];
  /** The step callbacks, by the type of step. */
  readonly callbacks: CallbacksByType;
  /** The callback that is called before each step. */
  readonly beforeStep: BeforeStep | null;
  /** How many tool calls run at the same time. */
  readonly maxParallelToolCalls: number;
  /** How long a run continues to start new calls while one waits for a person's approval, in ms. */
  readonly suspendGraceMs: number;
  /** How long a person may take to approve or deny a call, in ms; undefined means no limit. */
  readonly approvalTimeoutMs: number | undefined;
  /** The prompts that replace the built-in ones. */
  readonly prompts: Prompts;
}

/**
 * Reads an agent's options. Names that other frameworks use are replaced by ours.
 *
 * @throws AgentError `invalid-option` about an unknown option
 */
export function readAgentOptions<Options extends AgentOptions>(
  options: Options,
  kind: "code" | "tool-calling",
): Options {
  // A caller in plain JavaScript may pass nothing.
  if ((options as unknown) === undefined) {
    const name = kind === "code" ? "CodeAgent" : "ToolCallingAgent";
    throw invalidOption(
      `new ${name}() got no options; expected at least a model`,
      `write new ${name}({ model: openai("gpt-5-mini") })`,
    );
  }
  return readChanges(options, kind) as Options; // the result has all options
}

/**
 * Reads some options of an agent. Names that other frameworks use are replaced by ours.
 *
 * @throws AgentError `invalid-option` about an unknown option
 */
export function readChanges<Options extends Partial<AgentOptions>>(
  options: Options,
  kind: "code" | "tool-calling",
): Options {
  const [whose, table] =
    kind === "code"
      ? (["a CodeAgent", codeAgentOptions] as const)
      : (["a ToolCallingAgent", toolCallingAgentOptions] as const);
  // no option is required here
  return readOptions<AgentOptions>(options as unknown as AgentOptions, whose, table) as unknown as Options;
}

/** Checks the options of an agent. @throws AgentError `invalid-option` that says what to change */
export function checkAgentOptions(options: AgentOptions): CheckedOptions {
  checkStore(options.store);
  const {
    model,
    maxSteps = defaults.maxSteps,
    planningInterval = null,
    budget = {},
    finalAnswerChecks = [],
    stepCallbacks = [],
    beforeStep = null,
    maxParallelToolCalls = defaults.maxParallelToolCalls,
    suspendGraceMs = defaults.suspendGraceMs,
    prompts = {},
  } = options;
  const name = options.name ?? "agent";
  checkIdentifier(name, "the agent's name");
  checkMaxSteps(maxSteps);
  checkInterval(planningInterval);
  checkCount(maxParallelToolCalls, "maxParallelToolCalls");
  checkCount(suspendGraceMs, "suspendGraceMs");
  if (options.approvalTimeoutMs !== undefined) checkCount(options.approvalTimeoutMs, "approvalTimeoutMs");
  return {
    name,
    model: checkModel(model),
    tools: checkTools(options),
    maxSteps,
    planningInterval,
    budget: checkBudget(budget),
    context: checkContext(options.context),
    finalAnswerChecks: checkAnswerChecks(finalAnswerChecks),
    callbacks: checkStepCallbacks(stepCallbacks),
    beforeStep: checkBeforeStep(beforeStep),
    maxParallelToolCalls,
    suspendGraceMs,
    approvalTimeoutMs: options.approvalTimeoutMs || undefined,
    prompts: checkPrompts(prompts),
  };
}

/**
 * Returns the checked options of a run.
 *
 * @throws AgentError `invalid-option` that says what to change
 */
export function checkRunOptions<Options extends SessionRunOptions>(options: Options): Options {
  // The cast is safe, because `readOptions` changes nothing but the names of options.
  const settings = readOptions<SessionRunOptions>(options, "a run", runOptions) as Options;
  if (settings.maxSteps !== undefined) checkMaxSteps(settings.maxSteps);
  if (settings.budget !== undefined) checkBudget(settings.budget);
  if (settings.runId?.trim() === "") throw invalidOption("runId is empty", "leave it out for a random one");
  checkNotes(settings.notes);
  return settings;
}

function checkNotes(notes: object = {}): void {
  const wrong = Object.keys(notes).find((name) => !/^[\w.-]+\/[\w.-]+$/.test(name));
  if (wrong !== undefined)
    throw invalidOption(`notes has "${wrong}"; expected a name such as "vendor/x"`, `write "my-app/${wrong}"`);
}

/**
 * Returns the checked options of a resumed run.
 *
 * @throws AgentError `invalid-option` that says what to change
 */
export function checkResumeOptions<Options extends ResumeOptions>(options: Options): Options {
  // The cast is safe, because `readOptions` changes nothing but the names of options.
  const settings = readOptions<ResumeOptions>(options, "a resumed run", resumeOptions) as Options;
  checkContinued(settings);
  return settings;
}

/**
 * Returns the checked options of a fork.
 *
 * @throws AgentError `invalid-option` that says what to change
 */
export function checkForkOptions<Options extends ForkOptions>(options: Options): Options {
  // The cast is safe, because `readOptions` changes nothing but the names of options.
  const settings = readOptions<ForkOptions>(options, "a fork", forkOptions) as Options;
  if (!Number.isInteger(settings.atStep) || settings.atStep < 1) {
    throw invalidOption(
      `atStep is ${shown(settings.atStep)}; expected a whole number >= 1`,
      "write fork(run, { atStep: 3 }) to do step 3 again",
    );
  }
  for (const name of ["code", "message", "runId"] as const) {
    if (settings[name]?.trim() === "") throw invalidOption(`${name} is empty`, `leave ${name} out`);
  }
  checkContinued(settings);
  return settings;
}

function checkContinued(options: Omit<ResumeOptions, "decisions" | "force">): void {
  const { moreSteps, budget } = options;
  if (budget !== undefined) checkBudget(budget);
  if (moreSteps === undefined || (Number.isInteger(moreSteps) && moreSteps >= 1)) return;
  throw invalidOption(`moreSteps is ${shown(moreSteps)}; expected a whole number >= 1`, "write moreSteps: 10");
}

/**
 * Checks the name and the description of an agent that another agent calls.
 *
 * @throws AgentError `invalid-option`
 */
export function checkCallable(name: string, description: string): void {
  if (name === "") {
    throw invalidOption("an agent that others call has no name", 'give it one, such as name: "searchAgent"');
  }
  checkIdentifier(name, "an agent's name");
  if (typeof description !== "string" || description.trim() === "") {
    throw invalidOption(
      `the agent "${name}" has no description`,
      "describe what it can do: the calling model reads that",
    );
  }
}

/** Checks the option `executor`. @throws AgentError `invalid-option` */
export function checkExecutor(executor: unknown): void {
  if (executor === undefined) return;
  if (isObject(executor) && typeof executor["open"] === "function") return;
  const name = String(typeof executor === "function" ? executor.name : executor).replace("python", "pyodide");
  const isOurs = /^(?:docker|e2b|worker|quickjs|pyodide)$/.test(name);
  const call = (isOurs || typeof executor === "function") && name !== "" ? name : "interpreter";
  throw invalidOption(
    `executor is ${shown(executor)}; expected a factory of sandboxes, such as interpreter()`,
    `write executor: ${call}()${isOurs ? ` of @smolts/executor-${name}` : ""}`,
  );
}

/** Checks the option `checkCode`. @throws AgentError `invalid-option` */
export function checkCodeCheck(check: unknown): void {
  if (check === undefined || typeof check === "function") return;
  throw invalidOption(`checkCode is ${shown(check)}; expected a function`, "write checkCode: typecheck()");
}

/** Checks the option `store`. @throws AgentError `invalid-option` */
function checkStore(store: unknown): void {
  if (store === undefined || (isObject(store) && typeof store["open"] === "function")) return;
  const call = typeof store === "function" ? `${store.name}()` : "fileStore(folder)";
  throw invalidOption(`store is ${shown(store)}; expected a store of runs`, `write store: ${call}`);
}

/**
 * Checks an option that is a number >= 0, such as a length or a count.
 *
 * @throws AgentError `invalid-option`
 */
export function checkCount(value: unknown, option: string): void {
  if (typeof value === "number" && value >= 0) return;
  throw invalidOption(`${option} is ${shown(value)}; expected a number >= 0, where 0 and Infinity mean no limit`);
}

/**
 * Matches the placeholders of smolagents' own prompts. People copy these prompts, but we do not
 * fill in the placeholders.
 */
const jinja = /\{\{-?\s*(?:tools|managed_agents|authorized_imports|custom_instructions|task|name|final_answer)\b|\{%/;

function checkPrompts(option: Prompts): Prompts {
  const prompts = readOptions(option, "prompts", promptTable);
  for (const [name, prompt] of Object.entries(prompts)) {
    if (typeof prompt !== "string") continue;
    if (prompt.trim() === "") throw invalidOption(`prompts.${name} is empty`, "leave it out for the default prompt");
    const place = jinja.exec(prompt)?.[0];
    if (place === undefined) continue;
    throw invalidOption(
      `prompts.${name} has "${place}", which nothing replaces`,
      `write prompts: { ${name}: ({ tools, instructions }) => "..." }, a function of the parts`,
    );
  }
  return prompts;
}

function checkMaxSteps(maxSteps: unknown): void {
  if (Number.isInteger(maxSteps) && (maxSteps as number) >= 1) return; // an integer is a number
  throw invalidOption(
    `maxSteps is ${shown(maxSteps)}; expected a whole number >= 1`,
    "leave it out for the default of 20",
  );
}

function checkInterval(planningInterval: unknown): void {
  if (planningInterval === null || (Number.isInteger(planningInterval) && (planningInterval as number) >= 1)) return; // an integer is a number
  throw invalidOption(
    `planningInterval is ${shown(planningInterval)}; expected a whole number >= 1`,
    "write 1 for a plan before each step; leave it out for no plans",
  );
}
