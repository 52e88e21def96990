import { invalidOption, type Model, type RunLog, readOptions, type Tool } from "@smolts/protocol";
import type { AgentBehavior, AgentDefinition } from "./agent/agent-definition.ts";
import type { AgentOptions, ForkOptions, ResumeOptions, RunOptions } from "./agent/agent-options.ts";
import {
  type CheckedOptions,
  checkAgentOptions,
  checkCallable,
  checkForkOptions,
  checkRunOptions,
  readAgentOptions,
  readChanges,
} from "./agent/check-options.ts";
import { asToolOptions, sessionOptions } from "./agent/option-tables.ts";
import { type SavedAgent, savedAgent } from "./agent/saved-agent.ts";
import { checkBudget } from "./run/budget.ts";
import type { AgentRun } from "./session/agent-run.ts";
import { explainAgentMembers, fixAgentMembers, fixedTools } from "./session/other-members.ts";
import type { Task } from "./session/run-input.ts";
import { AgentSession, type Session, type SessionOptions } from "./session/session.ts";
import { StoredSessionLog } from "./session/stored-session-log.ts";
import { isObject, shown } from "./shown-value.ts";
import { type AgentTool, type AsToolOptions, createAgentTool } from "./tools/agent-tool.ts";
import { finalAnswerName } from "./tools/final-answer.ts";
import type { AnswerOf, AnswerSchema } from "./tools/typed-answer.ts";

/** The parts of a definition that depend on the kind of agent. */
export type AgentKind = Pick<AgentDefinition, "systemPrompt" | "executor" | "language" | "imports"> & {
  readonly behaviour: AgentBehavior;
  /** Present when the agent has more tools than the user passed. */
  readonly tools?: AgentDefinition["tools"];
};

/**
 * An agent: an immutable definition. Each run holds its own state, so one agent can have any number
 * of runs at the same time.
 *
 * The two kinds of agent differ in one method; see {@link CodeAgent} and {@link ToolCallingAgent}.
 */
export abstract class MultiStepAgent<Options extends AgentOptions = AgentOptions, Output = unknown> {
  /**
   * The options as they were passed to the constructor. Changing the passed object later has no
   * effect.
   */
  readonly options: Options;
  /** How the agent acts: by code, or by JSON tool calls. */
  readonly type: "code" | "tool-calling";
  /** The name of the agent; `agent` if the options name none. */
  readonly name: string;
  /** A description of what the agent can do, for an agent that manages it. */
  readonly description: string | undefined;
  readonly #checked: CheckedOptions;
  readonly #tools: ReadonlyMap<string, Tool>;
  #definition: AgentDefinition | null = null;

  /** @throws AgentError `invalid-option` that says what to change */
  constructor(options: Options, kind: "code" | "tool-calling") {
    if (new.target === MultiStepAgent) throw noKind();
    const read = readAgentOptions(options, kind);
    this.#checked = checkAgentOptions(read);
    this.#tools = fixedTools(this.#checked.tools);
    this.options = Object.freeze({ ...read });
    this.type = kind;
    this.name = this.#checked.name;
    this.description = read.description;
    explainAgentMembers(MultiStepAgent);
    fixAgentMembers(this);
    // Bundlers rename classes, so set the name that stack traces show.
    Object.defineProperty(this, Symbol.toStringTag, { value: this.constructor.name });
    // Node's `console.log` uses this symbol to print an object.
    Object.defineProperty(this, Symbol.for("nodejs.util.inspect.custom"), { value: () => lineOf(this) });
  }

  /** The model. If a function was passed, this is the model that was made from it. */
  get model(): Model {
    return this.#checked.model;
  }

  /** How many steps a run may take. */
  get maxSteps(): number {
    return this.#checked.maxSteps;
  }

  /** All tools by name, including `finalAnswer`. */
  get tools(): ReadonlyMap<string, Tool> {
    return this.#tools;
  }

