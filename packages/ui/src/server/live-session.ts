// One session of one visitor: its log, its agent, its active run, and its readers.

import {
  AgentError,
  type DurableEvent,
  isTransientEvent,
  type JsonValue,
  type RunEvent,
  type SerializedError,
  textOf,
} from "@smolts/protocol";
import type { ServedRun, ServedSession } from "../agent-shape.ts";
import type { SessionLog, SessionRecord } from "../session-store.ts";
import type {
  Decide,
  Fork,
  PendingDecision,
  SessionState,
  SessionStatus,
  SessionSummary,
  UploadRules,
} from "../wire.ts";
import { Decisions, staleBy } from "./decisions.ts";
import { RefusedRequest } from "./refusal.ts";
import { type Task, titleOf } from "./run-task.ts";
import { SessionFeed } from "./session-feed.ts";
import { Uploads } from "./uploads.ts";

/** The functions and settings that a session gets from its server. */
export interface SessionServices {
  readonly uploads: UploadRules | null;
  /** Opens the agent's session on a log. Throws the errors of the function that creates agents. */
  readonly openAgent: (log: SessionLog) => Promise<ServedSession>;
  /** Writes the record of the session to the store. */
  readonly save: (record: SessionRecord) => Promise<void>;
  readonly replaceLog: (
    record: SessionRecord,
    before: SessionLog,
    events: readonly DurableEvent[],
  ) => Promise<SessionLog>;
}

/** A session that is open in this process. */
export class LiveSession {
  record: SessionRecord;
  readonly uploads: Uploads;
  readonly #services: SessionServices;
  #log: SessionLog;
  #feed: SessionFeed;
  #agent: Promise<ServedSession> | null = null;
  #run: ServedRun | null = null;
  #following: Promise<void> | null = null;
  #activity: SessionState["activity"] = "idle";
  #startError: SessionState["startError"];
  /** Called at the first event of a fork. `fork` waits for this call. */
  #onFirstEvent: () => void = () => {};
  readonly #decisions = new Decisions(() => this.#touch());
  /**
   * The started runs, by the request id of the page. A repeated request returns the run that the
   * first request started.
   */
  readonly #started = new Map<string, Promise<string>>();
  /** Resolves when all changes of the record so far are written, or have failed. */
  #saved: Promise<void> = Promise.resolve();
  /** Whether the server ended during a run. From then on, the run writes nothing to the store. */
  #isCutOff = false;
  /** The time of the last use, in epoch ms. Sessions that are idle for long are closed. */
  lastUsed: number = Date.now();
  readers = 0;

  constructor(record: SessionRecord, log: SessionLog, services: SessionServices) {
    this.record = record;
    this.#log = log;
    this.#services = services;
    this.uploads = new Uploads(services.uploads);
    this.#feed = new SessionFeed(log.events, () => this.state);
  }

  get log(): SessionLog {
    return this.#log;
  }

  get feed(): SessionFeed {
    return this.#feed;
  }

  /** Whether the session can be closed: it has no active run and no readers. */
  get isIdle(): boolean {
    return !this.isActive && this.readers === 0;
  }

  get isActive(): boolean {
    return this.#activity !== "idle";
  }

