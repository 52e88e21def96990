// The outline of one agent's work: its steps, its thoughts and its code. A block of code is shown
// as a call of `runCode`, with the code as its input. Every part that is opened is closed again.

import {
  type ChatMessage,
  type ContentPart,
  type EventOf,
  type JsonValue,
  type TokenUsage,
  textOf,
} from "@smolts/protocol";
import { type CallResult, codeCallName, type OutlinePart, type Place } from "./outline-part.ts";

/** The target that all agents of a run write their parts to. */
export interface OutlineSink {
  put(part: OutlinePart): void;
  /**
   * Returns an id that is unique in the run. `name` makes the id from a number that is different
   * each time.
   */
  newId(name: (count: number) => string): string;
}

interface OpenThought {
  readonly id: string;
  text: string;
  /** White space at the end of the text so far. It is sent only if more text follows. */
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
  /** Whether pieces of the model's text have been shown in this step. */
  #isTextShown = false;
  /** A text that may contain code. It is shown when a later event says where the code begins. */
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

  /** Adds a piece of the model's text outside its code. */
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

  /** Ends a plan. Adds the whole text if it did not arrive in pieces. */
  endPlan({ plan, timing }: EventOf<"plan">): void {
    if (!this.#thought) this.#think("plan", plan);
    this.#closeThought();
    const id = this.#sink.newId((count) => `plan-${count}`);
    this.#sink.put({ type: "plan", id, place: this.place, text: plan });
    this.closeStep(timing.endTime);
  }

  /** Ends an answer of the model. Adds the whole text if it did not arrive in pieces. */
  endAnswer(message: ChatMessage): void {
    if (this.#thought || this.#isTextShown || this.#code) return;
    const reasoning = message.content.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
    if (reasoning !== "") this.addReasoning(reasoning);
    this.#heldText = textOf(message);
    // A message with tool calls contains no code, so all of its text can be shown now. Any other
    // text may contain code. It is held until the next event, which says where the code begins.
    if (message.content.some(({ type }) => type === "tool-call")) this.#showHeld(this.#heldText.length);
  }

  /** Adds a piece of code to the call of `runCode`. The first piece starts that call. */
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

  /** Adds the code that did not arrive in pieces, and ends the input of `runCode`. */
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

  /** Adds a whole tool call. If a call of `runCode` is open, the tool call belongs to it. */
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

  /**
   * Closes everything that is open in the step, and the step itself. If the time is null, the
   * step's duration is reported as 0.
   */
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

  /** Ends the input of `runCode` but not the call: code in a suspended run has no result yet. */
  leaveCode(): void {
    if (this.#code) this.#closeCode(this.#code.code);
    this.#code = null;
  }

  /** Closes the agent itself, if it is a managed one. */
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
   * Adds text to a thought. A thought neither begins nor ends with white space, so white space at
   * the end of a piece waits for the next piece.
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

  /**
   * Ends the input of `runCode`. smolts may repair the code before it runs. Then `code` differs
   * from the pieces, which show what the model wrote.
   */
  #closeCode(code: string): void {
    const open = this.#code;
    if (!open || open.isWhole) return;
    open.isWhole = true;
    const { place } = this;
    this.#sink.put({ type: "call-delta", id: open.id, place, text: '"}' });
    this.#sink.put({ type: "call-input", id: open.id, name: codeCallName, place, input: { code } });
  }
}

/** The result that is reported for a call if the run ends before the call does. */
export const interrupted: CallResult = { type: "error", text: "the run ended before the call did" };

const isText = ({ type }: ContentPart): boolean => type === "text";

/**
 * Escapes a piece of text for a JSON string. A lone surrogate is escaped too, so the pieces
 * together are the same text.
 */
const escapedText = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Adds up the tokens of two answers. */
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
