// The faults that can happen between a model and its server, and the required outcome of each.

import type { ServerResponse } from "node:http";
import type { Random } from "./random.ts";

/** The wire format of the server. `openai-sdk` is Chat Completions, read by OpenAI's own SDK. */
export type WireName = "chat" | "anthropic" | "ollama" | "openai-sdk";

/**
 * The required outcome of a fault.
 *
 * - `harmless`: the right answer at the first attempt.
 * - `passing`: the right answer after the fault has passed, or a typed error if the fault remains.
 * - `fatal`: a typed error after one attempt.
 * - `breaking`: a typed error, or the right answer if nothing had been shown or nothing was lost.
 */
export type Effect = "harmless" | "passing" | "fatal" | "breaking";

/** A correct answer, before a fault changes it. */
export interface GoodAnswer {
  readonly wire: WireName;
  readonly contentType: string;
  /** The events or lines of the answer, each with its line breaks. */
  readonly pieces: readonly string[];
}

/** One kind of fault. */
export interface Fault {
  readonly name: string;
  readonly effect: Effect;
  /** The wire formats for which the fault is possible. Default: all. */
  readonly wires?: readonly WireName[];
  /** Whether the server stops answering. The client of the test then needs short time limits. */
  readonly isSilent?: boolean;
  /** The address to which the request is sent instead of the server's. */
  readonly address?: string;
  /** Answers a request with the fault. Absent if no request reaches the server. */
  play?(good: GoodAnswer, response: ServerResponse, random: Random): void | Promise<void>;
}

const chatWires: readonly WireName[] = ["chat", "openai-sdk"];
const eventWires: readonly WireName[] = ["chat", "openai-sdk", "anthropic"];

/** All faults. */
export const faults: readonly Fault[] = [
  ...refusals(),
  ...lostConnections(),
  ...cutAnswers(),
  ...reportedErrors(),
  ...strangeStreams(),
  ...wrongKinds(),
];

function refusals(): readonly Fault[] {
  const status = (
    code: number,
    effect: Effect,
    headers: () => Record<string, string> = () => ({}),
    note = "",
  ): Fault => ({
    name: `status ${code}${note}`,
    effect,
    play: (_good, response) => {
      response.writeHead(code, { "content-type": "application/json", ...headers() });
      response.end('{"error":{"message":"not now"}}');
    },
  });
  return [
    ...[408, 429, 500, 502, 503, 529].map((code) => status(code, "passing")),
    status(429, "passing", () => ({ "retry-after": "1" }), ", Retry-After in seconds"),
    status(
      429,
      "passing",
      () => ({ "retry-after": new Date(Date.now() + 1_000).toUTCString() }),
      ", Retry-After as a date",
    ),
    status(429, "fatal", () => ({ "retry-after": "3600" }), ", Retry-After of an hour"),
    ...[400, 401, 403, 404].map((code) => status(code, "fatal")),
    // Nothing listens at the address of these redirects. If the client followed a redirect, the
    // error would be "unreachable", which is not the required outcome.
    ...[301, 302, 303, 307, 308].map((code) =>
      status(code, "fatal", () => ({ location: "http://127.0.0.1:9/elsewhere" })),
    ),
  ];
}

function lostConnections(): readonly Fault[] {
  return [
    { name: "connection refused", effect: "passing", address: "http://127.0.0.1:9/v1" },
    { name: "DNS failure", effect: "passing", address: "http://model.invalid/v1" },
    {
      name: "reset before an answer",
      effect: "passing",
      play: (_good, response) => void response.socket?.resetAndDestroy(),
    },
    {
      name: "reset after the headers",
      effect: "passing",
      play: async (good, response) => {
        await begin(good, response);
        response.socket?.resetAndDestroy();
      },
    },
    {
      name: "reset in the middle",
      effect: "breaking",
      play: async (good, response, random) => {
        await begin(good, response, partOf(good, random));
        response.socket?.resetAndDestroy();
      },
    },
    {
      name: "half-closed in the middle",
      effect: "breaking",
      play: async (good, response, random) => {
        await begin(good, response, partOf(good, random));
        response.socket?.end();
      },
    },
    {
      name: "closed in the middle, as if that were the end",
      effect: "breaking",
      play: async (good, response, random) => {
        // Without a length and without chunks, the body ends when the connection ends.
        response.useChunkedEncodingByDefault = false;
        response.setHeader("connection", "close");
        await begin(good, response, partOf(good, random));
        response.end();
      },
    },
    { name: "no headers", effect: "passing", isSilent: true, play: () => {} },
    { name: "headers and silence", effect: "passing", isSilent: true, play: (good, response) => begin(good, response) },
    {
      name: "silence in the middle",
      effect: "breaking",
      isSilent: true,
      play: (good, response, random) => begin(good, response, partOf(good, random)),
    },
  ];
}

