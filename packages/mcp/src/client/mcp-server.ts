// The configuration of an MCP server: options for every server, and the two ways to connect to one.

import { invalidOption, type OptionTable, readOptions, type ToolEffects } from "@smolts/protocol";
import type { McpAuthorization } from "./mcp-authorization.ts";

/** Options for an MCP server, with any transport. */
export interface McpServerSettings {
  /**
   * The server's name in messages and descriptions.
   *
   * @defaultValue the package or file that is started, or the host name of the server's URL
   */
  readonly name?: string;
  /** A prefix for the names of the server's tools: with `wiki`, `search` becomes `wikiSearch`. */
  readonly prefix?: string;
  /** The names of the tools to use, as the server names them. @defaultValue all tools */
  readonly only?: readonly string[];
  /**
   * Whether to trust the server's description of its tools. If so, calls need no approval, and the
   * server's annotations decide which calls may be repeated.
   *
   * @defaultValue false: each call needs approval
   */
  readonly trust?: boolean;
  /**
   * The effects of calls. The keys are tool names as the server writes them. Tools that are listed
   * here need no approval.
   */
  readonly effects?: Readonly<Record<string, ToolEffects>>;
  /**
   * How long the server may take to connect, and how long it may work on a call without reporting
   * progress, in ms.
   * @defaultValue 60_000
   */
  readonly timeoutMs?: number;
  /** The largest message that is accepted from the server, in bytes. @defaultValue 10_000_000 */
  readonly maxBytes?: number;
}

/**
 * A server that the program starts as a process. Messages are sent through the process's standard
 * input and output.
 */
export interface McpStdioServer extends McpServerSettings {
  /** The executable, such as `"npx"`. It is started without a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  /**
   * Further environment variables for the process. Every server also gets a few harmless ones, such
   * as `PATH` and `HOME`.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** The working folder of the process. @defaultValue that of this process */
  readonly cwd?: string;
}

/** A server that is reached over HTTP. */
export interface McpHttpServer extends McpServerSettings {
  /** The server's address. The program trusts this address, so it may be private or local. */
  readonly url: string | URL;
  /**
   * Headers that are sent with each request, such as `authorization`. They are sent only to the
   * server's own origin.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The transport: `http` is streamable HTTP, `sse` is the older transport.
   *
   * @defaultValue `http`, or `sse` if the server does not support `http`
   */
  readonly transport?: "http" | "sse";
  /** Options for signing in by OAuth, if the server requires it. */
  readonly authorization?: McpAuthorization;
}

/** The configuration of an MCP server: how to reach it, and what to do with its tools. */
export type McpServer = McpStdioServer | McpHttpServer;

/** The longest time that a timer can wait. A longer timer would fire immediately. */
const maxTimerMs = 2 ** 31 - 1;

/** Returns how long a server may take to connect or to answer, in ms. */
export const timeLimitOf = ({ timeoutMs = 60_000 }: McpServer): number => Math.min(timeoutMs, maxTimerMs);

/** Says whether a server is started as a process. */
export const isStdio = (server: McpServer): server is McpStdioServer => "command" in server;

/**
 * Reads the configuration of a server, from a program or a file.
 *
 * @returns the configuration with the field names of {@link McpServer}
 * @throws AgentError `invalid-option` that says what to write
 */
export function readServer(given: unknown): McpServer {
  const { command, url } = (typeof given === "object" && given !== null ? given : {}) as Partial<
    Record<string, unknown>
  >;
  const inner = (given as { readonly transport?: unknown } | null)?.transport;
  if (command === undefined && url === undefined && typeof inner === "object")
    throw invalidOption(
      "transport of an MCP server is an object",
      'write its fields beside it: { url: "https://..." }',
    );
  const record = recordIn(given);
  if (record !== undefined) {
    throw invalidOption(`an MCP server got ${record}`, `write a list of servers: mcpTools(Object.values(${record}))`);
  }
  if ((command === undefined) === (url === undefined)) {
    throw invalidOption(
      "an MCP server needs one of command and url",
      'write { command: "npx", args: [...] } or { url: "https://..." }',
    );
  }
  const { authorization } = given as Partial<Record<string, unknown>>;
  if (typeof authorization === "string")
    throw invalidOption(
      "authorization of an MCP server is a string",
      'write headers: { authorization: "Bearer ..." }; authorization is for signing in by OAuth',
    );
  // The casts are safe: the check above found a command or an address.
  const server =
    command === undefined
      ? readOptions(given as McpHttpServer, "an MCP server", httpServerOptions)
      : readOptions(given as McpStdioServer, "an MCP server", stdioServerOptions);
  checkLimits(server);
  if (isStdio(server)) checkCommand(server);
  else {
    checkUrl(String(server.url));
    checkAuthorization(server);
  }
  return server;
}

