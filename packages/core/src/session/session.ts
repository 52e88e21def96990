import { createStepFold, memoryLog, type StepFold } from "@smolts/memory";
import {
  AgentError,
  type DurableEvent,
  type EventOf,
  type Executor,
  isPathAt,
  isPathUnder,
  type JsonValue,
  type MemoryStep,
  type Path,
  type RunLog,
  type VariableSummary,
} from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import type { ForkOptions, ResumeOptions, RunOptions } from "../agent/agent-options.ts";
import { checkForkOptions, checkResumeOptions, checkRunOptions } from "../agent/check-options.ts";
import { languageOf } from "../languages/languages.ts";
import type { Worker } from "../run/run.ts";
import { suspended } from "../run/suspension.ts";
import type { AgentTool } from "../tools/agent-tool.ts";
import type { AgentRun, RunResult } from "./agent-run.ts";
import { beginForked, beginFresh, beginResumed, beginWork, eventsOf, type WorkerTask } from "./begin-run.ts";
import { type LegBeginning, type LegOptions, startLeg } from "./leg.ts";
import { checkRunInput, type Task } from "./run-input.ts";
import { StoredSessionLog } from "./stored-session-log.ts";

/** What a run of a session takes besides the options of every run. */
export interface SessionRunOptions<Output = unknown> extends RunOptions<Output> {
  /** Whether to wait for the run that is going on, instead of failing with `busy`. */
  readonly queue?: boolean;
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
  run<Answer = Output>(task: Task, options?: SessionRunOptions<Answer>): AgentRun<Answer>;
  /** Goes on with the last run: one that is suspended, or where the log that the session was opened with ends. */
  resume<Answer = Output>(options?: ResumeOptions<Answer>): AgentRun<Answer>;
  /**
   * Begins with a run that shares the steps of another log's run before `atStep`, as `fork` of an agent does, in the log of this session, which must be
   * empty. `parentRunId` names the other run; its log's last one when absent.
   */
  fork<Answer = Output>(parent: RunLog, options: SessionForkOptions<Answer>): AgentRun<Answer>;
  variables(): Promise<readonly VariableSummary[]>;
  /** Forgets memory and state; the earlier log stays with whoever holds it. Rejects with `busy` while a run is going on. */
  reset(): Promise<void>;
}

/** Where a session keeps what it remembers. */
export interface SessionOptions {
  /** A log with events is continued. When absent: the agent's store, or a log in memory. */
  readonly log?: RunLog;
  /** The id of the session in the agent's store; one that is there is continued. A random one when absent. */
  readonly id?: string;
}

/** From where a session's first run is forked. */
export interface SessionForkOptions<Output = unknown> extends ForkOptions<Output> {
  readonly parentRunId?: string;
}

/** Where a managed agent works. */
export interface WorkPlace {
  /** The log of its caller. */
  readonly log: RunLog;
  /** Of one call or, without a call's number, of all calls of an agent that keeps its memory. */
  readonly place: Path;
  /** What the log held of this agent, and of those that work for it, when it was opened. */
  readonly earlierEvents: readonly DurableEvent[];
}

/** What a session is opened with, once its place in a store was looked up. */
interface AgentSessionOptions {
  readonly log?: RunLog;
  /** The run that `resume` is about. */
  readonly resumes?: string | null;
  /** Whether it is for one run only. */
  readonly isAlone?: boolean;
}

