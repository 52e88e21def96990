// Tests every finish reason that servers use, over every wire format and in every framing: which of
// them mean that the answer is complete, that it was cut off, or that the server failed.

import { fromAiSdkModel } from "@smolts/model-ai-sdk";
import { openai } from "@smolts/model-openai";
import { anthropic, generate, ollama, openAICompatible } from "@smolts/models";
import { AgentError, type FinishReason, type Model } from "@smolts/protocol";

/**
 * The finish reasons that a server sends for one answer, in its own words. Empty if it sends none.
 */
export type Words = readonly string[];

/** The way in which the bytes of an answer arrive. */
export interface Framing {
  readonly name: string;
  /** A Content-Type that is sent instead of the right one. */
  readonly mediaType?: string;
  /** The kind of wire format for which the framing is possible. Default: all. */
  readonly isFor?: "events";
  readonly piecesOf: (text: string) => readonly Uint8Array[];
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const whole = (text: string): readonly Uint8Array[] => [bytes(text)];
const byBytes = (text: string): readonly Uint8Array[] => Array.from(bytes(text), (byte) => Uint8Array.of(byte));

/** The framings of servers and proxies. */
const framings: readonly Framing[] = [
  { name: "at once", piecesOf: whole },
  { name: "byte by byte", piecesOf: byBytes },
  { name: "with CR LF", piecesOf: (text) => whole(text.replaceAll("\n", "\r\n")) },
  { name: "with a byte order mark", piecesOf: (text) => whole(`\ufeff${text}`) },
  { name: "without the last line end", piecesOf: (text) => whole(text.trimEnd()) },
  { name: "between comments", isFor: "events", piecesOf: (text) => whole(text.replaceAll("\n\n", "\n\n: alive\n\n")) },
  { name: "announced as text", mediaType: "text/plain", piecesOf: whole },
  { name: "announced as bytes", mediaType: "application/octet-stream", piecesOf: byBytes },
  { name: "announced as JSON", mediaType: "application/json", piecesOf: whole },
];
const [atOnce] = framings as readonly [Framing, ...Framing[]]; // the list above is not empty

const json = (value: unknown): string => JSON.stringify(value);
const sse = (events: readonly object[]): string => events.map((event) => `data: ${json(event)}\n\n`).join("");

function fetching(body: string, framing: Framing = atOnce, mediaType = "text/event-stream"): typeof globalThis.fetch {
  const stream = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start(controller) {
        for (const piece of framing.piecesOf(body)) controller.enqueue(piece);
        controller.close();
      },
    });
  return async () => new Response(stream(), { headers: { "content-type": framing.mediaType ?? mediaType } });
}

const common = { baseUrl: "http://127.0.0.1:9/v1", apiKey: "key", retries: { attempts: 1 } };

function chatBody(words: Words): string {
  const chunk = (delta: object, finish_reason: string | null): object => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  return `${sse([chunk({ content: "42" }, null), ...words.map((word) => chunk({}, word))])}data: [DONE]\n\n`;
}

function anthropicBody(words: Words): string {
  return sse([
    { type: "message_start", message: { usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "42" } },
    { type: "content_block_stop", index: 0 },
    ...words.map((word) => ({ type: "message_delta", delta: { stop_reason: word } })),
    { type: "message_stop" },
  ]);
}

function ollamaBody([word]: Words): string {
  const line = (fields: object): string =>
    `${json({ message: { role: "assistant", content: "" }, done: false, ...fields })}\n`;
  const end = word === undefined ? "" : line({ done: true, done_reason: word });
  return line({ message: { role: "assistant", content: "42" } }) + end;
}

/** Creates a model whose server sends the given finish reasons. */
export type ModelEndingWith = (words: Words, framing?: Framing) => Model;

/** Creates models for each wire format and SDK. */
export const wires: Readonly<Record<string, ModelEndingWith>> = {
  "chat completions": (words, framing) =>
    openAICompatible("m", { ...common, fetch: fetching(chatBody(words), framing) }),
  "chat completions, whole": (words, framing) => {
    const message = { role: "assistant", content: "42" };
    const body = json({ choices: [{ index: 0, message, finish_reason: words.at(-1) ?? null }] });
    return openAICompatible("m", { ...common, fetch: fetching(body, framing, "application/json") });
  },
  "model-openai, chat": (words, framing) =>
    openai("m", { ...common, api: "chat", fetch: fetching(chatBody(words), framing) }),
  anthropic: (words, framing) => anthropic("m", { ...common, fetch: fetching(anthropicBody(words), framing) }),
  ollama: (words, framing) =>
    ollama("m", {
      ...common,
      baseUrl: "http://127.0.0.1:9",
      fetch: fetching(ollamaBody(words), framing, "application/x-ndjson"),
    }),
  "model-ai-sdk, v3": ([word]) =>
    aiSdkModel("v3", word === undefined ? undefined : { unified: ofAiSdk(word), raw: word }),
};

