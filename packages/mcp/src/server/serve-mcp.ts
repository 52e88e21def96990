import { type OptionTable, readOptions } from "@smolts/protocol";
import { ClientSession } from "./client-session.ts";
import { Endpoints } from "./endpoint.ts";
import { type McpHandlerOptions, mcpHandlerOptions } from "./mcp-handler.ts";
import { offerOf, type ServeOptions, serveOptions } from "./offer-of.ts";
import type { Served } from "./served.ts";

/** Options of {@link serveMcp} over standard input and output. */
export interface ServeStdioOptions extends ServeOptions {
  /** Serves over standard input and output, which is also the default. */
  readonly transport?: "stdio";
  /** @defaultValue this process's own */
  readonly input?: NodeJS.ReadableStream;
  /** Carries the protocol and nothing else. @defaultValue this process's own */
  readonly output?: NodeJS.WritableStream;
}

/** Options of {@link serveMcp} over streamable HTTP. */
export interface ServeHttpOptions extends ServeOptions, Partial<Omit<McpHandlerOptions, keyof ServeOptions>> {
  /** Serves over Streamable HTTP. */
  readonly transport: "http";
  /** @defaultValue any free one */
  readonly port?: number;
  /**
   * The address to listen at. Another than loopback needs `auth` and `hosts`. @defaultValue
   * `127.0.0.1`
   */
  readonly host?: string;
}

/** Options of {@link serveMcp}. */
export type ServeMcpOptions = ServeStdioOptions | ServeHttpOptions;

/** A server that runs. Disposing ends it. */
export interface McpServing extends AsyncDisposable {
  /** Where clients connect; absent over stdio. */
  readonly url?: string;
  /**
   * What clients send as `Authorization: Bearer KEY`; absent over stdio and with an `auth` of your
   * own.
   */
  readonly key?: string;
  /**
   * Resolves when the server has ended: the client closed standard input, or `close` was called.
   */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves an agent, tools, or code mode as an MCP server.
 *
 * An agent is one tool with a task; its steps are reported as progress, and its approvals are asked
 * of the client's person. Tools keep their names and schemas. {@link codeMode} puts any number of
 * tools behind one tool that runs code.
 *
 * Over HTTP a key is made when `auth` is absent; it is in `key`.
 *
 * @throws AgentError `invalid-option` when the value cannot be served, or other machines could use
 *   the server without a key
 * @example
 * ```ts
 * import { serveMcp } from "@smolts/mcp";
 * import { tool } from "smolts";
 *
 * const add = tool({
 *   name: "add",
 *   description: "Adds two numbers.",
 *   input: { left: "number", right: "number" },
 *   execute: ({ left, right }) => left + right,
 * });
 * await using serving = await serveMcp([add], { transport: "http" });
 * console.log(serving.url); // http://127.0.0.1:.../mcp
 * ```
 */
export async function serveMcp(served: Served, given: ServeMcpOptions = {}): Promise<McpServing> {
  const isHttp = (given as ServeMcpOptions | null)?.transport === "http";
  const table = isHttp ? serveHttpOptions : serveStdioOptions;
  const options = readOptions<object>(given, "serveMcp()", table) as ServeMcpOptions; // the same options
  if (options.transport === "http") {
    const { serveHttp } = await import("./serve-http.node.ts");
    return serveHttp(served, options);
  }
  return serveStdio(served, options);
}

const serveStdioOptions: OptionTable<ServeStdioOptions> = {
  ...serveOptions,
  transport: ["stdio"],
  input: "object",
  output: "object",
};

const serveHttpOptions: OptionTable<ServeHttpOptions> = {
  ...mcpHandlerOptions,
  transport: true,
  port: true,
  host: true,
};

async function serveStdio(served: Served, options: ServeStdioOptions): Promise<McpServing> {
  const { serveStdio: serve, StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  const endpointOptions = offerOf(served, options);
  const endpoints = new Endpoints(endpointOptions);
  // The client is whoever started this process.
  const session = new ClientSession("stdio");
  // The transport reads and writes streams as both kinds of types describe them.
  type Streams = ConstructorParameters<typeof StdioServerTransport>;
  const [input, output] = [options.input, options.output] as [Streams[0], Streams[1]];
  const transport = new StdioServerTransport(input, output, { maxBufferSize: maxMessageBytes });
  const handle = serve(() => endpoints.create(session, true), { transport });
  let onClosed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    onClosed = resolve;
  });
  let closing: Promise<void> | null = null;
  const end = async (): Promise<void> => {
    await session[Symbol.asyncDispose]();
    await endpointOptions.offer.close?.();
    onClosed();
  };
  const close = (): Promise<void> => {
    closing ??= handle.close().then(end);
    return closing;
  };
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    closing ??= end();
  };
  return { closed, close, [Symbol.asyncDispose]: close };
}

/** Of one message. */
const maxMessageBytes = 10 * 2 ** 20;
