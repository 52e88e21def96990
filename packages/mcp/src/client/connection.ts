// Connects to one server at the first use, and again after the connection was lost. The server's
// tools are compared with the approved tools after each new connection and after each notification
// of a change. A tool that has changed since its approval is not called.

import {
  type CallToolResult,
  type Client,
  isInputRequiredResult,
  type Progress,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { AgentError, type ToolContext, type ToolEffects, thrownText, untilAborted } from "@smolts/protocol";
import { CallClock } from "./call-clock.ts";
import type { ClientFeatures } from "./client-features.ts";
import { type ForeignDefinition, foreignDefinition } from "./foreign-definition.ts";
import { cleanText } from "./foreign-schema.ts";
import { type McpServer, readServer, serverName, timeLimitOf } from "./mcp-server.ts";
import type { McpToolChange } from "./mcp-tool-change.ts";
import type { McpWarning } from "./mcp-warning.ts";
import { defaultMaxBytes, tooLarge, tooLargeCode } from "./message-size.ts";
import { brokenOffCode, endSession, openClient } from "./open-client.ts";
import { type Redact, redactSecretsOf } from "./secrets-of.ts";
import { ServerRequests } from "./server-requests.ts";

/** Options of a connection. */
export interface ConnectionOptions extends ClientFeatures {
  warn(warning: McpWarning): void;
}

/** A call of a tool. */
export interface ForeignCall {
  readonly definition: ForeignDefinition;
  readonly effects: ToolEffects;
  readonly input: object;
  readonly context: ToolContext;
}

/** The limits of a request, in the format that the client takes. */
export interface RequestLimits {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly cacheMode: "refresh";
}

/**
 * The longest total time of a call, as a multiple of its time limit. Each progress report starts
 * the time limit again, but not this total.
 */
const maxTimeouts = 30;
const maxRounds = 10;
const maxTools = 20_000;
const maxProgressEvents = 1_000;

/** A connection to one server, which is opened when it is first needed. */
export class ServerConnection implements AsyncDisposable {
  readonly server: McpServer;
  readonly name: string;
  /** Removes the secrets of the server's configuration from a text. */
  readonly redact: Redact;
  readonly #options: ConnectionOptions;
  readonly #requests: ServerRequests;
  readonly #closed = new AbortController();
  #opening: Promise<Client> | undefined;
  #signIn: (() => Promise<void>) | undefined;
  #signingIn: Promise<void> | undefined;
  /** Whether the server's tools must be listed again before the next call. */
  #isStale = true;
  #approved = new Map<string, ForeignDefinition>();
  #changes = new Map<string, McpToolChange["change"]>();

  constructor(server: McpServer, options: ConnectionOptions) {
    this.server = readServer(server);
    this.name = cleanText(serverName(this.server), 100);
    this.redact = redactSecretsOf(this.server);
    this.#options = options;
    this.#requests = new ServerRequests(this.name, options, (message) => this.#warn(message));
  }

  /** Returns the server's current tools and approves them. */
  async approveTools(): Promise<readonly ForeignDefinition[]> {
    const definitions = await this.request((client) => this.#list(client));
    this.#approved = new Map(definitions.map((definition) => [definition.serverTool, definition]));
    this.#changes = new Map();
    return definitions;
  }

  /**
   * Approves the saved description of a tool, without asking the server. At the first call, the
   * description is compared with the server's current one.
   */
  approveSaved(definition: ForeignDefinition): void {
    this.#approved.set(definition.serverTool, definition);
  }

  /** Returns how tools differ from their approved form, according to the server's last list. */
  get changes(): readonly McpToolChange[] {
    return [...this.#changes].map(([tool, change]) => ({ server: this.name, tool, change }));
  }

  /**
   * Returns the connected client.
   *
   * @throws AgentError `tool-execution` if the server cannot be reached
   */
  client(): Promise<Client> {
    if (this.#closed.signal.aborted) {
      throw new AgentError("tool-execution", `the connection to the MCP server "${this.name}" was closed`);
    }
    if (this.#opening) return this.#opening;
    const forget = (): void => this.#forget(opening);
    const opening = this.#open(forget);
    this.#opening = opening;
    opening.catch(forget);
    return opening;
  }

  /**
   * Calls a tool, and answers the server's requests during the call.
   *
   * @throws AgentError `tool-execution`; if the call's signal aborts, its reason is thrown
   */
  async call(call: ForeignCall): Promise<CallToolResult> {
    const { signal } = call.context;
    for (let attempt = 1; ; attempt++) {
      const opening = this.client();
      try {
        return await this.#callInTime(call, opening);
      } catch (error) {
        signal.throwIfAborted();
        if (AgentError.is(error)) throw error;
        if (error instanceof ProtocolError && error.code === tooLargeCode) {
          throw tooLarge(this.name, this.server.maxBytes ?? defaultMaxBytes);
        }
        const loss = lossOf(error);
        if (error instanceof UnauthorizedError && attempt === 1) await this.#signInOnce();
        if (loss !== "none") await this.#drop(opening);
        const isSafe = loss === "before" || (loss === "during" && call.effects !== "once");
        if (!isSafe || attempt > 1) throw this.#failure(error, call, loss);
      }
    }
  }

  /**
   * Sends a request that is not a tool call, such as one for a resource. `send` must pass its
   * options on to the client.
   *
   * @throws AgentError `tool-execution`; if the signal aborts, its reason is thrown
   */
  async request<Result>(
    send: (client: Client, options: RequestLimits) => Promise<Result>,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Result> {
    const timeoutMs = timeLimitOf(this.server);
    const opening = this.client();
    try {
      const client = await untilAborted(opening, signal);
      return await send(client, { signal, timeout: timeoutMs, cacheMode: "refresh" });
    } catch (error) {
      signal.throwIfAborted();
      if (AgentError.is(error)) throw error;
      if (lossOf(error) !== "none") await this.#drop(opening);
      throw new AgentError("tool-execution", `the MCP server "${this.name}": ${this.#wordsOf(error)}`, {
        cause: error,
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    const opening = this.#opening;
    if (opening === undefined) return;
    const client = await opening.catch(() => undefined);
    if (client) await endSession(client);
    await this.#drop(opening);
  }

  async #open(onClosed: () => void): Promise<Client> {
    this.#isStale = true;
    const markStale = () => {
      this.#isStale = true;
    };
    const { client, signIn } = await openClient(this.server, {
      capabilities: this.#requests.capabilities,
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: markStale } },
      prepare: (client) => this.#requests.prepare(client),
      warn: (message) => this.#warn(message),
      signal: this.#closed.signal,
    });
    client.onclose = onClosed;
    this.#signIn = signIn;
    if (this.#closed.signal.aborted) await client.close();
    return client;
  }

  /** Signs in again. Calls that are refused at the same time share one sign-in. */
  #signInOnce(): Promise<void> {
    this.#signingIn ??= (this.#signIn?.() ?? Promise.resolve()).finally(() => {
      this.#signingIn = undefined;
    });
    return this.#signingIn;
  }

  /**
   * Removes this connection if it is still the current one, so that the next call connects again.
   */
  #forget(opening: Promise<Client>): void {
    if (this.#opening === opening) this.#opening = undefined;
  }

  async #drop(opening: Promise<Client>): Promise<void> {
    this.#forget(opening);
    const client = await opening.catch(() => undefined);
    // An error while closing is ignored, because the client is not used again.
    await client?.close().catch(ignored);
  }

  async #callInTime(call: ForeignCall, opening: Promise<Client>): Promise<CallToolResult> {
    const timeoutMs = timeLimitOf(this.server);
    const client = await untilAborted(opening, call.context.signal);
    using clock = new CallClock(timeoutMs, timeoutMs * maxTimeouts);
    try {
      return await this.#requests.during({ context: call.context, clock }, () => this.#callOnce(client, call, clock));
    } catch (error) {
      if (clock.signal.aborted && !call.context.signal.aborted) throw this.#tooSlow(call, timeoutMs);
      throw error;
    }
  }

  async #callOnce(
    client: Client,
    { definition, input, context }: ForeignCall,
    clock: CallClock,
  ): Promise<CallToolResult> {
    const { serverTool } = definition;
    if (this.#isStale) await this.#compare(client);
    this.#mustBeSame(serverTool);
    let params: { name: string; arguments: Record<string, unknown> } & Record<string, unknown> = {
      name: serverTool,
      arguments: { ...input },
    };
    const options = callOptions(definition, context, clock);
    for (let round = 1; round <= maxRounds; round++) {
      // With `allowInputRequired`, the SDK may also return questions of the server. The SDK's types
      // do not include such a result.
      const result = (await client.callTool(params, options)) as unknown;
      if (!isInputRequiredResult(result)) return result as CallToolResult; // the SDK parsed it
      const { inputRequests = {}, requestState } = result;
      const inputResponses = await this.#requests.answerAll(inputRequests, context);
      params = {
        name: serverTool,
        arguments: { ...input },
        inputResponses,
        ...(requestState === undefined ? {} : { requestState }),
      };
    }
    throw new AgentError("tool-execution", `"${serverTool}" of "${this.name}" asked more than ${maxRounds} times`);
  }

  #mustBeSame(tool: string): void {
    const change = this.#changes.get(tool);
    if (change !== "changed" && change !== "removed") return;
    throw new AgentError(
      "tool-execution",
      `the MCP server "${this.name}" has ${change} its tool "${tool}" since it was approved`,
      {
        hint: "the program has to check the change, and accept it with approveChanges()",
      },
    );
  }

  async #compare(client: Client): Promise<void> {
    this.#isStale = false;
    try {
      const now = new Map((await this.#list(client)).map((definition) => [definition.serverTool, definition]));
      const before = this.#changes.size;
      for (const [tool, { digest }] of this.#approved) {
        const current = now.get(tool);
        if (current?.digest === digest) this.#changes.delete(tool);
        else this.#changes.set(tool, current === undefined ? "removed" : "changed");
      }
      for (const tool of now.keys()) if (!this.#approved.has(tool)) this.#changes.set(tool, "added");
      if (this.#changes.size > before)
        this.#warn(`its tools have changed: ${[...this.#changes.keys()].slice(0, 10).join(", ")}`);
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }

  async #list(client: Client): Promise<readonly ForeignDefinition[]> {
    const timeoutMs = timeLimitOf(this.server);
    if (client.getServerCapabilities()?.tools === undefined) return [];
    // Set this flag before the request: if the tools change during the request, the flag must
    // become true again.
    this.#isStale = false;
    const { tools } = await client
      .listTools(undefined, { timeout: timeoutMs, cacheMode: "refresh" })
      .catch((error: unknown) => {
        this.#isStale = true;
        throw error;
      });
    if (tools.length > maxTools) {
      throw new AgentError("tool-execution", `the MCP server "${this.name}" has more than ${maxTools} tools`);
    }
    const definitions = new Map<string, ForeignDefinition>();
    for (const listed of tools) {
      const definition = await foreignDefinition(listed).catch((error: Error) => {
        this.#warn(`its tool "${cleanText(listed.name, 80)}" is left out: ${error.message}`);
      });
      if (definition) definitions.set(definition.serverTool, definition);
    }
    return [...definitions.values()];
  }

  #failure(error: unknown, { definition: { serverTool } }: ForeignCall, loss: Loss): AgentError {
    const which = `"${serverTool}" of the MCP server "${this.name}"`;
    if (loss === "during") {
      return new AgentError(
        "tool-execution",
        `the connection broke off during ${which}: it may or may not have happened`,
        {
          cause: error,
          hint: "check whether it happened before you call it again",
        },
      );
    }
    return new AgentError("tool-execution", `${which} failed: ${this.#wordsOf(error)}`, { cause: error });
  }

  #tooSlow({ definition: { serverTool } }: ForeignCall, timeoutMs: number): AgentError {
    return new AgentError(
      "tool-execution",
      `"${serverTool}" of the MCP server "${this.name}" did not answer within ${timeoutMs} ms`,
      {
        hint: "ask for less, or raise timeoutMs of the server",
      },
    );
  }

  #wordsOf(error: unknown): string {
    // Replace the SDK's message, which lists every format that an answer may have. The cause of the
    // error still contains that message.
    if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
      return "its answer does not have the form that the protocol requires";
    return cleanText(this.redact(thrownText(error)), 2_000);
  }

  #warn(message: string): void {
    this.#options.warn({ server: this.name, message });
  }
}

