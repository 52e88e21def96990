// Events of a run, one at a time, to spans. What an event says of its time is the time of the span, so a log that is read later returns the same trace.
//
// The tree: an agent's span holds its plans, its model calls and its code; code holds the calls of tools it made; a call of a managed agent holds that
// agent. A run that is suspended ends its spans, and its resume begins new ones, in the same trace.

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
import {
  type CallOutcome,
  type ChatMessage,
  type DurableEvent,
  type EventOf,
  isDurableType,
  type RunEvent,
  type SerializedError,
  type Timing,
  type TokenUsage,
} from "@smolts/protocol";
import type { ContentWriter } from "./content.ts";
import { forMetric, type Instruments } from "./instruments.ts";
import { spanInNote } from "./trace-note.ts";

/** The services that a writer gets from its tracing. */
export interface WriterSurroundings {
  readonly tracer: Tracer;
  readonly instruments: Instruments | null;
  readonly content: ContentWriter;
  /** The span under which an earlier part of a run was traced. */
  readonly rememberedSpan: (runId: string) => SpanContext | undefined;
  readonly remember: (runId: string, span: SpanContext) => void;
}

/** Where a run's spans belong. */
export interface WriterPlace {
  /** Undefined for a trace of its own. */
  readonly parent: Context | undefined;
  /** Of events before this time, in epoch ms, no spans are made. */
  readonly since: number;
}

interface OpenSpan {
  readonly span: Span;
  readonly context: Context;
  readonly startTime: number;
  readonly attributes: Attributes;
}

/** One agent of the run, over all its parts. */
interface AgentState {
  readonly name: string;
  readonly key: string;
  model: string;
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

type At = Pick<DurableEvent, "path" | "runId" | "time">;

export class SpanWriter {
  readonly #surroundings: WriterSurroundings;
  readonly #place: WriterPlace;
  readonly #agents = new Map<string, AgentState>();
  readonly #calls = new Map<string, OpenSpan>();
  readonly #callNames = new Map<string, string>();
  #noted: SpanContext | null = null;
  #runId = "";
  #rootDepth = 0;
  #lastTime = 0;
  /** So many events are copies of another run, which has a trace of its own. */
  #copied = 0;

  constructor(surroundings: WriterSurroundings, place: WriterPlace) {
    this.#surroundings = surroundings;
    this.#place = place;
  }

