import {
  AgentError,
  type Budget,
  type CodeCheck,
  type ExecutorFactory,
  type GivenDecision,
  type Model,
  type Modules,
  nearestName,
  type Tool,
} from "@smolts/protocol";
import { defaults } from "../defaults.ts";
import type { ParseToolCalls } from "../parsing/text-tool-calls.ts";
import { type Prompts, promptNames } from "../prompts/prompts-option.ts";
import { checkBudget } from "../run/budget.ts";
import type { RunInputOptions } from "../session/run-input.ts";
import { checkAnswerChecks, type FinalAnswerCheck } from "../step/answer-checks.ts";
import { type BeforeStep, checkBeforeStep } from "../step/before-step.ts";
import { checkModel, type ModelFunction } from "../step/model-from-function.ts";
import { type CallbacksByType, checkStepCallbacks, type StepCallbacks } from "../step/step-callbacks.ts";
import type { ApprovalPolicy, ApproveHandler } from "../tool-calls/approvals.ts";
import { type AgentTool, isAgentTool } from "../tools/agent-tool.ts";
import { finalAnswer, finalAnswerName } from "../tools/final-answer.ts";
import { type AnswerSchema, typedFinalAnswer } from "../tools/typed-answer.ts";

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
  readonly model: Model | ModelFunction;
  readonly tools?: ToolsOption;
  /** Agents that this one can call as it calls tools: each needs a name and a description. `asTool()` makes tools of agents with other settings. */
  readonly managedAgents?: readonly ManagedAgentOption[];
  /** Whether an agent that calls this one gets a summary of its work with its answer; false when absent. */
  readonly provideRunSummary?: boolean;
  /** What the answer must be: `finalAnswer` takes a value of that form, and `await agent.run(...)` has its type. */
  readonly output?: AnswerSchema<Output>;
  /** Added to the system prompt. */
  readonly instructions?: string;
  /** Words in place of ours, prompt by prompt; `classicPrompts` are ours with long worked examples. */
  readonly prompts?: Prompts;
  /** How many steps a run may take, a whole number >= 1; 20 when absent. */
  readonly maxSteps?: number;
  /** The model writes down what it knows and a plan before the first step, and again after every so many steps; never when absent. */
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
  readonly description?: string;
  /** How many tool calls run at the same time; 8 when absent, 0 or Infinity for any number. */
  readonly maxParallelToolCalls?: number;
  /** Asks a person about calls that need one. Without it a run is suspended when nothing else is left to do. */
  readonly approve?: ApproveHandler;
  /** Which calls need a person's word besides those of tools that say so; it holds for managed agents, too. */
  readonly approval?: ApprovalPolicy;
  /** The caller's own; tools find it in their context. */
  readonly metadata?: unknown;
}

/** What a CodeAgent takes besides. */
export interface CodeAgentOptions<Output = unknown> extends AgentOptions<Output> {
  /** Where the model's code runs; the interpreter in this process when absent. */
  readonly executor?: ExecutorFactory;
  /** What stands around code in the model's text; `<code>` and `</code>` when absent, `"markdown"` for fenced blocks. */
  readonly codeBlockTags?: readonly [open: string, close: string] | "markdown";
  /** Whether the model writes `{ thought, code }` as JSON, held to by its server, instead of code between tags; false when absent. */
  readonly structuredOutput?: boolean;
  /** Looks at code before it runs, such as `typecheck()` of `@smolts/typecheck`; what it finds goes back to the model. */
  readonly checkCode?: CodeCheck;
  /** How many characters of what a program prints the model is shown; 50,000 when absent, 0 or Infinity for all. */
  readonly maxPrintedLength?: number;
  /** What the code may import, by name: `guestModule(source)` runs in the sandbox, `hostModule({ name: function })` on the host. */
  readonly modules?: Modules;
  /** Narrows what the code may import: `name`, `name/path`, `name.*` with all below it, or `*`; every module when absent. */
  readonly additionalAuthorizedImports?: readonly string[];
}

/** What a ToolCallingAgent takes besides. */
export interface ToolCallingAgentOptions<Output = unknown> extends AgentOptions<Output> {
  /** Reads tool calls out of the text of a message that has no native ones; JSON with `name` and `arguments` when absent. */
  readonly parseToolCalls?: ParseToolCalls;
  /** Whether a text without tool calls is the answer, instead of a mistake; false when absent. */
  readonly answerByText?: boolean;
}

