// Takes runs of clients: finds them a place, makes their agent, keeps their logs, and has their
// questions decided. It knows no protocol.

import { memoryStore } from "@smolts/memory";
import {
  AgentError,
  type ApprovalRequest,
  type DurableEvent,
  type GivenDecision,
  type JsonSchema,
  type RunEvent,
  type RunStore,
  type StoredRun,
  type Tool,
} from "@smolts/protocol";
import { jsonSchema } from "@smolts/tools";
import { badRequest, RefusedRequest } from "../refused-request.ts";
import type {
  AnswerForm,
  HistoryMessage,
  Served,
  ServedAgent,
  ServedResult,
  ServedRun,
  TaskPart,
} from "../served-agent.ts";
import { isAgent } from "../served-agent.ts";
import { type ClientResults, callCheck, clientNames, toTools } from "./client-tools.ts";
import { Contexts } from "./contexts.ts";
import { type KeptRun, readRun } from "./kept-run.ts";
import { type Decision, mustFit, NotDecided, Questions } from "./questions.ts";
import { type RunShape, toNote } from "./run-note.ts";
import { type RunLimits, RunSlots } from "./run-slots.ts";
import { isHidden, type OnError, ToldEvents, toldOf, toldOfRun } from "./told-errors.ts";

/** A client's request for a run. */
export interface RunOrder {
  readonly client: string;
  readonly content: readonly TaskPart[];
  readonly history: readonly HistoryMessage[];
  readonly shape: RunShape;
  /** The conversation that it belongs to, by the client's id of it; absent for none. */
  readonly context?: string;
  /** The size of its request. */
  readonly bytes: number;
}

/** A client's message to a run that waits for it. */
export interface RunAnswers {
  readonly client: string;
  readonly runId: string;
  /** Results of its tools, by the call's id in the log. */
  readonly results: ClientResults;
  /** Said to the model before it is next asked; absent for nothing. */
  readonly message?: string;
  /** The size of its request. */
  readonly bytes: number;
}

/** A run that the desk follows. */
export interface DeskRun {
  readonly runId: string;
  readonly client: string;
  /** The client's name of one of its tools, by the name in code. */
  readonly toolNames: ReadonlyMap<string, string>;
  readonly result: Promise<ServedResult>;
  events(): AsyncIterable<RunEvent>;
  abort(reason?: unknown): void;
}

/** Settings of {@link RunDesk}. */
export interface DeskOptions {
  readonly served: Served;
  readonly store: RunStore | undefined;
  readonly limits: RunLimits;
  readonly approvalWaitMs: number;
  readonly keptRuns: number;
  readonly onError: OnError;
}

/** Runs in memory hold what their requests brought, such as images. */
const maxKeptBytes = 256_000_000;

export class RunDesk {
  readonly slots: RunSlots;
  readonly questions: Questions;
  readonly contexts: Contexts;
  readonly #options: DeskOptions;
  readonly #store: RunStore;
  /** Whether the store is the desk's own, in memory. */
  readonly #isOwnStore: boolean;
  readonly #live = new Map<string, DeskRun>();
  /**
   * Ends of runs that the store could not record, the oldest first. By their logs these runs are
   * still at work.
   */
  readonly #unrecordedEnds = new Map<string, UnrecordedEnd>();
  /** Ended runs in the desk's own store, the oldest first. */
  readonly #kept = new Set<string>();
  /** The size of the requests of each run, in bytes; for runs in the desk's own store only. */
  readonly #bytes = new Map<string, number>();
  /**
   * Copies of an agent, by what requests made of it: an agent reads its own definition once, which
   * takes longer than a run takes to begin.
   */
  readonly #shapedAgents = new WeakMap<ServedAgent, Map<string, ServedAgent>>();
  #isStopping = false;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.slots = new RunSlots(options.limits);
    this.questions = new Questions(options.approvalWaitMs);
    const given = options.store ?? storeOf(options.served);
    this.#isOwnStore = given === undefined;
    this.#store = given ?? memoryStore();
    this.contexts = new Contexts(this.#store, { isInMemory: this.#isOwnStore });
  }

