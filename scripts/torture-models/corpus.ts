// The streams for the tests: the fixtures of all presets, and variants of each in another format.

import { readdirSync, readFileSync } from "node:fs";
import { openai } from "@smolts/model-openai";
import { anthropic, ollama, openAICompatible } from "@smolts/models";
import type { Model } from "@smolts/protocol";

/**
 * A stream, and a function that creates a model. The model reads the stream through the given
 * `fetch`.
 */
export interface CorpusStream {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  open(fetch: typeof globalThis.fetch): Model;
}

const folder = new URL("../../packages/models/test/fixtures/", import.meta.url);

/** Functions that change the format of a stream without changing its meaning. */
const variants: readonly [name: string, change: (text: string) => string, isFor: RegExp][] = [
  ["as it is", (text) => text, /./],
  [
    "with characters of two to four bytes",
    (text) => text.replace(/"(content|text|thinking)":"(?=\w)/g, '"$1":"é\u2028€🐟'),
    /./,
  ],
  ["with lines that end in CR LF, and a byte order mark", (text) => `\ufeff${text.replaceAll("\n", "\r\n")}`, /./],
  ["with lines that end in CR", (text) => text.replaceAll("\n", "\r"), /\.sse$/],
  ["with comments and empty lines", (text) => text.replaceAll("\n\n", "\n\n: alive\n\n\n"), /\.sse$/],
  ["without its last line end", (text) => text.trimEnd(), /./],
];

/** Returns at least sixty streams, from all wire formats. */
export function corpus(): readonly CorpusStream[] {
  return readdirSync(folder)
    .filter((file) => /\.(sse|ndjson)$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(new URL(file, folder), "utf8").replace(/^[#:].*\n+/, "");
      return variants
        .filter(([, , isFor]) => isFor.test(file))
        .map(([name, change]) => streamOf(file, name, change(text)));
    });
}

function streamOf(file: string, variant: string, text: string): CorpusStream {
  return {
    name: `${file} ${variant}`,
    bytes: new TextEncoder().encode(text),
    mediaType: file.endsWith(".sse") ? "text/event-stream" : "application/x-ndjson",
    open: (fetch) => modelFor(file, fetch),
  };
}

function modelFor(file: string, fetch: typeof globalThis.fetch): Model {
  const options = { baseUrl: "http://127.0.0.1:9/v1", fetch, retries: { attempts: 1 } };
  if (file.startsWith("anthropic")) return anthropic("m", options);
  if (file.startsWith("ollama")) return ollama("m", options);
  // Use the model with OpenAI's own SDK for streams in the format that OpenAI documents. The SDK
  // does not support the formats of other servers.
  return file.startsWith("openai") && file.includes("tool")
    ? openai("m", { ...options, api: "chat" })
    : openAICompatible("m", options);
}
