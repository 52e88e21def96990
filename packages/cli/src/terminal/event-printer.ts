// Prints events as lines. Each agent has its own view, because managed agents may run at the same
// time. Their lines are indented below the agent that called them. If another agent's line
// interrupts streamed text, the text continues below that line.

import { durationText, usageText } from "@smolts/memory";
import {
  type CallOutcome,
  type EncodedValue,
  type EventOf,
  type RunEvent,
  type SerializedError,
  type TokenUsage,
  textOf,
} from "@smolts/protocol";
import { type AgentView, beginStep, createAgentView, isForcedAnswer } from "./agent-view.ts";
import { StreamedCode } from "./streamed-code.ts";
import type { Piece, TerminalWriter } from "./terminal-writer.ts";
import { answerText, cutOutput, leftOutText, outputLines, shownLines, valueText } from "./value-text.ts";

/**
 * How much is printed. `error`: only errors. `info`: also steps, code, calls and output. `debug`:
 * also prompts, reasoning and full values.
 */
export type EventPrinterLevel = "error" | "info" | "debug";

type Printer<Type extends RunEvent["type"]> = (view: AgentView, event: RunEvent & { readonly type: Type }) => void;

interface CallView {
  readonly name: string;
  startTime: number;
}

// Text of models and tools is indented, so that it cannot imitate a heading. Only the task and the
// answer start at the left edge.
const textMargin = "  ";
const codeMargin = "    ";
const maxShortValueLength = 160;
const printMargin = "  | ";

/** Settings of an {@link EventPrinter}. */
export interface EventPrinterOptions {
  readonly level: EventPrinterLevel;
  /** Whether the answer is printed at the end. */
  readonly answer: boolean;
}

/** Prints the events of a run, one after the other. */
export class EventPrinter {
  readonly #writer: TerminalWriter;
  readonly #level: EventPrinterLevel;
  readonly #printsAnswer: boolean;
  readonly #views = new Map<string, AgentView>();
  readonly #calls = new Map<string, CallView>();
  #rootDepth: number | undefined;
  #totalUsage: TokenUsage | null = null;

  constructor(writer: TerminalWriter, { level, answer }: EventPrinterOptions) {
    this.#writer = writer;
    this.#level = level;
    this.#printsAnswer = answer;
  }