function cutAnswers(): readonly Fault[] {
  const done = "data: [DONE]\n\n";
  return [
    rewriting("no end mark", "harmless", (pieces) => pieces.filter((piece) => piece !== done), chatWires),
    rewriting("no reason of the end", "breaking", (pieces) => pieces.filter((piece) => !isEndPiece(piece))),
    rewriting("no reason of the end, and an end mark", "breaking", (pieces) => [...untilEnd(pieces), done], chatWires),
    rewriting("end in the middle", "breaking", (pieces, random) => cutAfter(pieces, random.below(pieces.length))),
    rewriting(
      "end in the middle, and an end mark",
      "breaking",
      (pieces, random) => [...cutAfter(untilEnd(pieces), random.below(untilEnd(pieces).length)), done],
      chatWires,
    ),
    rewriting("end in the middle of what is said or called", "breaking", (pieces, random) => {
      const content = pieces.flatMap((piece, index) => (hasContent(piece) ? [index] : []));
      return content.length === 0 ? [] : cutAfter(pieces, random.pick(content));
    }),
    rewriting("end in the middle of a piece", "breaking", (pieces, random) => {
      const text = pieces.join("");
      return [text.slice(0, random.below(text.length))];
    }),
    rewriting("an empty answer", "passing", () => []),
    { name: "cut gzip", effect: "breaking", play: (good, response, random) => sendGzip(good, response, random) },
    { name: "gzip", effect: "harmless", play: (good, response) => sendGzip(good, response) },
  ];
}

function reportedErrors(): readonly Fault[] {
  const inserted = (name: string, effect: Effect, error: string, wires: readonly WireName[]): Fault =>
    rewriting(name, effect, (pieces, random) => [...cutAfter(pieces, random.below(pieces.length)), error], wires);
  const object = '{"error":{"message":"the model was lost","code":503}}';
  return [
    inserted("an error in the stream", "breaking", `data: ${object}\n\n`, eventWires),
    inserted("an error in the stream, and an end mark", "breaking", `data: ${object}\n\ndata: [DONE]\n\n`, chatWires),
    inserted(
      "an event named error",
      "breaking",
      'event: error\ndata: {"message":"the model was lost"}\n\n',
      eventWires,
    ),
    inserted("a line with an error", "breaking", `${object}\n`, ["ollama"]),
    inserted(
      "an overload in the stream",
      "breaking",
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
      ["anthropic"],
    ),
    rewriting("an error as all there is", "passing", () => [`data: ${object}\n\n`], eventWires),
    rewriting(
      "a reason that is an error",
      "breaking",
      (pieces) => pieces.map((piece) => piece.replace(/"finish_reason":"\w+"/, '"finish_reason":"error"')),
      ["chat"],
    ),
  ];
}

function strangeStreams(): readonly Fault[] {
  const usage = '{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":1,"total_tokens":10}}';
  return [
    rewriting("pieces without content sent twice", "harmless", (pieces) =>
      pieces.flatMap((piece) => (hasContent(piece) || piece.includes("message_stop") ? [piece] : [piece, piece])),
    ),
    rewriting("a marked piece sent twice", "harmless", (pieces, random) => twice(pieces.map(marked), random), [
      "chat",
      "ollama",
    ]),
    rewriting(
      "whole calls sent twice",
      "harmless",
      (pieces) => wholeCalls(pieces).flatMap((piece) => (piece.includes('"tool_calls":[') ? [piece, piece] : [piece])),
      ["chat"],
    ),
    rewriting(
      "a wrong tool index",
      "breaking",
      (pieces) =>
        pieces.map((piece) =>
          piece.replace(/"index":(\d),"function":\{"arguments"/, '"index":7,"function":{"arguments"'),
        ),
      chatWires,
    ),
    rewriting(
      "chunks of usage alone",
      "harmless",
      (pieces, random) => inserting(pieces, `data: ${usage}\n\n`, random),
      chatWires,
    ),
    rewriting("comments", "harmless", (pieces, random) => inserting(pieces, ": keep-alive\n\n", random), eventWires),
    rewriting(
      "unknown events",
      "harmless",
      (pieces, random) => inserting(pieces, 'event: news\ndata: {"type":"news"}\n\n', random),
      ["chat", "anthropic"],
    ),
    rewriting("empty lines", "harmless", (pieces, random) => inserting(pieces, "\n", random)),
    rewriting("lines that end in CR LF", "harmless", (pieces) => pieces.map((piece) => piece.replaceAll("\n", "\r\n"))),
    rewriting("a byte order mark", "harmless", (pieces) => ["\ufeff", ...pieces]),
    rewriting("U+2028 between the fields", "harmless", (pieces) =>
      pieces.map((piece) => piece.replace(/\}(\s*)$/, ',"note":"\u2028\u2029\u0085"}$1')),
    ),
    {
      name: "byte by byte",
      effect: "harmless",
      play: async (good, response) => {
        await begin(good, response);
        for (const byte of Buffer.from(good.pieces.join(""))) response.write(Uint8Array.of(byte));
        response.end();
      },
    },
  ];
}

