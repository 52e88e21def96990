// The endpoint of the A2A protocol over JSON-RPC. What A2A calls a task is a run. What it calls a
// context is a conversation, which consists of runs.

import { isRecord, type RunEvent } from "@smolts/protocol";
import { eventStreamResponse } from "../event-stream.ts";
import type { Fields } from "../openai/content-parts.ts";
import { RefusedRequest } from "../refused-request.ts";
import { ClientFailure, clientError, clientErrorOfRun, type OnError } from "../runs/client-errors.ts";
import { answerText, conversationOf, endOf, type KeptRun } from "../runs/kept-run.ts";
import type { ActiveRun, RunService } from "../runs/run-service.ts";
import { type Dialect, methods, type TaskUpdate, type TaskView } from "./dialect.ts";
import { type RequestId, rpcError, rpcResult } from "./json-rpc.ts";
import { readMessage } from "./read-message.ts";

/** The context of a request: everything that is not in its body. */
export interface A2ACall {
  readonly client: string;
  readonly signal: AbortSignal;
  readonly stalledMs: number;
  /** The size of the request, in bytes. */
  readonly bytes: number;
  readonly onError: OnError;
}

/** Answers the A2A requests of one server. */
export class A2AEndpoint {
  readonly #service: RunService;

  constructor(service: RunService) {
    this.#service = service;
  }

  /** Answers a request. Errors become responses; this method never throws. */
  async answer(body: Fields, call: A2ACall): Promise<Response> {
    const id = idOf(body["id"]);
    const { jsonrpc, method, params } = body;
    if (jsonrpc !== "2.0" || typeof method !== "string") {
      return rpcError(new RefusedRequest("bad-request", "this is not a JSON-RPC 2.0 request"), id, {
        code: -32_600,
      });
    }
    const known = methods.get(method);
    if (!known) {
      return rpcError(new RefusedRequest("bad-request", `there is no method "${method}"`), id, { code: -32_601 });
    }
    try {
      return await this.#do(known, isRecord(params) ? params : {}, { ...call, id });
    } catch (error) {
      const isLate = known.does === "cancel" && error instanceof RefusedRequest && error.reason === "conflict";
      return rpcError(clientError(error, call.onError), id, isLate ? { code: -32_002 } : undefined);
    }
  }

