import { explainPromise, type OptionTable, readOptions } from "@smolts/protocol";
import { ClientSession } from "./client-session.ts";
import { Endpoints } from "./endpoint.ts";
import { type McpHandlerOptions, mcpHandlerOptions } from "./mcp-handler.ts";
import { offerOf } from "./offer-of.ts";
import { type ServeOptions, serveOptions } from "./serve-options.ts";
import type { Servable } from "./served.ts";

/** Options of {@link serveMcp} over standard input and output. */
export interface ServeStdioOptions extends ServeOptions {
  /** Serves over standard input and output. This is the default. */
  readonly transport?: "stdio";
  /** The stream to read from. @defaultValue the standard input of this process */
  readonly input?: NodeJS.ReadableStream;
  /**
   * The stream to write to. It carries only the protocol. @defaultValue the standard output of this
   * process
   */
  readonly output?: NodeJS.WritableStream;
}

/** Options of {@link serveMcp} over streamable HTTP. */
export interface ServeHttpOptions extends ServeOptions, Partial<Omit<McpHandlerOptions, keyof ServeOptions>> {
  /** Serves over streamable HTTP. */
  readonly transport: "http";
  /** The port to listen on. @defaultValue any free port */
  readonly port?: number;
  /**
   * The address to listen on. If it is not a loopback address, `auth` and `hosts` are required.
   * @defaultValue `127.0.0.1`
   */
  readonly host?: string;
}

/** Options of {@link serveMcp}. */
export type ServeMcpOptions = ServeStdioOptions | ServeHttpOptions;

/** A running server. Disposing it ends the server. */
export interface RunningMcpServer extends AsyncDisposable {
  /** The address for clients. Absent over stdio. */
  readonly url?: string;
  /**
   * The key that clients send as `Authorization: Bearer KEY`. Absent over stdio, and if you pass
   * your own `auth`.
   */
  readonly key?: string;
  /**
   * Resolves when the server has ended, either because the client closed standard input or because
   * `close` was called.
   */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves an agent, tools, or code mode as an MCP server.
 *
 * An agent becomes one tool with a task as its input. Its steps are reported as progress, and a
 * person at the client is asked for approvals. Tools keep their names and schemas. {@link codeMode}
 * puts any number of tools behind two: `run_code` and `search_tools`.
 *
 * Over HTTP, if there is no `auth`, a random key is created and returned as `key`.
 *
 * @throws AgentError `invalid-option` if the value cannot be served, or if other machines could use
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
export function serveMcp(served: Servable, given: ServeMcpOptions = {}): Promise<RunningMcpServer> {
  return explainPromise(started(served, given), "serveMcp()");
}

async function started(served: Servable, given: ServeMcpOptions): Promise<RunningMcpServer> {
  const { transport } = given ?? {};
  // The transport is checked first, because the other options depend on it.
  const chosen: Pick<ServeMcpOptions, "transport"> = transport === undefined ? {} : { transport };
  readOptions(chosen, "serveMcp()", { transport: ["http", "stdio"] });
  const isHttp = transport === "http";
  const table = isHttp ? serveHttpOptions : serveStdioOptions;
  // The cast is safe: these are the same options, now checked.
  const options = readOptions<object>(given, "serveMcp()", table) as ServeMcpOptions;
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
  transport: ["http"],
  port: "number",
  host: "text",
};

async function serveStdio(served: Servable, options: ServeStdioOptions): Promise<RunningMcpServer> {
  const { serveStdio: serve, StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  const endpointOptions = offerOf(served, options);
  const endpoints = new Endpoints(endpointOptions);
  // The only client is the program that started this process, so all requests belong to one
  // session.
  const session = new ClientSession("stdio");
  // The cast below is safe: the transport uses only members that both types of streams have.
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

/** The largest message, in bytes. */
const maxMessageBytes = 10 * 2 ** 20;
