// Providers have many words for why a model ended. Only a known word for a regular end counts as
// one: an answer that ended for any other reason may lack its rest, and must not be taken for a
// whole one.

import type { FinishReason } from "@smolts/protocol";

/** How an answer ended: as the protocol says it, or because the server failed. */
export type WireEnd = FinishReason | "error";

const words: Readonly<Record<WireEnd, readonly string[]>> = {
  stop: [
    "stop",
    "stop_sequence",
    "stop_token",
    "eos",
    "eos_token",
    "end_turn",
    "endoftext",
    "end_of_text",
    "complete",
    "completed",
  ],
  length: [
    "length",
    "max_tokens",
    "max_output_tokens",
    "max_completion_tokens",
    "max_new_tokens",
    "maximum_tokens",
    "max_length",
    "model_length",
    "token_limit",
    "context_length",
    "model_context_window_exceeded",
  ],
  "tool-calls": ["tool_calls", "tool_call", "tool_use", "function_call", "function_calls"],
  "content-filter": [
    "content_filter",
    "content_filtered",
    "safety",
    "refusal",
    "recitation",
    "blocklist",
    "prohibited_content",
    "spii",
    "sensitive",
    "guardrail_intervened",
  ],
  error: ["error", "failed", "network_error", "server_error", "internal_error"],
  other: [],
};

const endOfWord: ReadonlyMap<string, WireEnd> = new Map(
  // The table above has these keys and no others.
  (Object.keys(words) as WireEnd[]).flatMap((end) => words[end].map((word) => [word, end] as const)),
);

/**
 * Returns how an answer ended by the provider's word for it. A word that nobody knows is `other`.
 */
export function wireEndOf(word: string): WireEnd {
  const plain = word
    .trim()
    .toLowerCase()
    .replaceAll(/[-\s]/g, "_")
    .replace(/^(?:finish_?)?reason[._]/, "");
  return endOfWord.get(plain) ?? "other";
}

/**
 * Returns the end of an answer whose server gave two: the one that says that something is missing.
 * Some proxies send `stop` after the real reason.
 */
export function joinEnds(one: FinishReason | undefined, other: FinishReason): FinishReason {
  if (one === undefined || one === "stop") return other;
  return one === "tool-calls" && isCut(other) ? other : one;
}

/** Several servers end tool calls with "stop". */
export function withCalls(end: FinishReason, hasToolCalls: boolean): FinishReason {
  return hasToolCalls && end === "stop" ? "tool-calls" : end;
}

const isCut = (end: FinishReason): boolean => end !== "stop" && end !== "tool-calls";
