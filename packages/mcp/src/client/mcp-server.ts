// An MCP server as the program names it: what is true of every server, and the two ways to reach
// one.

import { AgentError, type OptionTable, readOptions, type ToolEffects } from "@smolts/protocol";
import type { McpAuthorization } from "./authorization.ts";

/** What holds for an MCP server, however it is reached. */
export interface McpServerSettings {
  /**
   * Its name in messages and descriptions. @defaultValue the package or file that is started, or
   * the host of its URL
   */
  readonly name?: string;
  /** Put before the names of its tools: with `wiki`, `search` becomes `wikiSearch`. */
  readonly prefix?: string;
  /** The tools to take, by the server's own names. @defaultValue all */
  readonly only?: readonly string[];
  /**
   * Whether what the server says of its tools is believed: they are called without asking a person,
   * and its annotations say what may be repeated.
   *
   * @defaultValue false: each call asks
   */
  readonly trust?: boolean;
  /**
   * By tool, under the server's own name: what a call does to the world. A tool that is named here
   * does not ask.
   */
  readonly effects?: Readonly<Record<string, ToolEffects>>;
  /**
   * How long the server may take to connect, and to answer without a sign of life, in ms.
   * @defaultValue 60_000
   */
  readonly timeoutMs?: number;
  /** The largest message that is taken from the server, in bytes. @defaultValue 10_000_000 */
  readonly maxBytes?: number;
}

/**
 * A server that the program starts as a process and speaks with over its standard input and output.
 */
export interface McpStdioServer extends McpServerSettings {
  /** The executable, such as `"npx"`. It is started without a shell. */
  readonly command: string;
  readonly args?: readonly string[];
  /**
   * Variables that the process gets besides the few harmless ones that every server gets, such as
   * `PATH` and `HOME`.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder that it works in. @defaultValue that of this process */
  readonly cwd?: string;
}

/** A server that is reached by HTTP. */
export interface McpHttpServer extends McpServerSettings {
  /** Its address. The program vouches for it: it may be private or local. */
  readonly url: string | URL;
  /** Sent with each request to this origin and to no other, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * `http` is streamable HTTP, `sse` the older way. @defaultValue `http`, and `sse` where the
   * server does not know that
   */
  readonly transport?: "http" | "sse";
  /** Signs in by OAuth when the server asks for it. */
  readonly authorization?: McpAuthorization;
}

/** An MCP server, and how it is reached. */
export type McpServer = McpStdioServer | McpHttpServer;

/** Whether a server is started as a process. */
export const isStdio = (server: McpServer): server is McpStdioServer => "command" in server;

/**
 * Checks what a program or a file says of a server.
 *
 * @throws AgentError `invalid-option` that says what to write
 */
export function checkServer(server: unknown): asserts server is McpServer {
  const { command, url } = (typeof server === "object" && server !== null ? server : {}) as Partial<
    Record<string, unknown>
  >;
  if ((command === undefined) === (url === undefined)) {
    throw invalid(
      "an MCP server needs one of command and url",
      'write { command: "npx", args: [...] } or { url: "https://..." }',
    );
  }
  readOptions<object>(
    server as object,
    "an MCP server",
    command === undefined ? httpServerOptions : stdioServerOptions,
  );
  if (command !== undefined) return checkCommand(server as McpStdioServer); // it has a command
  checkUrl(String(url));
}

const serverSettings: OptionTable<McpServerSettings> = {
  name: true,
  prefix: true,
  only: true,
  trust: true,
  effects: true,
  timeoutMs: true,
  maxBytes: true,
};

const stdioServerOptions: OptionTable<McpStdioServer> = {
  ...serverSettings,
  command: true,
  args: true,
  env: true,
  cwd: true,
};

const httpServerOptions: OptionTable<McpHttpServer> = {
  ...serverSettings,
  url: true,
  headers: true,
  transport: true,
  authorization: true,
};

function checkCommand({ command, args = [], env = {} }: McpStdioServer): void {
  const isText = (value: unknown): boolean => typeof value === "string" && !value.includes("\0");
  if (!isText(command) || command === "") throw invalid("command is not a text", 'write command: "npx"');
  if (!Array.isArray(args) || !args.every(isText))
    throw invalid("args is not a list of texts", 'write args: ["-y", "..."]');
  if (!Object.values(env).every(isText))
    throw invalid("env holds something else than texts", 'write env: { NAME: "value" }');
}

function checkUrl(given: string): void {
  if (!URL.canParse(given))
    throw invalid(`url is ${JSON.stringify(given)}; expected an address`, 'write url: "https://..."');
  const { protocol, username, password, hostname } = new URL(given);
  if (protocol !== "http:" && protocol !== "https:") {
    throw invalid(`url has the scheme "${protocol}"`, "a server is reached by http or https");
  }
  if (username !== "" || password !== "") throw invalid("url holds a user name or a password", "put them into headers");
  // No MCP server is there: these are where clouds hand out the keys of a machine.
  if (/^(?:169\.254\.|\[fe[89ab]|\[fd00:ec2:|metadata\.google\.internal\.?$)/.test(hostname)) {
    throw invalid(`url leads to "${hostname}", an address of the machine's own network`, "give the server's address");
  }
}

/** The server's name in messages, errors and descriptions. */
export function serverName(server: McpServer): string {
  if (server.name !== undefined) return server.name;
  if (!isStdio(server)) return new URL(server.url).host;
  const words = [server.command, ...(server.args ?? [])].filter((word) => !word.startsWith("-"));
  const program = words.find((word, index) => index > 0 && /[\w@]/.test(word)) ?? server.command;
  const last = program.replace(/\\/g, "/").split("/").at(-1) ?? program;
  return last.replace(/@[^@]*$/, "").replace(/\.[cm]?[jt]s$|\.py$/, "") || program;
}

const invalid = (message: string, hint: string): AgentError => new AgentError("invalid-option", message, { hint });