function wrongKinds(): readonly Fault[] {
  const ofType = (contentType: string | null, effect: Effect): Fault => ({
    name: `content type ${contentType}`,
    effect,
    play: async (good, response) => {
      if (contentType !== null) response.setHeader("content-type", contentType);
      response.end(good.pieces.join(""));
    },
  });
  const page = "<!doctype html><html><body>Please log in</body></html>";
  return [
    ofType("text/plain", "harmless"),
    ofType("application/octet-stream", "harmless"),
    ofType(null, "harmless"),
    ofType("application/json", "harmless"),
    {
      name: "a page instead of an answer",
      effect: "fatal",
      play: (_good, response) => void response.writeHead(200, { "content-type": "text/html" }).end(page),
    },
    {
      name: "a page with status 502",
      effect: "passing",
      play: (_good, response) => void response.writeHead(502, { "content-type": "text/html" }).end(page),
    },
    rewriting("a page as a stream", "breaking", () => [page]),
  ];
}

/** Creates a fault that changes the pieces of the correct answer. */
function rewriting(
  name: string,
  effect: Effect,
  rewrite: (pieces: readonly string[], random: Random) => readonly string[],
  wires?: readonly WireName[],
): Fault {
  return {
    name,
    effect,
    ...(wires && { wires }),
    play: async (good, response, random) => {
      await begin(good, response, rewrite(good.pieces, random).join(""));
      response.end();
    },
  };
}

/** Sends the headers and the beginning of an answer. Resolves when they have been sent. */
async function begin({ contentType }: GoodAnswer, response: ServerResponse, text = ""): Promise<void> {
  response.writeHead(200, { "content-type": contentType }).flushHeaders();
  if (text !== "") await new Promise<void>((resolve) => response.write(text, () => resolve()));
}

async function sendGzip({ contentType, pieces }: GoodAnswer, response: ServerResponse, random?: Random): Promise<void> {
  const { gzipSync } = await import("node:zlib");
  const bytes = gzipSync(pieces.join(""));
  response.writeHead(200, { "content-type": contentType, "content-encoding": "gzip" });
  response.end(random ? bytes.subarray(0, random.below(bytes.length)) : bytes);
}

function partOf({ pieces }: GoodAnswer, random: Random): string {
  const text = pieces.join("");
  return text.slice(0, 1 + random.below(text.length - 1));
}

const isEndPiece = (piece: string): boolean => /"finish_reason":"|message_delta|message_stop|"done":true/.test(piece);

/** Says whether a piece contains text, or a part of a call's input. */
const hasContent = (piece: string): boolean =>
  /"delta":\{"(content|reasoning_content)":"|"arguments":"[^"]|content_block_delta|"content":"[^"]|"tool_calls":\[\{"function"/.test(
    piece,
  );

const cutAfter = (pieces: readonly string[], index: number): readonly string[] => pieces.slice(0, index + 1);

function untilEnd(pieces: readonly string[]): readonly string[] {
  const end = pieces.findIndex(isEndPiece);
  return end < 0 ? pieces : pieces.slice(0, end);
}

/** Adds the marks with which providers make each piece unique, such as a time with microseconds. */
function marked(piece: string, index: number): string {
  return piece
    .replace(/"created_at":"[^"]*"/, `"created_at":"2026-11-21T10:00:00.${String(index).padStart(6, "0")}Z"`)
    .replace(/^data: \{/, `data: {"obfuscation":"p${index}",`);
}

function twice(pieces: readonly string[], random: Random): readonly string[] {
  const index = random.below(pieces.length);
  return pieces.flatMap((piece, at) => (at === index ? [piece, piece] : [piece]));
}

function inserting(pieces: readonly string[], piece: string, random: Random): readonly string[] {
  // The extra piece is inserted before the end, because nothing after the end is read.
  const at = random.below(pieces.length);
  return [...pieces.slice(0, at), piece, ...pieces.slice(at)];
}

/** Returns the pieces with each tool call joined into a single piece. */
function wholeCalls(pieces: readonly string[]): readonly string[] {
  const input = new Map<string, string>();
  for (const piece of pieces) {
    const [, index = "", text = ""] = /"index":(\d),"function":\{"arguments":("(?:[^"\\]|\\.)*")/.exec(piece) ?? [];
    if (text !== "") input.set(index, (input.get(index) ?? "") + JSON.parse(text));
  }
  return pieces.flatMap((piece) => {
    if (/"tool_calls":\[\{"index":\d,"function"/.test(piece)) return [];
    const [, index] = /"tool_calls":\[\{"index":(\d),"id"/.exec(piece) ?? [];
    return [
      index === undefined
        ? piece
        : piece.replace('"arguments":""', `"arguments":${JSON.stringify(input.get(index) ?? "")}`),
    ];
  });
}
