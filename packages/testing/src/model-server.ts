// A server on the loopback address that speaks OpenAI's Chat Completions, Anthropic's Messages and
// Ollama's chat. A script says what it answers, so tests and demos can use the real protocols
// without a provider.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  explainMembers,
  explainPromise,
  type JsonValue,
  type OptionTable,
  readOptions,
  wait,
  wrongArgument,
} from "@smolts/protocol";
import { anthropicReply } from "./anthropic-reply.ts";
import { ollamaReply } from "./ollama-reply.ts";
import { eventsOf, type ReplyParts } from "./reply.ts";
import { chatReply, type ReplyWire } from "./reply-wire.ts";

/** The server's reply to one request. A string is the text of the answer. */
export type ServerReply =
  | string
  /** An answer in parts. It is streamed if the request asks for a stream. */
  | (ReplyParts &
      ReplyCut & {
        /** Sends the answer in one piece even if the request asks for a stream. */
        readonly whole?: boolean;
      })
  /** Any other HTTP answer. A body that is not a string is sent as JSON. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: JsonValue }
  /** A stream of server-sent events, sent exactly as written. A list is sent piece by piece. */
  | (ReplyCut & {
      readonly rawSse: string | readonly string[];
      /** Keeps the connection open after the last piece, without sending anything. */
      readonly open?: boolean;
    })
  /** No answer at all, or only the headers. */
  | { readonly hang: "before-headers" | "after-headers" };

/** Breaks the connection in the middle of an answer. */
export interface ReplyCut {
  /** Breaks the connection after this many bytes of the answer's body. */
  readonly cutAfterBytes?: number;
  /**
   * Delays the break until this promise settles, so that the client can read the answer first. A
   * client may drop unread data when the connection breaks. Default: no delay.
   */
  readonly cutWhen?: Promise<unknown>;
}

/** A request as the server received it. */
export interface ServerRequest {
  /** The headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body: `model`, `messages`, `stream`, `stop` and so on. */
  readonly body: ChatCompletionBody;
}

/** The body of a request. The named fields are those that scripts use most. */
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

/** Computes a reply from a request. `callNumber` starts at 1. */
export type ServerReplyFunction = (request: ServerRequest, callNumber: number) => ServerReply | Promise<ServerReply>;

/** A running server; see {@link startModelServer}. */
export interface ModelServer extends AsyncDisposable {
  /** The base URL for clients, such as `http://127.0.0.1:40123/v1`. */
  readonly url: string;
  /** All requests for an answer so far. */
  readonly requests: readonly ServerRequest[];
  /** Closes all connections and stops the server. A second call does nothing. */
  close(): Promise<void>;
}

/** Options of {@link startModelServer}. */
export interface ModelServerOptions {
  /** The port. Default: 0, any free port. */
  readonly port?: number;
  /** The names that `/v1/models` lists; requests may name any model. Default: `scripted`. */
  readonly models?: readonly string[];
}

/**
 * Starts a scripted server on 127.0.0.1 that speaks Chat Completions, Anthropic's Messages
 * (`/v1/messages`) and Ollama's chat (`/api/chat`).
 *
 * Each request takes the next reply of the list. Instead of a list you can pass one function that
 * answers all requests. The server streams as `scriptedModel` does: in small pieces, up to the
 * first stop sequence, with the usage if `stream_options.include_usage` asks for it. If no reply is
 * left, the server answers with status 400 and says so.
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
export function startModelServer(
  replies: readonly (ServerReply | ServerReplyFunction)[] | ServerReplyFunction,
  options: ModelServerOptions = {},
): Promise<ModelServer> {
  return explainPromise(started(replies, options), "startModelServer()");
}

async function started(
  replies: readonly (ServerReply | ServerReplyFunction)[] | ServerReplyFunction,
  options: ModelServerOptions,
): Promise<ModelServer> {
  if (!Array.isArray(replies) && typeof replies !== "function")
    throw wrongArgument("startModelServer()", replies, "a list of replies", 'write startModelServer(["..."])');
  const { port = 0, models = ["scripted"] } = readOptions(options, "startModelServer()", startModelServerOptions);
  const requests: ServerRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response, replies, requests, models).catch((error: unknown) => fail(response, error));
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  const close = (): Promise<void> => stop(server);
  // The cast is safe: a server that listens on a port has an address of this type.
  const { port: openPort } = server.address() as AddressInfo;
  const running: ModelServer = {
    url: `http://127.0.0.1:${openPort}/v1`,
    requests,
    close,
    [Symbol.asyncDispose]: close,
  };
  return explainMembers(running, "a model server", {
    values: [["port address baseUrl baseURL host", "write server.url"]],
    methods: [["stop shutdown listen", "write await server.close()"]],
  });
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

/**
 * Returns the wire format of a route. Any path may come before `/chat/completions`, because that
 * path differs between providers.
 */
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

/**
 * Writes each piece separately and waits until it is written. So the client receives the pieces one
 * by one.
 */
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
  // The cast is safe: no encoding is set, so the pieces are Buffers.
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}

function closedSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  return controller.signal;
}