function callOptions({ serverTool, inputSchema }: ForeignDefinition, context: ToolContext, clock: CallClock) {
  let events = 0;
  return {
    signal: AbortSignal.any([context.signal, clock.signal]),
    // The CallClock limits the call. The SDK's own timeout must not end it, because that timer also
    // runs while a person is asked.
    timeout: 2 ** 31 - 1,
    allowInputRequired: true,
    // Use the approved schema, not the server's current one.
    toolDefinition: { name: serverTool, inputSchema: { ...inputSchema, type: "object" as const } },
    onprogress: ({ progress, total, message }: Progress) => {
      clock.restart();
      events++;
      if (events > maxProgressEvents) return;
      context.emit({
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message: cleanText(message, 1_000) }),
      });
    },
  };
}

/**
 * The moment at which the connection was lost. `before`: before the server received the request.
 * `during`: while the server worked on the request. `none`: the connection was not lost.
 */
type Loss = "none" | "before" | "during";

function lossOf(error: unknown): Loss {
  // The server refused the session or the sign-in, so it did not run the call.
  if (error instanceof UnauthorizedError) return "before";
  if (error instanceof SdkHttpError) return isRefusal(error) ? "before" : "none";
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.NotConnected || error.code === SdkErrorCode.SendFailed) return "before";
    return error.code === SdkErrorCode.ConnectionClosed ? "during" : "none";
  }
  if (error instanceof ProtocolError) return error.code === brokenOffCode ? "during" : "none";
  // `fetch` throws a TypeError if the connection breaks.
  return error instanceof Error && error.name === "TypeError" ? "during" : "none";
}

/**
 * Says whether the server refused the session or the key. The status for a lost session is 404, but
 * some servers send 400.
 */
const isRefusal = ({ status, message }: SdkHttpError): boolean =>
  status === 404 || status === 401 || (status === 400 && /session/i.test(message));

const ignored = (): void => {};