  /** Starts a run as soon as there is a place for it. */
  async start(order: RunOrder, signal: AbortSignal): Promise<DeskRun> {
    const { client, content, history, shape, context, bytes } = order;
    const runId = crypto.randomUUID();
    const run = await this.#take(client, signal, async () => {
      const agent = await this.#agentFor(client, shape, new Map());
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

  /** Continues a run that waits for its client. */
  async answer({ client, runId, results, message, bytes }: RunAnswers, signal: AbortSignal): Promise<DeskRun> {
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
   * Calls that wait for a person, of one client or of all: those asked about at this moment, and
   * those that the newest suspended runs wait with.
   */
  async waiting(client: string | null): Promise<readonly ApprovalRequest[]> {
    const asked = this.questions.of(client);
    const kept = (await this.#suspended(client)).flatMap((run) => waitingForPeople(run));
    return [...asked, ...kept.filter(({ runId, id }) => !asked.some((one) => one.runId === runId && one.id === id))];
  }

  async #suspended(client: string | null): Promise<readonly KeptRun[]> {
    // One list and no pages: a session may be deleted at any moment, and no page begins after it.
    const rows = await this.#store.list({ status: "suspended", limit: maxLookedAt });
    const found: KeptRun[] = [];
    for (let at = 0; at < rows.length && found.length < maxListed; at += maxListed) {
      const runs = await Promise.all(rows.slice(at, at + maxListed).map((row) => this.#listedRun(row, client)));
      found.push(...runs.filter((run) => run !== null));
    }
    return found.slice(0, maxListed);
  }

  /** Null for one that goes on, is another client's, or was deleted since the list was made. */
  async #listedRun({ sessionId }: StoredRun, client: string | null): Promise<KeptRun | null> {
    const run = await readRun(this.#store, sessionId, client).catch(() => null);
    return run && !this.#live.has(run.runId) ? run : null;
  }

  /**
   * Records a decision. A run that was suspended for it continues by itself. @throws RefusedRequest
   * `bad-request` when it cannot be used
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
    if (!waiting) throw new RefusedRequest("not-found", "this call waits for no decision", "call_id");
    mustFit(decision, waiting, at.digest);
    const decisions = [{ id: at.callId, digest: at.digest, ...decision }];
    await mustBeTaken(await this.#resume(kept, { decisions, results: new Map() }, new AbortController().signal), at);
  }

  /** A run of the client; null when there is none. */
  async find(runId: string, client: string | null): Promise<KeptRun | null> {
    const kept = await readRun(this.#store, runId, client);
    const end = kept?.status === "open" ? this.#unrecordedEnds.get(runId) : undefined;
    return kept && end ? withEnd(kept, end) : kept;
  }

  /** A run that is going on here. */
  live(runId: string, client: string): DeskRun | null {
    const run = this.#live.get(runId);
    return run?.client === client ? run : null;
  }

  /**
   * Takes no new runs, lets those that go on end within `graceMs`, and aborts the others. A run
   * that waits for a person is suspended: in a store it waits on.
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
    for (const run of runs) run.abort(new AgentError("interrupted", "the server stops"));
    await ended;
  }

  /**
   * Also asked by who only listens, so that the refusal comes before any work; and again right
   * before a run begins, since `stop` does not know of a run that is only prepared.
   */
  mustBeOpen(): void {
    if (this.#isStopping) throw new RefusedRequest("stopping", "the server stops");
  }

  async #take(client: string, signal: AbortSignal, begin: () => Promise<DeskRun>): Promise<DeskRun> {
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
      readonly decisions: readonly GivenDecision[];
      readonly results: ClientResults;
      readonly message?: string | undefined;
    },
    signal: AbortSignal,
  ): Promise<DeskRun> {
    return this.#take(client, signal, async () => {
      if (this.#live.has(runId)) throw goingOn();
      const agent = await this.#agentFor(client, shape, given.results);
      this.mustBeOpen();
      const { decisions, message } = given;
      const approve = this.#askerFor(client, shape);
      const run = asRequest<ServedRun>(() => agent.resume(runId, { approve, decisions }));
      if (message !== undefined && message.trim() !== "") run.say(message);
      // Earlier events were sent when they happened.
      return this.#follow(runId, client, shape, run, (events.at(-1)?.seq ?? 0) + 1);
    });
  }

  async #waitingRun(runId: string, client: string | null): Promise<KeptRun> {
    const kept = await this.find(runId, client);
    if (!kept) throw new RefusedRequest("not-found", "there is no such run; it may have been forgotten");
    if (this.#live.has(runId)) throw goingOn();
    if (kept.status === "suspended") return kept;
    throw new RefusedRequest("conflict", `the run waits for nothing: its status is "${kept.status}"`);
  }

  #follow(runId: string, client: string, shape: RunShape, run: ServedRun, fromSeq = 1): DeskRun {
    const toolNames = clientNames(shape.tools);
    const { onError } = this.#options;
    const result = run.result.then((ended) => {
      this.#live.delete(runId);
      if (ended.error?.code === "log") this.#noteEnd(runId, ended.error);
      if (ended.error && isHidden(ended.error)) onError(ended.error, { id: runId });
      void this.#keep(runId);
      return ended;
    });
    const followed: DeskRun = {
      runId,
      client,
      toolNames,
      result,
      events: () => toldEvents(run.events({ fromSeq }), { runId, result, onError }),
      abort: (reason) => run.abort(reason),
    };
    this.#live.set(runId, followed);
    this.#unrecordedEnds.delete(runId);
    return followed;
  }

  #noteEnd(runId: string, error: NonNullable<ServedResult["error"]>): void {
    this.#unrecordedEnds.set(runId, { told: toldOfRun(error, runId).message, time: Date.now() });
    const [oldest] = this.#unrecordedEnds.keys();
    if (this.#unrecordedEnds.size > maxUnrecordedEnds && oldest !== undefined) this.#unrecordedEnds.delete(oldest);
  }

  #count(runId: string, bytes: number): void {
    if (this.#isOwnStore) this.#bytes.set(runId, (this.#bytes.get(runId) ?? 0) + bytes);
  }

  /** The desk's own store is in memory, so it keeps so many runs and so many bytes, and no more. */
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
      // One that was resumed meanwhile is kept again at its end.
      await this.#store.delete(oldest).catch(() => {});
    }
  }