/** Returns the framings that are possible for a wire format. */
const framingsOf = (wire: string): readonly Framing[] =>
  wire.startsWith("model-ai-sdk")
    ? [atOnce]
    : framings.filter(({ isFor, mediaType }) =>
        /whole|ollama/.test(wire) ? isFor === undefined && (!wire.includes("whole") || mediaType === undefined) : true,
      );

/**
 * Maps finish reasons in the same way as provider packages of the AI SDK, which map unknown words
 * to "other".
 */
const ofAiSdk = (word: string): string =>
  ["stop", "length", "content-filter", "tool-calls", "error"].includes(word) ? word : "other";

/** Creates a model of the AI SDK whose answer ends with this finish reason. */
export function aiSdkModel(specificationVersion: string, finishReason: unknown): Model {
  const end = finishReason === undefined ? [] : [{ type: "finish", finishReason, usage: {} }];
  const parts = [{ type: "text-delta", id: "1", delta: "42" }, ...end];
  const stream = (): ReadableStream<unknown> =>
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
  const doStream = async (): Promise<{ stream: ReadableStream<unknown> }> => ({ stream: stream() });
  return fromAiSdkModel({ specificationVersion, provider: "p", modelId: "m", doStream }, { retries: { attempts: 1 } });
}

/** Returns the finish reason of a model's answer. */
export async function endOf(model: Model): Promise<FinishReason> {
  const messages = [{ role: "user", content: [{ type: "text", text: "6 * 7?" }] }] as const;
  return (await generate(model, { messages })).finishReason;
}

/** The words of servers, each with the finish reason that it means. */
export const finishTable: readonly (readonly [word: string, end: FinishReason])[] = [
  ...["stop", "STOP", "eos", "eos_token", "stop_sequence", "end_turn", "COMPLETE", "FINISH_REASON_STOP"].map(
    (word) => [word, "stop"] as const,
  ),
  ...["length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "model_length", "model_context_window_exceeded"].map(
    (word) => [word, "length"] as const,
  ),
  ...["content_filter", "SAFETY", "RECITATION", "PROHIBITED_CONTENT", "refusal", "guardrail_intervened"].map(
    (word) => [word, "content-filter"] as const,
  ),
  ...[
    "abort",
    "cancelled",
    "time_limit",
    "timeout",
    "load",
    "unload",
    "pause_turn",
    "repetition",
    "OTHER",
    "MALFORMED_FUNCTION_CALL",
    "FINISH_REASON_UNSPECIFIED",
    "insufficient_system_resource",
    "a word of next year",
  ].map((word) => [word, "other"] as const),
];

/** The words that mean that the server failed. */
export const failureWords: readonly string[] = ["error", "ERROR", "network_error"];

/** The results for a series of finish reasons. */
export interface EndsReport {
  readonly ends: number;
  /** A sentence for each finish reason that was understood wrongly. */
  readonly wrongEnds: readonly string[];
}

/** Tests answers with each finish reason, over each wire format, in each framing. */
export async function runFinishReasons(): Promise<EndsReport> {
  const wrongEnds: string[] = [];
  let ends = 0;
  for (const [wire, modelFor] of Object.entries(wires))
    for (const framing of framingsOf(wire))
      for (const { words, expected } of endings()) {
        ends++;
        const seen = await seenEnd(modelFor(words, framing));
        if (seen !== expected) wrongEnds.push(`${json(words)} over ${wire}, ${framing.name}: ${seen}, not ${expected}`);
      }
  return { ends, wrongEnds };
}

const endings = (): readonly { readonly words: Words; readonly expected: string }[] => [
  ...finishTable.map(([word, end]) => ({ words: [word], expected: end })),
  ...failureWords.map((word) => ({ words: [word], expected: "stream-error" })),
  { words: [], expected: "broke-off" },
];

/** Returns the finish reason, or the reason of the error. */
const seenEnd = (model: Model): Promise<string> =>
  endOf(model).catch((error: unknown) => {
    const reason = AgentError.is(error) ? (error.details as { readonly reason?: unknown } | undefined)?.reason : error;
    return String(reason);
  });
