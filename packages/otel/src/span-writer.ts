// Turns the events of a run into spans, one event at a time. Spans have the times of the events, so
// a stored log results in the same trace as the live run.
//
// The tree: an agent's span contains its plans, its model calls and its code. Code contains the
// tool calls it made. A call of a managed agent contains that agent. When a run is suspended, its
// spans end. When it is resumed, new spans begin in the same trace.

import { type Attributes, type Span, SpanKind } from "@opentelemetry/api";
import type { ChatMessage, DurableEvent, EventOf, SerializedError } from "@smolts/protocol";
import {
  type AgentState,
  type At,
  type OpenSpan,
  OpenSpans,
  type WriterServices,
  type WriterStart,
} from "./open-spans.ts";
import { codeName, errorOf, setUsage, textOf, tracedModel } from "./span-attributes.ts";

export class SpanWriter {
  readonly #services: WriterServices;
  readonly #place: WriterStart;
  readonly #spans: OpenSpans;
  #lastTime = 0;
  /**
   * How many of the next events a fork copied from another run. They belong to the trace of that
   * run.
   */
  #copied = 0;
  /** The number of the last event of the run that already has spans. */
  #tracedSeq = 0;

  constructor(services: WriterServices, place: WriterStart) {
    this.#services = services;
    this.#place = place;
    this.#spans = new OpenSpans(services, place);
  }

  add(event: DurableEvent): void {
    if (event.type === "reset") return; // a reset belongs to no run
    this.#lastTime = Math.max(this.#lastTime, event.time);
    if (event.runId !== this.#spans.runId) this.#enterRun(event);
    const wasHandled = this.#copied > 0 || this.#wasTraced(event);
    if (this.#copied > 0) this.#copied--;
    this.#take(event, !wasHandled);
    const part = this.#place.since === undefined ? undefined : this.#services.tracedPart(event.runId);
    if (part) part.seq = Math.max(part.seq, event.seq);
  }

  /**
   * Ends all open spans. The run did not end by itself: its reader stopped, or its process died.
   */
  finish(): void {
    this.#spans.closeAll(this.#lastTime, { "smolts.run.status": "open" });
  }

  #enterRun(event: DurableEvent): void {
    this.#spans.enterRun(event);
    this.#tracedSeq = this.#services.tracedPart(event.runId)?.seq ?? 0;
  }

  #wasTraced({ time, seq }: DurableEvent): boolean {
    const { since } = this.#place;
    return since !== undefined && (time < since || seq <= this.#tracedSeq);
  }

  #take(event: Exclude<DurableEvent, EventOf<"reset">>, isShown: boolean): void {
    switch (event.type) {
      case "fork":
        this.#copied = event.copied;
        return;
      case "run-start":
        return this.#startRun(event, isShown);
      case "run-resume":
        // If the earlier part of the run was interrupted, its spans are still open.
        if (this.#spans.isRoot(event)) this.#spans.closeAll(event.time, { "smolts.run.status": "open" });
        if (isShown) this.#spans.openAgent(event);
        return;
      case "note":
        this.#spans.takeNote(event);
        return;
      case "step-start": {
        const agent = this.#spans.agent(event);
        agent.stepStartTime = event.time;
        agent.hasAnswered = false;
        if (isShown) this.#spans.openAgent(event);
        return;
      }
      case "message":
        this.#spans.agent(event).newMessages.push(event.message);
        return;
      case "run-suspend":
        if (isShown && this.#spans.isRoot(event)) {
          this.#spans.closeAll(event.time, { "smolts.run.status": "suspended" });
        }
        return;
      case "tool-call":
        this.#spans.nameCall(event);
        break;
      case "code-start":
        this.#spans.agent(event).isInCode = true;
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
      case "model-request":
      case "step-end":
      case "run-end":
        break;
      default:
        event satisfies never;
    }
    if (isShown) this.#show(event);
    this.#follow(event);
  }

  /** Updates the state of agents and calls after an event, even if the event gets no span. */
  #follow(event: DurableEvent): void {
    switch (event.type) {
      case "plan":
      case "model-response":
        this.#spans.agent(event).newMessages = [];
        return;
      case "code-end":
        Object.assign(this.#spans.agent(event), { code: null, isInCode: false });
        return;
      case "tool-result":
        return this.#spans.forgetCall(event.callId);
      case "step-end": {
        const { observation } = event;
        this.#spans.agent(event).newMessages = observation.length === 0 ? [] : [{ role: "user", content: observation }];
        return;
      }
      case "run-end":
        return this.#spans.forgetAgent(event);
      default:
        return;
    }
  }

  #show(event: DurableEvent): void {
    switch (event.type) {
      case "plan":
        return this.#plan(event);
      case "model-response":
        return this.#chat(event, this.#spans.openAgent(event), event);
      case "code-start":
        return this.#startCode(event);
      case "tool-call":
        if (event.name !== "finalAnswer") this.#spans.openCall(event, event.callId, { args: event.args });
        return;
      case "approval-request":
      case "doubt-request":
        this.#spans.openCall(event, event.callId).span.addEvent(`smolts.${event.type}`, undefined, event.time);
        return;
      case "approval-response":
      case "doubt-response":
        this.#spans
          .openCall(event, event.callId)
          .span.addEvent(`smolts.${event.type}`, { "smolts.decision": event.decision.type }, event.time);
        return;
      case "tool-start":
        this.#spans.openCall(event, event.callId);
        return;
      case "tool-result":
        return this.#endCall(event);
      case "code-end":
        return this.#endCode(event);
      case "check-result":
        return this.#check(event);
      case "compaction":
        this.#spans
          .openAgent(event)
          .span.addEvent("smolts.compaction", { "smolts.compaction.reason": event.reason }, event.time);
        return;
      case "budget-stop":
        this.#spans
          .openAgent(event)
          .span.addEvent("smolts.budget_stop", { "smolts.budget.limit": event.limit }, event.time);
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
    const agent = this.#spans.agent(event);
    agent.model = tracedModel(event.model);
    agent.callId = event.parentCallId;
    agent.newMessages = [...(event.history ?? []), { role: "user", content: event.task }];
    // Do not open the span of the outermost agent yet: a note may follow that names its parent.
    if (isShown && !this.#spans.isRoot(event)) this.#spans.openAgent(event);
    if (isShown) agent.startTime = event.time;
  }

  #plan(event: EventOf<"plan">): void {
    const { timing, plan } = event;
    const agent = this.#spans.agent(event);
    const parent = this.#spans.openAgent(event);
    const attributes = { "gen_ai.operation.name": "plan", "gen_ai.agent.name": agent.name };
    const open = this.#spans.open(`plan ${agent.name}`, SpanKind.INTERNAL, attributes, {
      startTime: timing.startTime,
      parent: parent.context,
    });
    if (open.span.isRecording()) {
      open.span.setAttribute("smolts.step.number", event.stepNumber);
      open.span.setAttributes(this.#services.content.value("smolts.plan", plan));
    }
    this.#chat(event, open, event);
    this.#spans.end(open, timing.endTime);
  }