  async #do(
    { does, dialect }: { readonly does: "send" | "stream" | "get" | "cancel"; readonly dialect: Dialect },
    params: Fields,
    { id, ...call }: A2ACall & { readonly id: RequestId },
  ): Promise<Response> {
    switch (does) {
      case "send": {
        const { run, isImmediate } = await this.#start(params, call);
        if (isImmediate) return rpcResult(dialect.sent(await this.#taskOf(run.runId, call.client)), id);
        const { error } = await run.result;
        const task = await this.#taskOf(run.runId, call.client);
        // If another server holds the run, this server cannot record its end, so the task stays
        // "working".
        if (error && task.state === "working") throw clientErrorOfRun(error, run.runId);
        return rpcResult(dialect.sent(task), id);
      }
      case "stream": {
        const { run, contextId } = await this.#start(params, call);
        return eventStreamResponse({
          frames: this.#frames(run, { contextId, dialect, id }),
          // If the client disconnects, the task continues. The client can ask for it later, or
          // cancel it.
          onDisconnect: () => {},
          stalledMs: call.stalledMs,
        });
      }
      case "get":
        return rpcResult(dialect.task(await this.#taskOf(taskIdIn(params), call.client)), id);
      case "cancel":
        return rpcResult(dialect.task(await this.#cancel(taskIdIn(params), call.client)), id);
      default:
        return does satisfies never;
    }
  }

  async #start(
    params: Fields,
    { client, signal, bytes }: A2ACall,
  ): Promise<{ readonly run: ActiveRun; readonly contextId: string; readonly isImmediate: boolean }> {
    const { content, contextId = crypto.randomUUID(), taskId, isImmediate } = readMessage(params);
    if (taskId !== undefined) {
      const { state } = await this.#taskOf(taskId, client);
      const why =
        state === "input-required" ? "it waits for a decision, which is made at /v1/approvals" : `it is ${state}`;
      throw new RefusedRequest("conflict", `the task accepts no message: ${why}`);
    }
    const place = { client, context: contextId };
    const newest = await this.#service.contexts.newestRun(place);
    const before = newest === null ? null : await this.#service.find(newest, client);
    const history = before ? conversationOf(before) : [];
    const run = await this.#service.start({ ...place, content, history, shape: { tools: [] }, bytes }, signal);
    return { run, contextId, isImmediate };
  }

  async #cancel(taskId: string, client: string): Promise<TaskView> {
    const before = await this.#taskOf(taskId, client);
    const run = this.#service.live(taskId, client);
    if (!run) throw new RefusedRequest("conflict", `the task cannot be cancelled: it is ${before.state}`);
    run.abort("the client cancelled it");
    await run.result;
    return this.#taskOf(taskId, client);
  }

  async #taskOf(taskId: string, client: string): Promise<TaskView> {
    const kept = await this.#service.find(taskId, client);
    if (!kept) throw new RefusedRequest("not-found", "there is no such task");
    return this.#view(kept);
  }

  #view(kept: KeptRun): TaskView {
    const end = endOf(kept);
    const said = kept.status === "suspended" ? "a call waits for a person's decision" : end?.error?.message;
    return {
      id: kept.runId,
      contextId: kept.context ?? kept.runId,
      state: stateOf(kept.status),
      time: kept.events.at(-1)?.time ?? kept.startTime,
      ...(said === undefined ? {} : { said }),
      ...(end?.answer === undefined ? {} : { answer: answerText(end.answer) }),
    };
  }

  async *#frames(
    run: ActiveRun,
    { contextId, dialect, id }: { readonly contextId: string; readonly dialect: Dialect; readonly id: RequestId },
  ): AsyncGenerator<string> {
    const frame = (update: TaskUpdate): string =>
      `data: ${JSON.stringify({ jsonrpc: "2.0", id, result: dialect.update(update) })}\n\n`;
    const working = (time: number): TaskView => ({ id: run.runId, contextId, state: "working", time });
    yield frame({ type: "task", task: working(Date.now()) });
    try {
      for await (const event of run.events()) {
        const said = progressText(event);
        if (said !== null) yield frame({ type: "status", task: { ...working(event.time), said }, isLast: false });
      }
    } catch (error) {
      const said = error instanceof ClientFailure ? error.message : "the server failed";
      return yield frame({ type: "status", task: { ...working(Date.now()), state: "failed", said }, isLast: true });
    }
    await run.result;
    const task = await this.#taskOf(run.runId, run.client);
    if (task.answer !== undefined) yield frame({ type: "answer", task, answer: task.answer });
    yield frame({ type: "status", task, isLast: true });
  }
}

function stateOf(status: KeptRun["status"]): TaskView["state"] {
  switch (status) {
    case "open":
      return "working";
    case "suspended":
      return "input-required";
    case "success":
    case "max-steps":
    case "budget":
      return "completed";
    case "aborted":
      return "canceled";
    case "failed":
      return "failed";
    default:
      return status satisfies never;
  }
}

function progressText(event: RunEvent): string | null {
  switch (event.type) {
    case "step-start":
      return `step ${event.stepNumber}`;
    case "plan":
      return "made a plan";
    case "tool-call":
      return event.name === "finalAnswer" ? null : `calls ${event.name}`;
    default:
      return null;
  }
}

const idOf = (id: unknown): RequestId => (typeof id === "string" || typeof id === "number" ? id : null);

function taskIdIn({ id }: Fields): string {
  if (typeof id === "string" && id !== "") return id;
  throw new RefusedRequest("bad-request", "params.id is missing");
}
