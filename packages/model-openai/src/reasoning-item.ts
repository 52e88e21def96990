// OpenAI's format for reasoning: an item with a summary and an encrypted block. It is sent back
// unchanged.

import type { JsonValue, ReasoningPart } from "@smolts/protocol";

/** Creates a reasoning part from an item of the API. */
export function reasoningPart(text: string, item: object): ReasoningPart {
  // The cast is safe: the SDK parsed the item from JSON.
  const { status: _, ...kept } = item as Readonly<Record<string, JsonValue>>;
  return { type: "reasoning", text, providerData: { openaiReasoning: kept } };
}

/** Returns the API's item that the part holds. Null if the part comes from another provider. */
export function keptItem({ providerData }: ReasoningPart): object | null {
  if (typeof providerData !== "object" || providerData === null || !("openaiReasoning" in providerData)) return null;
  const { openaiReasoning } = providerData;
  return typeof openaiReasoning === "object" ? openaiReasoning : null;
}