  #chat(at: At, parent: OpenSpan, answer: Answer): void {
    const agent = this.#spans.agent(at);
    agent.hasAnswered = true;
    const { instruments } = this.#services;
    const { usage, timing } = answer;
    const open = this.#openChat(agent, timing.startTime, parent);
    if (open.span.isRecording()) this.#describeChat(open.span, agent, answer);
    this.#spans.end(open, timing.endTime);
    if (!instruments) return;
    instruments.operation.record((timing.endTime - timing.startTime) / 1000, open.attributes);
    if (!usage) return;
    instruments.tokens.record(usage.inputTokens, { ...open.attributes, "gen_ai.token.type": "input" });
    instruments.tokens.record(usage.outputTokens, { ...open.attributes, "gen_ai.token.type": "output" });
  }

  #openChat({ model }: AgentState, startTime: number, parent: OpenSpan, error: Attributes = {}): OpenSpan {
    const attributes = { "gen_ai.operation.name": "chat", ...model.attributes, ...error };
    return this.#spans.open(`chat ${model.name}`, SpanKind.CLIENT, attributes, { startTime, parent: parent.context });
  }

  #describeChat(span: Span, agent: AgentState, { stepNumber, finishReason, usage, message }: Answer): void {
    const { content } = this.#services;
    span.setAttribute("gen_ai.output.type", "text");
    span.setAttribute("smolts.step.number", stepNumber);
    span.setAttribute("gen_ai.conversation.id", this.#spans.runId);
    span.setAttribute("gen_ai.response.finish_reasons", [finishReason.replaceAll("-", "_")]);
    if (usage) setUsage(span, usage);
    span.setAttributes(content.messages("gen_ai.input.messages", agent.newMessages));
    span.setAttributes(content.messages("gen_ai.output.messages", [message]));
  }

  #startCode(event: EventOf<"code-start">): void {
    const agent = this.#spans.agent(event);
    const parent = this.#spans.openAgent(event);
    const attributes = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": codeName };
    agent.code = this.#spans.open(`execute_tool ${codeName}`, SpanKind.INTERNAL, attributes, {
      startTime: event.time,
      parent: parent.context,
    });
    const { span } = agent.code;
    if (!span.isRecording()) return;
    span.setAttribute("gen_ai.tool.type", "extension");
    span.setAttribute("smolts.step.number", event.stepNumber);
    span.setAttributes(this.#services.content.value("gen_ai.tool.call.arguments", { code: event.code }));
  }

  #endCode(event: EventOf<"code-end">): void {
    const { result } = event;
    const open = this.#spans.codeOf(event);
    if (!open) return;
    open.span.setAttribute("smolts.code.operations", result.operations);
    if (result.type === "value" && result.output && open.span.isRecording()) {
      open.span.setAttributes(this.#services.content.value("gen_ai.tool.call.result", result.output.text));
    }
    this.#spans.end(open, event.time, "error" in result ? result.error : undefined);
  }

  #endCall(event: EventOf<"tool-result">): void {
    const { callId, outcome, time } = event;
    if (this.#spans.isAnswer(callId)) return;
    const open = this.#spans.openCall(event, callId);
    open.span.setAttribute("smolts.tool.outcome", outcome.type);
    if (outcome.type === "ok" && open.span.isRecording()) {
      open.span.setAttributes(this.#services.content.value("gen_ai.tool.call.result", outcome.value));
    }
    const error = errorOf(outcome);
    this.#spans.end(open, time, error);
    this.#services.instruments?.tool.record((time - open.startTime) / 1000, withError(open.attributes, error));
  }

  #check(event: EventOf<"check-result">): void {
    const { name, passed, time } = event;
    const attributes = { "gen_ai.evaluation.name": name, "gen_ai.evaluation.score.label": passed ? "pass" : "fail" };
    this.#spans.openAgent(event).span.addEvent("gen_ai.evaluation.result", attributes, time);
  }

  /** Ends a step. If the model failed without an answer, its call gets a span here. */
  #endStep(event: EventOf<"step-end">): void {
    const agent = this.#spans.agent(event);
    const { error, stepNumber, time } = event;
    if (error?.code === "generation" && !agent.hasAnswered) this.#failedChat(event, stepNumber, error);
    if (error) {
      this.#spans.openAgent(event).span.addEvent("smolts.step_error", { "error.type": error.code }, time);
    }
  }

  #failedChat(event: EventOf<"step-end" | "run-end">, stepNumber: number, error: SerializedError): void {
    const agent = this.#spans.agent(event);
    agent.hasAnswered = true;
    const parent = this.#spans.openAgent(event);
    const startTime = agent.stepStartTime > 0 ? agent.stepStartTime : parent.startTime;
    const open = this.#openChat(agent, startTime, parent, { "error.type": error.code });
    open.span.setAttribute("gen_ai.output.type", "text");
    open.span.setAttribute("smolts.step.number", stepNumber);
    this.#spans.end(open, event.time, error);
    this.#services.instruments?.operation.record((event.time - startTime) / 1000, open.attributes);
  }

  #endRun(event: EventOf<"run-end">): void {
    const { status, error, answer, time } = event;
    const agent = this.#spans.agent(event);
    const open = this.#spans.openAgent(event);
    if (error?.code === "generation" && !agent.hasAnswered) this.#failedChat(event, 0, error);
    if (answer !== undefined && open.span.isRecording()) {
      const message: ChatMessage = { role: "assistant", content: [{ type: "text", text: textOf(answer) }] };
      open.span.setAttributes(this.#services.content.messages("gen_ai.output.messages", [message]));
    }
    open.span.setAttribute("smolts.run.status", status);
    if (this.#spans.isRoot(event)) this.#spans.closeAll(time, {}, agent);
    if (agent.code) this.#spans.end(agent.code, time);
    this.#spans.end(open, time, error);
    this.#services.instruments?.agent.record((time - open.startTime) / 1000, withError(open.attributes, error));
  }
}

/** The fields that both a model's answer and a plan have. */
type Answer = Pick<EventOf<"model-response">, "stepNumber" | "message" | "usage" | "finishReason" | "timing">;

const withError = (attributes: Attributes, error: SerializedError | undefined): Attributes =>
  error ? { ...attributes, "error.type": error.code } : attributes;