/** The session of an agent; a lone run is a session of one, and so is a call of a managed agent. */
export class AgentSession implements Session, Worker {
  readonly #definition: AgentDefinition;
  readonly #place: Path;
  #log: RunLog;
  #fold: StepFold;
  #sandbox: Promise<Executor> | null = null;
  #lastVariables: Promise<readonly VariableSummary[]> | null = null;
  /** Settles when the last run begun so far has ended. */
  #lastEnded: Promise<unknown> = Promise.resolve();
  /** How many runs are going on or wait for their turn. */
  #openRuns = 0;
  #isLogRead = false;
  /** What the log held when this session was opened; null until it was read. */
  #earlierEvents: readonly DurableEvent[] | null;
  /** The agents that keep their memory, by name. */
  readonly #keptWorkers = new Map<string, AgentSession>();
  /** Whether the last run waits for people. */
  #isSuspended = false;
  /** The run that is to be resumed; null for the last one of the log. */
  readonly #resumes: string | null;
  /** Whether it is for one run, and closed after it. */
  readonly #isAlone: boolean;
  readonly #closing = new AbortController();

  constructor(
    definition: AgentDefinition,
    { log = memoryLog(), resumes = null, isAlone = false, ...managed }: AgentSessionOptions & Partial<WorkPlace> = {},
  ) {
    this.#resumes = resumes;
    this.#isAlone = isAlone;
    this.#definition = definition;
    this.#place = managed.place ?? [definition.name];
    this.#log = log;
    this.#earlierEvents = managed.earlierEvents ?? null;
    this.#fold = createStepFold({ path: this.#place });
  }

