// Takes runs of clients: finds them a place, makes their agent, keeps their logs, and has their questions decided. It knows no protocol.

import { memoryStore } from "@smolts/memory";
import {
  AgentError,
  type ApprovalRequest,
  type GivenDecision,
  type JsonSchema,
  type RunEvent,
  type RunStore,
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
import { type ClientResults, clientNames, toTools } from "./client-tools.ts";
import { type KeptRun, readRun } from "./kept-run.ts";
import { type Decision, NotDecided, Questions } from "./questions.ts";
import { type RunShape, toNote } from "./run-note.ts";
import { type RunLimits, RunSlots } from "./run-slots.ts";

/** A client's request for a run. */
export interface RunOrder {
  readonly client: string;
  readonly content: readonly TaskPart[];
  readonly history: readonly HistoryMessage[];
  readonly shape: RunShape;
  /** The run whose conversation goes on, by its id; absent for none. */
  readonly runId?: string;
}

/** A client's message to a run that waits for it. */
export interface RunAnswers {
  readonly client: string;
  readonly runId: string;
  /** Results of its tools, by the call's id in the log. */
  readonly results: ClientResults;
  /** Said to the model before it is next asked; absent for nothing. */
  readonly message?: string;
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
}

export class RunDesk {
  readonly slots: RunSlots;
  readonly questions: Questions;
  readonly #options: DeskOptions;
  readonly #ownStore: RunStore | null;
  readonly #live = new Map<string, DeskRun>();
  /** Ended runs in the desk's own store, the oldest first. */
  readonly #kept = new Set<string>();
  #isStopping = false;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.slots = new RunSlots(options.limits);
    this.questions = new Questions(options.approvalWaitMs);
    this.#ownStore = options.store || storeOf(options.served) ? null : memoryStore();
  }

  /** Starts a run as soon as there is a place for it. */
  async start(order: RunOrder, signal: AbortSignal): Promise<DeskRun> {
    const { client, content, history, shape, runId = crypto.randomUUID() } = order;
    return this.#take(client, signal, async () => {
      const agent = await this.#agentFor(client, shape, new Map());
      const notes = toNote({ client, shape });
      const options = { runId, history, notes, approve: this.#askerFor(client, shape) };
      return this.#follow(
        runId,
        client,
        shape,
        asRequest(() => agent.run(content, options)),
      );
    });
  }

  /** Continues a run that waits for its client. */
  async answer({ client, runId, results, message }: RunAnswers, signal: AbortSignal): Promise<DeskRun> {
    const kept = await this.#waitingRun(runId, client);
    const names = clientNames(kept.shape.tools);
    const waiting = kept.pending.filter(({ name }) => names.has(name));
    const missing = waiting.find(({ id }) => !results.has(id));
    if (missing) throw badRequest(`the result of the call of "${names.get(missing.name)}" is missing`);
    const decisions = waiting.map(({ id, digest }) => ({ id, digest, type: "approve" as const, by: client }));
    return this.#resume(kept, { decisions, results, message }, signal);
  }

  /** Records a decision. A run that was suspended for it continues by itself. */
  async decide(
    at: { readonly runId: string; readonly callId: string; readonly digest: string },
    decision: Decision,
    client: string | null,
  ): Promise<void> {
    if (this.questions.decide(at, decision, client)) return;
    const kept = await this.#waitingRun(at.runId, client);
    const waiting = kept.pending.find(({ id }) => id === at.callId);
    if (!waiting || clientNames(kept.shape.tools).has(waiting.name)) {
      throw new RefusedRequest("not-found", "this call waits for no decision", "call_id");
    }
    if (waiting.digest !== at.digest) {
      throw new RefusedRequest("conflict", "the decision was made about another input", "digest");
    }
    const decisions = [{ id: at.callId, digest: at.digest, ...decision }];
    await this.#resume(kept, { decisions, results: new Map() }, new AbortController().signal);
  }

  /** A run of the client; null when there is none. */
  async find(runId: string, client: string | null): Promise<KeptRun | null> {
    return readRun(await this.#store(client ?? ""), runId, client);
  }

  /** A run that is going on here. */
  live(runId: string, client: string): DeskRun | null {
    const run = this.#live.get(runId);
    return run?.client === client ? run : null;
  }

  /** Takes no new runs, lets those that go on end within `graceMs`, and aborts the others. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
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

  /** Also asked by who only listens, so that the refusal comes before any work. */
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
    const result = run.result.then((ended) => {
      this.#live.delete(runId);
      void this.#keep(runId);
      return ended;
    });
    const followed: DeskRun = {
      runId,
      client,
      toolNames,
      result,
      events: () => run.events({ fromSeq }),
      abort: (reason) => run.abort(reason),
    };
    this.#live.set(runId, followed);
    return followed;
  }

  /** The desk's own store is in memory, so it keeps so many runs and no more. */
  async #keep(runId: string): Promise<void> {
    if (!this.#ownStore) return;
    this.#kept.delete(runId);
    this.#kept.add(runId);
    for (const oldest of this.#kept) {
      if (this.#kept.size <= this.#options.keptRuns) return;
      this.#kept.delete(oldest);
      // One that was resumed meanwhile is kept again at its end.
      await this.#ownStore.delete(oldest).catch(() => {});
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
    const { tools = [], instructions } = agent.options;
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
          store: this.#storeFor(agent),
        }) as ServedAgent, // a changed copy of the same kind
    );
  }

  async #madeFor(client: string): Promise<ServedAgent> {
    const { served } = this.#options;
    if (isAgent(served)) return served;
    const made: unknown = await served({ client });
    if (isAgent(made)) return made;
    throw new AgentError("invalid-option", "the function that was served made no agent", {
      hint: "return a CodeAgent or a ToolCallingAgent",
    });
  }

  async #store(client: string): Promise<RunStore> {
    if (this.#options.store) return this.#options.store;
    return this.#ownStore ?? this.#storeFor(await this.#madeFor(client));
  }

  #storeFor(agent: ServedAgent): RunStore {
    const store = this.#options.store ?? agent.options.store ?? this.#ownStore;
    if (store) return store;
    throw new AgentError("invalid-option", "the agent has no store", { hint: "pass { store } to serve()" });
  }
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
