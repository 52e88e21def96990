import type { MemoryStep, RunLog, VariableSummary } from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import type { ForkOptions, ResumeOptions, RunOptions } from "../agent/agent-options.ts";
import { checkForkOptions, checkResumeOptions, checkRunOptions } from "../agent/check-options.ts";
import type { AnswerOf, AnswerSchema } from "../tools/typed-answer.ts";
import type { AgentRun } from "./agent-run.ts";
import { checkRunInput, type Task } from "./run-input.ts";
import type { RunRequest } from "./run-request.ts";
import { SessionState } from "./session-state.ts";
import { startRun } from "./start-run.ts";
import { busy } from "./turns.ts";

/** Options of a session's run besides those of every run. */
export interface SessionRunOptions<Schema extends AnswerSchema = AnswerSchema> extends RunOptions<Schema> {
  /** Whether to wait for the run that is going on, instead of failing with `busy`. */
  readonly queue?: boolean;
  /**
   * Whether the run begins with a new, empty sandbox in place of one that is lost, as in
   * {@link ResumeOptions}; false when absent.
   */
  readonly emptySandbox?: boolean;
}

/**
 * One memory and one sandbox over many runs, one at a time.
 *
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 *
 * const agent = new CodeAgent({ model: modelFromFunction((messages) => `<code>finalAnswer(${messages.length})</code>`) });
 * const session = agent.session();
 * await session.run("Hello.");
 * console.log(await session.run("And again.")); // 5: it remembers the first run
 * await session[Symbol.asyncDispose]();
 * ```
 */
export interface Session<Output = unknown> extends AsyncDisposable {
  readonly id: string;
  readonly log: RunLog;
  readonly steps: readonly MemoryStep[];
  run<Schema extends AnswerSchema = AnswerSchema<Output>>(
    task: Task,
    options?: SessionRunOptions<Schema>,
  ): AgentRun<AnswerOf<Schema>>;
  /**
   * Continues the last run of the session: one that waits for people, that was interrupted, or that
   * used up its steps or its budget. One that has its answer returns it again.
   */
  resume<Schema extends AnswerSchema = AnswerSchema<Output>>(
    options?: ResumeOptions<Schema>,
  ): AgentRun<AnswerOf<Schema>>;
  /**
   * Begins with a run that shares the steps of another log's run before `atStep`, as `fork` of an
   * agent does, in the log of this session, which must be empty. `parentRunId` names the other run;
   * its log's last one when absent.
   */
  fork<Schema extends AnswerSchema = AnswerSchema<Output>>(
    parent: RunLog,
    options: SessionForkOptions<Schema>,
  ): AgentRun<AnswerOf<Schema>>;
  variables(): Promise<readonly VariableSummary[]>;
  /**
   * Forgets memory and variables: later runs know nothing of the earlier ones, in any process. The
   * log records it and keeps what was before. A run that waits for people, or that was interrupted,
   * is given up. Rejects with `busy` while a run is going on, and with `lease` while another
   * process drives one.
   */
  reset(): Promise<void>;
}

/** Where a session keeps what it remembers. */
export interface SessionOptions {
  /** A log with events is continued. When absent: the agent's store, or a log in memory. */
  readonly log?: RunLog;
  /**
   * The id of the session in the agent's store; one that is there is continued. A random one when
   * absent.
   */
  readonly id?: string;
}

/** From where a session's first run is forked. */
export interface SessionForkOptions<Schema extends AnswerSchema = AnswerSchema> extends ForkOptions<Schema> {
  /** The run in the parent's log that is forked; its last run when absent. */
  readonly parentRunId?: string;
}

/** The parts of a session, once its place in a store was looked up. */
interface AgentSessionOptions {
  readonly log?: RunLog;
  /** The run that `resume` is about. */
  readonly resumes?: string | null;
  /** Whether it is for one run only. */
  readonly isAlone?: boolean;
}

/** The session of an agent; a lone run is a session of one. */
export class AgentSession implements Session {
  readonly #state: SessionState;
  /** The run that is to be resumed; null for the last one of the log. */
  readonly #resumes: string | null;

  constructor(definition: AgentDefinition, { resumes = null, ...parts }: AgentSessionOptions = {}) {
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
    given: SessionRunOptions<Schema> = {},
  ): AgentRun<AnswerOf<Schema>> {
    const options = checkRunOptions(given);
    const input = checkRunInput(task, options, this.#state.definition);
    const { runId = crypto.randomUUID() } = options;
    return this.#start({ type: "fresh", runId, input, options }, options);
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
    // First what may throw: a run that never began is none that others wait for.
    const definition = output ? own.withOutput(output) : own;
    return startRun(this.#state, request, { definition, path, queue, options });
  }
}
