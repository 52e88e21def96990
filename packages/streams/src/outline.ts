// Turns the events of a run into parts that open and close. Live events with deltas and the events
// of a stored log result in the same parts; only the pieces of text differ in size.

import {
  type CallOutcome,
  decodeValue,
  type EncodedValue,
  type EventOf,
  isRecord,
  type JsonValue,
  type RunEvent,
  type RunStatus,
  type SerializedError,
  type TokenUsage,
  textOf,
  toPlainJson,
  toPlainText,
} from "@smolts/protocol";
import { AgentOutline, interrupted, type OutlineSink, sumOfUsage } from "./agent-outline.ts";
import type { CallResult, OutlinePart, Place } from "./outline-part.ts";

/** Turns the events of a run into the parts from which all wire formats are made. */
export interface Outline {
  add(event: RunEvent): readonly OutlinePart[];
  /** Ends the outline and closes all open parts. A run without an end is reported as `aborted`. */
  finish(error?: SerializedError): readonly OutlinePart[];
}

/** Creates the outline of one run. Pass it every event of the run, in order. */
export function createOutline(): Outline {
  return new RunOutline();
}

class RunOutline implements Outline {
  #parts: OutlinePart[] = [];
  #runId = "";
  #rootDepth = 0;
  #hasStarted = false;
  #isResumed = false;
  #hasEnded = false;
  #count = 0;
  readonly #agents = new Map<string, AgentOutline>();
  /** The open calls, keyed by their ids in the log. */
  readonly #calls = new Map<string, { readonly id: string; readonly place: Place }>();
  readonly #asked = new Map<string, EventOf<"approval-request" | "doubt-request">>();
  readonly #usage = new Map<string, TokenUsage>();
  readonly #models = new Map<string, string>();
  readonly #sink: OutlineSink = {
    put: (part) => this.#parts.push(part),
    newId: (name) => this.#wireId(name(++this.#count)),
  };

  add(event: RunEvent): readonly OutlinePart[] {
    if (!this.#hasEnded) this.#take(event);
    return this.#parts.splice(0);
  }

  finish(error?: SerializedError): readonly OutlinePart[] {
    if (this.#hasStarted && !this.#hasEnded) this.#end(error ? "failed" : "aborted", error);
    return this.#parts.splice(0);
  }

  #take(event: RunEvent): void {
    if (event.type === "run-start" || event.type === "run-resume") return this.#startRun(event);
    const agent = this.#agents.get(keyOf(event));
    if (!agent) return;
    switch (event.type) {
      case "text-delta":
        return agent.addText(event.text);
      case "reasoning-delta":
        return agent.addReasoning(event.text);
      case "plan-delta":
        agent.openStep(`plan-${event.stepNumber}`, event.time);
        return agent.addPlanText(event.text);
      case "code-delta":
        return agent.addCode(event.stepNumber, event.text);
      case "plan":
        agent.openStep(`plan-${event.stepNumber}`, event.timing.startTime);
        this.#addUsage(event, agent, event.usage);
        return agent.endPlan(event);
      case "step-start":
        return agent.openStep(`step-${event.stepNumber}`, event.time);
      case "model-response":
        this.#addUsage(event, agent, event.usage);
        return agent.endAnswer(event.message);
      case "code-start":
        return agent.endCode(event);
      case "tool-call":
        return this.#startCall(agent, event);
      case "approval-request":
      case "doubt-request":
        this.#asked.set(event.callId, event);
        return;
      case "approval-response":
      case "doubt-response":
        this.#asked.delete(event.callId);
        return;
      case "tool-result":
        this.#asked.delete(event.callId);
        return this.#endCall(event.callId, resultOf(event.outcome));
      case "console":
        return agent.addConsole(event.text);
      case "step-end":
        return agent.endStep(event);
      case "run-suspend":
        return this.#suspend(agent, event.callIds);
      case "run-end":
        return this.#endRun(agent, event);
      case "tool-call-delta":
      case "tool-progress":
      case "retry":
      case "approval-policy":
      case "tool-start":
      case "code-end":
      case "message":
      case "check-result":
      case "step-edit":
      case "budget-stop":
      case "model-request":
      case "note":
      case "fork":
      case "reset":
      case "compaction":
        return;
      default:
        event satisfies never;
    }
  }

  #startRun(event: EventOf<"run-start" | "run-resume">): void {
    const key = keyOf(event);
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      this.#isResumed = event.type === "run-resume";
      this.#runId = event.runId;
      this.#rootDepth = event.path.length;
      this.#put({ type: "start", runId: event.runId, task: event.type === "run-start" ? textOf(event.task) : "" });
    }
    if (event.type === "run-start") this.#models.set(key, event.model);
    if (this.#agents.has(key)) return;
    const isRoot = event.path.length <= this.#rootDepth;
    const parent = isRoot ? null : (this.#agents.get(event.path.slice(0, -1).join("/"))?.place ?? null);
    const place = isRoot ? null : `${this.#shortRunId}/${key}${this.#suffix()}`;
    this.#agents.set(key, new AgentOutline(this.#sink, place, parent, event.time));
    if (place === null) return;
    const callId = event.type === "run-start" && event.parentCallId ? this.#wireId(event.parentCallId) : undefined;
    const name = event.path.at(-1)?.split("#")[0] ?? "agent";
    this.#put({ type: "agent-start", id: place, name, place: parent, ...(callId === undefined ? {} : { callId }) });
  }

  #startCall(agent: AgentOutline, { callId, name, args }: EventOf<"tool-call">): void {
    if (name === "finalAnswer") return;
    const id = this.#wireId(callId);
    this.#calls.set(callId, { id, place: agent.place });
    agent.addCall(id, name, inputOf(args));
  }

  #endCall(callId: string, result: CallResult): void {
    // A resumed run also reports the outcomes of calls that began before it was suspended. This
    // outline has not seen those calls begin.
    const call = this.#calls.get(callId) ?? (this.#isResumed ? { id: this.#wireId(callId), place: null } : null);
    if (!call) return;
    this.#calls.delete(callId);
    this.#put({ type: "call-end", ...call, result });
  }

  #suspend(agent: AgentOutline, callIds: readonly string[]): void {
    if (agent.place !== null) return;
    const asked = callIds.flatMap((callId) => this.#asked.get(callId) ?? []);
    const open = new Set(asked.map(({ callId }) => callId));
    this.#closeAll(asked[0]?.time ?? null, true, open);
    for (const { callId, name, input, digest, path } of asked) {
      const place = this.#agents.get(keyOf({ path }))?.place ?? null;
      this.#put({ type: "approval", id: this.#wireId(callId), callId, name, place, input, digest });
    }
    this.#putEnd("suspended");
  }

  #endRun(agent: AgentOutline, { status, answer, error, time, path }: EventOf<"run-end">): void {
    if (agent.place === null) return this.#end(status, error, answer, time);
    agent.closeStep(time);
    agent.close(error?.message);
    this.#agents.delete(keyOf({ path }));
  }

  #end(status: RunStatus, error?: SerializedError, answer?: JsonValue, time: number | null = null): void {
    this.#closeAll(time, false);
    if (answer !== undefined) {
      const value = decodeValue(answer);
      const id = `${this.#shortRunId}/answer`;
      this.#put({ type: "answer", id, text: toPlainText(value), value: toPlainJson(value) });
    }
    this.#putEnd(status, error, answer);
  }

  #putEnd(status: RunStatus, error?: SerializedError, answer?: JsonValue): void {
    this.#hasEnded = true;
    const usage = [...this.#usage].map(([model, tokens]) => ({ model, ...tokens }));
    this.#put({
      type: "end",
      status,
      usage,
      ...(error ? { error } : {}),
      ...(answer === undefined ? {} : { answer: toPlainJson(decodeValue(answer)) }),
    });
  }

  /**
   * Closes all open parts, innermost first. Calls that wait for a person's decision get no result.
   */
  #closeAll(time: number | null, isSuspended: boolean, waiting: ReadonlySet<string> = new Set()): void {
    for (const [callId, call] of this.#calls) {
      if (!waiting.has(callId) && !isSuspended) this.#put({ type: "call-end", ...call, result: interrupted });
    }
    this.#calls.clear();
    for (const agent of [...this.#agents.values()].reverse()) {
      if (isSuspended) agent.leaveCode();
      agent.closeStep(time);
      agent.close(isSuspended ? undefined : "the run ended", isSuspended);
    }
    this.#agents.clear();
  }

  #addUsage(event: RunEvent, agent: AgentOutline, usage: TokenUsage | null): void {
    if (!usage) return;
    agent.addUsage(usage);
    const model = this.#models.get(keyOf(event)) ?? "";
    this.#usage.set(model, sumOfUsage(this.#usage.get(model) ?? null, usage));
  }

  /**
   * Returns the id of a call in the wire format. It begins with the run's id: ids in the log are
   * unique only within a run, but a conversation has many runs.
   */
  #wireId(callId: string): string {
    return `${this.#shortRunId}/${callId}`;
  }

  get #shortRunId(): string {
    return this.#runId.slice(0, 8);
  }

  /**
   * Returns a suffix that makes an agent's id unique. The same managed agent may run several times
   * in one run.
   */
  #suffix(): string {
    return `:${++this.#count}`;
  }

  #put(part: OutlinePart): void {
    this.#parts.push(part);
  }
}

const keyOf = ({ path }: Pick<RunEvent, "path">): string => path.join("/");

/** Returns the only argument if it is an object, else an object with the list of the arguments. */
function inputOf(args: readonly EncodedValue[]): JsonValue {
  const values = args.map((arg) => toPlainJson(decodeValue(arg)));
  const [first] = values;
  const isObject = isRecord(first);
  return values.length === 1 && isObject ? first : { arguments: values };
}

function resultOf(outcome: CallOutcome): CallResult {
  switch (outcome.type) {
    case "ok": {
      const value = decodeValue(outcome.value);
      return { type: "ok", text: toPlainText(value), value: toPlainJson(value) };
    }
    case "denied":
      return { type: "denied", text: outcome.error.message };
    case "error":
    case "refused":
    case "cancelled":
    case "unknown":
      return { type: "error", text: outcome.error.message };
    default:
      return outcome satisfies never;
  }
}
