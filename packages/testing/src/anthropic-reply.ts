// Writes the events of a reply in the wire format of Anthropic's Messages API.

import type { ModelEvent } from "@smolts/protocol";
import { completeCalls, type ReplyWire, textOf, usageIn } from "./reply-wire.ts";

/** The wire format of Anthropic's Messages API. */
export const anthropicReply: ReplyWire = {
  contentType: "text/event-stream; charset=utf-8",
  stopOf: (body) => listOf(body["stop_sequences"]),
  pieces: (events, { model }) => streamEvents(events, model).map((event) => framed(event)),
  whole: (events, { model }) => ({
    ...messageOf(model, usageIn(events)?.inputTokens),
    content: blocksOf(events).map(({ whole }) => whole),
    stop_reason: stopReason(events),
    usage: { input_tokens: usageIn(events)?.inputTokens ?? 0, output_tokens: usageIn(events)?.outputTokens ?? 0 },
  }),
};

interface Block {
  readonly start: object;
  readonly deltas: readonly object[];
  readonly whole: object;
}

interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

const framed = (event: StreamEvent): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

function streamEvents(events: readonly ModelEvent[], model: string): readonly StreamEvent[] {
  const usage = usageIn(events);
  const delta = { stop_reason: stopReason(events), stop_sequence: null };
  return [
    { type: "message_start", message: messageOf(model, usage?.inputTokens) },
    { type: "ping" },
    ...blocksOf(events).flatMap(({ start, deltas }, index) => [
      { type: "content_block_start", index, content_block: start },
      ...deltas.map((one) => ({ type: "content_block_delta", index, delta: one })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta, usage: { output_tokens: usage?.outputTokens ?? 0 } },
    { type: "message_stop" },
  ];
}

function messageOf(model: string, inputTokens = 0): object {
  const usage = { input_tokens: inputTokens, output_tokens: 1 };
  return { id: "msg_1", type: "message", role: "assistant", model, content: [], stop_reason: null, usage };
}

function blocksOf(events: readonly ModelEvent[]): readonly Block[] {
  const [thinking, text] = [textOf(events, "reasoning-delta"), textOf(events, "text-delta")];
  return [
    ...(thinking === "" ? [] : [thinkingBlock(thinking, events)]),
    ...(text === "" ? [] : [textBlock(text, events)]),
    ...completeCalls(events).map(({ id, name, inputText }) => callBlock(id, name, inputText)),
  ];
}

function thinkingBlock(thinking: string, events: readonly ModelEvent[]): Block {
  const signature = "signature-of-the-thought";
  return {
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: [
      ...events.flatMap((event) =>
        event.type === "reasoning-delta" ? [{ type: "thinking_delta", thinking: event.text }] : [],
      ),
      { type: "signature_delta", signature },
    ],
    whole: { type: "thinking", thinking, signature },
  };
}

function textBlock(text: string, events: readonly ModelEvent[]): Block {
  const deltas = events.flatMap((event) =>
    event.type === "text-delta" ? [{ type: "text_delta", text: event.text }] : [],
  );
  return { start: { type: "text", text: "" }, deltas, whole: { type: "text", text } };
}

function callBlock(id: string, name: string, inputText: string): Block {
  const half = Math.floor(inputText.length / 2);
  const deltas = [inputText.slice(0, half), inputText.slice(half)].map((partial_json) => ({
    type: "input_json_delta",
    partial_json,
  }));
  const start = { type: "tool_use", id, name, input: {} };
  return { start, deltas, whole: { ...start, input: JSON.parse(inputText) } };
}

function stopReason(events: readonly ModelEvent[]): string {
  const end = events.find((event) => event.type === "end");
  switch (end?.finishReason) {
    case "length":
      return "max_tokens";
    case "tool-calls":
      return "tool_use";
    case "content-filter":
      return "refusal";
    default:
      return "end_turn";
  }
}

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
