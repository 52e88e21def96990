// A server that speaks OpenAI's Chat Completions, Anthropic's Messages and Ollama's chat on
// loopback and answers what a script says. With it, real wires are tested and shown without any
// provider.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type JsonValue, type OptionTable, readOptions, wait } from "@smolts/protocol";
import { anthropicReply } from "./anthropic-reply.ts";
import { ollamaReply } from "./ollama-reply.ts";
import { eventsOf, type ReplyParts } from "./reply.ts";
import { chatReply, type ReplyWire } from "./reply-wire.ts";

/** The server's reply to one request. A string is an answer of that text. */
export type ServerReply =
  | string
  /** An answer in parts, streamed when asked so. */
  | (ReplyParts &
      ReplyCut & {
        /** Answer whole, as a server that cannot stream. */
        readonly whole?: boolean;
      })
  /** Any other HTTP answer; a body that is not a string is sent as JSON. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: JsonValue }
  /** Server-sent events, byte for byte; a list is written piece by piece. */
  | (ReplyCut & {
      readonly rawSse: string | readonly string[];
      /** Leave the answer open, silent. */
      readonly open?: boolean;
    })
  /** No answer at all, or headers and then silence. */
  | { readonly hang: "before-headers" | "after-headers" };

/** Where an answer breaks off. */
export interface ReplyCut {
  /** The connection breaks after so many bytes of the answer's body. */
  readonly cutAfterBytes?: number;
  /**
   * It does not break before this has come to pass: a client may drop, with its connection, what it
   * has not read. Default: at once.
   */
  readonly cutWhen?: Promise<unknown>;
}

/** A chat completion as it was asked for. */
export interface ServerRequest {
  /** With lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body: `model`, `messages`, `stream`, `stop` and so on. */
  readonly body: ChatCompletionBody;
}

/** The fields of a request's body that scripts look at; the others are there, too. */
export interface ChatCompletionBody {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: JsonValue;
    readonly [field: string]: JsonValue;
  }[];
  readonly stream?: boolean;
  readonly stop?: string | readonly string[];
  readonly [field: string]: unknown;
}

/** Computes a reply from a request; `callNumber` is 1-based. */
export type ServerReplyFunction = (request: ServerRequest, callNumber: number) => ServerReply | Promise<ServerReply>;

/** A running server; see {@link startModelServer}. */
export interface ModelServer extends AsyncDisposable {
  /** The base URL for clients, such as `http://127.0.0.1:40123/v1`. */
  readonly url: string;
  /** The chat completions asked for so far. */
  readonly requests: readonly ServerRequest[];
  /** Ends all connections and stops; harmless when it is stopped already. */
  close(): Promise<void>;
}

/** Options of {@link startModelServer}. */
export interface ModelServerOptions {
  /** Default: 0, any free port. */
  readonly port?: number;
  /** What `/v1/models` lists. Default: `scripted`. Chat completions take any model. */
  readonly models?: readonly string[];
}

/**
 * Starts a scripted server on 127.0.0.1 that speaks Chat Completions, Anthropic's Messages
 * (`/v1/messages`) and Ollama's chat (`/api/chat`).
 *
 * Each chat completion takes the next reply; one function instead of a list answers all. Replies
 * stream as `scriptedModel` does: small pieces, stop texts honoured, usage when
 * `stream_options.include_usage` asks for it. A request that finds no reply left gets status 400
 * that says so.
 *
 * @example
 * ```ts
 * import { startModelServer } from "@smolts/testing/server";
 *
 * await using server = await startModelServer(["42"]);
 * const response = await fetch(`${server.url}/chat/completions`, {
 *   method: "POST",
 *   body: JSON.stringify({ model: "any", messages: [{ role: "user", content: "6 * 7?" }] }),
 * });
 * console.log((await response.json()).choices[0].message.content); // 42
 * ```
 */