/** What one run may have of its own. */
export interface RunOptions<Output = unknown> extends RunInputOptions {
  /** What the answer must be, instead of the agent's own. */
  readonly output?: AnswerSchema<Output>;
  readonly maxSteps?: number;
  readonly budget?: Budget;
  readonly signal?: AbortSignal;
  /** Instead of the agent's own. */
  readonly approve?: ApproveHandler;
  /** Instead of the agent's own. */
  readonly metadata?: unknown;
  readonly runId?: string;
  /** Whether the model is asked for an answer when the steps are used up; true when absent. */
  readonly forceAnswer?: boolean;
  /** Whether the run waits for `next()` before each step; false when absent. Awaiting such a run does not move it on. */
  readonly manual?: boolean;
}

/** What a resumed run may have of its own. */
export interface ResumeOptions extends Pick<RunOptions, "signal" | "metadata" | "approve"> {
  /** What people say to the requests of a suspended run. */
  readonly decisions?: readonly GivenDecision[];
}

const agentOptionNames = [
  "model",
  "tools",
  "managedAgents",
  "provideRunSummary",
  "output",
  "instructions",
  "prompts",
  "maxSteps",
  "planningInterval",
  "budget",
  "finalAnswerChecks",
  "stepCallbacks",
  "beforeStep",
  "name",
  "description",
  "maxParallelToolCalls",
  "approve",
  "approval",
  "metadata",
];
const toolCallingOptionNames = [...agentOptionNames, "parseToolCalls", "answerByText"];
const codeOptionNames = [
  ...agentOptionNames,
  "executor",
  "codeBlockTags",
  "structuredOutput",
  "checkCode",
  "maxPrintedLength",
  "modules",
  "additionalAuthorizedImports",
];
const runOptionNames = [
  "output",
  "images",
  "additionalArgs",
  "history",
  "maxSteps",
  "budget",
  "signal",
  "approve",
  "metadata",
  "runId",
  "forceAnswer",
  "manual",
  "queue",
];

/** Options of smolagents' `run` that have another form here. */
const otherForms: { readonly [name: string]: string } = {
  reset: "each run starts afresh; use agent.session() to keep memory and state from run to run",
  stream: "every run streams: iterate it, as in for await (const event of agent.run(task))",
  single_step: "write { maxSteps: 1, forceAnswer: false }",
  verbosity_level: "read run.events(), or print the run with printRun() of smolts/terminal",
};

/** The checked parts of an agent's options. */
export interface CheckedOptions {
  readonly name: string;
  readonly model: Model;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly maxSteps: number;
  readonly planningInterval: number | null;
  readonly budget: Budget;
  readonly finalAnswerChecks: readonly FinalAnswerCheck[];
  readonly callbacks: CallbacksByType;
  readonly beforeStep: BeforeStep | null;
  readonly maxParallelToolCalls: number;
  readonly prompts: Prompts;
}

/** Checks the options of an agent. @throws AgentError `invalid-option` that says what to change */
export function checkAgentOptions(options: AgentOptions, kind: "code" | "tool-calling"): CheckedOptions {
  checkNames(options, kind === "code" ? codeOptionNames : toolCallingOptionNames, "an agent");
  checkText(options.instructions, "instructions");
  checkText(options.description, "description");
  checkFunction(options.approve, "approve");
  checkFunction(options.approval, "approval");
  const {
    model,
    maxSteps = defaults.maxSteps,
    planningInterval = null,
    budget = {},
    finalAnswerChecks = [],
    stepCallbacks = [],
    beforeStep = null,
    maxParallelToolCalls = defaults.maxParallelToolCalls,
    prompts = {},
  } = options;
  const name = options.name ?? "agent";
  checkIdentifier(name, "the agent's name");
  checkMaxSteps(maxSteps);
  checkInterval(planningInterval);
  checkCount(maxParallelToolCalls, "maxParallelToolCalls");
  checkPrompts(prompts);
  return {
    name,
    model: checkModel(model),
    tools: checkTools(options),
    maxSteps,
    planningInterval,
    budget: checkBudget(budget),
    finalAnswerChecks: checkAnswerChecks(finalAnswerChecks),
    callbacks: checkStepCallbacks(stepCallbacks),
    beforeStep: checkBeforeStep(beforeStep),
    maxParallelToolCalls,
    prompts,
  };
}

/** Checks the options of a run. @throws AgentError `invalid-option` that says what to change */
export function checkRunOptions(options: RunOptions): void {
  checkNames(options, runOptionNames, "a run");
  if (options.maxSteps !== undefined) checkMaxSteps(options.maxSteps);
  if (options.budget !== undefined) checkBudget(options.budget);
  checkSignal(options.signal);
  checkFunction(options.approve, "approve");
  checkBoolean(options.manual, "manual");
  checkText(options.runId, "runId");
  if (options.runId?.trim() === "") throw invalid("runId is empty", "leave it out for a random one");
}

