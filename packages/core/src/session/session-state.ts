// What lasts from one run of a session to the next. A managed agent has a state of its own below
// that of its caller: the same log, a memory and a sandbox of its own.

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
} from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import type { AgentTool } from "../tools/agent-tool.ts";
import { LogWriter } from "./log-writer.ts";
import { givesUpSandbox, lastGivenUp } from "./lost-sandbox.ts";
import { lastEdge, recordReset, runsBeforeReset, sinceReset } from "./reset.ts";
import { type SandboxPast, SessionSandbox } from "./session-sandbox.ts";
import { StoredSessionLog } from "./stored-session-log.ts";
import { Turns } from "./turns.ts";

/** The start of a session's state. */
export interface SessionStateParts {
  readonly log?: RunLog;
  /** Whether it is for one run, and closed after it. */
  readonly isAlone?: boolean;
  /** Set for a managed agent. */
  readonly below?: {
    readonly writer: LogWriter;
    /** Of one call or, without a call's number, of all calls of an agent that keeps its memory. */
    readonly path: Path;
    /** The log's events of this agent, and of those that work for it. */
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
  /** The agents that keep their memory, by name. */
  readonly #keptStates = new Map<string, SessionState>();
  readonly #log: RunLog;
  #writer: LogWriter;
  #fold: StepFold;
  /**
   * The log's events when this session was opened, and those that resumes have added; null until it
   * was read.
   */
  #events: readonly DurableEvent[] | null;
  /**
   * Resolves when the last one that took the log has given it back. A run that was aborted while a
   * store opened the log does so late.
   */
  #logIsFree: Promise<void> = Promise.resolve();
  #isInMemory = false;
  #isSuspended = false;
  /** The runs before the last reset. */
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

  /** Whether the last run waits for people. */
  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  /** Whether the session has had a run of that id. */
  knowsRun(runId: string): boolean {
    return this.hasForgotten(runId) || this.#fold.steps.some((step) => step.type === "task" && step.runId === runId);
  }

  /** Whether the session was reset after a run of that id. */
  hasForgotten(runId: string): boolean {
    return this.#forgottenRuns.has(runId);
  }

  /**
   * Takes the log for a run, and returns a function that releases it. A managed agent works on its
   * caller's log, which is already taken.
   *
   * @throws AgentError `busy` when another run of this process is at work on it; `lease` when
   *   another process is
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
      const giveBack = await this.#takeFreeLog();
      return () => {
        giveBack();
        free();
      };
    } catch (error) {
      free();
      throw error;
    }
  }

  /**
   * Aborts with a `lease` error when another process has taken the log over; null for a log that no
   * other process can take.
   */
  get logLost(): AbortSignal | null {
    return this.#log instanceof StoredSessionLog ? this.#log.lost : null;
  }

  /**
   * The events that memory and sandbox do not have yet: all of the log on the first call, nothing
   * later. The memory gets them.
   */
  async readNewEvents(): Promise<readonly DurableEvent[]> {
    if (this.#isInMemory) return [];
    const all = this.#events ?? (await eventsOf(this.#log));
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
   * The events of a beginning that change what is known of the past: the managed agents need them,
   * too.
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
   * The state of a managed agent for one call; one that keeps its memory is the same for all calls,
   * and lasts as long as this one.
   */
  stateOf(tool: AgentTool, path: Path, runId: string): SessionState {
    if (tool.managed.memory === "fresh") return this.#stateAt(path, tool, (event) => event.runId === runId);
    const managed = this.#keptStates.get(tool.name) ?? this.#stateAt([...this.path, tool.name], tool);
    this.#keptStates.set(tool.name, managed);
    return managed;
  }

  /**
   * A log that nobody needs here any more is given back: while a run waits for people, whoever
   * decides takes it for that. One that failed is opened again by the next run.
   */
  async endRun(status: RunStatus): Promise<void> {
    if (status === "suspended") this.#isSuspended = true;
    const isIdle = this.turns.open === 0 && (this.#isAlone || this.#isSuspended || this.#writer.hasFailed);
    // All that the result rests on was flushed before.
    if (isIdle) await this.#storedLog?.close().catch(() => {});
  }

  /**
   * The next run reads the log again. A sandbox that stopped in the middle of a block cannot serve
   * it.
   */
  async forget(): Promise<void> {
    this.#forgetLog();
    await Promise.all([this.#closeManaged(), this.#closeSandbox()]);
  }

  /**
   * The next run, or this one, reads the log again. A sandbox whose code cannot run again is left
   * alive, to be found again.
   */
  async readAgain(): Promise<void> {
    if (!this.#isInMemory) return;
    this.#forgetLog();
    await Promise.all([this.#closeManaged(), this.sandbox.leave()]);
  }

  /**
   * Begins a run. What a beginning that failed has built of an earlier log's state is thrown away,
   * so that the next run builds it again.
   */
  async begin<Begun>(task: () => Promise<Begun>): Promise<Begun> {
    const isFirst = !this.#isInMemory;
    try {
      return await task();
    } catch (error) {
      if (isFirst) {
        this.#isInMemory = false;
        // Others may write to the log until the next attempt; a managed agent's events are given.
        if (!this.#isManaged) this.#events = null;
        this.#fold = createStepFold({ path: this.path });
        await this.sandbox.close();
      }
      throw error;
    }
  }

  /**
   * Begins again with an empty memory and an empty sandbox, once that is in the log.
   *
   * @throws AgentError as {@link takeLog} does; `log` when it could not be recorded
   */
  async reset(): Promise<void> {
    this.closing.throwIfAborted();
    const giveBack = await this.takeLog();
    try {
      await recordReset(await eventsOf(this.#log), this.path, this.#writer);
      this.#isSuspended = false;
      await this.forget();
      this.#fold = createStepFold({ path: this.path });
      this.sandbox.forgetVariables();
    } finally {
      // All of it was flushed, and the next run reads the log again.
      await this.#storedLog?.close().catch(() => {});
      giveBack();
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new AgentError("interrupted", "the session was closed"));
    await this.turns.allEnded;
    await this.#closeManaged();
    await this.#closeSandbox();
    await this.#storedLog?.close();
  }

  /** The stored log that this session opens and closes. Its caller does so for a managed agent. */
  get #storedLog(): StoredSessionLog | null {
    return this.#log instanceof StoredSessionLog && !this.#isManaged ? this.#log : null;
  }

  async #takeFreeLog(): Promise<() => void> {
    const stored = this.#storedLog;
    if (stored) {
      const isTaken = await stored.open(this.closing);
      if (isTaken) this.#writer = new LogWriter(stored);
      // Another process may have written to it while it was closed here.
      if (isTaken && this.#isInMemory) await this.forget();
    }
    const giveBack = takeLog(this.#log);
    try {
      if (!stored && this.#isInMemory && (await this.#hasChanged())) await this.forget();
      return giveBack;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /** Whether somebody else has written to a log that is shared within this process. */
  async #hasChanged(): Promise<boolean> {
    for await (const _event of this.#log.read(this.#writer.lastSeq + 1)) return true;
    return false;
  }

  #stateAt(path: Path, tool: AgentTool, isOfIt: (event: DurableEvent) => boolean = () => true): SessionState {
    const events = (this.#events ?? []).filter(
      (event) => (isPathUnder(event.path, path) || isEdgeOfWork(event) || givesUpSandbox(event)) && isOfIt(event),
    );
    const below = { writer: this.#writer, path, events };
    return new SessionState(tool.managed.definition(), { log: this.#log, below });
  }

  #sandboxPast(): SandboxPast {
    const events = this.#events ?? [];
    const own = events.filter(({ path }) => isPathAt(path, this.path));
    const lastBlock = own.findLast((event) => event.type === "code-start");
    const isLost = (lastBlock?.seq ?? 0) < lastGivenUp(events);
    const called = own.flatMap((event) => (event.type === "tool-call" ? [event.name] : []));
    // Functions of modules are found by their module.
    const calledTools = called.filter((name) => isName.test(name) && !this.definition.imports?.functions.has(name));
    return { attachment: isLost ? undefined : lastBlock?.sandbox, calledTools };
  }

  /** The steps stay as they are until the log is read. */
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

/** Between them nobody was at work, the managed agents neither. */
const isEdgeOfWork = ({ type }: DurableEvent): boolean => type === "run-suspend" || type === "run-resume";

/** All that a log holds. @throws AgentError `log-version` */
export async function eventsOf(log: RunLog): Promise<readonly DurableEvent[]> {
  const events: DurableEvent[] = [];
  for await (const event of log.read()) {
    if (!isDurableType(event.type)) throw newerVersion(log, event);
    events.push(event);
  }
  return events;
}

const newerVersion = ({ id }: RunLog, { seq, type }: { readonly seq: number; readonly type: string }): AgentError =>
  new AgentError("log-version", `event ${seq} of the log "${id}" is "${type}", which this version does not know`, {
    hint: "resume it with the version of smolts that wrote it, or a newer one",
  });

// One run at a time works on a log. Two that go on from the same record would each do what it says
// was not done yet, and so do it twice.

const inUse = new WeakSet<RunLog>();

/**
 * Takes a log for a run, until the function that it gives is called.
 *
 * @throws AgentError `busy` when another run of this process has it
 */
function takeLog(log: RunLog): () => void {
  if (inUse.has(log)) {
    throw new AgentError("busy", `another run is at work on the log "${log.id}"`, {
      hint: "await that run, or abort it and await its result, before you go on with its log",
    });
  }
  inUse.add(log);
  return () => inUse.delete(log);
}