  /** Prints the lines of an event, if it has any. */
  print(event: RunEvent): void {
    const view = this.#viewOf(event);
    if (event.type !== "console") this.#showHeldPrints(view);
    if (this.#level === "error") this.#printErrorOnly(view, event);
    // The cast is safe: the printer under the key `event.type` takes events of exactly that type.
    // Events of a newer version have no printer and are skipped.
    else (this.#printers[event.type] as Printer<RunEvent["type"]> | undefined)?.(view, event);
  }

  /** Prints the lines that are not shown yet. */
  end(): void {
    for (const view of this.#views.values()) this.#showHeldPrints(view);
  }

  /**
   * Updates the state with an event that is not printed, so that later events are printed
   * correctly.
   */
  see(event: RunEvent): void {
    const view = this.#viewOf(event);
    if (event.type === "step-start") beginStep(view, event.stepNumber, event.time);
    if (event.type === "code-start") view.codeIsRunning = true;
    if (event.type === "tool-call") this.#calls.set(event.callId, { name: event.name, startTime: event.time });
    if (event.type === "tool-result") this.#calls.delete(event.callId);
    if ((event.type === "model-response" || event.type === "plan") && event.usage) {
      this.#totalUsage = addUsage(this.#totalUsage, event.usage);
    }
  }

  readonly #printers: { readonly [Type in RunEvent["type"]]: Printer<Type> } = {
    "run-start": (view, event) => this.#runStart(view, event),
    "run-resume": (view, { attempt, changed = [], emptySandbox }) => {
      const changes = changed.length > 0 ? `; changed since it began: ${changed.join(", ")}` : "";
      const lost = emptySandbox ? "; in a new, empty sandbox" : "";
      this.#line(view, [{ text: `resumed (attempt ${attempt}${changes}${lost})`, style: "muted" }]);
    },
    fork: (view, { parent, atStep }) =>
      this.#line(view, [{ text: `forked from run ${parent.runId} at step ${atStep}`, style: "muted" }]),
    reset: (view) => this.#line(view, [{ text: "the session began again", style: "muted" }]),
    "run-end": (view, event) => this.#runEnd(view, event),
    "plan-delta": (view) => this.#status(view, "model is planning"),
    plan: (view, event) => this.#plan(view, event),
    "step-start": (view, event) => this.#stepStart(view, event),
    "text-delta": (view, { text }) => this.#thought(view, text),
    "reasoning-delta": (view, { text }) => this.#reasoning(view, text),
    "code-delta": (view, { text }) => this.#codeDelta(view, text),
    "tool-call-delta": (view) => this.#status(view, "model is writing a tool call"),
    retry: (view, event) => this.#retry(view, event),
    "model-response": (view, event) => this.#modelResponse(view, event),
    "code-start": (view, { code }) => this.#codeStart(view, code),
    console: (view, event) => this.#console(view, event),
    "tool-call": (view, event) => this.#toolCall(view, event),
    "approval-policy": () => {},
    "approval-request": (view, event) => this.#approvalRequest(view, event),
    "approval-response": (view, event) => this.#approvalResponse(view, event),
    "doubt-request": (view, { name }) =>
      this.#line(view, [{ text: `${name} began before an interruption: did it happen?`, style: "caution" }], "  "),
    "doubt-response": (view, { decision, by }) =>
      this.#line(view, [{ text: `${by ?? "a person"} said: ${decision.type}`, style: "muted" }], "  "),
    "run-suspend": (view, event) => this.#runSuspend(view, event),
    "tool-start": (_view, event) => this.#toolStart(event),
    "tool-progress": (view, event) => this.#toolProgress(view, event),
    "tool-result": (view, event) => this.#toolResult(view, event),
    "code-end": (view, event) => this.#codeEnd(view, event),
    message: (view, { message }) =>
      this.#line(view, [{ text: `said: ${textOf(message)}`, style: "caution", multiline: true }], textMargin),
    "check-result": (view, event) => this.#checkResult(view, event),
    "step-edit": (view, { stepNumber }) =>
      this.#line(view, [{ text: `step ${stepNumber} was edited`, style: "muted" }], "  "),
    "model-request": () => {},
    compaction: (view, event) => this.#compaction(view, event),
    "budget-stop": (view, event) => this.#budgetStop(view, event),
    "step-end": (view, event) => this.#stepEnd(view, event),
    note: (view, { name, data }) => this.#debugLine(view, `${name} ${JSON.stringify(data)}`),
  };

  #printErrorOnly(view: AgentView, event: RunEvent): void {
    if (event.type === "step-end" && event.error) this.#error(view, event.error);
    if (event.type === "run-end" && event.error && view.isRoot) this.#error(view, event.error);
  }

  #runStart(view: AgentView, { task, systemPrompt }: EventOf<"run-start">): void {
    const media = task.filter((part) => part.type !== "text").map((part) => ` [${part.type}]`);
    const name: readonly Piece[] = view.isRoot ? [] : [{ text: `${view.name} `, style: "name" }];
    const text = this.#cut(textOf(task).trim()) + media.join("");
    this.#line(view, [...name, { text, style: "heading", multiline: true }], "", view.isRoot ? "" : textMargin);
    if (this.#level === "debug") this.#block(view, "system prompt", systemPrompt);
  }

  #plan(view: AgentView, { plan, usage }: EventOf<"plan">): void {
    if (usage) this.#totalUsage = addUsage(this.#totalUsage, usage);
    this.#line(view, []);
    this.#line(view, [{ text: "Plan", style: "heading" }]);
    this.#line(view, [{ text: plan, multiline: true }], textMargin);
  }

