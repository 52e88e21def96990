// Sends a model's thoughts back to it as its provider wants them: not at all (most), as text
// (DeepSeek), as the original blocks (OpenRouter, Mistral), or as a signature on each tool call
// (Gemini). What only its own provider can read is kept in a reasoning part under that provider's
// name.

import type { ContentPart, JsonValue, ModelEvent, ReasoningPart, ToolCallPart } from "@smolts/protocol";
import { countIn, isObject, type LooseObject, listIn, objectIn, textIn } from "./loose-json.ts";

/**
 * How reasoning goes back to a provider: as a text field, as the blocks it came in, or as a piece
 * of the content.
 */
export type ReasoningReplay = "reasoning_content" | "reasoning_details" | "thinking";

/** Collects what of one answer only its provider can read. */
export interface ReasoningKeeper {
  keep(delta: LooseObject, events: readonly ModelEvent[]): void;
  keepCall(call: LooseObject, id: string): void;
  /** One whole part, when there is something to keep. */
  parts(): readonly ModelEvent[];
}

/** A {@link ReasoningKeeper} for one answer of a provider. */
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
      // Parsed from JSON a moment ago.
      if (isObject(call["extra_content"])) calls[id] = call["extra_content"] as JsonValue;
    },
    parts() {
      if (details.length === 0 && Object.keys(calls).length === 0) return [];
      // Parsed from JSON, too.
      const providerData = { provider, details: details as unknown as JsonValue, calls };
      return [{ type: "part", part: { type: "reasoning", text, providerData } }];
    },
  };
}

/** Pieces of one block carry its index; their texts join, and everything else stands once. */
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
 * The fields of an assistant message that carry its reasoning back, as JSON with a leading comma.
 */
export function reasoningFields(
  content: readonly ContentPart[],
  provider: string,
  replay: ReasoningReplay | undefined,
): string {
  const parts = content.filter((part) => part.type === "reasoning");
  if (replay === "reasoning_content") {
    // Wanted with tool calls only, and then also when the model thought nothing.
    if (!content.some((part) => part.type === "tool-call")) return "";
    return `,"reasoning_content":${JSON.stringify(parts.map(({ text }) => text).join(""))}`;
  }
  if (replay !== "reasoning_details") return "";
  const details = parts.flatMap((part) => listIn(keptFor(part, provider)["details"]));
  return details.length === 0 ? "" : `,"reasoning_details":${JSON.stringify(details)}`;
}

/** The thoughts of a message as pieces of its content. */
export function thinkingPieces(content: readonly ContentPart[]): readonly object[] {
  return content
    .filter((part) => part.type === "reasoning")
    .map(({ text }) => ({ type: "thinking", thinking: [{ type: "text", text }] }));
}

/** The data that the provider wants back with one tool call. */
export function callExtras(content: readonly ContentPart[], { id }: ToolCallPart, provider: string): object {
  for (const part of content) {
    if (part.type !== "reasoning") continue;
    const extra = objectIn(keptFor(part, provider)["calls"])[id];
    if (extra !== undefined) return { extra_content: extra };
  }
  return {};
}

/** Nothing, when the part is another provider's. */
function keptFor({ providerData }: ReasoningPart, provider: string): LooseObject {
  const kept = objectIn(providerData);
  return provider !== "" && kept["provider"] === provider ? kept : {};
}
