// The open spans of a run, each with its parent. The parent of a tool call is the code that made
// it, or its agent. The parent of code is its agent. The parent of a managed agent is the call that
// started it. The parent of the run is the active span of its caller.

import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { ChatMessage, DurableEvent, EventOf, Path, SerializedError } from "@smolts/protocol";
import type { ContentWriter } from "./content.ts";
import type { Instruments } from "./instruments.ts";
import { argumentsOf, codeName, type TracedModel, tracedModel } from "./span-attributes.ts";
import { spanInNote } from "./trace-note.ts";

/** The services that a span writer uses. */
export interface WriterServices {
  readonly tracer: Tracer;
  readonly instruments: Instruments | null;
  readonly content: ContentWriter;
  /** Returns the part of a run that already has spans; undefined if it has none. */
  readonly tracedPart: (runId: string) => TracedPart | undefined;
  readonly rememberPart: (runId: string, part: TracedPart) => void;
}

/** The part of a run that was traced live, while the run was active. */
export interface TracedPart {
  /** The first span of the run. */
  readonly span: SpanContext;
  /** The number of the last event that has spans. */
  seq: number;
}

/** Says which span is the parent of a run's spans, and which events of the run get spans. */
export interface WriterStart {
  /** The context of the parent span; undefined if the run gets its own trace. */
  readonly parent: Context | undefined;
  /**
   * Set for a live run: only events from this time on (epoch ms) get spans, because the earlier
   * events already have spans. Undefined for a stored log, because all its events get spans.
   */
  readonly since: number | undefined;
}

/** A span that has not ended. */
export class OpenSpan {
  readonly span: Span;
  readonly startTime: number;
  /** The attributes that samplers and metrics see. */
  readonly attributes: Attributes;
  readonly #parent: Context;
  #context: Context | null = null;

  constructor(span: Span, startTime: number, attributes: Attributes, parent: Context) {
    this.span = span;
    this.startTime = startTime;
    this.attributes = attributes;
    this.#parent = parent;
  }

  /** The context for child spans. Created lazily, because most spans have no children. */
  get context(): Context {
    this.#context ??= trace.setSpan(this.#parent, this.span);
    return this.#context;
  }
}

/** The state of one agent of the run. It is kept while the run is suspended. */
export interface AgentState {
  readonly name: string;
  readonly key: string;
  model: TracedModel;
  /** The id of the call that started this agent; undefined for the outermost agent. */
  callId: string | undefined;
  open: OpenSpan | null;
  code: OpenSpan | null;
  /** Whether the agent's code is running. The code may have begun before the run was suspended. */
  isInCode: boolean;
  /** The messages that are new in the agent's next model call. */
  newMessages: ChatMessage[];
  /** When the agent's run began, in epoch ms. 0 after its span is opened, and for a resumed run. */
  startTime: number;
  stepStartTime: number;
  hasAnswered: boolean;
}

/** The agent, the run and the time of an event. */
export type At = Pick<DurableEvent, "path" | "runId" | "time">;

export class OpenSpans {
  readonly #services: WriterServices;
  readonly #place: WriterStart;
  readonly #agents = new Map<string, AgentState>();
  readonly #calls = new Map<string, OpenSpan>();
  readonly #callNames = new Map<string, string>();
  #noted: SpanContext | null = null;
  /**
   * The first span of the run. When the run is resumed, this span is the parent of the later spans.
   */
  #first: SpanContext | null = null;
  #runId = "";
  #rootDepth = 0;
  /**
   * The agent of the last event. It is kept because the next event usually belongs to the same
   * agent.
   */
  #last: { readonly path: Path; readonly agent: AgentState } | null = null;

  constructor(services: WriterServices, place: WriterStart) {
    this.#services = services;
    this.#place = place;
  }

  get runId(): string {
    return this.#runId;
  }

  /**
   * Begins the next run of the log. A log holds one run, or the runs of a session one after the
   * other.
   */
  enterRun({ runId, path, time }: At): void {
    this.closeAll(time, { "smolts.run.status": "open" });
    this.#agents.clear();
    this.#last = null;
    this.#callNames.clear();
    this.#noted = null;
    // A stored log gets its own trace, so the span of the live run is not used as a parent.
    this.#first = (this.#place.since === undefined ? undefined : this.#services.tracedPart(runId)?.span) ?? null;
    this.#runId = runId;
    this.#rootDepth = path.length;
  }

  isRoot({ path }: At): boolean {
    return path.length <= this.#rootDepth;
  }

  takeNote(event: EventOf<"note">): void {
    this.#noted ??= spanInNote(event);
  }

  agent({ path }: At): AgentState {
    if (this.#last?.path === path) return this.#last.agent;
    const key = path.join("/");
    const agent = this.#agents.get(key) ?? this.#newAgent(key, path);
    this.#last = { path, agent };
    return agent;
  }

  #newAgent(key: string, path: Path): AgentState {
    const name = path.at(-1)?.split("#")[0] ?? "agent";
    const rest = {
      callId: undefined,
      open: null,
      code: null,
      isInCode: false,
      newMessages: [],
      startTime: 0,
      stepStartTime: 0,
      hasAnswered: false,
    };
    const agent: AgentState = { name, key, model: tracedModel(""), ...rest };
    this.#agents.set(key, agent);
    return agent;
  }

  /** Removes an agent whose run has ended. If its path runs again, that is a new agent. */
  forgetAgent(at: At): void {
    this.#agents.delete(this.agent(at).key);
    this.#last = null;
  }