  /** Calls of the client's tools are left open: the client answers them with its next request. */
  #askerFor(client: string, { tools }: RunShape) {
    const names = clientNames(tools);
    return async (request: ApprovalRequest, { signal }: { readonly signal: AbortSignal }): Promise<Decision> => {
      if (names.has(request.name) && request.path.length === 1) throw new NotDecided("the client has to call the tool");
      return this.questions.ask(request, client, signal);
    };
  }

  async #agentFor(client: string, shape: RunShape, results: ClientResults): Promise<ServedAgent> {
    const agent = await this.#madeFor(client);
    // Tools hold their results, so an agent with some is made for each request.
    if (shape.tools.length > 0) return this.#shaped(agent, shape, results);
    const known = this.#shapedAgents.get(agent) ?? new Map<string, ServedAgent>();
    this.#shapedAgents.set(agent, known);
    const key = JSON.stringify([shape.instructions, shape.answer]);
    const shaped = known.get(key) ?? this.#shaped(agent, shape, results);
    if (key.length > longestShape) return shaped;
    known.delete(key);
    known.set(key, shaped);
    const [leastRecent] = known.keys();
    if (known.size > maxShapes && leastRecent !== undefined) known.delete(leastRecent);
    return shaped;
  }

  #shaped(agent: ServedAgent, shape: RunShape, results: ClientResults): ServedAgent {
    const { tools = [], instructions, finalAnswerChecks = [] } = agent.options;
    const own: { readonly [name: string]: Tool } = Array.isArray(tools)
      ? Object.fromEntries((tools as readonly Tool[]).map((tool) => [tool.name, tool]))
      : (tools as { readonly [name: string]: Tool }); // the other form of the option
    const brought = toTools(shape.tools, agent.tools, results);
    const all = [instructions, shape.instructions].filter((text) => text !== undefined && text !== "").join("\n\n");
    return asRequest(
      () =>
        agent.with({
          ...(Object.keys(brought).length === 0 ? {} : { tools: { ...own, ...brought } }),
          ...(all === "" ? {} : { instructions: all }),
          ...(shape.answer === undefined ? {} : { output: answerForm(shape.answer) }),
          ...(shape.mustCall && { finalAnswerChecks: [...finalAnswerChecks, callCheck(shape.mustCall)] }),
          store: this.#store,
        }) as ServedAgent, // a changed copy of the same kind
    );
  }

  async #madeFor(client: string): Promise<ServedAgent> {
    const { served } = this.#options;
    if (isAgent(served)) return served;
    const made: unknown = await served({ client });
    if (!isAgent(made)) {
      throw new AgentError("invalid-option", "the function that was served made no agent", {
        hint: "return a CodeAgent or a ToolCallingAgent",
      });
    }
    // Runs are found again without their agent.
    if (made.options.store && this.#isOwnStore) {
      throw new AgentError("invalid-option", "the function that was served made an agent with a store of its own", {
        hint: "pass the store to the server: serve(makeAgent, { store })",
      });
    }
    return made;
  }
}

