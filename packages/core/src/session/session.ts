import type { MemoryStep, RunLog, VariableSummary } from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import type { ForkOptions, ResumeOptions, RunOptions } from "../agent/agent-options.ts";
import { checkForkOptions, checkResumeOptions, checkRunOptions } from "../agent/check-options.ts";
import type { AnswerOf, AnswerSchema } from "../tools/typed-answer.ts";
import type { AgentRun } from "./agent-run.ts";
import { explainSessionMembers } from "./other-members.ts";
import { checkRunInput, type Task } from "./run-input.ts";
import type { RunRequest } from "./run-request.ts";
import { SessionState } from "./session-state.ts";
import { startRun } from "./start-run.ts";
import { busy } from "./turns.ts";

/** Options that a run of a session has in addition to the options of every run. */
export interface SessionRunOptions<Schema extends AnswerSchema = AnswerSchema> extends RunOptions<Schema> {
  /**
   * Whether to wait for the run that is active, instead of failing with `busy`; false if absent.
   */
  readonly queue?: boolean;
  /**
   * Whether the run begins with a new, empty sandbox if the old one is lost; false if absent.
   * {@link ResumeOptions} has the same option.
   */
  readonly emptySandbox?: boolean;
}

/**
 * A series of runs that share one memory and one sandbox. Only one of them runs at a time.
 *
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 *
 * const agent = new CodeAgent({ model: modelFromFunction((messages) => `<code>finalAnswer(${messages.length})</code>`) });
 * const session = agent.session();
 * await session.run("Hello.");
 * // The model sees the system prompt, the first task, its own answer, and the second task.
 * console.log(await session.run("And again.")); // 4
 * await session[Symbol.asyncDispose]();
 * ```
 */
export interface Session<Output = unknown> extends AsyncDisposable {
  /** The id of the session, by which a store finds it again. */
  readonly id: string;
  /** The log of all runs of the session. */
  readonly log: RunLog;
  /** The steps that the next run remembers. */
  readonly steps: readonly MemoryStep[];
  /**
   * Runs the agent on a task. The run has the memory and the variables of the earlier runs. Rejects
   * with `busy` if another run is active (unless `queue` is set), or if one waits for people.
   */
  run<Schema extends AnswerSchema = AnswerSchema<Output>>(
    task: Task,
    options?: SessionRunOptions<Schema>,
  ): AgentRun<AnswerOf<Schema>>;
  /**
   * Continues the last run of the session: a run that waits for people, that was interrupted, or
   * that exhausted its steps or its budget. A run that already has its answer returns this answer
   * again.
   */
  resume<Schema extends AnswerSchema = AnswerSchema<Output>>(
    options?: ResumeOptions<Schema>,
  ): AgentRun<AnswerOf<Schema>>;
  /**
   * Starts the first run of this session as a fork of a run in another log, like `fork` of an
   * agent. The fork shares the steps before `atStep`. The log of this session must be empty.
   * `parentRunId` names the run to fork; if absent, it is the last run of the other log.
   */
  fork<Schema extends AnswerSchema = AnswerSchema<Output>>(
    parent: RunLog,
    options: SessionForkOptions<Schema>,
  ): AgentRun<AnswerOf<Schema>>;
  /** Returns the variables of the session's sandbox. There are none if the agent runs no code. */
  variables(): Promise<readonly VariableSummary[]>;
  /**
   * Clears memory and variables: later runs know nothing of the earlier ones, in any process. The
   * log records the reset and keeps the earlier events. A run that waits for people or was
   * interrupted cannot be resumed afterwards. Rejects with `busy` while a run is active, and with
   * `lease` while a run is active in another process.
   */
  reset(): Promise<void>;
}

/** The options of a session, which say where the session is stored. */
export interface SessionOptions {
  /**
   * The log of the session. If it has events, the session continues from them. If absent, a log of
   * the agent's store is used, or a log in memory.
   */
  readonly log?: RunLog;
  /**
   * The id of the session in the agent's store. If the store has such a session, it is continued. A
   * random id if absent.
   */
  readonly id?: string;
}