  /**
   * Returns the open span of the agent that an event belongs to. Opens it if necessary: the first
   * event of a resumed run can be any event.
   */
  openAgent(at: At): OpenSpan {
    const agent = this.agent(at);
    if (agent.open) return agent.open;
    const isRoot = this.isRoot(at);
    const startTime = agent.startTime > 0 ? agent.startTime : at.time;
    const attributes: Attributes = {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": agent.name,
      ...agent.model.attributes,
    };
    const parent = isRoot ? this.#rootParent() : this.#parentOf(agent, at);
    agent.open = this.open(`invoke_agent ${agent.name}`, SpanKind.INTERNAL, attributes, { startTime, parent });
    const { span } = agent.open;
    if (span.isRecording()) {
      span.setAttribute("gen_ai.conversation.id", this.#runId);
      span.setAttribute("smolts.run.id", this.#runId);
      span.setAttributes(this.#services.content.messages("gen_ai.input.messages", agent.newMessages));
    }
    agent.startTime = 0;
    if (isRoot) this.#rememberFirst(span.spanContext());
    return agent.open;
  }

  #rememberFirst(span: SpanContext): void {
    this.#first ??= span;
    if (this.#place.since === undefined || this.#services.tracedPart(this.#runId)) return;
    this.#services.rememberPart(this.#runId, { span, seq: 0 });
  }

  /**
   * Returns the parent of the run's span:
   * - the span that a note in the log names, if there is such a note
   * - otherwise the span of the caller
   * - without a caller's span, the first span of the run, if the run was resumed
   */
  #rootParent(): Context {
    if (this.#noted) return trace.setSpanContext(ROOT_CONTEXT, this.#noted);
    const { parent } = this.#place;
    if (parent && trace.getSpanContext(parent)) return parent;
    return this.#first ? trace.setSpanContext(ROOT_CONTEXT, this.#first) : (parent ?? ROOT_CONTEXT);
  }

  #parentOf({ callId }: AgentState, at: At): Context {
    const above = { ...at, path: at.path.slice(0, -1) };
    if (callId !== undefined) return this.openCall(above, callId).context;
    return this.openAgent(above).context;
  }

  /**
   * Returns the span of the running code. Opens it if the code began before the run was suspended.
   */
  codeOf(at: At): OpenSpan | null {
    const agent = this.agent(at);
    if (agent.code || !agent.isInCode) return agent.code;
    const attributes = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": codeName };
    const { context: parent } = this.openAgent(at);
    agent.code = this.open(`execute_tool ${codeName}`, SpanKind.INTERNAL, attributes, { startTime: at.time, parent });
    return agent.code;
  }

  nameCall({ callId, name }: EventOf<"tool-call">): void {
    this.#callNames.set(callId, name);
  }

  /** Says whether code made this `finalAnswer` call. If so, the call has no span. */
  isAnswer(callId: string): boolean {
    return !this.#calls.has(callId) && this.#callNames.get(callId) === "finalAnswer";
  }

  /** Removes a call whose outcome is known, even if the call has no span. */
  forgetCall(callId: string): void {
    this.#calls.delete(callId);
    this.#callNames.delete(callId);
  }

  openCall(at: At, callId: string, { args }: { readonly args?: EventOf<"tool-call">["args"] } = {}): OpenSpan {
    const known = this.#calls.get(callId);
    if (known) return known;
    const parent = this.codeOf(at) ?? this.openAgent(at);
    const name = this.#callNames.get(callId) ?? "tool";
    const attributes: Attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
    };
    const open = this.open(`execute_tool ${name}`, SpanKind.INTERNAL, attributes, {
      startTime: at.time,
      parent: parent.context,
    });
    if (open.span.isRecording()) {
      open.span.setAttribute("gen_ai.tool.call.id", callId);
      open.span.setAttribute("gen_ai.tool.type", "function");
      const { content } = this.#services;
      if (args) open.span.setAttributes(content.value("gen_ai.tool.call.arguments", argumentsOf(args)));
    }
    this.#calls.set(callId, open);
    return open;
  }

  /** Ends all open spans, innermost first. The spans of the agent `except` stay open. */
  closeAll(time: number, agentAttributes: Attributes, except?: AgentState): void {
    for (const [callId, open] of [...this.#calls].reverse()) {
      this.#calls.delete(callId);
      this.end(open, time);
    }
    const agents = [...this.#agents.values()].sort((one, other) => other.key.length - one.key.length);
    for (const agent of agents) {
      if (agent === except) continue;
      if (agent.code) this.end(agent.code, time);
      agent.code = null;
      agent.open?.span.setAttributes(agentAttributes);
      if (agent.open) this.end(agent.open, time);
      agent.open = null;
    }
  }

  /**
   * Opens a span with only the attributes that a sampler may need, because an SDK copies these
   * attributes several times. All other attributes are set later, and only if the span is recorded.
   */
  open(
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    { startTime, parent }: { readonly startTime: number; readonly parent: Context },
  ): OpenSpan {
    const span = this.#services.tracer.startSpan(name, { kind, attributes, startTime }, parent);
    return new OpenSpan(span, startTime, attributes, parent);
  }

  end({ span, startTime }: OpenSpan, time: number, error?: SerializedError): void {
    if (error) {
      const message = this.#services.content.error(error.message);
      span.setAttribute("error.type", error.code);
      span.setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) });
    }
    span.end(Math.max(time, startTime));
  }
}
