// A run as parts that open and close: what all wires have in common. The log and its deltas go in, one event at a time; what comes out is the same
// whether the deltas came or only the log was read, but for the size of the pieces.

import {
  type CallOutcome,
  type ChatMessage,
  type ContentPart,
  type DurableEvent,
  type EventOf,
  type JsonValue,
  type RunEvent,
  type RunStatus,
  type SerializedError,
  type TokenUsage,
  textOf,
} from "@smolts/protocol";

/** Where a part belongs: null for the outermost agent, else the id of the managed agent. */
export type Place = string | null;

/** Tokens by model. */
export type ModelUsage = TokenUsage & { readonly model: string };

/** A part of a run. What is opened is closed again before `end`, however the run ends. */
export type OutlinePart =
  | { readonly type: "start"; readonly runId: string; readonly task: string }
  | {
      readonly type: "agent-start";
      readonly id: string;
      readonly name: string;
      readonly place: Place;
      readonly callId?: string;
    }
  | {
      readonly type: "agent-end";
      readonly id: string;
      readonly place: Place;
      readonly error?: string;
      readonly isSuspended?: boolean;
    }
  | { readonly type: "step-start"; readonly name: string; readonly place: Place }
  | {
      readonly type: "step-end";
      readonly name: string;
      readonly place: Place;
      readonly durationMs: number;
      readonly usage: TokenUsage | null;
    }
  /** The model's thoughts: its reasoning, its plan, and its text beside the code. */
  | { readonly type: "thought-start"; readonly id: string; readonly place: Place }
  | { readonly type: "thought-delta"; readonly id: string; readonly place: Place; readonly text: string }
  | { readonly type: "thought-end"; readonly id: string; readonly place: Place; readonly text: string }
  | { readonly type: "plan"; readonly id: string; readonly place: Place; readonly text: string }
  /** A call of a tool; the code of an agent is a call of `runCode`. */
  | {
      readonly type: "call-start";
      readonly id: string;
      readonly name: string;
      readonly place: Place;
      readonly parentId?: string;
    }
  /** The pieces join to the call's input as JSON. */
  | { readonly type: "call-delta"; readonly id: string; readonly place: Place; readonly text: string }
  | {
      readonly type: "call-input";
      readonly id: string;
      readonly name: string;
      readonly place: Place;
      readonly input: JsonValue;
    }
  | { readonly type: "call-end"; readonly id: string; readonly place: Place; readonly result: CallResult }
  | { readonly type: "console"; readonly callId: string; readonly place: Place; readonly text: string }
  /** The run rests until people have decided. */
  | {
      readonly type: "approval";
      readonly id: string;
      /** The id in the log. */
      readonly callId: string;
      readonly name: string;
      readonly place: Place;
      readonly input: JsonValue;
      readonly digest: string;
    }
  | { readonly type: "answer"; readonly id: string; readonly text: string; readonly value: JsonValue }
  | {
      readonly type: "end";
      readonly status: RunStatus;
      readonly error?: SerializedError;
      readonly answer?: JsonValue;
      readonly usage: readonly ModelUsage[];
    };

/** The outcome of a call. */
export interface CallResult {
  readonly type: "ok" | "error" | "denied";
  /** For people and models. */
  readonly text: string;
  /** The value, where it is data. */
  readonly value?: JsonValue;
}

/** The name that an agent's code has among the calls. */
export const codeCallName = "runCode";

/** Turns events into parts. */
export interface Outline {
  add(event: RunEvent): readonly OutlinePart[];
  /** Ends the outline. Open parts are closed; a run that has not ended ends as `aborted`. */
  finish(error?: SerializedError): readonly OutlinePart[];
}

/** Starts an outline. */
export function createOutline(): Outline {
  return new RunOutline();
}

interface OpenThought {
  readonly id: string;
  text: string;
  /** White space that no word has followed yet. */
  held: string;
}

interface OpenCode {
  readonly id: string;
  code: string;
  isWhole: boolean;
}

/** The open parts of one agent. */
interface AgentState {
  readonly place: Place;
  readonly parent: Place;
  step: string | null;
  thought: OpenThought | null;
  code: OpenCode | null;
  stepStart: number;
  usage: TokenUsage | null;
  /** Whether the model's text of this step was shown as it came. */
  isTextShown: boolean;
  /** A text that may hold code: shown when it is known where the code begins. */
  heldText: string | null;
}

