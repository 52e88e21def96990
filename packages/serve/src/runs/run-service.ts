// Runs the clients' tasks. A task waits for a free slot, gets its agent, is recorded in a log, and
// can ask people questions. This file knows nothing about protocols.

import { memoryStore } from "@smolts/memory";
import {
  AgentError,
  type ApprovalRequest,
  type DecisionInput,
  type DurableEvent,
  type RunEvent,
  type RunStore,
  type StoredRun,
} from "@smolts/protocol";
import { asRequest, badRequest, RefusedRequest } from "../refused-request.ts";
import type { HistoryMessage, Servable, ServedResult, ServedRun, TaskPart } from "../served-agent.ts";
import { isAgent } from "../served-agent.ts";
import { ClientEvents, clientError, clientErrorOfRun, isHidden, type OnError } from "./client-errors.ts";
import { type ClientResults, clientNames } from "./client-tools.ts";
import { Contexts } from "./contexts.ts";
import { type KeptRun, readRun } from "./kept-run.ts";
import { type Decision, mustFit, NotDecided, Questions } from "./questions.ts";
import { type RunShape, toNote } from "./run-note.ts";
import { type RunLimits, RunSlots } from "./run-slots.ts";
import { ShapedAgents } from "./shaped-agents.ts";

/** A client's request for a new run. */
export interface NewRun {
  readonly client: string;
  readonly content: readonly TaskPart[];
  readonly history: readonly HistoryMessage[];
  readonly shape: RunShape;
  /** The client's id of the conversation; absent if the run belongs to none. */
  readonly context?: string;
  /** The size of the request, in bytes. */
  readonly bytes: number;
}

/** A client's request that continues a waiting run. */
export interface RunAnswers {
  readonly client: string;
  readonly runId: string;
  /** The results of the client's tools, keyed by the id of the call in the log. */
  readonly results: ClientResults;
  /** A message for the model's next call; absent for none. */
  readonly message?: string;
  /** The size of the request, in bytes. */
  readonly bytes: number;
}

/** A run that this server has started or resumed. */
export interface ActiveRun {
  readonly runId: string;
  readonly client: string;
  /** Maps the names of the client's tools in code to the client's names for them. */
  readonly toolNames: ReadonlyMap<string, string>;
  readonly result: Promise<ServedResult>;
  events(): AsyncIterable<RunEvent>;
  abort(reason?: unknown): void;
}

/** Settings of {@link RunService}. */
export interface RunServiceOptions {
  readonly served: Servable;
  readonly store: RunStore | undefined;
  readonly limits: RunLimits;
  readonly approvalWaitMs: number;
  readonly keptRuns: number;
  readonly onError: OnError;
}

/**
 * The maximum total size of the requests that started the ended runs in memory, in bytes. Requests
 * can contain images.
 */
const maxKeptBytes = 256_000_000;

export class RunService {
  readonly slots: RunSlots;
  readonly questions: Questions;
  readonly contexts: Contexts;
  readonly #options: RunServiceOptions;
  readonly #store: RunStore;
  /** Whether the runs are kept in memory. This is true if no store was passed. */
  readonly #isOwnStore: boolean;
  readonly #live = new Map<string, ActiveRun>();
  /**
   * Runs that have ended, but whose end could not be written to the store, oldest first. The logs
   * still say that these runs are active.
   */
  readonly #unrecordedEnds = new Map<string, UnrecordedEnd>();
  /** The ids of ended runs in memory, oldest first. */
  readonly #kept = new Set<string>();
  /** For each run in memory, the size of its requests in bytes. */
  readonly #bytes = new Map<string, number>();
  readonly #agents: ShapedAgents;
  #isStopping = false;

