// A `fetch` that imitates the Responses API without a server, as OpenAI's documentation describes
// the API.

import type { ContractReply } from "@smolts/testing";

/** An item of the output. */
export type Item =
  | { readonly type: "message"; readonly text: string }
  | { readonly type: "function_call"; readonly call_id: string; readonly name: string; readonly arguments: string }
  | { readonly type: "reasoning"; readonly id: string; readonly summary: string; readonly encrypted_content: string };

/** Returns the events of a streamed response with these items. */
export function responseEvents(items: readonly Item[], response: object = {}): readonly object[] {
  const output = items.map(outputItem);
  return [
    { type: "response.created", response: { status: "in_progress" } },
    ...items.flatMap((item, place) => [
      { type: "response.output_item.added", output_index: place, item: { ...output[place], ...empty(item) } },
      ...pieces(item, place),
      { type: "response.output_item.done", output_index: place, item: output[place] },
    ]),
    { type: "response.completed", response: { status: "completed", output, usage, ...response } },
  ];
}

/** The usage that {@link responseEvents} reports. */
export const usage = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 8 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 27,
};

/** Returns a response that streams these events as server-sent events. */
export function sseResponse(events: readonly object[], end = ""): Response {
  const text = events.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join("") + end;
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

/** Returns a `fetch` that sends the reply of a contract test. */
export function contractFetch({ type, text }: ContractReply): typeof globalThis.fetch {
  return async (_url, init) => {
    if (type === "slow") return new Promise((_resolve, reject) => onAbort(init?.signal, reject));
    const events = responseEvents([{ type: "message", text }]);
    if (type === "answer") return sseResponse(events);
    const half = events.slice(0, 8).map((event) => `data: ${JSON.stringify(event)}\n\n`);
    return new Response(brokenStream(half.join("")), { headers: { "content-type": "text/event-stream" } });
  };
}

function brokenStream(text: string): ReadableStream<Uint8Array> {
  let wasSent = false;
  return new ReadableStream({
    pull(controller) {
      if (wasSent) controller.error(new TypeError("terminated"));
      else controller.enqueue(new TextEncoder().encode(text));
      wasSent = true;
    },
  });
}

function onAbort(signal: AbortSignal | null | undefined, reject: (reason: unknown) => void): void {
  signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
}

function outputItem(item: Item): object {
  switch (item.type) {
    case "message":
      return {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: item.text, annotations: [] }],
      };
    case "function_call":
      return { id: `fc_${item.call_id}`, status: "completed", ...item };
    case "reasoning":
      return { ...item, summary: [{ type: "summary_text", text: item.summary }] };
    default:
      return item satisfies never;
  }
}

const empty = ({ type }: Item): object =>
  type === "message" ? { content: [] } : type === "function_call" ? { arguments: "" } : { summary: [] };

function pieces(item: Item, output_index: number): readonly object[] {
  switch (item.type) {
    case "message":
      return inPieces(item.text).map((delta) => ({ type: "response.output_text.delta", output_index, delta }));
    case "function_call":
      return inPieces(item.arguments).map((delta) => ({
        type: "response.function_call_arguments.delta",
        output_index,
        delta,
      }));
    case "reasoning":
      return inPieces(item.summary).map((delta) => ({
        type: "response.reasoning_summary_text.delta",
        output_index,
        summary_index: 0,
        delta,
      }));
    default:
      return item satisfies never;
  }
}

const inPieces = (text: string): readonly string[] => text.match(/.{1,5}/gsu) ?? [];