class RunOutline implements Outline {
  #parts: OutlinePart[] = [];
  #runId = "";
  #rootDepth = 0;
  #hasStarted = false;
  #isResumed = false;
  #hasEnded = false;
  readonly #agents = new Map<string, AgentState>();
  /** Open calls, by the log's id. */
  readonly #calls = new Map<string, { readonly id: string; readonly place: Place }>();
  readonly #asked = new Map<string, EventOf<"approval-request" | "doubt-request">>();
  readonly #usage = new Map<string, TokenUsage>();
  readonly #models = new Map<string, string>();
  #count = 0;

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
        agent.isTextShown = true;
        return this.#think(agent, "text", event.text);
      case "reasoning-delta":
        return this.#think(agent, "reasoning", event.text);
      case "plan-delta":
        this.#openStep(agent, `plan-${event.stepNumber}`, event.time);
        return this.#think(agent, "plan", event.text);
      case "code-delta":
        return this.#writeCode(agent, event.stepNumber, event.text);
      case "plan":
        return this.#plan(agent, event);
      case "step-start":
        return this.#openStep(agent, `step-${event.stepNumber}`, event.time);
      case "model-response":
        return this.#respond(agent, event);
      case "code-start":
        return this.#startCode(agent, event);
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
        if (agent.code) this.#put({ type: "console", callId: agent.code.id, place: agent.place, text: event.text });
        return;
      case "step-end":
        return this.#endStep(agent, event);
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
      case "note":
      case "fork":
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
    const place = isRoot ? null : `${this.#short}/${key}${this.#suffix()}`;
    const empty = {
      step: null,
      thought: null,
      code: null,
      stepStart: event.time,
      usage: null,
      isTextShown: false,
      heldText: null,
    };
    this.#agents.set(key, { place, parent, ...empty });
    if (place === null) return;
    const callId = event.type === "run-start" && event.parentCallId ? this.#wireId(event.parentCallId) : undefined;
    const name = event.path.at(-1)?.split("#")[0] ?? "agent";
    this.#put({ type: "agent-start", id: place, name, place: parent, ...(callId === undefined ? {} : { callId }) });
  }

  #openStep(agent: AgentState, name: string, time: number): void {
    if (agent.step === name) return;
    this.#closeStep(agent, time);
    Object.assign(agent, { step: name, stepStart: time, usage: null, isTextShown: false, heldText: null });
    this.#put({ type: "step-start", name, place: agent.place });
  }

  /** White space at the end of a piece waits for what follows it: a thought has none at its ends. */
  #think(agent: AgentState, kind: string, text: string): void {
    if (agent.thought && !agent.thought.id.endsWith(kind)) this.#closeThought(agent);
    const whole = agent.thought ? agent.thought.held + text : text.trimStart();
    const piece = whole.trimEnd();
    if (agent.thought) agent.thought.held = whole.slice(piece.length);
    if (piece === "") return;
    if (!agent.thought) {
      const id = `${this.#short}/thought-${++this.#count}-${kind}`;
      agent.thought = { id, text: "", held: whole.slice(piece.length) };
      this.#put({ type: "thought-start", id, place: agent.place });
    }
    agent.thought.text += piece;
    this.#put({ type: "thought-delta", id: agent.thought.id, place: agent.place, text: piece });
  }

  #closeThought(agent: AgentState): void {
    if (!agent.thought) return;
    const { id, text } = agent.thought;
    this.#put({ type: "thought-end", id, place: agent.place, text });
    agent.thought = null;
  }

  #plan(agent: AgentState, { stepNumber, plan, usage, timing, path, runId }: EventOf<"plan">): void {
    this.#openStep(agent, `plan-${stepNumber}`, timing.startTime);
    const wasShown = agent.thought !== null;
    if (!wasShown) this.#think(agent, "plan", plan);
    this.#closeThought(agent);
    this.#addUsage({ path, runId }, agent, usage);
    this.#put({ type: "plan", id: `${this.#short}/plan-${++this.#count}`, place: agent.place, text: plan });
    this.#closeStep(agent, timing.endTime);
  }

  #respond(agent: AgentState, { message, usage, path, runId }: EventOf<"model-response">): void {
    this.#addUsage({ path, runId }, agent, usage);
    if (agent.thought || agent.isTextShown || agent.code) return;
    const reasoning = message.content.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
    if (reasoning !== "") this.#think(agent, "reasoning", reasoning);
    agent.heldText = textOf(message);
    // The message has the calls; a text without them may hold code, and the next event says where it begins.
    if (hasCalls(message)) this.#showHeld(agent, agent.heldText.length);
  }

  #showHeld(agent: AgentState, end: number): void {
    const text = agent.heldText?.slice(0, end).trimEnd() ?? "";
    agent.heldText = null;
    this.#think(agent, "text", text);
  }

  #writeCode(agent: AgentState, stepNumber: number, text: string): void {
    if (!agent.code) {
      this.#closeThought(agent);
      agent.code = {
        id: `${this.#short}/${agent.place ?? ""}code-${stepNumber}-${++this.#count}`,
        code: "",
        isWhole: false,
      };
      this.#put({ type: "call-start", id: agent.code.id, name: codeCallName, place: agent.place });
      this.#put({ type: "call-delta", id: agent.code.id, place: agent.place, text: '{"code":"' });
    }
    agent.code.code += text;
    if (text !== "") this.#put({ type: "call-delta", id: agent.code.id, place: agent.place, text: escapedText(text) });
  }

  #startCode(agent: AgentState, { stepNumber, code }: EventOf<"code-start">): void {
    if (agent.heldText !== null) {
      const at = agent.heldText.indexOf(code);
      const before = at < 0 ? "" : agent.heldText.slice(0, at).replace(/(?:<[^<>\s]*>|```\w*)\s*$/, "");
      this.#showHeld(agent, before.length);
    }
    const written = agent.code?.code ?? "";
    this.#writeCode(agent, stepNumber, code.startsWith(written) ? code.slice(written.length) : "");
    this.#closeCode(agent, code);
  }

  /** The input is whole. What was written before its repair is what was shown. */
  #closeCode(agent: AgentState, code: string): void {
    const open = agent.code;
    if (!open || open.isWhole) return;
    open.isWhole = true;
    this.#put({ type: "call-delta", id: open.id, place: agent.place, text: '"}' });
    this.#put({ type: "call-input", id: open.id, name: codeCallName, place: agent.place, input: { code } });
  }

  #startCall(agent: AgentState, { callId, name, args }: EventOf<"tool-call">): void {
    if (name === "finalAnswer") return;
    this.#closeThought(agent);
    const id = this.#wireId(callId);
    const { place, code } = agent;
    this.#calls.set(callId, { id, place });
    const input = inputOf(args);
    this.#put({ type: "call-start", id, name, place, ...(code ? { parentId: code.id } : {}) });
    this.#put({ type: "call-delta", id, place, text: JSON.stringify(input) });
    this.#put({ type: "call-input", id, name, place, input });
  }

  #endCall(callId: string, result: CallResult): void {
    // A resumed run reports the outcomes of calls that an earlier part of it began.
    const call = this.#calls.get(callId) ?? (this.#isResumed ? { id: this.#wireId(callId), place: null } : null);
    if (!call) return;
    this.#calls.delete(callId);
    this.#put({ type: "call-end", ...call, result });
  }

  #endStep(agent: AgentState, { observation, error, time }: EventOf<"step-end">): void {
    if (agent.heldText !== null) this.#showHeld(agent, agent.heldText.length);
    const result: CallResult = error
      ? { type: "error", text: error.message }
      : { type: "ok", text: textOf(observation.filter(isText)) };
    this.#closeStep(agent, time, result);
  }

  #closeStep(agent: AgentState, time: number, result?: CallResult): void {
    this.#closeThought(agent);
    if (agent.code) {
      this.#closeCode(agent, agent.code.code);
      this.#put({ type: "call-end", id: agent.code.id, place: agent.place, result: result ?? interrupted });
      agent.code = null;
    }
    const { step: name, place, usage, stepStart } = agent;
    if (name === null) return;
    agent.step = null;
    this.#put({ type: "step-end", name, place, durationMs: Math.max(0, time - stepStart), usage });
  }

  #suspend(agent: AgentState, callIds: readonly string[]): void {
    if (agent.place !== null) return;
    const asked = callIds.flatMap((callId) => this.#asked.get(callId) ?? []);
    const open = new Set(asked.map(({ callId }) => callId));
    this.#closeAll(asked[0]?.time ?? 0, true, open);
    for (const { callId, name, input, digest, path, runId } of asked) {
      const place = this.#agents.get(keyOf({ path, runId }))?.place ?? null;
      this.#put({ type: "approval", id: this.#wireId(callId), callId, name, place, input, digest });
    }
    this.#putEnd("suspended");
  }

  #endRun(agent: AgentState, { status, answer, error, time, path, runId }: EventOf<"run-end">): void {
    if (agent.place === null) return this.#end(status, error, answer, time);
    this.#closeStep(agent, time);
    this.#closeAgent(agent, error?.message);
    this.#agents.delete(keyOf({ path, runId }));
  }

  #end(status: RunStatus, error?: SerializedError, answer?: JsonValue, time = 0): void {
    this.#closeAll(time, false);
    if (answer !== undefined) {
      const text = typeof answer === "string" ? answer : JSON.stringify(answer);
      this.#put({ type: "answer", id: `${this.#short}/answer`, text, value: answer });
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
      ...(answer === undefined ? {} : { answer }),
    });
  }

  /** Closes whatever is open, the innermost first. Calls that people decide on stay without a result. */
  #closeAll(time: number, isSuspended: boolean, waiting: ReadonlySet<string> = new Set()): void {
    for (const [callId, call] of this.#calls) {
      if (!waiting.has(callId) && !isSuspended) this.#put({ type: "call-end", ...call, result: interrupted });
    }
    this.#calls.clear();
    for (const agent of [...this.#agents.values()].reverse()) {
      if (isSuspended) this.#leaveCode(agent);
      this.#closeStep(agent, time === 0 ? agent.stepStart : time);
      this.#closeAgent(agent, isSuspended ? undefined : "the run ended", isSuspended);
    }
    this.#agents.clear();
  }

  /** Code that rests has no result yet. */
  #leaveCode(agent: AgentState): void {
    if (agent.code) this.#closeCode(agent, agent.code.code);
    agent.code = null;
  }

  #closeAgent({ place, parent }: AgentState, error?: string, isSuspended = false): void {
    if (place === null) return;
    this.#put({
      type: "agent-end",
      id: place,
      place: parent,
      ...(error === undefined ? {} : { error }),
      ...(isSuspended ? { isSuspended } : {}),
    });
  }

  #addUsage(at: Pick<DurableEvent, "path" | "runId">, agent: AgentState, usage: TokenUsage | null): void {
    if (!usage) return;
    agent.usage = sum(agent.usage, usage);
    const model = this.#models.get(keyOf(at)) ?? "";
    this.#usage.set(model, sum(this.#usage.get(model) ?? null, usage));
  }

  /** Ids of calls are unique in their run; a conversation has many runs. */
  #wireId(callId: string): string {
    return `${this.#short}/${callId}`;
  }

  get #short(): string {
    return this.#runId.slice(0, 8);
  }

  /** An agent that works twice under the same path is two agents on a wire. */
  #suffix(): string {
    return `:${++this.#count}`;
  }

  #put(part: OutlinePart): void {
    this.#parts.push(part);
  }
}