  #stepStart(view: AgentView, { stepNumber, time }: EventOf<"step-start">): void {
    beginStep(view, stepNumber, time);
    if (isForcedAnswer(view)) {
      this.#line(view, []);
      this.#line(view, [
        {
          text: `no answer after ${stepsText(view.maxSteps)}: asking for one based on what is known`,
          style: "caution",
        },
      ]);
    } else {
      this.#line(view, []);
      const agentName: readonly Piece[] = view.isRoot ? [] : [{ text: ` ${view.name}`, style: "name" }];
      this.#line(view, [{ text: `Step ${stepNumber}`, style: "heading" }, ...agentName]);
    }
    this.#status(view, "model is thinking");
  }

  #thought(view: AgentView, text: string): void {
    this.#status(view, "model is writing");
    // The forced answer is printed later, as the answer.
    if (isForcedAnswer(view) || (!view.thoughtShown && text.trim() === "")) return;
    const whole = view.heldLineEnds + (view.thoughtShown ? text : text.trimStart());
    const trimmed = whole.trimEnd();
    const shown = whole.includes("\n", trimmed.length) ? trimmed : whole;
    view.heldLineEnds = whole.slice(shown.length);
    view.thoughtShown = true;
    this.#endReasoning(view);
    this.#writer.run(thoughtKey(view), view.margin + textMargin, shown);
  }

  #reasoning(view: AgentView, text: string): void {
    this.#status(view, "model is reasoning");
    if (this.#level === "debug") this.#writer.run(reasoningKey(view), `${view.margin}${textMargin}~ `, text, "muted");
  }

  #codeDelta(view: AgentView, text: string): void {
    this.#endTexts(view);
    view.code ??= new StreamedCode({ highlight: this.#writer.color });
    for (const line of view.code.push(text)) this.#codeLine(view, line);
    if (view.code.openLine === "") this.#status(view, "model is writing code");
    else this.#writer.draft(view.margin + codeMargin, view.code.openLine);
  }

  #retry(view: AgentView, { attempt, delayMs, error }: EventOf<"retry">): void {
    const text = `! attempt ${attempt} failed: ${error.message}; asking again in ${durationText(delayMs)}`;
    this.#line(view, [{ text, style: "caution" }], "", textMargin);
    this.#status(view, "waiting to ask the model again");
  }

  #modelResponse(view: AgentView, { message, usage, finishReason }: EventOf<"model-response">): void {
    this.#endTexts(view);
    for (const line of view.code?.end() ?? []) this.#codeLine(view, line);
    if (usage) {
      view.usage = addUsage(view.usage, usage);
      this.#totalUsage = addUsage(this.#totalUsage, usage);
    }
    if (!view.thoughtShown && !view.code && !isForcedAnswer(view)) view.unsplitText = textOf(message);
    if (finishReason === "length")
      this.#line(view, [{ text: "! the model's answer was cut: it reached its length limit", style: "caution" }]);
    if (finishReason === "content-filter")
      this.#line(view, [{ text: "! the provider's filter cut the model's answer", style: "caution" }]);
    this.#status(view, null);
  }

  #codeStart(view: AgentView, code: string): void {
    this.#showUnsplitText(view, code);
    if (view.code === null || withoutSpace(view.code.text) !== withoutSpace(code)) {
      if (view.code) this.#line(view, [{ text: "the code that runs:", style: "muted" }]);
      const whole = new StreamedCode({ highlight: this.#writer.color });
      for (const line of [...whole.push(code), ...whole.end()]) this.#codeLine(view, line);
    }
    view.codeIsRunning = true;
    this.#status(view, "code is running");
  }

  #console(view: AgentView, { level, text }: EventOf<"console">): void {
    const style = level === "error" ? "bad" : level === "warn" ? "caution" : "plain";
    if (this.#level === "debug") return this.#line(view, [{ text, style, multiline: true }], printMargin);
    for (const line of outputLines(text)) this.#printedLine(view, { text: line, style });
  }

  /**
   * Prints the first lines of code output immediately. Of the other lines, only the last ones are
   * kept and printed at the end.
   */
  #printedLine(view: AgentView, piece: Piece): void {
    view.printedCount += 1;
    if (view.printedCount <= shownLines.first) return this.#line(view, [piece], printMargin);
    const held = [...view.heldPrints, piece];
    view.heldPrints = held.slice(-shownLines.last);
    view.leftOutPrints += held.length - view.heldPrints.length;
  }

  #showHeldPrints(view: AgentView): void {
    const { heldPrints, leftOutPrints } = view;
    view.heldPrints = [];
    view.leftOutPrints = 0;
    if (leftOutPrints > 0) this.#line(view, [{ text: leftOutText(leftOutPrints), style: "muted" }], printMargin);
    for (const piece of heldPrints) this.#line(view, [piece], printMargin);
  }

  #toolCall(view: AgentView, { callId, name, args, time }: EventOf<"tool-call">): void {
    this.#showUnsplitText(view, null);
    this.#calls.set(callId, { name, startTime: time });
    // Skip `finalAnswer`, because the answer is printed at the end.
    if (name !== "finalAnswer" || this.#level === "debug") {
      const values = args.map((argument) => this.#value(argument)).join(", ");
      this.#line(
        view,
        [{ text: "→ ", style: "muted" }, { text: name, style: "name" }, { text: `(${values})` }],
        textMargin,
        codeMargin,
      );
    }
    this.#callStatus(view);
  }

  #approvalRequest(view: AgentView, { name, input }: EventOf<"approval-request">): void {
    const text = `  ? ${name}(${this.#value(input)}) needs a person's approval`;
    this.#line(view, [{ text, style: "caution" }]);
    this.#status(view, "waiting for a person");
  }

  #approvalResponse(view: AgentView, { decision, by }: EventOf<"approval-response">): void {
    const changed = decision.type === "edit" ? `: ${this.#value(decision.input)}` : "";
    this.#line(view, [
      { text: `  ! ${decision.type}${changed}${by === undefined ? "" : ` (${by})`}`, style: "caution" },
    ]);
    this.#callStatus(view);
  }

  #runSuspend(view: AgentView, { callIds }: EventOf<"run-suspend">): void {
    this.#status(view, null);
    const calls = callIds.length === 1 ? "one call" : `${callIds.length} calls`;
    this.#line(view, [{ text: `suspended: a person has to decide on ${calls}`, style: "caution" }]);
  }

  #toolStart({ callId, time }: EventOf<"tool-start">): void {
    const call = this.#calls.get(callId);
    if (call) call.startTime = time;
  }

  #toolProgress(view: AgentView, { callId, data }: EventOf<"tool-progress">): void {
    const text = `${this.#calls.get(callId)?.name ?? "tool"}: ${typeof data === "string" ? data : JSON.stringify(data)}`;
    this.#status(view, text.slice(0, maxShortValueLength));
    this.#debugLine(view, text);
  }

  #toolResult(view: AgentView, { callId, outcome, time }: EventOf<"tool-result">): void {
    const call = this.#calls.get(callId);
    this.#calls.delete(callId);
    if (call?.name !== "finalAnswer" || outcome.type !== "ok" || this.#level === "debug") {
      const duration = call === undefined ? "" : ` ${durationText(time - call.startTime)}`;
      this.#line(
        view,
        [
          { text: `${outcome.type === "ok" ? "✓" : "✗"} `, style: outcome.type === "ok" ? "good" : "bad" },
          { text: call?.name ?? "tool", style: "name" },
          { text: duration, style: "muted" },
          ...this.#outcomePieces(outcome),
        ],
        textMargin,
        codeMargin,
      );
      if (outcome.type !== "ok") this.#hint(view, outcome.error, "    ");
    }
    this.#callStatus(view);
  }

  #outcomePieces(outcome: CallOutcome): readonly Piece[] {
    if (outcome.type === "ok") return [{ text: ` ${this.#value(outcome.value)}` }];
    const { name, message } = outcome.error;
    const what = outcome.type === "error" ? "" : `${outcome.type}: `;
    return [{ text: this.#cut(` ${what}${name === undefined ? "" : `${name}: `}${message}`), style: "bad" }];
  }

  #codeEnd(view: AgentView, { result }: EventOf<"code-end">): void {
    // Print only values here. An error of the code is printed as the error of its step.
    if (result.type === "value" && result.output !== null) {
      const { text } = result.output;
      if (text !== "undefined") this.#line(view, [{ text: this.#cut(text), multiline: true }], "  = ", codeMargin);
    }
    this.#debugLine(view, `${result.operations} operations`);
    view.codeIsRunning = false;
    this.#status(view, null);
  }

  /** Prints a passed check. A failed check is printed as the error of its step. */
  #checkResult(view: AgentView, { name, passed }: EventOf<"check-result">): void {
    if (passed) this.#debugLine(view, `check ${name} passed`);
  }

  #compaction(view: AgentView, { through, shortened, reason, usage }: EventOf<"compaction">): void {
    if (usage) this.#totalUsage = addUsage(this.#totalUsage, usage);
    const why = reason === "overflow" ? "the provider said it is too long" : "it reached its share of the context";
    const what = through === null ? `${shortened.length} observations` : `the steps up to ${through}`;
    this.#line(view, [{ text: `the history leaves out ${what}: ${why}`, style: "muted" }], "  ");
  }

  #budgetStop(view: AgentView, { stepNumber, limit, allowed, used, estimated }: EventOf<"budget-stop">): void {
    view.maxSteps = stepNumber - 1;
    this.#line(view, []);
    const lost = estimated === undefined ? "" : `, about ${estimated} of it for answers that were lost`;
    this.#line(view, [{ text: `! budget exhausted: ${limit} ${used} of ${allowed}${lost}`, style: "caution" }]);
  }

  #stepEnd(view: AgentView, { error, observation, time }: EventOf<"step-end">): void {
    this.#endTexts(view);
    this.#showUnsplitText(view, null);
    if (error) this.#error(view, error);
    if (this.#level === "debug" && observation.length > 0) this.#block(view, "observation", textOf(observation));
    const figures = [durationText(time - view.stepStartTime), ...(view.usage ? [usageText(view.usage)] : [])];
    this.#line(view, [{ text: figures.join(", "), style: "muted" }], "  ");
    this.#status(view, null);
  }

  #runEnd(view: AgentView, { status, answer, error, time }: EventOf<"run-end">): void {
    this.#endTexts(view);
    this.#status(view, null);
    this.#line(view, []);
    if (error) this.#error(view, error);
    else if (status === "aborted") this.#line(view, [{ text: "aborted", style: "caution" }]);
    if (answer !== undefined && (this.#printsAnswer || !view.isRoot)) this.#answer(view, answer);
    if (view.isRoot) this.#line(view, [{ text: this.#summary(view, time), style: "muted" }]);
  }

  #answer(view: AgentView, answer: EncodedValue): void {
    if (view.isRoot) {
      this.#line(view, [{ text: "Answer", style: "heading" }]);
      this.#line(view, [{ text: answerText(answer), style: "good", multiline: true }]);
    } else {
      this.#line(view, [{ text: `answer: ${this.#value(answer)}`, style: "good" }]);
    }
  }

  #summary(view: AgentView, time: number): string {
    const usage = this.#totalUsage ? [usageText(this.#totalUsage)] : [];
    return [stepsText(view.stepCount), durationText(time - view.startTime), ...usage].join(", ");
  }

  #error(view: AgentView, error: SerializedError): void {
    const { code, message } = error;
    this.#line(view, [{ text: `✗ ${code}: ${this.#cut(message)}`, style: "bad", multiline: true }], "", textMargin);
    this.#hint(view, error, "  ");
  }

  #hint(view: AgentView, { hint }: SerializedError, indent: string): void {
    if (hint === undefined) return;
    this.#line(view, [{ text: `hint: ${hint}`, style: "caution", multiline: true }], indent, `${indent}  `);
  }

  /** Prints the part of the model's text before its code, unless the text was streamed. */
  #showUnsplitText(view: AgentView, code: string | null): void {
    const text = view.unsplitText;
    view.unsplitText = null;
    if (text === null) return;
    const codeStart = code === null ? -1 : text.indexOf(code.trim());
    const thought = codeStart < 0 ? text : text.slice(0, codeStart).replace(/(?:<[^<>\s]*>|```\w*)\s*$/, "");
    if (thought.trim() !== "") this.#line(view, [{ text: thought.trim(), multiline: true }], textMargin);
  }

  #codeLine(view: AgentView, pieces: readonly Piece[]): void {
    this.#writer.codeLine(view.margin + codeMargin, pieces);
  }

  #block(view: AgentView, title: string, text: string): void {
    this.#line(view, [{ text: title, style: "muted" }], "  ");
    this.#line(view, [{ text: text.trimEnd(), style: "muted", multiline: true }], codeMargin);
  }

  #debugLine(view: AgentView, text: string): void {
    if (this.#level === "debug") this.#line(view, [{ text, style: "muted" }], "  ");
  }

  #line(view: AgentView, pieces: readonly Piece[], indent = "", nextIndent: string = indent): void {
    this.#writer.line(view.margin + indent, pieces, view.margin + nextIndent);
  }

  #value(encoded: EncodedValue): string {
    return this.#level === "debug" ? valueText(encoded) : valueText(encoded, { maxLength: maxShortValueLength });
  }

  /** Shortens long output in the middle, except at level `debug`. */
  #cut(text: string): string {
    return this.#level === "debug" ? text : cutOutput(text);
  }

  #endTexts(view: AgentView): void {
    this.#writer.endRun(thoughtKey(view), view.margin + textMargin);
    this.#endReasoning(view);
  }

  #endReasoning(view: AgentView): void {
    this.#writer.endRun(reasoningKey(view), `${view.margin}${textMargin}~ `, "muted");
  }

  #status(view: AgentView, text: string | null): void {
    this.#writer.status(text === null || view.isRoot ? text : `${view.name}: ${text}`);
  }

  #callStatus(view: AgentView): void {
    const names = [...this.#calls.values()].map(({ name }) => name);
    if (names.length === 0) this.#status(view, view.codeIsRunning ? "code is running" : null);
    else this.#status(view, names.length === 1 ? `${names[0]} is running` : `${names.length} tools are running`);
  }

  #viewOf(event: RunEvent): AgentView {
    const key = JSON.stringify(event.path);
    const known = this.#views.get(key);
    if (known && event.type !== "run-start") return known;
    this.#rootDepth ??= event.path.length;
    const view = createAgentView(event, event.path.length - this.#rootDepth);
    if (view.isRoot) this.#totalUsage = null;
    this.#views.set(key, view);
    return view;
  }
}

const thoughtKey = ({ key }: AgentView): string => `${key} thought`;
const reasoningKey = ({ key }: AgentView): string => `${key} reasoning`;
const stepsText = (count: number): string => `${count} ${count === 1 ? "step" : "steps"}`;
const withoutSpace = (code: string): string => code.replace(/\s+/g, "");

/** Adds two usages. If only one of them reports an amount, that amount is used. */
function addUsage(sum: TokenUsage | null, usage: TokenUsage): TokenUsage {
  if (sum === null) return usage;
  return {
    inputTokens: sum.inputTokens + usage.inputTokens,
    outputTokens: sum.outputTokens + usage.outputTokens,
    totalTokens: sum.totalTokens + usage.totalTokens,
    cachedInputTokens: (sum.cachedInputTokens ?? 0) + (usage.cachedInputTokens ?? 0),
    reasoningTokens: (sum.reasoningTokens ?? 0) + (usage.reasoningTokens ?? 0),
    ...(sum.costUsd === undefined && usage.costUsd === undefined
      ? {}
      : { costUsd: (sum.costUsd ?? 0) + (usage.costUsd ?? 0) }),
  };
}