  add(event: RunEvent): void {
    if (isPassing(event)) return;
    this.#lastTime = Math.max(this.#lastTime, event.time);
    const isTold = event.time < this.#place.since || this.#copied > 0;
    if (this.#copied > 0) this.#copied--;
    this.#take(event, !isTold);
  }

  /** Ends what is open: the reader was cut off, or the run's process died. */
  finish(): void {
    this.#closeAll(this.#lastTime, { "smolts.run.status": "open" });
  }

  #take(event: DurableEvent, isShown: boolean): void {
    switch (event.type) {
      case "fork":
        this.#copied = event.copied;
        return;
      case "run-start":
        return this.#startRun(event, isShown);
      case "run-resume":
        // One that was cut off without a word has spans that are open.
        if (event.path.length <= this.#rootDepth) this.#closeAll(event.time, { "smolts.run.status": "open" });
        this.#agent(event).news = [];
        if (isShown) this.#openAgent(event);
        return;
      case "note":
        this.#noted ??= spanInNote(event);
        return;
      case "step-start": {
        const agent = this.#agent(event);
        agent.stepStartTime = event.time;
        agent.hasAnswered = false;
        if (isShown) this.#openAgent(event);
        return;
      }
      case "message":
        this.#agent(event).news.push(event.message);
        return;
      case "run-suspend":
        if (isShown && event.path.length <= this.#rootDepth) {
          this.#closeAll(event.time, { "smolts.run.status": "suspended" });
        }
        return;
      case "tool-call":
        this.#callNames.set(event.callId, event.name);
        break;
      case "code-start":
        this.#agent(event).isInCode = true;
        break;
      case "plan":
      case "model-response":
      case "approval-policy":
      case "approval-request":
      case "approval-response":
      case "doubt-request":
      case "doubt-response":
      case "tool-start":
      case "tool-result":
      case "console":
      case "code-end":
      case "check-result":
      case "compaction":
      case "step-edit":
      case "budget-stop":
      case "step-end":
      case "run-end":
        break;
      default:
        event satisfies never;
    }
    if (isShown) this.#show(event);
  }

  #show(event: DurableEvent): void {
    switch (event.type) {
      case "plan":
        return this.#plan(event);
      case "model-response":
        return this.#chat(event, this.#openAgent(event), event);
      case "code-start":
        return this.#startCode(event);
      case "tool-call":
        if (event.name !== "finalAnswer") this.#openCall(event, event.callId, { args: event.args });
        return;
      case "approval-request":
      case "doubt-request":
        this.#openCall(event, event.callId).span.addEvent(`smolts.${event.type}`, undefined, event.time);
        return;
      case "approval-response":
      case "doubt-response":
        this.#openCall(event, event.callId).span.addEvent(
          `smolts.${event.type}`,
          { "smolts.decision": event.decision.type },
          event.time,
        );
        return;
      case "tool-start":
        this.#openCall(event, event.callId);
        return;
      case "tool-result":
        return this.#endCall(event);
      case "code-end":
        return this.#endCode(event);
      case "check-result":
        return this.#check(event);
      case "compaction":
        this.#openAgent(event).span.addEvent(
          "smolts.compaction",
          { "smolts.compaction.reason": event.reason },
          event.time,
        );
        return;
      case "budget-stop":
        this.#openAgent(event).span.addEvent("smolts.budget_stop", { "smolts.budget.limit": event.limit }, event.time);
        return;
      case "step-end":
        return this.#endStep(event);
      case "run-end":
        return this.#endRun(event);
      default:
        return;
    }
  }

  #startRun(event: EventOf<"run-start">, isShown: boolean): void {
    if (this.#runId === "") {
      this.#runId = event.runId;
      this.#rootDepth = event.path.length;
    }
    const agent = this.#agent(event);
    agent.model = event.model;
    agent.callId = event.parentCallId;
    agent.news = [...(event.history ?? []), { role: "user", content: event.task }];
    // The root waits for its next event: a note right behind the beginning may say which span it belongs to.
    if (isShown && event.path.length > this.#rootDepth) this.#openAgent(event);
    if (isShown) agent.startTime = event.time;
  }

  #agent({ path }: At): AgentState {
    const key = path.join("/");
    const known = this.#agents.get(key);
    if (known) return known;
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
    const agent: AgentState = { name, key, model: "", ...rest };
    this.#agents.set(key, agent);
    return agent;
  }

  /** The span of the agent that an event is about; a resumed run begins with whatever was in the middle. */
  #openAgent(at: At): OpenSpan {
    const agent = this.#agent(at);
    if (agent.open) return agent.open;
    const isRoot = at.path.length <= this.#rootDepth;
    const startTime = agent.startTime > 0 ? agent.startTime : at.time;
    const attributes: Attributes = {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": agent.name,
      "gen_ai.conversation.id": this.#runId,
      "smolts.run.id": this.#runId,
      ...modelAttributes(agent.model),
      ...this.#surroundings.content.messages("gen_ai.input.messages", agent.news),
    };
    const parent = isRoot ? this.#rootParent() : this.#parentOf(agent, at);
    agent.open = this.#open(`invoke_agent ${agent.name}`, SpanKind.INTERNAL, attributes, { startTime, parent });
    agent.startTime = 0;
    if (isRoot && !this.#surroundings.rememberedSpan(this.#runId)) {
      this.#surroundings.remember(this.#runId, agent.open.span.spanContext());
    }
    return agent.open;
  }

  /** The parent from the log or the caller; else a resumed run belongs to its beginning. */
  #rootParent(): Context {
    if (this.#noted) return trace.setSpanContext(ROOT_CONTEXT, this.#noted);
    const { parent } = this.#place;
    if (parent && trace.getSpanContext(parent)) return parent;
    const earlier = this.#surroundings.rememberedSpan(this.#runId);
    return earlier ? trace.setSpanContext(ROOT_CONTEXT, earlier) : (parent ?? ROOT_CONTEXT);
  }

  #parentOf({ callId }: AgentState, at: At): Context {
    const above = { ...at, path: at.path.slice(0, -1) };
    if (callId !== undefined) return this.#openCall(above, callId).context;
    return this.#openAgent(above).context;
  }

  #plan(event: EventOf<"plan">): void {
    const { timing, plan } = event;
    const agent = this.#agent(event);
    const parent = this.#openAgent(event);
    const attributes = {
      "gen_ai.operation.name": "plan",
      "gen_ai.agent.name": agent.name,
      "smolts.step.number": event.stepNumber,
      ...this.#surroundings.content.value("smolts.plan", plan),
    };
    const open = this.#open(`plan ${agent.name}`, SpanKind.INTERNAL, attributes, {
      startTime: timing.startTime,
      parent: parent.context,
    });
    this.#chat(event, open, event);
    this.#end(open, timing.endTime);
  }

  #chat(
    at: At,
    parent: OpenSpan,
    answer: {
      readonly stepNumber: number;
      readonly message: ChatMessage;
      readonly usage: TokenUsage | null;
      readonly finishReason: string;
      readonly timing: Timing;
    },
  ): void {
    const agent = this.#agent(at);
    agent.hasAnswered = true;
    const { content, instruments } = this.#surroundings;
    const { usage, timing } = answer;
    const attributes: Attributes = {
      ...chatAttributes(agent.model, answer.stepNumber),
      "gen_ai.conversation.id": this.#runId,
      "gen_ai.response.finish_reasons": [answer.finishReason.replaceAll("-", "_")],
      ...usageAttributes(usage),
      ...content.messages("gen_ai.input.messages", agent.news),
      ...content.messages("gen_ai.output.messages", [answer.message]),
    };
    agent.news = [];
    const open = this.#open(`chat ${modelName(agent.model)}`, SpanKind.CLIENT, attributes, {
      startTime: timing.startTime,
      parent: parent.context,
    });
    this.#end(open, timing.endTime);
    instruments?.operation.record((timing.endTime - timing.startTime) / 1000, forMetric(attributes));
    if (!usage || !instruments) return;
    const used = forMetric(attributes);
    instruments.tokens.record(usage.inputTokens, { ...used, "gen_ai.token.type": "input" });
    instruments.tokens.record(usage.outputTokens, { ...used, "gen_ai.token.type": "output" });
  }

  #startCode(event: EventOf<"code-start">): void {
    const agent = this.#agent(event);
    const parent = this.#openAgent(event);
    const attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": codeName,
      "gen_ai.tool.type": "extension",
      "smolts.step.number": event.stepNumber,
      ...this.#surroundings.content.value("gen_ai.tool.call.arguments", { code: event.code }),
    };
    agent.code = this.#open(`execute_tool ${codeName}`, SpanKind.INTERNAL, attributes, {
      startTime: event.time,
      parent: parent.context,
    });
  }

  #endCode(event: EventOf<"code-end">): void {
    const agent = this.#agent(event);
    const { result } = event;
    const open = this.#codeOf(event) ?? this.#openAgent(event);
    Object.assign(agent, { code: null, isInCode: false });
    open.span.setAttribute("smolts.code.operations", result.operations);
    if (result.type === "value" && result.output) {
      open.span.setAttributes(this.#surroundings.content.value("gen_ai.tool.call.result", result.output.text));
    }
    this.#end(open, event.time, "error" in result ? result.error : undefined);
  }

  /** The code that goes on; it may have begun before the run was suspended. */
  #codeOf(at: At): OpenSpan | null {
    const agent = this.#agent(at);
    if (agent.code || !agent.isInCode) return agent.code;
    const attributes = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": codeName };
    const { context: parent } = this.#openAgent(at);
    agent.code = this.#open(`execute_tool ${codeName}`, SpanKind.INTERNAL, attributes, { startTime: at.time, parent });
    return agent.code;
  }

  #openCall(at: At, callId: string, { args }: { readonly args?: EventOf<"tool-call">["args"] } = {}): OpenSpan {
    const known = this.#calls.get(callId);
    if (known) return known;
    const parent = this.#codeOf(at) ?? this.#openAgent(at);
    const name = this.#callNames.get(callId) ?? "tool";
    const attributes: Attributes = {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": callId,
      "gen_ai.tool.type": "function",
      ...(args === undefined ? {} : this.#surroundings.content.value("gen_ai.tool.call.arguments", argumentsOf(args))),
    };
    const open = this.#open(`execute_tool ${name}`, SpanKind.INTERNAL, attributes, {
      startTime: at.time,
      parent: parent.context,
    });
    this.#calls.set(callId, open);
    return open;
  }

  #endCall(event: EventOf<"tool-result">): void {
    const { callId, outcome, time } = event;
    if (!this.#calls.has(callId) && this.#callNames.get(callId) === "finalAnswer") return;
    const open = this.#openCall(event, callId);
    this.#calls.delete(callId);
    open.span.setAttribute("smolts.tool.outcome", outcome.type);
    if (outcome.type === "ok") {
      open.span.setAttributes(this.#surroundings.content.value("gen_ai.tool.call.result", outcome.value));
    }
    const error = errorOf(outcome);
    this.#end(open, time, error);
    const attributes = forMetric({ ...open.attributes, ...(error ? { "error.type": error.code } : {}) });
    this.#surroundings.instruments?.tool.record((time - open.startTime) / 1000, attributes);
  }

  #check(event: EventOf<"check-result">): void {
    const { name, passed, time } = event;
    const attributes = { "gen_ai.evaluation.name": name, "gen_ai.evaluation.score.label": passed ? "pass" : "fail" };
    this.#openAgent(event).span.addEvent("gen_ai.evaluation.result", attributes, time);
  }

  /** A model that failed left no answer: its call began with the step. */
  #endStep(event: EventOf<"step-end">): void {
    const agent = this.#agent(event);
    const { error, stepNumber, observation, time } = event;
    if (error?.code === "generation" && !agent.hasAnswered) this.#failedChat(event, stepNumber, error);
    agent.news = observation.length === 0 ? [] : [{ role: "user", content: observation }];
    if (error) {
      this.#openAgent(event).span.addEvent("smolts.step_error", { "error.type": error.code }, time);
    }
  }

  #failedChat(event: EventOf<"step-end" | "run-end">, stepNumber: number, error: SerializedError): void {
    const agent = this.#agent(event);
    agent.hasAnswered = true;
    const { startTime: began, context: parent } = this.#openAgent(event);
    const startTime = agent.stepStartTime > 0 ? agent.stepStartTime : began;
    const attributes = { ...chatAttributes(agent.model, stepNumber), "error.type": error.code };
    const open = this.#open(`chat ${modelName(agent.model)}`, SpanKind.CLIENT, attributes, { startTime, parent });
    this.#end(open, event.time, error);
    this.#surroundings.instruments?.operation.record((event.time - startTime) / 1000, forMetric(attributes));
  }

  #endRun(event: EventOf<"run-end">): void {
    const { status, error, answer, time } = event;
    const agent = this.#agent(event);
    const open = this.#openAgent(event);
    if (error?.code === "generation" && !agent.hasAnswered) this.#failedChat(event, 0, error);
    if (answer !== undefined) {
      const message: ChatMessage = { role: "assistant", content: [{ type: "text", text: textOf(answer) }] };
      open.span.setAttributes(this.#surroundings.content.messages("gen_ai.output.messages", [message]));
    }
    open.span.setAttribute("smolts.run.status", status);
    if (event.path.length <= this.#rootDepth) this.#closeAll(time, {}, agent);
    if (agent.code) this.#end(agent.code, time);
    agent.code = null;
    agent.open = null;
    this.#end(open, time, error);
    const attributes = forMetric({ ...open.attributes, ...(error ? { "error.type": error.code } : {}) });
    this.#surroundings.instruments?.agent.record((time - open.startTime) / 1000, attributes);
  }

  /** Ends all that is open, the innermost first. */
  #closeAll(time: number, ofAgents: Attributes, except?: AgentState): void {
    for (const [callId, open] of [...this.#calls].reverse()) {
      this.#calls.delete(callId);
      this.#end(open, time);
    }
    const agents = [...this.#agents.values()].sort((one, other) => other.key.length - one.key.length);
    for (const agent of agents) {
      if (agent === except) continue;
      if (agent.code) this.#end(agent.code, time);
      agent.code = null;
      agent.open?.span.setAttributes(ofAgents);
      if (agent.open) this.#end(agent.open, time);
      agent.open = null;
    }
  }

  #open(
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    { startTime, parent }: { readonly startTime: number; readonly parent: Context },
  ): OpenSpan {
    const span = this.#surroundings.tracer.startSpan(name, { kind, attributes, startTime }, parent);
    return { span, context: trace.setSpan(parent, span), startTime, attributes };
  }

  #end({ span, startTime }: OpenSpan, time: number, error?: SerializedError): void {
    if (error) {
      const message = this.#surroundings.content.error(error.message);
      span.setAttribute("error.type", error.code);
      span.setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) });
    }
    span.end(Math.max(time, startTime));
  }
}

