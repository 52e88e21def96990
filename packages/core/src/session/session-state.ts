// The state that lasts from one run of a session to the next. A managed agent has its own state,
// with its own memory and sandbox but the log of its caller.

import { createStepFold, memoryLog, type StepFold } from "@smolts/memory";
import {
  AgentError,
  type DurableEvent,
  type Executor,
  isDurableType,
  isPathAt,
  isPathUnder,
  type Path,
  type RunLog,
  type RunStatus,
  untilAborted,
} from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import type { AgentTool } from "../tools/agent-tool.ts";
import { LogWriter, logError } from "./log-writer.ts";
import { abandonsSandbox, lastAbandoned } from "./lost-sandbox.ts";
import { lastEdge, recordReset, runsBeforeReset, sinceReset } from "./reset.ts";
import { type SandboxPast, SessionSandbox } from "./session-sandbox.ts";
import { StoredSessionLog } from "./stored-session-log.ts";
import { Turns } from "./turns.ts";

/** The parts from which a session's state is made. */
export interface SessionStateParts {
  readonly log?: RunLog;
  /** Whether the state is for a single run and is closed after it. */
  readonly isAlone?: boolean;
  /** Set if this state belongs to a managed agent. */
  readonly below?: {
    readonly writer: LogWriter;
    /**
     * The path of the call. If the agent keeps its memory, all its calls share one state, so the
     * path has no call number.
     */
    readonly path: Path;
    /** The events of this agent and its managed agents in the log. */
    readonly events: readonly DurableEvent[];
  };
}

/** The state of a session. */
export class SessionState {
  readonly definition: AgentDefinition;
  readonly path: Path;
  readonly turns: Turns = new Turns();
  readonly sandbox: SessionSandbox;
  readonly #isAlone: boolean;
  readonly #isManaged: boolean;
  readonly #closing = new AbortController();
  /** The states of managed agents that keep their memory. The keys are the names of the agents. */
  readonly #keptStates = new Map<string, SessionState>();
  readonly #log: RunLog;
  #writer: LogWriter;
  #fold: StepFold;
  /**
   * The events that the log had when the session was opened, and those that resumed runs have
   * added. Null until the log was read.
   */
  #events: readonly DurableEvent[] | null;
  /**
   * Resolves when the previous run has released the log. If that run was aborted while a store
   * opened the log, the release may come long after the end of the run.
   */
  #logIsFree: Promise<void> = Promise.resolve();
  #isInMemory = false;
  #isSandboxDiscarded = false;
  #isSuspended = false;
  /** The ids of the runs before the last reset. */
  #forgottenRuns: ReadonlySet<string> = new Set();

  constructor(definition: AgentDefinition, { log = memoryLog(), isAlone = false, below }: SessionStateParts = {}) {
    this.definition = definition;
    this.path = below?.path ?? [definition.name];
    this.sandbox = new SessionSandbox(definition);
    this.#isAlone = isAlone;
    this.#isManaged = below !== undefined;
    this.#log = log;
    this.#writer = below?.writer ?? new LogWriter(log);
    this.#events = below?.events ?? null;
    this.#fold = createStepFold({ path: this.path });
  }

  get log(): RunLog {
    return this.#log;
  }

  get writer(): LogWriter {
    return this.#writer;
  }

  get fold(): StepFold {
    return this.#fold;
  }

  /** Aborts when the session is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Whether the last run is suspended until people have decided. */
  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  /** Says whether the session has had a run with this id. */
  knowsRun(runId: string): boolean {
    return this.hasForgotten(runId) || this.#fold.steps.some((step) => step.type === "task" && step.runId === runId);
  }

  /** Says whether another session of the same store has a run with this id. */
  async isRunElsewhere(runId: string, signal: AbortSignal): Promise<boolean> {
    const stored = this.#storedLog;
    return stored !== null && (await untilAborted(stored.isRunElsewhere(runId), signal));
  }

  /** Says whether the session was reset after a run with this id. */
  hasForgotten(runId: string): boolean {
    return this.#forgottenRuns.has(runId);
  }