/** So many copies of an agent are kept, for requests that say the same of it. */
const maxShapes = 32;
/** In characters of JSON. */
const longestShape = 20_000;

/** The end of a run that its store did not take. */
interface UnrecordedEnd {
  /** What clients are told. */
  readonly told: string;
  /** Epoch ms. */
  readonly time: number;
}

const maxUnrecordedEnds = 1_000;

/** The run, as if the end were in its log. */
function withEnd(kept: KeptRun, { told, time }: UnrecordedEnd): KeptRun {
  const last = kept.events.at(-1);
  if (!last) return kept;
  const { runId } = kept;
  const at = { runId, path: last.path.slice(0, 1), seq: last.seq + 1, time };
  const end: DurableEvent = { ...at, type: "run-end", status: "failed", error: { code: "log", message: told } };
  return { ...kept, status: "failed", events: [...kept.events, end], pending: [] };
}

/** How many waiting runs are listed. */
const maxListed = 50;
/** The store may hold runs of others too, so that more are looked at. */
const maxLookedAt = 500;

/** Calls of the client's tools wait for the client. */
const waitingForPeople = ({ pending, shape }: KeptRun): readonly ApprovalRequest[] => {
  const ofClient = clientNames(shape.tools);
  return pending.filter(({ name, path }) => !(ofClient.has(name) && path.length === 1));
};

/**
 * Waits for the first event. @throws ToldFailure when there is none, as without the store: a stream
 * that has begun could not say so
 */
async function begun(run: DeskRun): Promise<DeskRun> {
  for await (const _ of run.events()) return run;
  const { error = { code: "log", message: "the run did not begin" } } = await run.result;
  throw toldOfRun(error, run.runId);
}

/** The events of a run as its client sees them. */
async function* toldEvents(
  events: AsyncIterable<RunEvent>,
  { runId, result, onError }: Pick<DeskRun, "runId" | "result"> & { readonly onError: OnError },
): AsyncGenerator<RunEvent> {
  const told = new ToldEvents(runId);
  let [hasBegun, isEnded] = [false, false];
  try {
    for await (const event of events) {
      hasBegun = true;
      isEnded ||= event.path.length === 1 && (event.type === "run-end" || event.type === "run-suspend");
      yield told.of(event);
    }
  } catch (error) {
    throw toldOf(error, onError);
  }
  // A run that never began has no events, and is refused by who began it.
  if (isEnded || !hasBegun) return;
  // Its store failed, so not even its end is recorded.
  const { error } = await result;
  if (error) throw toldOfRun(error, runId);
}

/**
 * Resolves when the run has taken a decision. @throws RefusedRequest `bad-request` with what is
 * wrong with it
 */
async function mustBeTaken(
  run: DeskRun,
  { callId, digest }: { readonly callId: string; readonly digest: string },
): Promise<void> {
  for await (const event of run.events()) {
    const isResponse = event.type === "approval-response" || event.type === "doubt-response";
    if (isResponse && event.callId === callId && event.digest === digest) return;
  }
  const { pending = [], error } = await run.result;
  // Its options are the decisions.
  const isToldAsItIs = error && (error.code === "invalid-option" || !isHidden(error));
  const told = isToldAsItIs ? error.message : "the run ended before";
  const why = pending.find(({ id }) => id === callId)?.problem ?? told;
  throw badRequest(`the decision did not count: ${why}`, "decision");
}

const storeOf = (served: Served): RunStore | undefined => (isAgent(served) ? served.options.store : undefined);

const goingOn = (): RefusedRequest => new RefusedRequest("conflict", "the run is going on");

function answerForm(schema: JsonSchema): AnswerForm {
  return jsonSchema(schema) as AnswerForm; // a schema with a validator, as agents take it
}

/** The client must correct a request that its agent refuses. */
function asRequest<Value>(make: () => unknown): Value {
  try {
    return make() as Value; // the shapes of `served-agent.ts`
  } catch (error) {
    if (AgentError.is(error) && error.code === "invalid-option") throw badRequest(error.message);
    throw error;
  }
}
