// The spans that are open while a run goes on, each under the one that it belongs to: calls under
// the code that made them or their agent, code under its agent, a managed agent under the call that
// asked for it, the run under whatever its caller traces.

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

/** The services that a writer gets from its tracing. */
export interface WriterSurroundings {
  readonly tracer: Tracer;
  readonly instruments: Instruments | null;
  readonly content: ContentWriter;
  /** What was traced of a run already; undefined for nothing. */
  readonly tracedPart: (runId: string) => TracedPart | undefined;
  readonly rememberPart: (runId: string, part: TracedPart) => void;
}

/** The part of a run that was traced while it went on. */
export interface TracedPart {
  /** The first span of the run. */
  readonly span: SpanContext;
  /** Events up to this number have their spans. */
  seq: number;
}

/** Where a run's spans belong. */
export interface WriterPlace {
  /** Undefined for a trace of its own. */
  readonly parent: Context | undefined;
  /**
   * For a run on its way: no spans are made of events before this time, in epoch ms, nor of those
   * that were traced. Undefined for a log, of which all is shown.
   */
  readonly since: number | undefined;
}

/** A span that has not ended. */
export class OpenSpan {
  readonly span: Span;
  readonly startTime: number;
  /** Those that samplers and metrics see. */
  readonly attributes: Attributes;
  readonly #parent: Context;
  #context: Context | null = null;

  constructor(span: Span, startTime: number, attributes: Attributes, parent: Context) {
    this.span = span;
    this.startTime = startTime;
    this.attributes = attributes;
    this.#parent = parent;
  }

  /** The context of its children, made at first use: it is a copy, and most spans have none. */
  get context(): Context {
    this.#context ??= trace.setSpan(this.#parent, this.span);
    return this.#context;
  }
}

/** One agent of the run, over all its parts. */
export interface AgentState {
  readonly name: string;
  readonly key: string;
  model: TracedModel;
  /** The call that it works for. */
  callId: string | undefined;
  open: OpenSpan | null;
  code: OpenSpan | null;
  /** Whether its code goes on, be it that it began before the run was suspended. */
  isInCode: boolean;
  /** The new messages for its next model call. */
  news: ChatMessage[];
  /** When its run began, until its span is opened; 0 then, and for one that is resumed. */
  startTime: number;
  stepStartTime: number;
  hasAnswered: boolean;
}

/** Where and when something happened. */
export type At = Pick<DurableEvent, "path" | "runId" | "time">;

export class OpenSpans {
  readonly #surroundings: WriterSurroundings;
  readonly #place: WriterPlace;
  readonly #agents = new Map<string, AgentState>();
  readonly #calls = new Map<string, OpenSpan>();
  readonly #callNames = new Map<string, string>();
  #noted: SpanContext | null = null;
  /** The first span of the run, under which its later parts belong. */
  #first: SpanContext | null = null;
  #runId = "";
  #rootDepth = 0;
  /** The agent of the last event: most events are of the same agent as the one before. */
  #last: { readonly path: Path; readonly agent: AgentState } | null = null;

  constructor(surroundings: WriterSurroundings, place: WriterPlace) {
    this.#surroundings = surroundings;
    this.#place = place;
  }

  get runId(): string {
    return this.#runId;
  }

  /** A log holds one run, or the runs of a session, one after the other. */
  enterRun({ runId, path, time }: At): void {
    this.closeAll(time, { "smolts.run.status": "open" });
    this.#agents.clear();
    this.#last = null;
    this.#callNames.clear();
    this.#noted = null;
    // A log that is read later is a trace of its own.
    this.#first = (this.#place.since === undefined ? undefined : this.#surroundings.tracedPart(runId)?.span) ?? null;
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
      news: [],
      startTime: 0,
      stepStartTime: 0,
      hasAnswered: false,
    };
    const agent: AgentState = { name, key, model: tracedModel(""), ...rest };
    this.#agents.set(key, agent);
    return agent;
  }

  /** Removes an agent whose run has ended: a later run of the same path is another agent. */
  forgetAgent(at: At): void {
    this.#agents.delete(this.agent(at).key);
    this.#last = null;
  }

  /**
   * The span of the agent that an event is about; a resumed run begins with whatever was in the
   * middle.
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
      span.setAttributes(this.#surroundings.content.messages("gen_ai.input.messages", agent.news));
    }
    agent.startTime = 0;
    if (isRoot) this.#rememberFirst(span.spanContext());
    return agent.open;
  }

  #rememberFirst(span: SpanContext): void {
    this.#first ??= span;
    if (this.#place.since === undefined || this.#surroundings.tracedPart(this.#runId)) return;
    this.#surroundings.rememberPart(this.#runId, { span, seq: 0 });
  }

  /** The parent that the log or the caller names; for other resumed runs, their first span. */
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

  /** The code that goes on; it may have begun before the run was suspended. */
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

  /** Whether a call is the answer of code, which has no span. */
  isAnswer(callId: string): boolean {
    return !this.#calls.has(callId) && this.#callNames.get(callId) === "finalAnswer";
  }

  /** The call has its outcome, be it one that is not shown. */
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
      const { content } = this.#surroundings;
      if (args) open.span.setAttributes(content.value("gen_ai.tool.call.arguments", argumentsOf(args)));
    }
    this.#calls.set(callId, open);
    return open;
  }

  /** Ends all that is open, the innermost first. */
  closeAll(time: number, ofAgents: Attributes, except?: AgentState): void {
    for (const [callId, open] of [...this.#calls].reverse()) {
      this.#calls.delete(callId);
      this.end(open, time);
    }
    const agents = [...this.#agents.values()].sort((one, other) => other.key.length - one.key.length);
    for (const agent of agents) {
      if (agent === except) continue;
      if (agent.code) this.end(agent.code, time);
      agent.code = null;
      agent.open?.span.setAttributes(ofAgents);
      if (agent.open) this.end(agent.open, time);
      agent.open = null;
    }
  }

  /**
   * Opens a span with what a sampler may decide by. The rest is set afterwards, if the span is
   * recorded at all: an SDK copies the attributes of a beginning several times.
   */
  open(
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    { startTime, parent }: { readonly startTime: number; readonly parent: Context },
  ): OpenSpan {
    const span = this.#surroundings.tracer.startSpan(name, { kind, attributes, startTime }, parent);
    return new OpenSpan(span, startTime, attributes, parent);
  }

  end({ span, startTime }: OpenSpan, time: number, error?: SerializedError): void {
    if (error) {
      const message = this.#surroundings.content.error(error.message);
      span.setAttribute("error.type", error.code);
      span.setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) });
    }
    span.end(Math.max(time, startTime));
  }
}
