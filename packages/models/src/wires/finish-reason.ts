// Maps the providers' many finish reasons to a few. An answer counts as complete only if its reason
// is a known word for a regular end. After any other word, the answer may be incomplete.

import type { FinishReason } from "@smolts/protocol";

/** How an answer ended: one of the protocol's finish reasons, or `error` if the server failed. */
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
  // The cast is safe: `words` has exactly these keys.
  (Object.keys(words) as WireEnd[]).flatMap((end) => words[end].map((word) => [word, end] as const)),
);

/**
 * Returns how an answer ended, from the finish reason that the provider sent. Returns `other` for
 * an unknown reason.
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
 * Combines two finish reasons for one answer. Some proxies send `stop` after the real reason. So
 * this function prefers the reason that says that something is missing.
 */
export function joinEnds(one: FinishReason | undefined, other: FinishReason): FinishReason {
  if (one === undefined || one === "stop") return other;
  return one === "tool-calls" && isCut(other) ? other : one;
}

/**
 * Returns `tool-calls` for an answer that stopped with tool calls. Several servers send only "stop"
 * for such an answer.
 */
export function withCalls(end: FinishReason, hasToolCalls: boolean): FinishReason {
  return hasToolCalls && end === "stop" ? "tool-calls" : end;
}

const isCut = (end: FinishReason): boolean => end !== "stop" && end !== "tool-calls";
