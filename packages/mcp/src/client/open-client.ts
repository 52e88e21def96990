// A connection from nothing: the transport that the server needs, and the versions that both sides
// know.

import {
  Client,
  type ClientCapabilities,
  type JSONRPCMessage,
  type ListChangedHandlers,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { AgentError } from "@smolts/protocol";
import { authorizationProvider } from "./authorization.ts";
import { isStdio, type McpHttpServer, type McpServer, type McpStdioServer, serverName } from "./mcp-server.ts";
import { serverFetch } from "./server-fetch.ts";

/** A client, connected. */
export interface OpenedClient {
  readonly client: Client;
  /**
   * Signs in again where the server wants more than the token allows; absent without authorization.
   */
  readonly signIn?: () => Promise<void>;
}

/** The answers of a client to its server's requests and notifications. */
export interface ClientSetup {
  readonly capabilities: ClientCapabilities;
  readonly listChanged: ListChangedHandlers;
  /** Gets each new client before it connects. */
  prepare(client: Client): void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Connects to a server.
 *
 * @throws AgentError `tool-execution` that names the server and says why; the signal's reason when
 *   it aborts
 */
export async function openClient(server: McpServer, setup: ClientSetup): Promise<OpenedClient> {
  try {
    return isStdio(server) ? { client: await openStdio(server, setup) } : await openHttp(server, setup);
  } catch (error) {
    setup.signal?.throwIfAborted();
    if (AgentError.is(error)) throw error;
    throw notReached(server, error);
  }
}

const connectTimeoutMs = 60_000;
/**
 * A process that does not know the question, and says nothing, is asked in the older way after this
 * time.
 */
const probeTimeoutMs = 10_000;

function createClient({ capabilities, listChanged, prepare }: ClientSetup): Client {
  const client = new Client(
    { name: "smolts", version: "0.0.0" },
    {
      capabilities,
      // Asked for what the server does not offer, the SDK would write to standard output, which may
      // carry a protocol of its own.
      enforceStrictCapabilities: true,
      listChanged,
      versionNegotiation: { mode: "auto", probe: { timeoutMs: probeTimeoutMs } },
      inputRequired: { autoFulfill: false },
      // Nothing is validated by generated code: results are held against their schemas where they
      // are read.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
      listMaxPages: 1_000,
    },
  );
  prepare(client);
  return client;
}

async function connect(transport: Transport, server: McpServer, setup: ClientSetup, isLegacy = false): Promise<Client> {
  const client = createClient(setup);
  const { timeoutMs = connectTimeoutMs } = server;
  await client.connect(transport, {
    timeout: timeoutMs,
    ...(setup.signal ? { signal: setup.signal } : {}),
    ...(isLegacy ? { prior: { kind: "legacy" } } : {}),
  });
  return client;
}

async function openStdio(server: McpStdioServer, setup: ClientSetup): Promise<Client> {
  const { StdioTransport } = await import("./stdio-transport.node.ts");
  const first = new StdioTransport(server);
  try {
    return await connect(first, server, setup);
  } catch (error) {
    await first.close();
    setup.signal?.throwIfAborted();
    if (isMissing(error)) throw error;
    // A server that runs and does not answer is not started again.
    if (isTimeout(error)) throw notReached(server, error, first.errorOutput);
  }
  // Some older servers end when they are asked anything before the beginning that they know.
  const second = new StdioTransport(server);
  try {
    return await connect(second, server, setup, true);
  } catch (error) {
    await second.close();
    setup.signal?.throwIfAborted();
    throw notReached(server, error, second.errorOutput);
  }
}

const isTimeout = (error: unknown): boolean => error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EACCES");

async function openHttp(server: McpHttpServer, setup: ClientSetup): Promise<OpenedClient> {
  if (server.transport === "sse") return await signedIn(server, setup, openSse);
  try {
    return await signedIn(server, setup, openStreamable);
  } catch (error) {
    setup.signal?.throwIfAborted();
    const { status } = error instanceof SdkHttpError ? error : {};
    const isUnknown = status !== undefined && status >= 400 && status < 500 && status !== 401 && status !== 403;
    if (server.transport === "http" || !isUnknown) throw error;
    return await signedIn(server, setup, openSse).catch(() => {
      throw error;
    });
  }
}

type HttpTransport = StreamableHTTPClientTransport | SSEClientTransport;
type OpenHttp = (server: McpHttpServer, provider: ReturnType<typeof authorizationProvider>) => HttpTransport;

const openStreamable: OpenHttp = (server, provider) => {
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    fetch: serverFetch(server),
    redirectPolicy: "same-origin",
    ...(provider === undefined ? {} : { authProvider: provider }),
  });
  const send = transport.send.bind(transport);
  transport.send = (message, options) =>
    send(message, { ...options, onRequestStreamEnd: options?.onRequestStreamEnd ?? (() => endOf(message)) });
  /**
   * The SDK would wait for an answer that can never come. If the answer did come, this one is
   * unknown and ignored.
   */
  const endOf = (message: JSONRPCMessage | readonly JSONRPCMessage[]): void => {
    for (const request of [message].flat()) {
      if (!("method" in request && "id" in request)) continue;
      transport.onmessage?.({
        jsonrpc: "2.0",
        id: request.id,
        error: { code: brokenOffCode, message: "the server ended its answer before the result" },
      });
    }
  };
  return transport;
};

/**
 * The error code of a request whose answer broke off; JSON-RPC leaves the range to implementations.
 */
export const brokenOffCode = -32_099;

const openSse: OpenHttp = (server, provider) =>
  new SSEClientTransport(new URL(server.url), {
    fetch: serverFetch(server),
    redirectPolicy: "same-origin",
    ...(provider === undefined ? {} : { authProvider: provider }),
  });

/** Connects, and where the server asks for it signs in once and connects again. */
async function signedIn(server: McpHttpServer, setup: ClientSetup, open: OpenHttp): Promise<OpenedClient> {
  const provider = authorizationProvider(server, setup.signal);
  const connectBy = async (transport: HttpTransport): Promise<OpenedClient> => {
    const client = await connect(transport, server, setup);
    return provider ? { client, signIn: async () => transport.finishAuth(await provider.callback()) } : { client };
  };
  const transport = open(server, provider);
  try {
    return await connectBy(transport);
  } catch (error) {
    const asksToSignIn =
      error instanceof UnauthorizedError || (error instanceof Error && error.cause instanceof UnauthorizedError);
    if (provider === undefined || !asksToSignIn) throw error;
    await transport.finishAuth(await provider.callback());
  }
  return await connectBy(open(server, provider));
}

function notReached(server: McpServer, error: unknown, errorOutput = ""): AgentError {
  const why = error instanceof Error ? error.message : String(error);
  const lastLine = errorOutput.trim().split("\n").at(-1) ?? "";
  const said = lastLine === "" ? "" : `; its process wrote: ${lastLine.slice(0, 300)}`;
  const name = serverName(server);
  return new AgentError(
    "tool-execution",
    `the MCP server "${name}" could not be reached: ${why.slice(0, 500)}${said}`,
    {
      cause: error,
      hint: hintOf(server, error),
    },
  );
}

function hintOf(server: McpServer, error: unknown): string {
  if (isStdio(server)) {
    return isMissing(error)
      ? `is "${server.command}" installed?`
      : `start "${server.command}" by hand to see what it says`;
  }
  const { status } = error instanceof SdkHttpError ? error : {};
  if (status === 401 || status === 403 || error instanceof UnauthorizedError) {
    return "give it headers with a key, or authorization to sign in";
  }
  return "check its url, and whether it is running";
}