  /**
   * Runs the agent on a task. Returns the handle of the run immediately; the run starts in the next
   * microtask.
   *
   * @throws AgentError `invalid-option` immediately when an option is wrong
   * @example
   * ```ts
   * import { CodeAgent, modelFromFunction } from "@smolts/core";
   *
   * const agent = new CodeAgent({ model: modelFromFunction(() => "<code>finalAnswer(1 + 1)</code>") });
   * console.log(await agent.run("What is one and one?")); // 2
   * ```
   */
  run<Schema extends AnswerSchema = AnswerSchema<Output>>(
    task: Task,
    options: RunOptions<Schema> = {},
  ): AgentRun<AnswerOf<Schema>> {
    const { store } = this.options;
    if (!store) return runAlone(new AgentSession(this.#define()), task, options);
    const checked = checkRunOptions(options);
    const runId = checked.runId ?? crypto.randomUUID();
    const log = new StoredSessionLog(store, { sessionId: runId });
    return runAlone(new AgentSession(this.#define(), { log, isAlone: true }), task, { ...checked, runId });
  }

  /**
   * Continues a run where it stopped: the run with this id in the agent's store, or the last run of
   * a log. Recorded work is not done again. A run that has ended returns its recorded answer.
   *
   * The handle rejects with one of these codes:
   *
   * - `divergence` when the recorded program behaves differently now, or when the agent no longer
   *   has the tool that the run waits to call
   * - `in-doubt` when a person has to say whether a call happened
   * - `lease` while another process drives the run
   * - `crash-loop` when three resumes made no progress
   * - `invalid-option` when the run had the option `output` and this call does not
   * - `stale-decision` when a decision is too late or differs from an earlier one
   */
  resume<Schema extends AnswerSchema = AnswerSchema<Output>>(
    run: string | RunLog,
    options: ResumeOptions<Schema> = {},
  ): AgentRun<AnswerOf<Schema>> {
    const session = new AgentSession(this.#define(), { ...this.#placeOf(run), isAlone: true });
    return aloneIn(session, () => session.resume(options));
  }

  /**
   * Starts a new run that shares the first steps of another run, up to the step before `atStep`.
   * The other run is the last run of a log, or a run in the agent's store. The shared steps are not
   * done again, and the other run does not change. The fork gets its own log, in the agent's store
   * if there is one.
   *
   * The handle rejects with `effects-repeat` when the steps from `atStep` on had effects and
   * `repeatEffects` is not set. It also rejects for the reasons that {@link resume} lists. The fork
   * does not take over approval requests or `always` decisions.
   *
   * @throws AgentError `invalid-option` immediately when an option is wrong
   * @example
   * ```ts
   * import { CodeAgent, modelFromFunction } from "@smolts/core";
   *
   * const replies = ["<code>const year = 1924</code>", "<code>finalAnswer(year)</code>", "<code>finalAnswer(year)</code>"];
   * const agent = new CodeAgent({ model: modelFromFunction(() => replies.shift() ?? "") });
   * const { log } = await agent.run("In which year were the games in Paris?").result;
   * console.log(await agent.fork(log, { atStep: 1, code: "const year = 2024" })); // 2024
   * ```
   */
  fork<Schema extends AnswerSchema = AnswerSchema<Output>>(
    run: string | RunLog,
    options: ForkOptions<Schema>,
  ): AgentRun<AnswerOf<Schema>> {
    mustHaveForkOptions(options);
    const checked = checkForkOptions(options);
    const { runId = crypto.randomUUID() } = checked;
    const { log: parent, resumes: parentRunId = null } = this.#placeOf(run, "fork");
    const { store } = this.options;
    const log = store && new StoredSessionLog(store, { sessionId: runId });
    const session = new AgentSession(this.#define(), { ...(log && { log }), isAlone: true });
    return aloneIn(session, () => session.fork(parent, { ...checked, runId, parentRunId }));
  }

  #placeOf(run: string | RunLog, method = "resume"): { readonly log: RunLog; readonly resumes?: string } {
    // an object with `read` is a log
    if (isObject(run) && typeof run["read"] === "function") return { log: run as RunLog };
    const { store } = this.options;
    if (typeof run !== "string")
      throw invalidOption(
        `${method}() got ${shown(run)}; expected a run's id or its log`,
        `write agent.${method}(result.log, { ${method === "fork" ? "atStep" : "decisions"} })`,
      );
    if (!store)
      throw invalidOption(
        `${method}("${run}") needs a store`,
        "give the agent one: { store: fileStore(folder) }; agent.run(task) takes a new task",
      );
    return { log: new StoredSessionLog(store, { runId: run }), resumes: run };
  }

  /**
   * Opens a session: a series of runs that share memory and variables, one at a time.
   *
   * @throws AgentError `invalid-option` when an option is wrong
   * @example
   * ```ts
   * import { CodeAgent, modelFromFunction } from "@smolts/core";
   *
   * const replies = ["<code>let count = 1;\nfinalAnswer(count)</code>", "<code>count += 1;\nfinalAnswer(count)</code>"];
   * const agent = new CodeAgent({ model: modelFromFunction(() => replies.shift() ?? "") });
   * await using session = agent.session();
   * await session.run("Count to one.");
   * console.log(await session.run("And one more.")); // 2
   * ```
   */
  session(options: SessionOptions = {}): Session<Output> {
    const { store } = this.options;
    const { log, id } = readOptions(options, "a session", sessionOptions);
    if (id !== undefined && (log || !store)) {
      throw invalidOption(
        "opening a session by its id needs the agent's store",
        "give the agent one: { store: fileStore(folder) }",
      );
    }
    if (log) return new AgentSession(this.#define(), { log });
    if (!store) return new AgentSession(this.#define());
    const stored = new StoredSessionLog(store, { sessionId: id ?? crypto.randomUUID() });
    return new AgentSession(this.#define(), { log: stored });
  }

  /**
   * Returns this agent as a tool. Use it for settings that `managedAgents` does not have, or to
   * call the agent from other code.
   *
   * @throws AgentError `invalid-option` when neither the agent nor the options have a name and a
   * description
   * @example
   * ```ts
   * import { CodeAgent, modelFromFunction } from "@smolts/core";
   *
   * const model = modelFromFunction((messages) => `<code>finalAnswer(${messages.length})</code>`);
   * const counter = new CodeAgent({ model, name: "counter", description: "Counts messages." }).asTool({ memory: "keep" });
   * const replies = ['<code>await counter({ task: "Count." })</code>', '<code>finalAnswer(await counter({ task: "Again." }))</code>'];
   * const manager = new CodeAgent({ model: modelFromFunction(() => replies.shift() ?? ""), tools: [counter] });
   * console.log(await manager.run("Count twice.")); // 4
   * ```
   */
  asTool(options: AsToolOptions = {}): AgentTool {
    const {
      name = this.options.name ?? "",
      description = this.description ?? "",
      memory = "fresh",
      summary = this.options.provideRunSummary ?? false,
      budget = {},
    } = readOptions(options, "asTool()", asToolOptions);
    checkCallable(name, description);
    const limits = { ...this.#checked.budget, ...checkBudget(budget) };
    return createAgentTool({
      name,
      description,
      answer: this.#checked.tools.get(finalAnswerName),
      managed: { definition: () => ({ ...this.#define(), budget: limits }), memory, summary },
      runAlone: async ({ task, additionalArgs = {} }, { signal, metadata }) =>
        this.run(task, { additionalArgs, budget: limits, signal, metadata }),
    });
  }

  /**
   * Returns the agent as plain data, without secrets. `save` of `@smolts/core/save` writes it into
   * a folder.
   *
   * @throws AgentError `invalid-option` that names the tool, model or option that is not data, and
   * says what to do
   */
  toJSON(): SavedAgent {
    return savedAgent(this);
  }

  /** Returns a changed copy. This agent stays as it is. */
  with(changes: Partial<Options>): this {
    // The cast is safe: the constructor of each kind of agent takes one argument, its options.
    const Kind = this.constructor as new (options: Options) => this;
    return new Kind({ ...this.options, ...readChanges(changes, this.type) });
  }

  // The static functions that other frameworks use to create agents. They throw an error that says
  // what to write instead. They are declared in the class, because a program may call them before
  // it has created any agent.

  /** @internal */
  static get create(): unknown {
    return noStatic("create", "write new CodeAgent({ model, tools })");
  }

  /** @internal */
  static get run(): unknown {
    return noStatic("run", "write new CodeAgent({ model, tools }).run(task)");
  }

  /** @internal */
  static get from_hub(): unknown {
    return noStatic("from_hub", fromHub);
  }

  /** @internal */
  static get fromHub(): unknown {
    return noStatic("fromHub", fromHub);
  }

  /** @internal */
  static get from_folder(): unknown {
    return noStatic("from_folder", fromFolder);
  }

  /** @internal */
  static get fromFolder(): unknown {
    return noStatic("fromFolder", fromFolder);
  }

  /** @internal */
  static get from_dict(): unknown {
    return noStatic("from_dict", fromFolder);
  }

  /** @internal */
  static get fromDict(): unknown {
    return noStatic("fromDict", fromFolder);
  }

  /**
   * Returns the parts of the definition that depend on the kind of agent. It is called once, before
   * the first run.
   */
  protected abstract kind(checked: CheckedOptions): AgentKind;

  #define(): AgentDefinition {
    this.#definition ??= this.#defineWith(this.#checked.tools);
    return this.#definition;
  }

  #defineWith(tools: ReadonlyMap<string, Tool>): AgentDefinition {
    const { metadata, instructions, approve, approval, reader } = this.options;
    const own = { agent: this, metadata, instructions, approve, approval, reader };
    const checked = { ...this.#checked, tools };
    const withTools = (names: ReadonlySet<string>): AgentDefinition =>
      this.#defineWith(new Map([...tools].filter(([name]) => names.has(name))));
    // The cast is safe: each kind of agent has the option `output`.
    const withOutput = (output: AnswerSchema): AgentDefinition => this.with({ output } as Partial<Options>).#define();
    return { ...checked, ...own, withTools, withOutput, ...this.kind(checked) };
  }
}

function noStatic(name: string, hint: string): never {
  throw invalidOption(`agents have no method "${name}"`, hint);
}

const noKind = (): Error =>
  invalidOption("MultiStepAgent is abstract", "write new CodeAgent({ model }), or new ToolCallingAgent({ model })");

const fromHub = 'write await load("user/name") of @smolts/hub';
const fromFolder = "write await load(folder) of smolts/save";

function lineOf({ type, name, model, tools, maxSteps }: MultiStepAgent): string {
  const kind = type === "code" ? "CodeAgent" : "ToolCallingAgent";
  const names = [...tools.keys()].filter((tool) => tool !== finalAnswerName);
  const parts = [
    `model: ${model.id}`,
    ...(names.length === 0 ? [] : [`tools: ${names.join(", ")}`]),
    `maxSteps: ${maxSteps}`,
  ];
  return `${kind} "${name}" { ${parts.join("; ")} }`;
}

function mustHaveForkOptions(value: unknown): void {
  if (value === undefined) throw invalidOption("fork() got no options", "write agent.fork(run, { atStep: 3 })");
}

const runAlone = <Schema extends AnswerSchema>(
  session: AgentSession,
  task: Task,
  options: RunOptions<Schema>,
): AgentRun<AnswerOf<Schema>> => aloneIn(session, () => session.run(task, options));

/** Closes the session of a single run when that run has ended. */
function aloneIn<Output>(session: AgentSession, begin: () => AgentRun<Output>): AgentRun<Output> {
  const run = begin();
  // A failure to close the sandbox is ignored, because the run already has its result.
  run.result.then(() => session[Symbol.asyncDispose]()).catch(() => {});
  return run;
}
