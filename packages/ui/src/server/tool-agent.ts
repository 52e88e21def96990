// Serves a single tool as if it were an agent. Each run is one call of the tool, with the same
// events as an agent's run.

import {
  AgentError,
  type CallOutcome,
  type DurableBody,
  encodeValue,
  invalidOption,
  type RecordedDecision,
  type RunEvent,
  type RunStatus,
  type SerializedError,
  type Tool,
  type ToolContext,
  thrownText,
  untilAborted,
} from "@smolts/protocol";
import type { ServedAgent, ServedRun, ServedRunOptions, ServedSession } from "../agent-shape.ts";
import type { SessionLog } from "../session-store.ts";
import { keyedHash } from "./secrets.ts";

/** Creates an agent that calls a tool. Each task is the input of one call, as JSON. */
export function toolAgent(tool: Tool): ServedAgent {
  return {
    name: tool.name,
    description: tool.description,
    run: () => {
      throw invalidOption("a tool runs only in a session");
    },
    session: ({ log }): ServedSession => ({
      // The cast is safe: the store of this package made the log.
      run: (task, options) => new ToolRun(tool, log as SessionLog, String(task), options),
      [Symbol.asyncDispose]: async () => {},
    }),
  };
}

class ToolRun implements ServedRun {
  readonly id: string;
  readonly result: ServedRun["result"];
  readonly #tool: Tool;
  readonly #log: SessionLog;
  readonly #options: ServedRunOptions;
  readonly #aborter = new AbortController();
  readonly #shown: RunEvent[] = [];
  #wake = (): void => {};
  #hasEnded = false;

  constructor(tool: Tool, log: SessionLog, task: string, options: ServedRunOptions) {
    this.id = options.runId;
    this.#tool = tool;
    this.#log = log;
    this.#options = options;
    this.result = this.#go(task).finally(() => {
      this.#hasEnded = true;
      this.#wake();
    });
  }

  abort(reason?: unknown): void {
    this.#aborter.abort(reason);
  }

  async *events(): AsyncGenerator<RunEvent> {
    for (;;) {
      for (let next = this.#shown.shift(); next; next = this.#shown.shift()) yield next;
      if (this.#hasEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async #go(task: string): ServedRun["result"] {
    const { name } = this.#tool;
    this.#append({
      type: "run-start",
      definitionDigest: "",
      model: "",
      task: [{ type: "text", text: task }],
      systemPrompt: "",
      variables: {},
      maxSteps: 1,
      seed: "",
      lineage: "",
    });
    this.#append({ type: "step-start", stepNumber: 1 });
    const callId = `${this.id}.1`;
    const outcome = await this.#call(callId, task).catch((error: unknown): CallOutcome => this.#failure(error));
    this.#append({ type: "tool-result", callId, outcome });
    const error = outcome.type === "ok" ? null : outcome.error;
    const answer = outcome.type === "ok" ? { value: outcome.value } : null;
    this.#append({ type: "step-end", stepNumber: 1, observation: [], error, answer });
    const status: RunStatus = this.#aborter.signal.aborted ? "aborted" : error ? "failed" : "success";
    this.#append({ type: "run-end", status, ...(answer ? { answer: answer.value } : {}), ...(error ? { error } : {}) });
    await this.#log.flush();
    return error ? { status, error: { message: `${name}: ${error.message}` } } : { status };
  }

  async #call(callId: string, task: string): Promise<CallOutcome> {
    const tool = this.#tool;
    const given: unknown = JSON.parse(task);
    this.#append({
      type: "tool-call",
      stepNumber: 1,
      callId,
      callIndex: 1,
      name: tool.name,
      args: [encodeValue(given)],
    });
    const context: ToolContext = {
      signal: this.#aborter.signal,
      runId: this.id,
      path: [tool.name],
      callId,
      idempotencyKey: callId,
      attempt: 1,
      emit: (data) =>
        this.#show({
          type: "tool-progress",
          callId,
          data,
          runId: this.id,
          path: [tool.name],
          seq: this.#log.events.length,
          time: Date.now(),
        }),
      metadata: undefined,
      readBlob: (digest) => this.#log.readBlob(digest),
    };
    const input = await this.#permitted(callId, await tool.parseInput(given), context);
    this.#append({
      type: "tool-start",
      callId,
      attempt: 1,
      generation: 1,
      input: encodeValue(input),
      effects: tool.effects,
      idempotencyKey: callId,
    });
    await this.#log.flush();
    const value = await untilAborted(Promise.resolve(tool.execute(input, context)), context.signal);
    return { type: "ok", value: encodeValue(value) };
  }

  /**
   * Returns the input for the call. If the call needs approval, waits for the person, who may
   * change the input.
   */
  async #permitted(callId: string, input: unknown, context: ToolContext): Promise<unknown> {
    const tool = this.#tool;
    const need = (await tool.needsApproval?.(input, context)) ?? false;
    if (need === false) return input;
    const encoded = encodeValue(input);
    const digest = await keyedHash(tool.name, JSON.stringify(encoded));
    const shown = { id: callId, runId: this.id, path: [tool.name], name: tool.name, input, digest, each: true };
    this.#append({
      type: "approval-request",
      callId,
      name: tool.name,
      input: encoded,
      digest,
      definitionDigest: "",
      each: true,
    });
    const given = await this.#options.approve(shown, { signal: context.signal });
    const decision = typeof given === "boolean" ? { type: given ? ("approve" as const) : ("deny" as const) } : given;
    const { by } = "by" in decision ? decision : {};
    const isAllowed = decision.type === "approve" || decision.type === "edit";
    const recorded: RecordedDecision =
      decision.type === "edit"
        ? { type: "edit", input: encodeValue(decision.input) }
        : { type: isAllowed ? "approve" : "deny" };
    this.#append({
      type: "approval-response",
      callId,
      digest,
      decision: recorded,
      ...(by === undefined ? {} : { by }),
    });
    if (!isAllowed) throw new AgentError("denied", `"${tool.name}" was not called: a person denied it`);
    return decision.type === "edit" ? tool.parseInput(decision.input) : input;
  }

  #failure(error: unknown): CallOutcome {
    if (this.#aborter.signal.aborted) {
      return { type: "unknown", error: { code: "interrupted", message: "a person stopped the run" } };
    }
    const serialized: SerializedError = AgentError.is(error)
      ? error.toJSON()
      : {
          code: "tool-execution",
          name: error instanceof Error ? error.name : "Error",
          message: thrownText(error),
        };
    const type = serialized.code === "denied" ? "denied" : serialized.code === "tool-input" ? "refused" : "error";
    return { type, error: serialized };
  }

  #append(body: DurableBody): void {
    this.#show(this.#log.append(body, { runId: this.id, path: [this.#tool.name] }));
  }

  #show(event: RunEvent): void {
    this.#shown.push(event);
    this.#wake();
  }
}
