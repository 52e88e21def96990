// OpenAI's form of reasoning: an item with a summary and an encrypted block. It goes back
// unchanged.

import type { JsonValue, ReasoningPart } from "@smolts/protocol";

/** A reasoning item of the wire as a part. */
export function reasoningPart(text: string, item: object): ReasoningPart {
  // Parsed from JSON by the SDK.
  const { status: _, ...kept } = item as Readonly<Record<string, JsonValue>>;
  return { type: "reasoning", text, providerData: { openaiReasoning: kept } };
}

/** The item of a part; null when it came from elsewhere. */
export function keptItem({ providerData }: ReasoningPart): object | null {
  if (typeof providerData !== "object" || providerData === null || !("openaiReasoning" in providerData)) return null;
  const { openaiReasoning } = providerData;
  return typeof openaiReasoning === "object" ? openaiReasoning : null;
}