/** Options of a fork that starts a session. */
export interface SessionForkOptions<Schema extends AnswerSchema = AnswerSchema> extends ForkOptions<Schema> {
  /** The id of the run to fork. If absent, the last run of the parent's log is forked. */
  readonly parentRunId?: string;
}

/** The parts from which a session is made, after its log was found. */
interface AgentSessionOptions {
  readonly log?: RunLog;
  /** The id of the run that `resume` continues. */
  readonly resumes?: string | null;
  /** Whether the session is for a single run. */
  readonly isAlone?: boolean;
}

/** The session of an agent. A single run has its own session. */
export class AgentSession implements Session {
  readonly #state: SessionState;
  /** The id of the run to resume; null for the last run of the log. */
  readonly #resumes: string | null;

  constructor(definition: AgentDefinition, { resumes = null, ...parts }: AgentSessionOptions = {}) {
    explainSessionMembers(AgentSession);
    this.#state = new SessionState(definition, parts);
    this.#resumes = resumes;
  }

  get id(): string {
    return this.log.id;
  }

  get log(): RunLog {
    return this.#state.log;
  }

  get steps(): readonly MemoryStep[] {
    return this.#state.fold.steps;
  }

  run<Schema extends AnswerSchema = AnswerSchema>(
    task: Task,
    options: SessionRunOptions<Schema> = {},
  ): AgentRun<AnswerOf<Schema>> {
    const settings = checkRunOptions(options);
    const input = checkRunInput(task, settings, this.#state.definition);
    const { runId = crypto.randomUUID() } = settings;
    return this.#start({ type: "fresh", runId, input, options: settings }, settings);
  }

  resume<Schema extends AnswerSchema = AnswerSchema>(given: ResumeOptions<Schema> = {}): AgentRun<AnswerOf<Schema>> {
    const {
      decisions = [],
      force = false,
      moreSteps = 0,
      budget,
      emptySandbox = false,
      ...options
    } = checkResumeOptions(given);
    const limits = { moreSteps, budget };
    return this.#start({ type: "resume", runId: this.#resumes, decisions, force, ...limits, emptySandbox }, options);
  }

  fork<Schema extends AnswerSchema = AnswerSchema>(
    parent: RunLog,
    {
      parentRunId = null,
      ...given
    }: Omit<SessionForkOptions<Schema>, "parentRunId"> & {
      readonly parentRunId?: string | null;
    },
  ): AgentRun<AnswerOf<Schema>> {
    const { atStep, code, message, repeatEffects = false, moreSteps = 0, budget, ...rest } = checkForkOptions(given);
    const { runId = crypto.randomUUID(), emptySandbox = false, ...options } = rest;
    const fork = { parent, parentRunId, atStep, code, message, repeatEffects };
    const limits = { moreSteps, budget };
    const resume = { type: "resume", runId, decisions: [], force: false, ...limits, emptySandbox } as const;
    return this.#start({ type: "fork", fork, resume }, options);
  }

  variables(): Promise<readonly VariableSummary[]> {
    return this.#state.sandbox.variables();
  }

  async reset(): Promise<void> {
    if (this.#state.turns.open > 0) throw busy();
    await this.#state.reset();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#state.close();
  }

  #start<Schema extends AnswerSchema = AnswerSchema>(
    request: RunRequest,
    { output, queue = false, ...options }: SessionRunOptions<Schema>,
  ): AgentRun<AnswerOf<Schema>> {
    const { definition: own, path } = this.#state;
    // Code that may throw comes before `startRun`. Otherwise the session would wait for a run that
    // never began, and no other run could start.
    const definition = output ? own.withOutput(output) : own;
    return startRun(this.#state, request, { definition, path, queue, options });
  }
}
