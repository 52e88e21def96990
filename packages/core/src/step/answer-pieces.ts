// Joins a model's answer from its pieces, in the order in which they arrived. Providers that sign
// thoughts expect each thought back in its original place: before the calls and texts that followed
// it.

import {
  type ChatMessage,
  type ContentPart,
  encodeValue,
  type FinishReason,
  type JsonValue,
  type ModelEvent,
  type ReasoningPart,
  type TokenUsage,
  type ToolCallPart,
} from "@smolts/protocol";

import { parseLooseJson } from "../parsing/tool-calls/loose-json.ts";
import { toolNameIn } from "../parsing/tool-calls/text-tool-call.ts";
import { isUsage } from "./model-event.ts";

/** A part to which text can still be added, or a part that arrived complete. */
type Piece =
  | { readonly type: "text" | "reasoning"; text: string }
  | { readonly type: "call"; readonly index: number; id: string; name: string; inputText: string }
  | { readonly type: "whole"; readonly part: ContentPart };

/** Collects the events of one answer, and returns the answer. */
export class AnswerPieces {
  usage: TokenUsage | null = null;
  /** Why the answer ended; null until the stream has reported its end. */
  finishReason: FinishReason | null = null;
  #pieces: Piece[] = [];

  take(event: ModelEvent): void {
    switch (event.type) {
      case "text-delta":
        this.#takeText("text", event.text);
        return;
      case "reasoning-delta":
        this.#takeText("reasoning", event.text);
        return;
      case "tool-call-delta":
        this.#takeCall(event);
        return;
      case "part":
        if (event.part.type === "reasoning") this.#takeReasoning(event.part);
        else this.#pieces.push({ type: "whole", part: event.part });
        return;
      case "usage":
        // A usage that cannot be added up counts as not reported.
        this.usage = isUsage(event.usage) ? event.usage : null;
        return;
      case "end":
        this.finishReason = event.finishReason;
        return;
      case "retry":
      case "learned":
        return;
      default:
        event satisfies never;
    }
  }

  get message(): ChatMessage {
    const callIds = new Set<string>();
    return { role: "assistant", content: this.#pieces.map((piece) => partOf(piece, callIds)) };
  }

  #takeText(type: "text" | "reasoning", text: string): void {
    const last = this.#pieces.at(-1);
    if (last?.type === type) last.text += text;
    else if (text !== "") this.#pieces.push({ type, text });
  }

  #takeCall({ index, id, name, inputText }: Extract<ModelEvent, { type: "tool-call-delta" }>): void {
    const known = this.#pieces.find((piece) => piece.type === "call" && piece.index === index);
    if (known?.type !== "call") {
      this.#pieces.push({ type: "call", index, id: id || `call-${index + 1}`, name: name ?? "", inputText });
      return;
    }
    known.id = id || known.id;
    known.name = name ?? known.name;
    known.inputText += inputText;
  }

  /**
   * Adds a complete thought. A provider that signs its thoughts sends them twice: first as pieces,
   * and later complete with the signature. The complete thought replaces the streamed thought with
   * the same text, or all streamed thoughts if their joined text is the same.
   */
  #takeReasoning(part: ReasoningPart): void {
    const streamed = this.#pieces.filter(isThought);
    const same = streamed.find(({ text }) => text === part.text);
    const repeated = same ? [same] : streamed.map(({ text }) => text).join("") === part.text ? streamed : [];
    const place = repeated[0] ? this.#pieces.indexOf(repeated[0]) : this.#pieces.length;
    this.#pieces[place] = { type: "whole", part };
    this.#pieces = this.#pieces.filter((piece) => !repeated.some((other) => other === piece));
  }
}

const isThought = (piece: Piece): piece is Extract<Piece, { text: string }> => piece.type === "reasoning";

function partOf(piece: Piece, callIds: Set<string>): ContentPart {
  switch (piece.type) {
    case "text":
    case "reasoning":
      return { type: piece.type, text: piece.text };
    case "call":
      return callPart(piece, callIds);
    case "whole":
      return piece.part;
    default:
      return piece satisfies never;
  }
}

const withoutFence = (text: string): string => /^\s*```\w*\s*([\s\S]*?)\s*```\s*$/.exec(text)?.[1] ?? text;

/**
 * Returns a call in the form that a provider accepts when it is sent back: with a unique id and a
 * valid name.
 */
function callPart({ id, name, inputText }: Extract<Piece, { type: "call" }>, callIds: Set<string>): ToolCallPart {
  const ownId = callIds.has(id) ? `${id}-${callIds.size + 1}` : id;
  callIds.add(ownId);
  const call = {
    type: "tool-call" as const,
    id: ownId,
    name:
      toolNameIn(name)
        .replace(/[^\w-]/gu, "_")
        .slice(0, 64) || "unnamed",
  };
  try {
    const input = inputText.trim() === "" ? {} : parseLooseJson(withoutFence(inputText));
    if (input === undefined) return Object.assign(call, { input: null, rawInput: inputText });
    encodeValue(input);
    // The parser returns only JSON values.
    return Object.assign(call, { input: input as JsonValue });
  } catch {
    // The arguments are not valid JSON, so their text is kept. The model gets an error when the
    // call is made.
    return Object.assign(call, { input: null, rawInput: inputText });
  }
}
