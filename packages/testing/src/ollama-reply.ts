// Writes the events of a reply in the wire format of Ollama's /api/chat.

import type { ModelEvent } from "@smolts/protocol";
import { completeCalls, type ReplyWire, textOf, usageIn } from "./reply-wire.ts";

/** The wire format of Ollama's own API. */
export const ollamaReply: ReplyWire = {
  contentType: "application/x-ndjson",
  stopOf: (body) => {
    // The cast is safe: our adapter for Ollama puts the stop sequences here.
    const { stop } = (body["options"] ?? {}) as { readonly stop?: readonly string[] };
    return stop ?? [];
  },
  pieces: (events, { model }) => linesOf(events, model).map((line) => `${JSON.stringify(line)}\n`),
  whole: (events, { model }) => {
    const [thinking, content] = [textOf(events, "reasoning-delta"), textOf(events, "text-delta")];
    const message = { role: "assistant", content, ...(thinking === "" ? {} : { thinking }), ...callsOf(events) };
    return { ...lineOf(model, message), ...endOf(events) };
  },
};

function linesOf(events: readonly ModelEvent[], model: string): readonly object[] {
  const calls = callsOf(events);
  return [
    ...events.flatMap((event) => {
      if (event.type === "text-delta") return [lineOf(model, { role: "assistant", content: event.text })];
      if (event.type !== "reasoning-delta") return [];
      return [lineOf(model, { role: "assistant", content: "", thinking: event.text })];
    }),
    ...("tool_calls" in calls ? [lineOf(model, { role: "assistant", content: "", ...calls })] : []),
    { ...lineOf(model, { role: "assistant", content: "" }), ...endOf(events) },
  ];
}

const lineOf = (model: string, message: object): object => ({
  model,
  created_at: "2023-11-14T22:13:20Z",
  message,
  done: false,
});

function callsOf(events: readonly ModelEvent[]): object {
  const calls = completeCalls(events).map(({ name, inputText }) => ({
    function: { name, arguments: JSON.parse(inputText) },
  }));
  return calls.length === 0 ? {} : { tool_calls: calls };
}

function endOf(events: readonly ModelEvent[]): object {
  const end = events.find((event) => event.type === "end");
  const usage = usageIn(events);
  return {
    done: true,
    done_reason: end?.finishReason === "length" ? "length" : "stop",
    ...(usage ? { prompt_eval_count: usage.inputTokens, eval_count: usage.outputTokens } : {}),
  };
}
