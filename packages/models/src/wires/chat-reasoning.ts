// Sends a model's reasoning back in the form that its provider wants: not at all (most providers),
// as text (DeepSeek), in the original blocks (OpenRouter, Mistral), or as a signature on each tool
// call (Gemini). Data that only the provider can read is kept in a reasoning part, under the
// provider's name.

import {
  type ContentPart,
  isRecord,
  type JsonValue,
  type ModelEvent,
  type ReasoningPart,
  type ToolCallPart,
} from "@smolts/protocol";
import { countIn, type LooseObject, listIn, objectIn, textIn } from "./loose-json.ts";

/**
 * How reasoning is sent back to a provider: as a text field, in the blocks in which it arrived, or
 * as pieces of the content.
 */
export type ReasoningReplay = "reasoning_content" | "reasoning_details" | "thinking";

/** Collects those data of an answer that only the answer's provider can read. */
export interface ReasoningKeeper {
  keep(delta: LooseObject, events: readonly ModelEvent[]): void;
  keepCall(call: LooseObject, id: string): void;
  /** Returns the collected data as one reasoning part, or nothing if there is none. */
  parts(): readonly ModelEvent[];
}

/** Creates a {@link ReasoningKeeper} for one answer of a provider. */
export function createReasoningKeeper(provider: string): ReasoningKeeper {
  const details: LooseObject[] = [];
  const calls: Record<string, JsonValue> = {};
  let text = "";
  return {
    keep(delta, events) {
      for (const event of events) if (event.type === "reasoning-delta") text += event.text;
      for (const detail of listIn(delta["reasoning_details"])) addDetail(details, objectIn(detail));
    },
    keepCall(call, id) {
      // The cast is safe: the value was parsed from JSON.
      if (isRecord(call["extra_content"])) calls[id] = call["extra_content"] as JsonValue;
    },
    parts() {
      if (details.length === 0 && Object.keys(calls).length === 0) return [];
      // The cast is safe: the details were parsed from JSON.
      const providerData = { provider, details: details as unknown as JsonValue, calls };
      return [{ type: "part", part: { type: "reasoning", text, providerData } }];
    },
  };
}

/**
 * Adds a piece of a reasoning block. Pieces with the same index belong to one block: their texts
 * are joined, and their other fields are merged.
 */
function addDetail(details: LooseObject[], detail: LooseObject): void {
  const index = countIn(detail["index"]);
  const at = details.findLastIndex((other) => other["index"] === index && other["type"] === detail["type"]);
  const known = details[at];
  if (index === undefined || known === undefined) return void details.push(detail);
  const joined = { ...known, ...detail };
  for (const field of ["text", "summary", "data"]) {
    if (typeof known[field] === "string")
      Object.assign(joined, { [field]: known[field] + (textIn(detail[field]) ?? "") });
  }
  details[at] = joined;
}

/**
 * Returns the fields of an assistant message that send its reasoning back, as JSON that begins with
 * a comma.
 */
export function reasoningFields(
  content: readonly ContentPart[],
  provider: string,
  replay: ReasoningReplay | undefined,
): string {
  const parts = content.filter((part) => part.type === "reasoning");
  if (replay === "reasoning_content") {
    // The provider expects this field in every message with tool calls, even if the model did not
    // think, and in no other message.
    if (!content.some((part) => part.type === "tool-call")) return "";
    return `,"reasoning_content":${JSON.stringify(parts.map(({ text }) => text).join(""))}`;
  }
  if (replay !== "reasoning_details") return "";
  const details = parts.flatMap((part) => listIn(keptFor(part, provider)["details"]));
  return details.length === 0 ? "" : `,"reasoning_details":${JSON.stringify(details)}`;
}

/** Returns the reasoning of a message as pieces of its content. */
export function thinkingPieces(content: readonly ContentPart[]): readonly object[] {
  return content
    .filter((part) => part.type === "reasoning")
    .map(({ text }) => ({ type: "thinking", thinking: [{ type: "text", text }] }));
}

/** Returns the data that the provider wants back with one tool call. */
export function callExtras(content: readonly ContentPart[], { id }: ToolCallPart, provider: string): object {
  for (const part of content) {
    if (part.type !== "reasoning") continue;
    const extra = objectIn(keptFor(part, provider)["calls"])[id];
    if (extra !== undefined) return { extra_content: extra };
  }
  return {};
}

/**
 * Returns the data that a reasoning part keeps for this provider. Returns an empty object if the
 * part belongs to another provider.
 */
function keptFor({ providerData }: ReasoningPart, provider: string): LooseObject {
  const kept = objectIn(providerData);
  return provider !== "" && kept["provider"] === provider ? kept : {};
}