/** Checks by what another agent is to call an agent. @throws AgentError `invalid-option` */
export function checkCallable(name: string, description: string, memory: unknown): void {
  if (name === "") {
    throw invalid("an agent that others call has no name", 'give it one, such as name: "searchAgent"');
  }
  checkIdentifier(name, "an agent's name");
  if (typeof description !== "string" || description.trim() === "") {
    throw invalid(`the agent "${name}" has no description`, "say what it is good for: the calling model reads that");
  }
  if (memory === "fresh" || memory === "keep") return;
  throw invalid(`memory of the agent "${name}" is ${shown(memory)}; expected "fresh" or "keep"`);
}

/** Checks what code is to run in. @throws AgentError `invalid-option` */
export function checkExecutor(executor: unknown): void {
  if (executor === undefined) return;
  if (isRecord(executor) && typeof executor["open"] === "function") return;
  throw invalid(`executor is ${shown(executor)}; expected what opens a sandbox`, "write executor: interpreter()");
}

/** Checks what is to look at code. @throws AgentError `invalid-option` */
export function checkCodeCheck(check: unknown): void {
  if (check === undefined || typeof check === "function") return;
  throw invalid(`checkCode is ${shown(check)}; expected a function`, "write checkCode: typecheck()");
}

/** Checks a yes or no. @throws AgentError `invalid-option` */
export function checkBoolean(value: unknown, option: string): void {
  if (value === undefined || typeof value === "boolean") return;
  throw invalid(`${option} is ${shown(value)}; expected true or false`);
}

/** Checks a signal that is to end something. @throws AgentError `invalid-option` */
function checkSignal(signal: unknown): void {
  if (signal === undefined || signal instanceof AbortSignal) return;
  throw invalid(`signal is ${shown(signal)}; expected an AbortSignal`, "write signal: controller.signal");
}

/** Checks a length or a number of things. @throws AgentError `invalid-option` */
export function checkCount(value: unknown, option: string): void {
  if (typeof value === "number" && value >= 0) return;
  throw invalid(`${option} is ${shown(value)}; expected a number >= 0, where 0 and Infinity mean no limit`);
}

/** Checks an option that is a function. @throws AgentError `invalid-option` */
export function checkFunction(value: unknown, option: string): void {
  if (value === undefined || typeof value === "function") return;
  throw invalid(`${option} is ${shown(value)}; expected a function`, "read of its type what it gets and gives");
}

function checkText(value: unknown, option: string): void {
  if (value === undefined || typeof value === "string") return;
  throw invalid(`${option} is ${shown(value)}; expected a text`);
}

function checkPrompts(prompts: Prompts): void {
  checkNames(prompts, promptNames, "prompts");
  for (const [name, prompt] of Object.entries(prompts)) {
    if (prompt === undefined || typeof prompt === "function") continue;
    if (typeof prompt !== "string") throw invalid(`prompts.${name} is ${shown(prompt)}; expected a text or a function`);
    if (prompt.trim() === "") throw invalid(`prompts.${name} is empty`, "leave it out for our own text");
  }
}

function checkNames(options: unknown, known: readonly string[], whose: string): void {
  if (!isRecord(options)) throw invalid(`the options of ${whose} are ${shown(options)}; expected an object`);
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    const hint = otherForms[name] ?? (nearest ? `did you mean "${nearest}"?` : `the options are: ${known.join(", ")}`);
    throw invalid(`${whose} has no option "${name}"`, hint);
  }
}

function checkMaxSteps(maxSteps: unknown): void {
  if (Number.isInteger(maxSteps) && (maxSteps as number) >= 1) return; // an integer is a number
  throw invalid(`maxSteps is ${shown(maxSteps)}; expected a whole number >= 1`, "leave it out for the default of 20");
}

function checkInterval(planningInterval: unknown): void {
  if (planningInterval === null || (Number.isInteger(planningInterval) && (planningInterval as number) >= 1)) return; // an integer is a number
  throw invalid(
    `planningInterval is ${shown(planningInterval)}; expected a whole number >= 1`,
    "write 1 for a plan before each step; leave it out for no plans",
  );
}

function checkTools({ tools = [], managedAgents = [], output }: AgentOptions): ReadonlyMap<string, Tool> {
  if (!isRecord(tools)) throw invalid(`tools is ${shown(tools)}; expected a list of tools, or a record of them`);
  const byName = new Map<string, Tool>();
  for (const tool of [...namedTools(tools), ...agentTools(managedAgents)]) {
    checkTool(tool);
    if (byName.has(tool.name)) throw sameName(tool, byName.get(tool.name));
    byName.set(tool.name, tool);
  }
  if (output !== undefined) return withTypedAnswer(byName, output);
  if (!byName.has(finalAnswerName)) byName.set(finalAnswerName, finalAnswer as Tool); // it takes what its own parseInput gave
  return byName;
}

