// Clients for tests. They use the SDK, and connect over HTTP or over streams in this process.

import { PassThrough } from "node:stream";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type RunningMcpServer, type Servable, type ServeHttpOptions, type ServeOptions, serveMcp } from "@smolts/mcp";

/** The two generations of the protocol. */
export const eras = ["2025", "2026"] as const;
export type Era = (typeof eras)[number];

const negotiation = (era: Era): ClientOptions =>
  era === "2026" ? { versionNegotiation: { mode: "auto" } } : { versionNegotiation: { mode: "legacy" } };

/**
 * A client that is connected to a server over HTTP. Disposing it closes the client and the server.
 */
export interface Connected extends AsyncDisposable {
  readonly client: Client;
  readonly serving: RunningMcpServer;
}

/** Serves over HTTP and connects a client. */
export async function connectHttp(
  served: Servable,
  {
    era = "2026",
    serve = {},
    client = {},
    prepare = () => {},
  }: {
    readonly era?: Era;
    readonly serve?: Partial<ServeHttpOptions>;
    readonly client?: ClientOptions;
    readonly prepare?: (client: Client) => void;
  } = {},
): Promise<Connected> {
  const serving = await serveMcp(served, { ...serve, transport: "http" });
  const connected = await connectTo(serving, era, client, prepare);
  return {
    client: connected,
    serving,
    [Symbol.asyncDispose]: async () => {
      await connected.close();
      await serving.close();
    },
  };
}

/** Connects another client to a running server. */
export async function connectTo(
  { url = "", key }: RunningMcpServer,
  era: Era,
  options: ClientOptions = {},
  prepare: (client: Client) => void = () => {},
): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, { ...negotiation(era), ...options });
  prepare(client);
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

/** A JSON-RPC message. */
export type Message = { readonly [key: string]: unknown };

/** Serves over two streams, just as over stdio. The test writes and reads the raw messages. */
export async function serveStreams(
  served: Servable,
  options: ServeOptions = {},
): Promise<
  AsyncDisposable & {
    readonly serving: RunningMcpServer;
    readonly input: PassThrough;
    send(message: Message): void;
    receive(): Promise<Message>;
  }
> {
  const input = new PassThrough();
  const output = new PassThrough();
  const serving = await serveMcp(served, { ...options, input, output });
  const lines = readLines(output);
  return {
    serving,
    input,
    send: (message) => void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
    receive: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error("the server has closed its output");
      return JSON.parse(value);
    },
    [Symbol.asyncDispose]: async () => {
      input.end();
      await serving.close();
      output.end();
    },
  };
}

async function* readLines(stream: PassThrough): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** Returns the text of a result. */
export function textOf(result: { readonly content?: unknown }): string {
  // The cast is safe: MCP defines `content` as a list of such parts.
  const parts = (result.content ?? []) as readonly { readonly text?: string }[];
  return parts.map(({ text = "" }) => text).join("\n");
}