  /** Of a managed agent it is its caller's to open and to close. */
  get #ownLog(): StoredSessionLog | null {
    return this.#log instanceof StoredSessionLog && this.#place.length === 1 ? this.#log : null;
  }

  get id(): string {
    return this.#log.id;
  }

  get log(): RunLog {
    return this.#log;
  }

  get steps(): readonly MemoryStep[] {
    return this.#fold.steps;
  }

  run<Answer>(task: Task, options: SessionRunOptions<Answer> = {}): AgentRun<Answer> {
    checkRunOptions(options);
    const input = checkRunInput(task, options, this.#definition);
    return this.#start(options, options.runId ?? crypto.randomUUID(), beginFresh(input, options));
  }

  /** Goes on with the last run of the log: one that is suspended, or where an earlier process stopped. */
  resume<Answer>(given: ResumeOptions<Answer> = {}): AgentRun<Answer> {
    checkResumeOptions(given);
    const { decisions = [], force = false, moreSteps = 0, budget, ...options } = given;
    // Closing what is of no use any more is nobody's to wait for.
    if (this.#isSuspended) this.#forget().catch(() => {});
    return this.#start(options, "", beginResumed({ decisions, force, moreSteps, budget, runId: this.#resumes }));
  }

  fork<Answer>(
    parent: RunLog,
    {
      parentRunId = null,
      ...given
    }: Omit<SessionForkOptions<Answer>, "parentRunId"> & {
      readonly parentRunId?: string | null;
    },
  ): AgentRun<Answer> {
    checkForkOptions(given);
    const { atStep, code, message, repeatEffects = false, moreSteps = 0, budget, ...rest } = given;
    const { runId = crypto.randomUUID(), ...options } = rest;
    const request = { parent, parentRunId, atStep, code, message, repeatEffects };
    const resume = { decisions: [], force: false, moreSteps, budget, runId };
    return this.#start(options, runId, beginForked(request, resume));
  }

  /** Does a task for the run of another agent, in its log. Tasks of one session come one after the other. */
  work(task: WorkerTask): AgentRun {
    const { id: runId, signal, metadata } = task.caller;
    return this.#start({ signal, metadata, queue: true }, runId, beginWork(task), {
      path: task.path,
      caller: task.caller,
    });
  }

  /** Also of a sandbox that was closed, as it was then: the variables of a lone run can be read after its end. */
  async variables(): Promise<readonly VariableSummary[]> {
    return this.#lastVariables ?? summariesOf(this.#sandbox);
  }

  async reset(): Promise<void> {
    if (this.#openRuns > 0) throw busy();
    if (this.#ownLog) await this.#ownLog.close();
    this.#log = memoryLog();
    this.#isSuspended = false;
    await this.#forget();
    this.#lastVariables = null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new AgentError("interrupted", "the session was closed"));
    await this.#lastEnded;
    await this.#closeWorkers();
    await this.#closeSandbox();
    if (this.#ownLog) await this.#ownLog.close();
  }

  #start<Answer>(
    { output, ...options }: SessionRunOptions<Answer>,
    runId: string,
    begin: LegBeginning,
    { path, caller }: Pick<LegOptions, "path" | "caller"> = { path: this.#place },
  ): AgentRun<Answer> {
    // First what may throw: a run that never began is none that others wait for.
    const definition = output ? this.#definition.withOutput(output) : this.#definition;
    // The model takes its time, which is enough to load a sandbox's code.
    if (!this.#sandbox) definition.executor?.warm?.();
    const before = this.#openRuns === 0 ? null : this.#lastEnded;
    this.#openRuns++;
    const run = startLeg<Answer>({
      definition,
      path,
      place: this.#place,
      caller,
      log: this.#log,
      fold: this.#fold,
      closing: this.#closing.signal,
      sandbox: () => this.#openSandbox(),
      earlierEvents: () => this.#readLog(),
      openWorker: (tool, path, runId) => this.#openWorker(tool, path, runId),
      variables: () => this.variables(),
      noteResumed: (events) => {
        this.#isSuspended = false;
        this.#earlierEvents = [...(this.#earlierEvents ?? []), ...events];
      },
      turn: async () => {
        if (before && !options.queue) throw busy();
        await before;
        await this.#takeLog();
        const isNew = runId !== "";
        if (this.#isSuspended && isNew) throw caller ? suspended(caller) : waitsForPeople();
      },
      onEnd: (result) => this.#endRun(result),
      options,
      runId,
      begin: (leg) => this.#begin(leg, begin),
    });
    this.#lastEnded = Promise.all([before, run.result]);
    return run;
  }

  /** A log that nobody needs here any more is given back: while a run waits for people, whoever decides takes it for that. */
  async #endRun({ status }: RunResult): Promise<void> {
    this.#openRuns--;
    if (status === "suspended") this.#isSuspended = true;
    const isIdle = this.#openRuns === 0 && (this.#isAlone || this.#isSuspended);
    // All that the result rests on was flushed before.
    if (isIdle && this.#ownLog) await this.#ownLog.close().catch(() => {});
  }

  /** Another process may have written to the log while it was closed here. */
  async #takeLog(): Promise<void> {
    if (!this.#ownLog) return;
    const isTaken = await this.#ownLog.open(this.#closing.signal);
    if (isTaken && this.#isLogRead) await this.#forget();
  }

  /** What the log says is read again by the next run; a sandbox that stopped in the middle of a block is of no use to it. */
  async #forget(): Promise<void> {
    this.#isLogRead = false;
    this.#earlierEvents = null;
    this.#fold = createStepFold({ path: this.#place });
    await Promise.all([this.#closeWorkers(), this.#closeSandbox()]);
  }

  /** What a beginning that failed has built of an earlier log's state is thrown away, so that the next run builds it anew. */
  async #begin(leg: Parameters<LegBeginning>[0], begin: LegBeginning): ReturnType<LegBeginning> {
    const isFirst = !this.#isLogRead;
    try {
      return await begin(leg);
    } catch (error) {
      if (isFirst) {
        this.#isLogRead = false;
        this.#fold = createStepFold({ path: this.#place });
        await this.#closeSandbox();
      }
      throw error;
    }
  }

  /** What the log held when the session was opened, on the first call; the memory gets it too. */
  async #readLog(): Promise<readonly DurableEvent[]> {
    if (this.#isLogRead) return [];
    const events = this.#earlierEvents ?? (await eventsOf(this.#log));
    for (const event of events) this.#fold.add(event);
    this.#earlierEvents = events;
    this.#isLogRead = true;
    return events;
  }

  /** A managed agent for one call; one that keeps its memory is the same for all calls, and lasts as long as this session. */
  #openWorker(tool: AgentTool, path: Path, runId: string): Worker {
    if (tool.managed.memory === "fresh") return this.#workerAt(path, tool, (event) => event.runId === runId);
    const worker = this.#keptWorkers.get(tool.name) ?? this.#workerAt([...this.#place, tool.name], tool);
    this.#keptWorkers.set(tool.name, worker);
    return { work: (task) => worker.work(task), [Symbol.asyncDispose]: async () => {} };
  }

  #workerAt(place: Path, tool: AgentTool, isOfIt: (event: DurableEvent) => boolean = () => true): AgentSession {
    const earlierEvents = (this.#earlierEvents ?? []).filter(
      (event) => (isPathUnder(event.path, place) || isEdgeOfWork(event)) && isOfIt(event),
    );
    return new AgentSession(tool.managed.definition(), { log: this.#log, place, earlierEvents });
  }

  #openSandbox(): Promise<Executor> {
    const { executor, tools, imports } = this.#definition;
    if (!executor) throw new AgentError("executor", "this agent runs no code, and so has no sandbox");
    if (this.#sandbox) return this.#sandbox;
    const { toolName } = languageOf(executor.language);
    const opening = (async () => {
      const attach = executor.replay === "never" ? this.#lastAttachment() : undefined;
      const sandbox = await executor.open({ signal: this.#closing.signal, ...(attach !== undefined && { attach }) });
      await sandbox.start({ tools: [...tools.keys()].map(toolName), ...(imports && { imports: imports.declared }) });
      return sandbox;
    })();
    this.#sandbox = opening;
    // The next run tries again.
    opening.catch(() => {
      if (this.#sandbox === opening) this.#sandbox = null;
    });
    return opening;
  }

  /** How the sandbox is found again that the log's last block of code ran in. */
  #lastAttachment(): JsonValue | undefined {
    const isBlock = (event: DurableEvent): event is EventOf<"code-start"> =>
      event.type === "code-start" && isPathAt(event.path, this.#place);
    return this.#earlierEvents?.filter(isBlock).at(-1)?.sandbox;
  }

  async #closeWorkers(): Promise<void> {
    const workers = [...this.#keptWorkers.values()];
    this.#keptWorkers.clear();
    await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]()));
  }

  /** The block that waits for people goes on waiting in the sandbox, if that can be found again. */
  async #leaveSandbox(): Promise<void> {
    const sandbox = await opened(this.#sandbox);
    this.#sandbox = null;
    await (sandbox?.detach?.() ?? sandbox?.[Symbol.asyncDispose]());
  }

  async #closeSandbox(): Promise<void> {
    const sandbox = this.#sandbox;
    if (this.#isSuspended && this.#definition.executor?.replay === "never") return await this.#leaveSandbox();
    // A sandbox that cannot tell its variables any more is closed all the same.
    this.#lastVariables = summariesOf(sandbox).catch(() => []);
    this.#sandbox = null;
    await this.#lastVariables;
    await (await opened(sandbox))?.[Symbol.asyncDispose]();
  }
}

/** Between them nobody was at work, the managed agents neither. */
const isEdgeOfWork = ({ type }: DurableEvent): boolean => type === "run-suspend" || type === "run-resume";

/** Null when it could not be opened, which it has told the run that wanted it. */
const opened = async (sandbox: Promise<Executor> | null): Promise<Executor | null> =>
  sandbox?.catch(() => null) ?? null;

const summariesOf = async (sandbox: Promise<Executor> | null): Promise<readonly VariableSummary[]> =>
  (await (await opened(sandbox))?.variables?.()) ?? [];

const waitsForPeople = (): AgentError =>
  new AgentError("busy", "the last run of this session waits for people's decisions", {
    hint: "go on with session.resume({ decisions }), or forget it with session.reset()",
  });

const busy = (): AgentError =>
  new AgentError("busy", "a run of this session is going on", {
    hint: "await it first, pass { queue: true } to wait for it, or open a session of its own",
  });