function namedTools(tools: ToolsOption): readonly Tool[] {
  if (isList(tools)) return tools;
  return Object.entries(tools).map(([name, tool]) => (tool?.name === name ? tool : renamed(tool, name)));
}

function withTypedAnswer(tools: Map<string, Tool>, output: AnswerSchema): ReadonlyMap<string, Tool> {
  if (!tools.has(finalAnswerName)) return tools.set(finalAnswerName, typedFinalAnswer(output));
  throw invalid(`an agent with output has a tool "${finalAnswerName}" of its own`, "keep one of them");
}

function agentTools(managedAgents: readonly ManagedAgentOption[]): readonly AgentTool[] {
  if (!Array.isArray(managedAgents)) {
    throw invalid(
      `managedAgents is ${shown(managedAgents)}; expected a list of agents`,
      "write managedAgents: [agent]",
    );
  }
  return managedAgents.map((agent, index) => {
    if (isAgent(agent)) return agent.asTool();
    throw invalid(`managedAgents[${index}] is ${shown(agent)}; expected an agent`, "a tool goes into tools");
  });
}

const isAgent = (value: unknown): value is ManagedAgentOption =>
  isRecord(value) && typeof value["asTool"] === "function";

function sameName(tool: Tool, other: Tool | undefined): AgentError {
  const kinds = [tool, other].map((one) => (one && isAgentTool(one) ? "agent" : "tool"));
  const what = kinds[0] === kinds[1] ? `two ${kinds[0]}s have` : "a tool and an agent have";
  const prefixed = `my${tool.name[0]?.toUpperCase() ?? ""}${tool.name.slice(1)}`;
  return invalid(
    `${what} the name "${tool.name}"`,
    `give one of them another name with a prefix, such as "${prefixed}": tools as a record whose keys are the names, agents by asTool({ name })`,
  );
}

/** The same tool under another name, by which its errors call it; an instance of a class is called as itself, and so keeps its private fields. */
function renamed(tool: Tool, name: string): Tool {
  if (isRecord(tool) && Object.getPrototypeOf(tool) === Object.prototype) return { ...tool, name };
  return {
    ...tool,
    name,
    parseInput: (input) => tool.parseInput(input),
    execute: (input, context) => tool.execute(input, context),
    ...(tool?.needsApproval ? { needsApproval: (input, context) => tool.needsApproval?.(input, context) ?? true } : {}),
  };
}

const isList = (tools: ToolsOption): tools is readonly Tool[] => Array.isArray(tools);

function checkTool(tool: Partial<Tool> | null): void {
  if (
    typeof tool !== "object" ||
    tool === null ||
    typeof tool.execute !== "function" ||
    typeof tool.parseInput !== "function" ||
    !isRecord(tool.inputSchema)
  ) {
    throw invalid(`one of the tools is ${shown(tool)}`, "make tools with tool({ name, description, input, execute })");
  }
  checkIdentifier(tool.name, "a tool's name");
}

// A guest calls a tool by its name, and words such as `print` have a meaning of their own there.
const reservedNames = new Set(
  `arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements
  import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void
  while with yield print console final_answer __proto__`.split(/\s+/),
);

/** Checks a name that code may call something by. @throws AgentError `invalid-option` with a name that is good */
export function checkIdentifier(name: unknown, what: string): void {
  const isIdentifier = typeof name === "string" && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);
  if (isIdentifier && !reservedNames.has(name)) return;
  const why = isIdentifier ? "which is a reserved word" : "which is no JavaScript identifier";
  throw invalid(`${what} is ${shown(name)}, ${why}`, `write a name such as "${identifierFrom(name)}"`);
}

function identifierFrom(name: unknown): string {
  const words = String(name)
    .split(/[^\p{ID_Continue}]+/u)
    .filter((word) => word !== "");
  const joined = words.map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join("");
  return /^[\p{ID_Start}]/u.test(joined) && !reservedNames.has(joined)
    ? joined
    : `my${joined[0]?.toUpperCase() ?? "Tool"}${joined.slice(1)}`;
}

/** An object may refuse to be shown as a text. */
function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return "a list";
  return isRecord(value) ? "an object" : String(value);
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null;

const invalid = (message: string, hint?: string): AgentError => new AgentError("invalid-option", message, { hint });
