// One agent's part of an outline: its steps, its thoughts, its code. What it opens it closes again.

import {
  type ChatMessage,
  type ContentPart,
  type EventOf,
  type JsonValue,
  type TokenUsage,
  textOf,
} from "@smolts/protocol";
import { type CallResult, codeCallName, type OutlinePart, type Place } from "./outline-part.ts";

/** What all agents of a run write into. */
export interface OutlineSink {
  put(part: OutlinePart): void;
  /** An id that nothing else of the run has: `name` gets a number of its own. */
  newId(name: (count: number) => string): string;
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
export class AgentOutline {
  readonly place: Place;
  readonly #parent: Place;
  readonly #sink: OutlineSink;
  #step: string | null = null;
  #stepStart: number;
  #usage: TokenUsage | null = null;
  #thought: OpenThought | null = null;
  #code: OpenCode | null = null;
  /** Whether the model's text of this step was shown as it came. */
  #isTextShown = false;
  /** A text that may hold code: shown when it is known where the code begins. */
  #heldText: string | null = null;

  constructor(sink: OutlineSink, place: Place, parent: Place, time: number) {
    this.#sink = sink;
    this.place = place;
    this.#parent = parent;
    this.#stepStart = time;
  }

  openStep(name: string, time: number): void {
    if (this.#step === name) return;
    this.closeStep(time);
    this.#step = name;
    this.#stepStart = time;
    this.#usage = null;
    this.#isTextShown = false;
    this.#heldText = null;
    this.#sink.put({ type: "step-start", name, place: this.place });
  }

  /** A piece of the model's text beside its code. */
  addText(text: string): void {
    this.#isTextShown = true;
    this.#think("text", text);
  }

  addReasoning(text: string): void {
    this.#think("reasoning", text);
  }

  addPlanText(text: string): void {
    this.#think("plan", text);
  }

  addUsage(usage: TokenUsage): void {
    this.#usage = sumOfUsage(this.#usage, usage);
  }

  /** A whole plan, whether its pieces came or not. */
  endPlan({ plan, timing }: EventOf<"plan">): void {
    if (!this.#thought) this.#think("plan", plan);
    this.#closeThought();
    const id = this.#sink.newId((count) => `plan-${count}`);
    this.#sink.put({ type: "plan", id, place: this.place, text: plan });
    this.closeStep(timing.endTime);
  }

  /** A whole answer of the model, whether its pieces came or not. */
  endAnswer(message: ChatMessage): void {
    if (this.#thought || this.#isTextShown || this.#code) return;
    const reasoning = message.content.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
    if (reasoning !== "") this.addReasoning(reasoning);
    this.#heldText = textOf(message);
    // The message has the calls; a text without them may hold code, and the next event says where
    // it begins.
    if (message.content.some(({ type }) => type === "tool-call")) this.#showHeld(this.#heldText.length);
  }

  /** A piece of code. */
  addCode(stepNumber: number, text: string): void {
    const { place } = this;
    if (!this.#code) {
      this.#closeThought();
      const id = this.#sink.newId((count) => `${place ?? ""}code-${stepNumber}-${count}`);
      this.#code = { id, code: "", isWhole: false };
      this.#sink.put({ type: "call-start", id, name: codeCallName, place });
      this.#sink.put({ type: "call-delta", id, place, text: '{"code":"' });
    }
    this.#code.code += text;
    if (text !== "") this.#sink.put({ type: "call-delta", id: this.#code.id, place, text: escapedText(text) });
  }

  /** The whole code, whether its pieces came or not. */
  endCode({ stepNumber, code }: EventOf<"code-start">): void {
    if (this.#heldText !== null) {
      const at = this.#heldText.indexOf(code);
      const before = at < 0 ? "" : this.#heldText.slice(0, at).replace(/(?:<[^<>\s]*>|```\w*)\s*$/, "");
      this.#showHeld(before.length);
    }
    const written = this.#code?.code ?? "";
    this.addCode(stepNumber, code.startsWith(written) ? code.slice(written.length) : "");
    this.#closeCode(code);
  }

  /** A call, whole; one of the code's where code is open. */
  addCall(id: string, name: string, input: JsonValue): void {
    const { place } = this;
    this.#closeThought();
    this.#sink.put({ type: "call-start", id, name, place, ...(this.#code ? { parentId: this.#code.id } : {}) });
    this.#sink.put({ type: "call-delta", id, place, text: JSON.stringify(input) });
    this.#sink.put({ type: "call-input", id, name, place, input });
  }

  addConsole(text: string): void {
    if (this.#code) this.#sink.put({ type: "console", callId: this.#code.id, place: this.place, text });
  }

  endStep({ observation, error, time }: EventOf<"step-end">): void {
    if (this.#heldText !== null) this.#showHeld(this.#heldText.length);
    const result: CallResult = error
      ? { type: "error", text: error.message }
      : { type: "ok", text: textOf(observation.filter(isText)) };
    this.closeStep(time, result);
  }

  /** Closes what the step has open, and the step. A time of null is when it began. */
  closeStep(time: number | null, result: CallResult = interrupted): void {
    const { place } = this;
    this.#closeThought();
    if (this.#code) {
      this.#closeCode(this.#code.code);
      this.#sink.put({ type: "call-end", id: this.#code.id, place, result });
      this.#code = null;
    }
    if (this.#step === null) return;
    const durationMs = time === null ? 0 : Math.max(0, time - this.#stepStart);
    this.#sink.put({ type: "step-end", name: this.#step, place, durationMs, usage: this.#usage });
    this.#step = null;
  }

  /** Code that rests has no result yet. */
  leaveCode(): void {
    if (this.#code) this.#closeCode(this.#code.code);
    this.#code = null;
  }

  /** Closes the agent itself, where it is a managed one. */
  close(error?: string, isSuspended = false): void {
    if (this.place === null) return;
    this.#sink.put({
      type: "agent-end",
      id: this.place,
      place: this.#parent,
      ...(error === undefined ? {} : { error }),
      ...(isSuspended ? { isSuspended } : {}),
    });
  }

  /**
   * White space at the end of a piece waits for what follows it: a thought has none at its ends.
   */
  #think(kind: "text" | "reasoning" | "plan", text: string): void {
    if (this.#thought && !this.#thought.id.endsWith(kind)) this.#closeThought();
    const whole = this.#thought ? this.#thought.held + text : text.trimStart();
    const piece = whole.trimEnd();
    if (this.#thought) this.#thought.held = whole.slice(piece.length);
    if (piece === "") return;
    if (!this.#thought) {
      const id = this.#sink.newId((count) => `thought-${count}-${kind}`);
      this.#thought = { id, text: "", held: whole.slice(piece.length) };
      this.#sink.put({ type: "thought-start", id, place: this.place });
    }
    this.#thought.text += piece;
    this.#sink.put({ type: "thought-delta", id: this.#thought.id, place: this.place, text: piece });
  }

  #closeThought(): void {
    if (!this.#thought) return;
    const { id, text } = this.#thought;
    this.#sink.put({ type: "thought-end", id, place: this.place, text });
    this.#thought = null;
  }

  #showHeld(end: number): void {
    const text = this.#heldText?.slice(0, end).trimEnd() ?? "";
    this.#heldText = null;
    this.#think("text", text);
  }

  /** The input is whole. What was written before its repair is what was shown. */
  #closeCode(code: string): void {
    const open = this.#code;
    if (!open || open.isWhole) return;
    open.isWhole = true;
    const { place } = this;
    this.#sink.put({ type: "call-delta", id: open.id, place, text: '"}' });
    this.#sink.put({ type: "call-input", id: open.id, name: codeCallName, place, input: { code } });
  }
}

/** The result of a call that has none. */
export const interrupted: CallResult = { type: "error", text: "the run ended before the call did" };

const isText = ({ type }: ContentPart): boolean => type === "text";

/**
 * A piece of a text as it stands inside a JSON string. A surrogate alone is escaped, so that pieces
 * join to the same text.
 */
const escapedText = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The tokens of two answers together. */
export function sumOfUsage(one: TokenUsage | null, other: TokenUsage): TokenUsage {
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