const codeName = "runCode";

const isPassing = (event: RunEvent): event is Exclude<RunEvent, DurableEvent> => !isDurableType(event.type);

/** `provider/model`, and the name may hold further slashes. */
const modelName = (model: string): string => model.slice(model.indexOf("/") + 1) || "model";

function modelAttributes(model: string): Attributes {
  const slash = model.indexOf("/");
  if (model === "") return {};
  return {
    "gen_ai.request.model": modelName(model),
    ...(slash > 0 ? { "gen_ai.provider.name": model.slice(0, slash) } : {}),
  };
}

const chatAttributes = (model: string, stepNumber: number): Attributes => ({
  "gen_ai.operation.name": "chat",
  ...modelAttributes(model),
  "gen_ai.output.type": "text",
  "smolts.step.number": stepNumber,
});

function usageAttributes(usage: TokenUsage | null): Attributes {
  if (!usage) return {};
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, costUsd } = usage;
  return {
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    ...(cachedInputTokens === undefined ? {} : { "gen_ai.usage.cache_read.input_tokens": cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { "gen_ai.usage.reasoning.output_tokens": reasoningTokens }),
    ...(costUsd === undefined ? {} : { "smolts.usage.cost_usd": costUsd }),
  };
}

function errorOf(outcome: CallOutcome): SerializedError | undefined {
  return outcome.type === "ok" ? undefined : outcome.error;
}

function argumentsOf(args: EventOf<"tool-call">["args"]): EventOf<"tool-call">["args"][number] {
  const [first] = args;
  return args.length === 1 && first !== undefined ? first : [...args];
}

const textOf = (answer: unknown): string => (typeof answer === "string" ? answer : JSON.stringify(answer));
