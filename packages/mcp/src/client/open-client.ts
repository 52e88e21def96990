// Opens a new connection: creates the transport that the server needs, and agrees on a protocol
// version with the server.

import {
  Client,
  type ClientCapabilities,
  type JSONRPCMessage,
  type ListChangedHandlers,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { AgentError, thrownText, untilAborted } from "@smolts/protocol";
import { authorizationProvider } from "./authorization.ts";
import { cleanText } from "./foreign-schema.ts";
import {
  isStdio,
  type McpHttpServer,
  type McpServer,
  type McpStdioServer,
  serverName,
  timeLimitOf,
} from "./mcp-server.ts";
import { repairAnswers } from "./repaired-transport.ts";
import { redactSecretsOf } from "./secrets-of.ts";
import { serverFetch } from "./server-fetch.ts";

/** A connected client. */
export interface OpenedClient {
  readonly client: Client;
  /**
   * Signs in again, if the server requires more rights than the token has. Absent if no
   * authorization is configured.
   */
  readonly signIn?: () => Promise<void>;
}

/** The client's capabilities, and its handlers for the server's requests and notifications. */
export interface ClientSetup {
  readonly capabilities: ClientCapabilities;
  readonly listChanged: ListChangedHandlers;
  /** Called with each new client before it connects. */
  prepare(client: Client): void;
  warn(message: string): void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Connects to a server, and returns the client.
 *
 * @throws AgentError `tool-execution` that names the server and says why; if the signal aborts, its
 *   reason is thrown
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

/**
 * How long to wait until a process answers the first request in the newer protocol, in ms. If the
 * process does not answer, the SDK sends a request in the older protocol.
 */
const maxProbeMs = 10_000;

/**
 * Returns the time limit of the first request. Over HTTP, this limit is the same as for all
 * requests: the server may have to wake up first, and the SDK does not try the older protocol after
 * a timeout.
 */
function probeTimeoutMs(server: McpServer): number {
  const timeoutMs = timeLimitOf(server);
  return isStdio(server) ? Math.min(maxProbeMs, timeoutMs) : timeoutMs;
}

function createClient(server: McpServer, { capabilities, listChanged, prepare }: ClientSetup): Client {
  const client = new Client(
    { name: "smolts", version: "0.0.0" },
    {
      capabilities,
      // Makes the SDK throw an error if the server lacks a capability. By default, the SDK writes a
      // warning to standard output, which may carry another protocol.
      enforceStrictCapabilities: true,
      listChanged,
      versionNegotiation: { mode: "auto", probe: { timeoutMs: probeTimeoutMs(server) } },
      inputRequired: { autoFulfill: false },
      // The SDK's validator would generate code, so it is replaced by one that accepts everything.
      // Results are validated where they are used.
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
  const client = createClient(server, setup);
  const timeoutMs = timeLimitOf(server);
  await client.connect(repairAnswers(transport, setup.warn), {
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
    const client = await connect(first, server, setup);
    if (first.isProbeUnanswered) {
      const version = client.getNegotiatedProtocolVersion() ?? "before 2026";
      setup.warn(`${silenceOf(server)}, so the older protocol (${version}) is used`);
    }
    return client;
  } catch (error) {
    await first.close();
    setup.signal?.throwIfAborted();
    if (isMissing(error)) throw error;
    // Do not start the server a second time: it is running, but does not answer.
    if (isTimeout(error)) {
      const silence = first.isProbeUnanswered ? `${silenceOf(server)}, nor the one of the older protocol` : undefined;
      throw notReached(server, error, { errorOutput: first.errorOutput, why: silence });
    }
  }
  // Some older servers exit if they do not know the first request. Start the process again, with
  // the older protocol.
  const second = new StdioTransport(server);
  try {
    return await connect(second, server, setup, true);
  } catch (error) {
    await second.close();
    setup.signal?.throwIfAborted();
    throw notReached(server, error, { errorOutput: second.errorOutput });
  }
}

const silenceOf = (server: McpServer): string =>
  `it did not answer the first request of the newer protocol within ${probeTimeoutMs(server)} ms`;

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
type OpenHttp = (
  server: McpHttpServer,
  provider: ReturnType<typeof authorizationProvider>,
  signal: AbortSignal | undefined,
) => HttpTransport;

const openStreamable: OpenHttp = (server, provider) => {
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    fetch: serverFetch(server),
    redirectPolicy: "same-origin",
    ...(provider === undefined ? {} : { authProvider: provider }),
  });
  shareRenewal(transport);
  const send = transport.send.bind(transport);
  transport.send = (message, options) =>
    send(message, { ...options, onRequestStreamEnd: options?.onRequestStreamEnd ?? (() => endOf(message)) });
  /**
   * Reports an error for a request whose answer ended without a result. Without this error, the SDK
   * would wait forever. If the result has already arrived, the SDK ignores this error.
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
 * The error code for a request whose answer ended early. The code is in the range that JSON-RPC
 * reserves for implementations.
 */
export const brokenOffCode = -32_099;

const openSse: OpenHttp = (server, provider, signal) => {
  const transport = new SSEClientTransport(new URL(server.url), {
    fetch: serverFetch(server),
    redirectPolicy: "same-origin",
    ...(provider === undefined ? {} : { authProvider: provider }),
  });
  shareRenewal(transport);
  const start = transport.start.bind(transport);
  // The SDK sets no time limit on its wait for the stream's first event, so a limit is added here.
  transport.start = async () => {
    const late = AbortSignal.timeout(timeLimitOf(server));
    try {
      await untilAborted(start(), signal ? AbortSignal.any([late, signal]) : late);
    } catch (error) {
      await transport.close();
      throw error;
    }
  };
  return transport;
};

/**
 * Closes a client of the older transport when the client's stream is lost. The SDK would open
 * another stream, but use the session of the lost stream.
 */
function closeWithStream(client: Client): void {
  if (!(client.transport instanceof SSEClientTransport)) return;
  client.onerror = (error) => {
    // An error while closing is ignored, because the client is not used again.
    if (error instanceof SseError) client.close().catch(() => {});
  };
}

interface TokenRenewal {
  onUnauthorized?: (refused: unknown) => Promise<void>;
}

/**
 * Renews the token only once if several requests are refused at the same time. Otherwise each
 * request would use the same refresh token, which is often valid only once, or would open its own
 * sign-in page.
 */
function shareRenewal(transport: HttpTransport): void {
  // The SDK has no public access to this private member. The manifest pins the SDK's version, so
  // the member exists.
  const { _authProvider: provider } = transport as unknown as { readonly _authProvider?: TokenRenewal };
  const renew = provider?.onUnauthorized;
  if (provider === undefined || renew === undefined) return;
  let renewing: Promise<void> | undefined;
  const end = (): void => {
    renewing = undefined;
  };
  provider.onUnauthorized = (refused) => {
    renewing ??= renew(refused).then(end, (error: unknown) => {
      // After an UnauthorizedError, a person has to sign in. Until then, no other request may begin
      // another sign-in.
      if (!(error instanceof UnauthorizedError)) end();
      throw error;
    });
    return renewing;
  };
  const finish = transport.finishAuth.bind(transport);
  // The cast is safe: this file calls `finishAuth` with nothing but URLSearchParams.
  transport.finishAuth = (parameters) => finish(parameters as URLSearchParams).finally(end);
}

const maxGoodbyeMs = 2_000;

/**
 * Ends the session of a client, because the server would otherwise keep the session until its idle
 * limit.
 */
export async function endSession(client: Client): Promise<void> {
  const { transport } = client;
  if (!(transport instanceof StreamableHTTPClientTransport)) return;
  // If the request takes too long, close the transport, which aborts the request.
  const late = setTimeout(() => transport.close().catch(() => {}), maxGoodbyeMs);
  // Ignore errors: the server also ends idle sessions itself.
  await transport.terminateSession().catch(() => {});
  clearTimeout(late);
}

/** Connects. If the server requires a sign-in, signs in once and connects again. */
async function signedIn(server: McpHttpServer, setup: ClientSetup, open: OpenHttp): Promise<OpenedClient> {
  const provider = authorizationProvider(server, setup.signal);
  const connectBy = async (transport: HttpTransport): Promise<OpenedClient> => {
    const client = await connect(transport, server, setup);
    closeWithStream(client);
    return provider ? { client, signIn: async () => transport.finishAuth(await provider.callback()) } : { client };
  };
  const transport = open(server, provider, setup.signal);
  try {
    return await connectBy(transport);
  } catch (error) {
    const asksToSignIn =
      error instanceof UnauthorizedError || (error instanceof Error && error.cause instanceof UnauthorizedError);
    if (provider === undefined || !asksToSignIn) throw error;
    await transport.finishAuth(await provider.callback());
  }
  return await connectBy(open(server, provider, setup.signal));
}

interface Failure {
  /** The last text that the server's process wrote to standard error. */
  readonly errorOutput?: string;
  /** Why the server could not be reached. @defaultValue the message of the error */
  readonly why?: string | undefined;
}

function notReached(
  server: McpServer,
  error: unknown,
  { errorOutput = "", why = thrownText(error) }: Failure = {},
): AgentError {
  const redact = redactSecretsOf(server);
  const lastLine = cleanText(redact(errorOutput.trim().split("\n").at(-1) ?? ""), 300);
  const said = lastLine === "" ? "" : `; its process wrote: ${lastLine}`;
  const name = cleanText(serverName(server), 100);
  return new AgentError(
    "tool-execution",
    `the MCP server "${name}" could not be reached: ${cleanText(redact(why), 500)}${said}`,
    {
      cause: error,
      hint: hintOf(server, error),
    },
  );
}

function hintOf(server: McpServer, error: unknown): string {
  if (isStdio(server)) {
    const [command = "", ...words] = server.command.split(" ");
    if (isMissing(error) && words.length > 0) return `write command: "${command}", args: ${JSON.stringify(words)}`;
    // Node reports a missing working folder as a missing command, so the hint mentions both.
    const folder = server.cwd === undefined ? "" : `, and is there a folder "${server.cwd}"`;
    return isMissing(error)
      ? `is "${server.command}" installed${folder}?`
      : `start "${server.command}" by hand to see what it says`;
  }
  const { status } = error instanceof SdkHttpError ? error : {};
  if (status === 401 || status === 403 || error instanceof UnauthorizedError) {
    return "pass headers with a key, or authorization to sign in";
  }
  return "check its url, and whether it is running";
}