  /**
   * Takes the log for a run, and returns a function that releases it. A managed agent works on its
   * caller's log, which is already taken.
   *
   * @throws AgentError `busy` when another run of this process uses the log; `lease` when another
   * process does
   */
  async takeLog(): Promise<() => void> {
    if (this.#isManaged) return () => {};
    const before = this.#logIsFree;
    let free = (): void => {};
    this.#logIsFree = new Promise((resolve) => {
      free = resolve;
    });
    await before;
    try {
      const release = await this.#takeFreeLog();
      return () => {
        release();
        free();
      };
    } catch (error) {
      free();
      throw error;
    }
  }

  /**
   * Aborts with a `lease` error when another process has taken over the log. Null for a log that
   * other processes cannot take.
   */
  get logLost(): AbortSignal | null {
    return this.#log instanceof StoredSessionLog ? this.#log.lost : null;
  }

  /**
   * Reads the events that the memory and the sandbox do not have yet, adds them to the memory and
   * returns them. The first call reads the whole log. Later calls return an empty list, unless the
   * log must be read again.
   *
   * @throws AgentError `log` when the log cannot be read; the signal's reason when it aborts
   */
  async readNewEvents(signal: AbortSignal): Promise<readonly DurableEvent[]> {
    if (this.#isInMemory) return [];
    const all = this.#events ?? (await untilAborted(eventsOf(this.#log), signal));
    const events = sinceReset(all);
    if (this.#fold.steps.length > 0) this.#fold = createStepFold({ path: this.path });
    for (const event of events) this.#fold.add(event);
    if (!this.#isManaged) {
      this.#writer.noteRead(all.at(-1)?.seq ?? 0);
      this.#forgottenRuns = runsBeforeReset(all);
      // Another process may have suspended the run, or continued it.
      this.#isSuspended = lastEdge(events)?.type === "run-suspend";
    }
    this.#events = events;
    this.#isInMemory = true;
    return events;
  }

  /**
   * Adds the first events of a run to the known events, because the managed agents need them too.
   */
  addRecorded(added: readonly DurableEvent[]): void {
    this.#isSuspended = false;
    this.#events = [...(this.#events ?? []), ...added];
  }

  /** Opens the sandbox. */
  openSandbox(): Promise<Executor> {
    return this.sandbox.open(this.closing, () => this.#sandboxPast());
  }

  /**
   * Closes a sandbox that failed in the middle of a block. The log does not say how far the block
   * got, so the next run restores the sandbox from the log. Two kinds of sandboxes are not closed:
   *
   * - a sandbox that cannot be restored from the log
   * - the sandbox of a managed agent, whose events are read by its caller
   */
  discardSandbox(): void {
    if (this.#isManaged || this.definition.executor?.replay !== "exact") return;
    this.#isSandboxDiscarded = true;
    // Close the sandbox in the background, because it might never answer.
    this.sandbox.close().catch(() => {});
  }

  /**
   * Returns the state of a managed agent for one call. An agent that keeps its memory has one state
   * for all calls. That state lasts as long as the state of its caller.
   */
  stateOf(tool: AgentTool, path: Path, runId: string): SessionState {
    if (tool.managed.memory === "fresh") return this.#stateAt(path, tool, (event) => event.runId === runId);
    const managed = this.#keptStates.get(tool.name) ?? this.#stateAt([...this.path, tool.name], tool);
    this.#keptStates.set(tool.name, managed);
    return managed;
  }

  /**
   * Releases the log at the end of a run in three cases, provided that no other run of this session
   * waits for it:
   *
   * - The session is used for one run only.
   * - The run is suspended until people decide. The process that records a decision must be able to
   *   take the log.
   * - Writing to the log has failed. The next run then opens the log again.
   */
  async endRun(status: RunStatus): Promise<void> {
    if (status === "suspended") this.#isSuspended = true;
    const isIdle = this.turns.open === 0 && (this.#isAlone || this.#isSuspended || this.#writer.hasFailed);
    // Everything that the result depends on was already flushed, so a failure to close is ignored.
    if (isIdle) await this.#storedLog?.close().catch(() => {});
  }

  /**
   * Makes the next run read the log again. Also closes the sandbox, because a sandbox that stopped
   * in the middle of a block cannot be used again.
   */
  async forget(): Promise<void> {
    this.#forgetLog();
    await Promise.all([this.#closeManaged(), this.#closeSandbox()]);
  }

  /**
   * Makes the current or next run read the log again. If the state of the sandbox cannot be rebuilt
   * from the log, the sandbox is left alive, and can be opened again. Any other sandbox is closed.
   */
  async readAgain(): Promise<void> {
    if (!this.#isInMemory) return;
    this.#forgetLog();
    await Promise.all([this.#closeManaged(), this.sandbox.leave()]);
  }

  /**
   * Runs the task that begins a run. If the task restored the memory and the sandbox from the log
   * and then fails, both are discarded, so that the next run restores them again.
   */
  async begin<Begun>(task: () => Promise<Begun>): Promise<Begun> {
    const isFirst = !this.#isInMemory;
    try {
      return await task();
    } catch (error) {
      if (isFirst) {
        this.#isInMemory = false;
        // Read the log again at the next attempt, because others may write to it until then. A
        // managed agent does not read the log, so the events that its caller passed to it must
        // stay.
        if (!this.#isManaged) this.#events = null;
        this.#fold = createStepFold({ path: this.path });
        await this.sandbox.close();
      }
      throw error;
    }
  }

  /**
   * Records a reset in the log, then starts over with an empty memory and an empty sandbox.
   *
   * @throws AgentError like {@link takeLog}; `log` when the reset could not be recorded
   */
  async reset(): Promise<void> {
    this.closing.throwIfAborted();
    const release = await this.takeLog();
    try {
      await recordReset(await eventsOf(this.#log), this.path, this.#writer);
      this.#isSuspended = false;
      await this.forget();
      this.#fold = createStepFold({ path: this.path });
      this.sandbox.forgetVariables();
    } finally {
      // Everything was flushed, and the next run reads the log again, so a failure to close is
      // ignored.
      await this.#storedLog?.close().catch(() => {});
      release();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new AgentError("interrupted", "the session was closed"));
    await this.turns.allEnded;
    await this.#closeManaged();
    await this.#closeSandbox();
    await this.#storedLog?.close();
  }

  /**
   * The stored log that this session opens and closes. Null for a managed agent, whose caller does
   * that.
   */
  get #storedLog(): StoredSessionLog | null {
    return this.#log instanceof StoredSessionLog && !this.#isManaged ? this.#log : null;
  }

  async #takeFreeLog(): Promise<() => void> {
    const stored = this.#storedLog;
    if (stored) {
      const isTaken = await stored.open(this.closing);
      if (isTaken) this.#writer = new LogWriter(stored);
      // Another process may have written to the log while this process had closed it.
      if (isTaken && this.#isInMemory) await this.forget();
    }
    const release = takeLog(this.#log);
    try {
      if (this.#isSandboxDiscarded) await this.forget();
      this.#isSandboxDiscarded = false;
      if (!stored && this.#isInMemory && (await this.#hasChanged())) await this.forget();
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Says whether someone else in this process has written to the log. */
  async #hasChanged(): Promise<boolean> {
    for await (const _event of this.#log.read(this.#writer.lastSeq + 1)) return true;
    return false;
  }

  #stateAt(path: Path, tool: AgentTool, isOfIt: (event: DurableEvent) => boolean = () => true): SessionState {
    const events = (this.#events ?? []).filter(
      (event) => (isPathUnder(event.path, path) || isEdgeOfWork(event) || abandonsSandbox(event)) && isOfIt(event),
    );
    const below = { writer: this.#writer, path, events };
    return new SessionState(tool.managed.definition(), { log: this.#log, below });
  }

  #sandboxPast(): SandboxPast {
    const events = this.#events ?? [];
    const own = events.filter(({ path }) => isPathAt(path, this.path));
    const lastBlock = own.findLast((event) => event.type === "code-start");
    const isLost = (lastBlock?.seq ?? 0) < lastAbandoned(events);
    const called = own.flatMap((event) => (event.type === "tool-call" ? [event.name] : []));
    // Functions of modules are left out, because code finds them through their module.
    const calledTools = called.filter((name) => isName.test(name) && !this.definition.imports?.functions.has(name));
    return { attachment: isLost ? undefined : lastBlock?.sandbox, calledTools };
  }

  /** Forgets the events of the log. The steps stay as they are until the log is read again. */
  #forgetLog(): void {
    this.#isInMemory = false;
    this.#events = null;
  }

  async #closeManaged(): Promise<void> {
    const states = [...this.#keptStates.values()];
    this.#keptStates.clear();
    await Promise.all(states.map((managed) => managed.close()));
  }

  #closeSandbox(): Promise<void> {
    return this.#isSuspended ? this.sandbox.leave() : this.sandbox.close();
  }
}

const isName = /^[a-z_$][\w$]*$/i;

/** Says whether an event begins or ends a time in which no agent of the run was working. */
const isEdgeOfWork = ({ type }: DurableEvent): boolean => type === "run-suspend" || type === "run-resume";

/** Returns all events of a log. @throws AgentError `log` or `log-version` */
export async function eventsOf(log: RunLog): Promise<readonly DurableEvent[]> {
  const events: DurableEvent[] = [];
  try {
    for await (const event of log.read()) {
      if (!isDurableType(event.type)) throw newerVersion(log, event);
      events.push(event);
    }
  } catch (error) {
    throw AgentError.is(error) ? error : logError("could not be read", error);
  }
  return events;
}

const newerVersion = ({ id }: RunLog, { seq, type }: { readonly seq: number; readonly type: string }): AgentError =>
  new AgentError("log-version", `event ${seq} of the log "${id}" is "${type}", which this version does not know`, {
    hint: "resume it with the version of smolts that wrote it, or a newer one",
  });

// The logs that runs are using. Only one run at a time may use a log. If two runs continued from
// the same record, both would do the work that is not recorded yet.

const inUse = new WeakSet<RunLog>();

/**
 * Takes a log for a run, and returns a function that releases it.
 *
 * @throws AgentError `busy` when another run of this process uses the log
 */
function takeLog(log: RunLog): () => void {
  if (inUse.has(log)) {
    throw new AgentError("busy", `another run is using the log "${log.id}"`, {
      hint: "await that run, or abort it and await its result, before you use its log again",
    });
  }
  inUse.add(log);
  return () => inUse.delete(log);
}