const keyOf = ({ path }: Pick<RunEvent, "path" | "runId">): string => path.join("/");

const hasCalls = ({ content }: ChatMessage): boolean => content.some(({ type }) => type === "tool-call");

const isText = ({ type }: ContentPart): boolean => type === "text";

/** The arguments as one value: a call with one object has that. */
function inputOf(args: readonly JsonValue[]): JsonValue {
  const [first] = args;
  const isObject = typeof first === "object" && first !== null && !Array.isArray(first);
  return args.length === 1 && isObject ? first : { arguments: [...args] };
}

const interrupted: CallResult = { type: "error", text: "the run ended before the call did" };

function resultOf(outcome: CallOutcome): CallResult {
  switch (outcome.type) {
    case "ok": {
      const { value } = outcome;
      return { type: "ok", text: typeof value === "string" ? value : JSON.stringify(value), value };
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

function sum(one: TokenUsage | null, other: TokenUsage): TokenUsage {
  if (!one) return other;
  const added = (name: "cachedInputTokens" | "reasoningTokens" | "costUsd"): object => {
    const value = (one[name] ?? 0) + (other[name] ?? 0);
    return value === 0 ? {} : { [name]: value };
  };
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    totalTokens: one.totalTokens + other.totalTokens,
    ...added("cachedInputTokens"),
    ...added("reasoningTokens"),
    ...added("costUsd"),
  };
}

/** A piece of a text as it stands inside a JSON string. A surrogate alone is escaped, so that pieces join to the same text. */
const escapedText = (text: string): string => JSON.stringify(text).slice(1, -1);