export async function startModelServer(
  replies: readonly (ServerReply | ServerReplyFunction)[] | ServerReplyFunction,
  options: ModelServerOptions = {},
): Promise<ModelServer> {
  const { port = 0, models = ["scripted"] } = readOptions(options, "startModelServer()", startModelServerOptions);
  const requests: ServerRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response, replies, requests, models).catch((error: unknown) => fail(response, error));
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  const close = (): Promise<void> => stop(server);
  // A server that listens on a port has an address of this kind.
  const { port: openPort } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${openPort}/v1`,
    requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const startModelServerOptions: OptionTable<ModelServerOptions> = { port: "number", models: "texts" };

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  replies: readonly (ServerReply | ServerReplyFunction)[] | ServerReplyFunction,
  requests: ServerRequest[],
  models: readonly string[],
): Promise<void> {
  const route = `${request.method} ${request.url?.split("?")[0]}`;
  if (route === "GET /v1/models") return sendJson(response, 200, modelList(models));
  const wire = wireOf(route);
  if (wire === undefined) return sendError(response, 404, `no route ${route}`);
  const asked: ServerRequest = { headers: flatHeaders(request), body: JSON.parse(await readText(request)) };
  const callNumber = requests.push(asked);
  const next = typeof replies === "function" ? replies : replies[callNumber - 1];
  if (next === undefined) {
    return sendError(response, 400, `the script has ${replies.length} replies, and this is request ${callNumber}`);
  }
  await play(typeof next === "function" ? await next(asked, callNumber) : next, asked.body, callNumber, response, wire);
}

/** Below any path that a provider puts before it. */
function wireOf(route: string): ReplyWire | undefined {
  if (/^POST \/(.*\/)?chat\/completions$/.test(route)) return chatReply;
  if (route === "POST /v1/messages") return anthropicReply;
  return route === "POST /api/chat" ? ollamaReply : undefined;
}

async function play(
  reply: ServerReply,
  body: ChatCompletionBody,
  callNumber: number,
  response: ServerResponse,
  wire: ReplyWire,
): Promise<void> {
  if (typeof reply === "string") return play({ text: reply }, body, callNumber, response, wire);
  if ("hang" in reply) return hang(reply.hang, response);
  if ("status" in reply) return sendStatus(response, reply);
  if ("rawSse" in reply) {
    const pieces = typeof reply.rawSse === "string" ? [reply.rawSse] : reply.rawSse;
    return sendSse(response, pieces, reply, reply.open);
  }
  await wait(reply.delayMs ?? 0, closedSignal(response));
  const events = eventsOf(reply, wire.stopOf(body), callNumber);
  if (body.stream !== true || reply.whole) {
    return sendText(response, JSON.stringify(wire.whole(events, body, callNumber)), reply);
  }
  response.writeHead(200, { ...sseHeaders, "content-type": wire.contentType });
  await sendPieces(response, wire.pieces(events, body, callNumber), reply);
  response.end();
}

function hang(when: "before-headers" | "after-headers", response: ServerResponse): void {
  if (when === "after-headers") response.writeHead(200, sseHeaders).flushHeaders();
}

function sendStatus(
  response: ServerResponse,
  { status, headers = {}, body = "" }: Extract<ServerReply, { readonly status: number }>,
): void {
  const isText = typeof body === "string";
  const contentType = isText ? "text/plain" : "application/json";
  response.writeHead(status, { "content-type": contentType, ...headers }).end(isText ? body : JSON.stringify(body));
}

const sseHeaders = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };

async function sendSse(
  response: ServerResponse,
  pieces: readonly string[],
  cut: ReplyCut,
  open = false,
): Promise<void> {
  response.writeHead(200, sseHeaders);
  await sendPieces(response, pieces, cut);
  if (!open) response.end();
}

async function sendText(response: ServerResponse, text: string, cut: ReplyCut): Promise<void> {
  const bytes = Buffer.byteLength(text);
  response.writeHead(200, { "content-type": "application/json", "content-length": bytes });
  await sendPieces(response, [text], cut);
  response.end();
}

/** One write a piece, each on its way before the next, so that a client meets them one by one. */
async function sendPieces(
  response: ServerResponse,
  pieces: readonly string[],
  { cutAfterBytes = Number.POSITIVE_INFINITY, cutWhen }: ReplyCut,
): Promise<void> {
  let left = cutAfterBytes;
  for (const piece of pieces) {
    const bytes = Buffer.from(piece);
    if (response.destroyed) return;
    await new Promise<void>((resolve) => response.write(bytes.subarray(0, left), () => resolve()));
    left -= bytes.length;
    if (left > 0) continue;
    await cutWhen;
    return void response.destroy();
  }
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else sendError(response, 400, `the script failed: ${String(error)}`);
}

function sendError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { error: { message, type: "invalid_request_error", param: null, code: null } });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function modelList(models: readonly string[]): object {
  return { object: "list", data: models.map((id) => ({ id, object: "model", created: 0, owned_by: "smolts" })) };
}

function flatHeaders(request: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
}

async function readText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer); // no encoding is set, so that pieces are Buffers
  return Buffer.concat(pieces).toString("utf8");
}

function closedSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  return controller.signal;
}
