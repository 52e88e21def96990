// A model's answer, put together from its pieces in the order in which they came. Providers that
// sign thoughts want them back where they stood: between the calls and texts that they led to.

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

/** A part that more may be added to, or one that came whole. */
type Piece =
  | { readonly type: "text" | "reasoning"; text: string }
  | { readonly type: "call"; readonly index: number; id: string; name: string; inputText: string }
  | { readonly type: "whole"; readonly part: ContentPart };

/** Takes the events of one answer, and returns the answer. */
export class AnswerPieces {
  usage: TokenUsage | null = null;
  /** Null until the stream has said that it is at its end. */
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
        this.usage = event.usage;
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
      this.#pieces.push({ type: "call", index, id: id ?? `call-${index + 1}`, name: name ?? "", inputText });
      return;
    }
    known.id = id ?? known.id;
    known.name = name ?? known.name;
    known.inputText += inputText;
  }

  /**
   * A provider that signs its thoughts sends them whole once more, and stands by those: one of
   * them, or all at the end.
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

/** As a provider takes it back: with an id of its own, and with a name that is one. */
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
    // The reader returns JSON.
    return Object.assign(call, { input: input as JsonValue });
  } catch {
    // Not JSON, or not valid for any tool: the model learns that when the call is made, and its
    // text is kept.
    return Object.assign(call, { input: null, rawInput: inputText });
  }
}