/**
 * Detects a list of servers that was passed in place of one server. Returns the name of such a list
 * in the files of Claude Desktop and VS Code; undefined for the configuration of one server.
 */
function recordIn(server: unknown): string | undefined {
  if (typeof server !== "object" || server === null) return undefined;
  const field = ["mcpServers", "servers"].find((name) => name in server);
  if (field !== undefined) return field;
  const values: readonly unknown[] = Object.values(server);
  const isServer = (value: unknown): boolean =>
    typeof value === "object" && value !== null && ("command" in value || "url" in value);
  return values.length > 0 && values.every(isServer) ? "servers" : undefined;
}

const serverSettings: OptionTable<McpServerSettings> = {
  name: "text",
  prefix: "text",
  only: "texts",
  trust: "flag",
  effects: "object",
  timeoutMs: "number",
  maxBytes: "number",
};

const stdioServerOptions: OptionTable<McpStdioServer> = {
  ...serverSettings,
  command: true,
  args: true,
  env: "object",
  cwd: "text",
};

const httpServerOptions: OptionTable<McpHttpServer> = {
  ...serverSettings,
  url: true,
  headers: "object",
  transport: ["http", "sse"],
  authorization: {
    store: "required object",
    redirectUrl: "required text",
    signIn: "required function",
    clientName: "text",
    clientMetadataUrl: "text",
    clientId: "text",
    clientSecret: "text",
    scope: "text",
  },
};

function checkLimits(server: McpServer): void {
  for (const name of ["timeoutMs", "maxBytes"] as const) {
    const limit = server[name];
    if (limit !== undefined && limit <= 0)
      throw invalidOption(`${name} of an MCP server is ${limit}; expected a number above 0`, `leave ${name} out`);
  }
}

function checkCommand({ command, args = [], env = {} }: McpStdioServer): void {
  const isText = (value: unknown): boolean => typeof value === "string" && !value.includes("\0");
  if (!isText(command) || command === "") throw invalidOption("command is not a string", 'write command: "npx"');
  if (!Array.isArray(args) || !args.every(isText))
    throw invalidOption("args is not a list of strings", 'write args: ["-y", "..."]');
  if (Array.isArray(env) || !Object.values(env).every(isText))
    throw invalidOption("env is not an object whose values are strings", 'write env: { NAME: "value" }');
}

function checkAuthorization({ authorization }: McpHttpServer): void {
  if (authorization === undefined) return;
  const { store, redirectUrl } = authorization;
  if ([store.get, store.set, store.delete].some((method) => typeof method !== "function"))
    throw invalidOption("authorization.store has no get, set and delete", "write store: new Map()");
  if (!URL.canParse(redirectUrl))
    throw invalidOption(
      "authorization.redirectUrl is not an address",
      'write redirectUrl: "http://127.0.0.1:8765/callback"',
    );
}

function checkUrl(given: string): void {
  if (!URL.canParse(given))
    throw invalidOption(`url is ${JSON.stringify(given)}; expected an address`, 'write url: "https://..."');
  const { protocol, username, password, hostname } = new URL(given);
  if (protocol !== "http:" && protocol !== "https:") {
    throw invalidOption(`url has the scheme "${protocol}"`, "a server is reached by http or https");
  }
  if (username !== "" || password !== "")
    throw invalidOption("url contains a user name or a password", "put them into headers");
  // Refuse the addresses at which clouds serve the credentials of a machine.
  if (/^(?:169\.254\.|\[fe[89ab]|\[fd00:ec2:|metadata\.google\.internal\.?$)/.test(hostname)) {
    throw invalidOption(
      `url leads to "${hostname}", an address of the machine's own network`,
      "give the server's address",
    );
  }
}

/** Returns the server's name for messages, errors and descriptions. */
export function serverName(server: McpServer): string {
  if (server.name !== undefined) return server.name;
  if (!isStdio(server)) return new URL(server.url).host;
  const words = [server.command, ...(server.args ?? [])].filter((word) => !word.startsWith("-"));
  const program = words.find((word, index) => index > 0 && /[\w@]/.test(word)) ?? server.command;
  const last = program.replace(/\\/g, "/").split("/").at(-1) ?? program;
  return last.replace(/@[^@]*$/, "").replace(/\.[cm]?[jt]s$|\.py$/, "") || program;
}