  get summary(): SessionSummary {
    const { id, title, createdAt, changedAt } = this.record;
    return { id, title, createdAt, changedAt, status: this.#status(), runCount: runsIn(this.#feed.events).length };
  }

  get state(): SessionState {
    const startError = this.#startError === undefined ? {} : { startError: this.#startError };
    const runId = this.#run?.id || unfinishedRun(this.#feed.events);
    return { summary: this.summary, activity: this.#activity, runId, pending: this.#pending(), ...startError };
  }

  /**
   * Searches the title and the messages of people and of the agent. Returns an excerpt of the first
   * text that contains all words, or null if there is none.
   */
  find(words: readonly string[]): string | null {
    const texts = [this.record.title, ...this.#feed.events.flatMap(spokenText)];
    const found = texts.find((text) => words.every((word) => text.toLowerCase().includes(word)));
    return found === undefined ? null : excerpt(found, words[0] ?? "");
  }

  rename(title: string): Promise<void> {
    return this.#change({ title });
  }

  /**
   * Waits until the last run is cleaned up. This is needed because the page shows the end of a run
   * a little earlier, and a person may then start the next run at once.
   */
  async settled(): Promise<void> {
    const { id } = this.#run ?? {};
    const isEnd = ({ type, runId, path }: DurableEvent): boolean =>
      type === "run-end" && runId === id && path.length === 1;
    if (id && this.#feed.events.some(isEnd)) await this.#following;
  }

  /**
   * Starts a run. If the same request is sent again, returns the same run.
   *
   * @param readTask - reads the task; called when the run may start
   */
  start(requestId: string, readTask: () => Promise<Task>): Promise<string> {
    const earlier = this.#started.get(requestId);
    if (earlier) return earlier;
    this.#mustBeIdle();
    const starting = this.#startTask(readTask);
    this.#started.set(requestId, starting);
    // If the start failed, the same request may be sent again.
    starting.catch(() => this.#started.delete(requestId));
    return starting;
  }

  /**
   * Continues a run that a restart interrupted. If the run waits for a decision, the decision is
   * passed to it.
   */
  continue(decision?: Decide, by?: string): Promise<string> {
    this.#mustBeIdle();
    if (unfinishedRun(this.#feed.events) === null) {
      throw new RefusedRequest("bad-request", "this session has no run to continue");
    }
    const decisions = decision
      ? [{ id: decision.callId, digest: decision.digest, ...decision.decision, ...(by === undefined ? {} : { by }) }]
      : [];
    return this.#begin((agent) => {
      if (!agent.resume) throw new RefusedRequest("bad-request", "this agent cannot continue a run that was cut off");
      return agent.resume({ approve: this.#decisions.ask, decisions });
    });
  }

  /**
   * Starts a fork from a run in another log. Resolves when the copied steps are in this session.
   */
  async fork(parent: SessionLog, { runId: parentRunId, stepNumber: atStep, ...rest }: Fork): Promise<string> {
    this.#mustBeIdle();
    const runId = crypto.randomUUID();
    const began = new Promise<void>((resolve) => {
      this.#onFirstEvent = resolve;
    });
    await this.#begin((agent) => {
      if (!agent.fork) throw new RefusedRequest("bad-request", "a run of this agent cannot be continued from a step");
      return agent.fork(parent, { ...rest, parentRunId, atStep, runId, approve: this.#decisions.ask });
    });
    await Promise.race([began, this.#following]);
    const error = this.#startError;
    if (!error) return runId;
    const { code, message, hint } = error;
    // The cast is safe: the details come from JSON.
    const details = "details" in error ? { details: error.details as JsonValue } : {};
    const refusal = code === "effects-repeat" ? code : code === "invalid-option" ? "bad-request" : "agent-failed";
    throw new RefusedRequest(refusal, message, { hint, ...details });
  }

  /** Stops the run: its model request, its tools and its code. */
  stop(runId: string): void {
    if (!this.#run || this.#run.id !== runId) throw new RefusedRequest("run-ended", "the run has ended");
    this.#activity = "stopping";
    this.#touch();
    this.#run.abort(new AgentError("interrupted", "a person stopped the run"));
  }

  say(runId: string, text: string): boolean {
    if (!this.#run || this.#run.id !== runId || !this.#run.say) return false;
    return this.#run.say(text);
  }

  /** Records a decision. Resolves when it is in the log. */
  async decide(given: Decide, by: string | undefined): Promise<void> {
    if (this.#decisions.has(given.callId)) {
      await this.#decisions.decide(given, by);
      await this.#log.flush();
      return;
    }
    const { runId, callId, digest } = given;
    const waiting = this.isActive ? undefined : this.#pending().find((pending) => pending.callId === callId);
    if (!waiting || waiting.runId !== runId || waiting.digest !== digest)
      throw staleBy(given.callId, this.#feed.events);
    await this.continue(given, by);
  }

  /** Deletes a run and everything after it. */
  async rewind(runId: string): Promise<void> {
    this.#mustBeIdle();
    const { events } = this.#feed;
    const start = events.findIndex((event) => event.type === "run-start" && event.runId === runId);
    if (start === -1) throw new RefusedRequest("not-found", "that message is not in this session");
    await this.#closeAgent();
    const kept = events.slice(0, start);
    const record = { ...this.record, epoch: newEpoch() };
    this.#log = await this.#services.replaceLog(record, this.#log, kept);
    this.#startError = undefined;
    this.#started.clear();
    this.record = record;
    const before = this.#feed;
    this.#feed = new SessionFeed(kept, () => this.state);
    before.close("replaced");
    await this.#change({});
  }

  async variables(): ReturnType<NonNullable<ServedSession["variables"]>> {
    return (await (await this.#agent)?.variables?.()) ?? [];
  }

  /** Ends the run, and tells the readers that the session is gone. */
  async close(): Promise<void> {
    this.#run?.abort(new AgentError("interrupted", "the session was deleted"));
    await this.#run?.result;
    await this.#following;
    await this.#saved;
    await this.#closeAgent();
    this.#feed.close("gone");
    await this.#log[Symbol.asyncDispose]();
  }

  /**
   * Closes the log. An active run stays unfinished in it, so that another process can continue it.
   */
  async leave(): Promise<void> {
    this.#isCutOff = this.isActive;
    if (!this.isActive) await this.#closeAgent();
    await this.#saved;
    // Ignore the error: if the log cannot be written, the run has already received the error.
    await Promise.resolve(this.#log[Symbol.asyncDispose]()).catch(() => {});
  }

  async #startTask(readTask: () => Promise<Task>): Promise<string> {
    this.#activity = "starting";
    const task = await readTask().catch((error: unknown) => {
      this.#activity = "idle";
      throw error;
    });
    if (this.record.title === "") void this.#change({ title: titleOf(task.content) });
    const { content, variables } = task;
    const runId = crypto.randomUUID();
    const additionalArgs = variables === undefined ? {} : { additionalArgs: variables };
    return this.#begin((agent) => agent.run(content, { runId, approve: this.#decisions.ask, ...additionalArgs }));
  }

  #mustBeIdle(): void {
    if (this.isActive)
      throw new RefusedRequest("busy", "a run of this session is in progress", { hint: "stop it, or wait for it" });
  }

  async #begin(begin: (agent: ServedSession) => ServedRun): Promise<string> {
    this.#activity = "starting";
    this.#startError = undefined;
    this.#touch();
    try {
      this.#agent ??= this.#services.openAgent(this.#log);
      const run = begin(await this.#agent);
      this.#run = run;
      this.#activity = "running";
      void this.#change({});
      this.#following = this.#follow(run);
      return run.id || (await this.#firstRunId());
    } catch (error) {
      await this.#closeAgent();
      this.#activity = "idle";
      this.#startError = serializeError(error);
      this.#touch();
      if (error instanceof RefusedRequest) throw error;
      throw new RefusedRequest("agent-failed", this.#startError.message, { hint: this.#startError.hint });
    }
  }

  /** Returns the id of a resumed run. The id is known once the log has been read. */
  async #firstRunId(): Promise<string> {
    return unfinishedRun(this.#feed.events) ?? "";
  }

  async #follow(run: ServedRun): Promise<void> {
    try {
      for await (const event of run.events()) this.#show(event, run);
      const { status, error, pending = [] } = await run.result;
      for (const { id, problem } of pending) if (problem !== undefined) this.#decisions.notUsable(id, problem);
      // Keep the error if the run never began, because the log does not contain the error then.
      if (status === "failed" && error && !this.#feed.events.some((event) => event.runId === run.id))
        this.#startError = serializeError(error);
    } catch (error) {
      this.#startError = serializeError(error);
    } finally {
      this.#decisions.endRun();
      this.#run = null;
      this.#activity = "idle";
      this.#feed.endLive();
      void this.#change({});
      await this.#saved;
    }
  }

  #show(event: RunEvent, run: ServedRun): void {
    const isDurable = !isTransientEvent(event);
    // Before the event, show all earlier events of the log that were not shown yet. The log of a
    // fork begins with such events, which are copies from another run.
    if (isDurable)
      for (const earlier of this.#log.events.slice(this.#feed.events.length, event.seq - 1)) this.#feed.add(earlier);
    this.#feed.add(event);
    if (isDurable) this.#onFirstEvent();
    if (event.type === "approval-response" || event.type === "doubt-response") this.#decisions.recorded(event.callId);
    if (event.type === "run-start" || event.type === "run-resume") this.#touch();
    if (event.type === "step-end" && event.path.length === 1 && run.variables) void this.#showVariables(event, run);
  }

  async #showVariables(
    { runId, stepNumber }: DurableEvent & { readonly stepNumber: number },
    run: ServedRun,
  ): Promise<void> {
    // If the variables cannot be read, show none. The run must not fail because of that.
    const variables = await run.variables?.().catch(() => null);
    if (variables) this.#feed.addVariables({ runId, stepNumber, variables });
  }

  #pending(): readonly PendingDecision[] {
    return this.isActive ? this.#decisions.pending : this.#decisions.leftOpen(this.#feed.events);
  }

  #status(): SessionStatus {
    if (this.#pending().length > 0) return "waiting";
    if (this.isActive) return "running";
    if (this.#startError) return "failed";
    const { events } = this.#feed;
    if (unfinishedRun(events) !== null) return "interrupted";
    const end = events.findLast((event) => event.type === "run-end" && event.path.length === 1);
    if (end?.type !== "run-end") return "empty";
    if (end.status === "aborted") return "stopped";
    return end.status === "failed" ? "failed" : "done";
  }

  #touch(): void {
    this.lastUsed = Date.now();
    this.#feed.touch();
  }

  /**
   * Changes the session's record, and writes it to the store when earlier changes are written.
   * Callers need not wait for this. If it fails, nothing important is lost: the next change writes
   * the record again, and the runs themselves are in the log.
   */
  #change(change: Partial<SessionRecord>): Promise<void> {
    if (this.#isCutOff) return Promise.resolve();
    const { status, runCount } = this.summary;
    const record = { ...this.record, ...change, status, runCount, changedAt: Date.now() };
    this.record = record;
    this.#touch();
    const saving = this.#saved.then(() => this.#services.save(record));
    this.#saved = saving.catch(() => {});
    return saving;
  }

  async #closeAgent(): Promise<void> {
    const agent = this.#agent;
    this.#agent = null;
    // Ignore errors: the agent is not used again, even if it could not be opened or closed.
    await agent?.then((session) => session[Symbol.asyncDispose]()).catch(() => {});
  }
}

/** Returns the texts of an event that a person or the agent said. */
function spokenText(event: DurableEvent): readonly string[] {
  switch (event.type) {
    case "run-start":
      return [textOf(event.task)];
    case "model-response":
    case "message":
      return [textOf(event.message)];
    case "run-end":
      return typeof event.answer === "string" ? [event.answer] : [];
    default:
      return [];
  }
}

const excerptLength = 120;

function excerpt(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - excerptLength / 3);
  const piece = text.slice(at, at + excerptLength).replace(/\s+/g, " ");
  return `${at > 0 ? "…" : ""}${piece}${at + excerptLength < text.length ? "…" : ""}`;
}

/** Returns the id of a new log. When readers see a new id, they discard all events they have. */
export const newEpoch = (): string => crypto.randomUUID().slice(0, 8);

const runsIn = (events: readonly DurableEvent[]): readonly DurableEvent[] =>
  events.filter((event) => event.type === "run-start" && event.path.length === 1);

/** Returns the id of the run that has no end in the log; null if there is none. */
function unfinishedRun(events: readonly DurableEvent[]): string | null {
  const last = events.findLast(
    (event) => (event.type === "run-start" || event.type === "run-end") && event.path.length === 1,
  );
  return last?.type === "run-start" ? last.runId : null;
}

const serializeError = (error: unknown): SerializedError => {
  if (AgentError.is(error)) return error.toJSON();
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { code: "callback", name, message };
};