  constructor(options: RunServiceOptions) {
    this.#options = options;
    this.slots = new RunSlots(options.limits);
    this.questions = new Questions(options.approvalWaitMs);
    const given = options.store ?? storeOf(options.served);
    this.#isOwnStore = given === undefined;
    this.#store = given ?? memoryStore();
    this.#agents = new ShapedAgents(options.served, { store: this.#store, isOwnStore: this.#isOwnStore });
    this.contexts = new Contexts(this.#store, { isInMemory: this.#isOwnStore });
  }

  /** Starts a run as soon as a slot is free. */
  async start(newRun: NewRun, signal: AbortSignal): Promise<ActiveRun> {
    const { client, content, history, shape, context, bytes } = newRun;
    const runId = crypto.randomUUID();
    const run = await this.#take(client, signal, async () => {
      const agent = await this.#agents.for(client, shape, new Map());
      this.mustBeOpen();
      if (context !== undefined) await this.contexts.add({ client, context }, runId, signal);
      this.mustBeOpen();
      this.#count(runId, bytes);
      const notes = toNote({ client, shape, ...(context === undefined ? {} : { context }) });
      const options = { runId, history, notes, approve: this.#askerFor(client, shape) };
      return this.#follow(
        runId,
        client,
        shape,
        asRequest(() => agent.run(content, options)),
      );
    });
    return begun(run);
  }

  /** Continues a run that waits for results of its client's tools. */
  async answer({ client, runId, results, message, bytes }: RunAnswers, signal: AbortSignal): Promise<ActiveRun> {
    const kept = await this.#waitingRun(runId, client);
    const names = clientNames(kept.shape.tools);
    const waiting = kept.pending.filter(({ name }) => names.has(name));
    const missing = waiting.find(({ id }) => !results.has(id));
    if (missing) throw badRequest(`the result of the call of "${names.get(missing.name)}" is missing`);
    const decisions = waiting.map(({ id, digest }) => ({ id, digest, type: "approve" as const, by: client }));
    const run = await this.#resume(kept, { decisions, results, message }, signal);
    this.#count(runId, bytes);
    return begun(run);
  }

  /**
   * Returns the calls that wait for a person: the open questions of active runs, and the waiting
   * calls of the newest suspended runs. If `client` is not null, returns only calls of this
   * client's runs.
   */
  async waiting(client: string | null): Promise<readonly ApprovalRequest[]> {
    const asked = this.questions.of(client);
    const kept = (await this.#suspended(client)).flatMap((run) => waitingForPeople(run));
    return [...asked, ...kept.filter(({ runId, id }) => !asked.some((one) => one.runId === runId && one.id === id))];
  }

  async #suspended(client: string | null): Promise<readonly KeptRun[]> {
    // Read one long list instead of pages. Each page would start after a session of the page
    // before, and that session may be deleted in the meantime.
    const rows = await this.#store.list({ status: "suspended", limit: maxSuspended });
    const found: KeptRun[] = [];
    for (let at = 0; at < rows.length && found.length < maxListed; at += maxListed) {
      const runs = await Promise.all(rows.slice(at, at + maxListed).map((row) => this.#listedRun(row, client)));
      found.push(...runs.filter((run) => run !== null));
    }
    return found.slice(0, maxListed);
  }

  /**
   * Reads a run that the store has listed as suspended. Returns null if the run belongs to another
   * client, or has been resumed or deleted since the store listed it.
   */
  async #listedRun({ sessionId }: StoredRun, client: string | null): Promise<KeptRun | null> {
    const run = await readRun(this.#store, sessionId, client).catch(() => null);
    return run && !this.#live.has(run.runId) ? run : null;
  }

  /**
   * Records a decision. If the run was suspended, it continues by itself.
   *
   * @throws RefusedRequest `bad-request` when the decision cannot be used
   */
  async decide(
    at: { readonly runId: string; readonly callId: string; readonly digest: string },
    decision: Decision,
    client: string | null,
  ): Promise<void> {
    const live = this.#live.get(at.runId);
    if (this.questions.decide(at, decision, client)) return live && mustBeTaken(live, at);
    const kept = await this.#waitingRun(at.runId, client);
    const waiting = waitingForPeople(kept).find(({ id }) => id === at.callId);
    if (!waiting) throw new RefusedRequest("not-found", "this call does not wait for a decision", "call_id");
    mustFit(decision, waiting, at.digest);
    const decisions = [{ id: at.callId, digest: at.digest, ...decision }];
    await mustBeTaken(await this.#resume(kept, { decisions, results: new Map() }, new AbortController().signal), at);
  }

  /** Returns a run of the client; null if there is none. */
  async find(runId: string, client: string | null): Promise<KeptRun | null> {
    const kept = await readRun(this.#store, runId, client);
    const end = kept?.status === "open" ? this.#unrecordedEnds.get(runId) : undefined;
    return kept && end ? withEnd(kept, end) : kept;
  }

  /** Returns a run that is active in this process; null if there is none. */
  live(runId: string, client: string): ActiveRun | null {
    const run = this.#live.get(runId);
    return run?.client === client ? run : null;
  }

  /**
   * Refuses new runs, waits up to `graceMs` for the active runs to end, and aborts those that are
   * still active. A run that waits for a person is suspended. If the run is in a store, it can be
   * continued later.
   */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.questions.close();
    const runs = [...this.#live.values()];
    const ended = Promise.all(runs.map(({ result }) => result));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([ended, late]);
    clearTimeout(timer);
    for (const run of runs) run.abort(new AgentError("interrupted", "the server is stopping"));
    await ended;
  }

  /**
   * Throws if the server is stopping. Endpoints call this method before any work. The service calls
   * it again right before a run begins, because `stop` does not know runs that are still being
   * prepared.
   */
  mustBeOpen(): void {
    if (this.#isStopping) throw new RefusedRequest("stopping", "the server is stopping");
  }

  async #take(client: string, signal: AbortSignal, begin: () => Promise<ActiveRun>): Promise<ActiveRun> {
    this.mustBeOpen();
    const release = await this.slots.enter(client, signal);
    try {
      this.mustBeOpen();
      const run = await begin();
      run.result.finally(release);
      return run;
    } catch (error) {
      release();
      throw error;
    }
  }

  async #resume(
    { runId, client, shape, events }: KeptRun,
    given: {
      readonly decisions: readonly DecisionInput[];
      readonly results: ClientResults;
      readonly message?: string | undefined;
    },
    signal: AbortSignal,
  ): Promise<ActiveRun> {
    return this.#take(client, signal, async () => {
      if (this.#live.has(runId)) throw stillActive();
      const agent = await this.#agents.for(client, shape, given.results);
      this.mustBeOpen();
      const { decisions, message } = given;
      const approve = this.#askerFor(client, shape);
      const run = asRequest<ServedRun>(() => agent.resume(runId, { approve, decisions }));
      if (message !== undefined && message.trim() !== "") run.say(message);
      // Skip the earlier events: they were sent when they happened.
      return this.#follow(runId, client, shape, run, (events.at(-1)?.seq ?? 0) + 1);
    });
  }

  async #waitingRun(runId: string, client: string | null): Promise<KeptRun> {
    const kept = await this.find(runId, client);
    if (!kept) throw new RefusedRequest("not-found", "there is no such run; it may have been deleted");
    if (this.#live.has(runId)) throw stillActive();
    if (kept.status === "suspended") return kept;
    throw new RefusedRequest("conflict", `the run does not wait for anything: its status is "${kept.status}"`);
  }

  #follow(runId: string, client: string, shape: RunShape, run: ServedRun, fromSeq = 1): ActiveRun {
    const toolNames = clientNames(shape.tools);
    const { onError } = this.#options;
    const result = run.result.then((ended) => {
      this.#live.delete(runId);
      if (ended.error?.code === "log") this.#noteEnd(runId, ended.error);
      if (ended.error && isHidden(ended.error)) onError(ended.error, { id: runId });
      void this.#keep(runId);
      return ended;
    });
    const followed: ActiveRun = {
      runId,
      client,
      toolNames,
      result,
      events: () => clientEvents(run.events({ fromSeq }), { runId, result, onError }),
      abort: (reason) => run.abort(reason),
    };
    this.#live.set(runId, followed);
    this.#unrecordedEnds.delete(runId);
    return followed;
  }

  #noteEnd(runId: string, error: NonNullable<ServedResult["error"]>): void {
    this.#unrecordedEnds.set(runId, { message: clientErrorOfRun(error, runId).message, time: Date.now() });
    const [oldest] = this.#unrecordedEnds.keys();
    if (this.#unrecordedEnds.size > maxUnrecordedEnds && oldest !== undefined) this.#unrecordedEnds.delete(oldest);
  }

  #count(runId: string, bytes: number): void {
    if (this.#isOwnStore) this.#bytes.set(runId, (this.#bytes.get(runId) ?? 0) + bytes);
  }

  /**
   * Keeps an ended run in memory, and deletes the oldest runs beyond the limits. With a store, does
   * nothing.
   */
  async #keep(runId: string): Promise<void> {
    if (!this.#isOwnStore) return;
    this.#kept.delete(runId);
    this.#kept.add(runId);
    let bytes = [...this.#kept].reduce((sum, id) => sum + (this.#bytes.get(id) ?? 0), 0);
    for (const oldest of this.#kept) {
      if (this.#kept.size <= this.#options.keptRuns && (bytes <= maxKeptBytes || oldest === runId)) return;
      this.#kept.delete(oldest);
      bytes -= this.#bytes.get(oldest) ?? 0;
      this.#bytes.delete(oldest);
      // Ignore errors: deleting fails if the run has been resumed in the meantime. When that run
      // ends, this method is called for it again.
      await this.#store.delete(oldest).catch(() => {});
    }
  }

  /**
   * Returns the function that asks people. It does not ask about calls of the client's tools,
   * because the client answers those with its next request.
   */
  #askerFor(client: string, { tools }: RunShape) {
    const names = clientNames(tools);
    return async (request: ApprovalRequest, { signal }: { readonly signal: AbortSignal }): Promise<Decision> => {
      if (names.has(request.name) && request.path.length === 1) throw new NotDecided("the client has to call the tool");
      return this.questions.ask(request, client, signal);
    };
  }
}

/** The end of a run that the store could not record. */
interface UnrecordedEnd {
  /** The error message for clients. */
  readonly message: string;
  /** The time of the end, in epoch ms. */
  readonly time: number;
}

const maxUnrecordedEnds = 1_000;

/** Returns the run as if its end were in the log. */
function withEnd(kept: KeptRun, { message, time }: UnrecordedEnd): KeptRun {
  const last = kept.events.at(-1);
  if (!last) return kept;
  const { runId } = kept;
  const at = { runId, path: last.path.slice(0, 1), seq: last.seq + 1, time };
  const end: DurableEvent = { ...at, type: "run-end", status: "failed", error: { code: "log", message } };
  return { ...kept, status: "failed", events: [...kept.events, end], pending: [] };
}

/** The maximum number of waiting runs in the list. */
const maxListed = 50;
/**
 * The maximum number of suspended runs that are requested from the store. It is higher than
 * `maxListed`, because some of them are left out, such as the runs of other clients.
 */
const maxSuspended = 500;

/**
 * Returns the calls that wait for people. Calls of the client's tools wait for the client instead.
 */
const waitingForPeople = ({ pending, shape }: KeptRun): readonly ApprovalRequest[] => {
  const ofClient = clientNames(shape.tools);
  return pending.filter(({ name, path }) => !(ofClient.has(name) && path.length === 1));
};

/**
 * Waits for the first event of a run. No response may begin before that event, because an open
 * stream cannot report that a run did not start.
 *
 * @throws ClientFailure if there is no event, for example because the store failed
 */
async function begun(run: ActiveRun): Promise<ActiveRun> {
  for await (const _ of run.events()) return run;
  const { error = { code: "log", message: "the run did not start" } } = await run.result;
  throw clientErrorOfRun(error, run.runId);
}

/** Returns the events of a run without the details that clients may not see. */
async function* clientEvents(
  events: AsyncIterable<RunEvent>,
  { runId, result, onError }: Pick<ActiveRun, "runId" | "result"> & { readonly onError: OnError },
): AsyncGenerator<RunEvent> {
  const shown = new ClientEvents(runId);
  let [hasBegun, isEnded] = [false, false];
  try {
    for await (const event of events) {
      hasBegun = true;
      isEnded ||= event.path.length === 1 && (event.type === "run-end" || event.type === "run-suspend");
      yield shown.of(event);
    }
  } catch (error) {
    throw clientError(error, onError);
  }
  // A run without events has been refused by `begun`, which reported the error.
  if (isEnded || !hasBegun) return;
  // The events ended without a `run-end`, because the store failed to record it.
  const { error } = await result;
  if (error) throw clientErrorOfRun(error, runId);
}

/**
 * Waits until a run has recorded a decision.
 *
 * @throws RefusedRequest `bad-request` that says what is wrong with the decision
 */
async function mustBeTaken(
  run: ActiveRun,
  { callId, digest }: { readonly callId: string; readonly digest: string },
): Promise<void> {
  for await (const event of run.events()) {
    const isResponse = event.type === "approval-response" || event.type === "doubt-response";
    if (isResponse && event.callId === callId && event.digest === digest) return;
  }
  const { pending = [], error } = await run.result;
  // An `invalid-option` error is about the decision, which the client sent, so the client may see
  // it.
  const isForClient = error && (error.code === "invalid-option" || !isHidden(error));
  const message = isForClient ? error.message : "the run ended first";
  const why = pending.find(({ id }) => id === callId)?.problem ?? message;
  throw badRequest(`the decision was not accepted: ${why}`, "decision");
}

const storeOf = (served: Servable): RunStore | undefined => (isAgent(served) ? served.options.store : undefined);

const stillActive = (): RefusedRequest => new RefusedRequest("conflict", "the run is still active");
