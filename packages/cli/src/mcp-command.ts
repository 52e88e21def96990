// Runs `smolts mcp`. The package for the protocol is imported from the user's project when it is
// first needed.
//
// Standard output carries only the protocol. Everything that a user's file prints goes to standard
// error.

import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { invalidOption, nearestName, type Tool, visible } from "@smolts/protocol";
import { exitCodes } from "./exit-code.ts";
import { importPackage } from "./import-package.ts";
import { isAgent, loadServed, loadTools } from "./load-tools.ts";
import type { McpArguments } from "./mcp-arguments.ts";
import type { CommandContext } from "./run-command.ts";

/** The part of `@smolts/mcp` that the command uses. */
interface McpPackage {
  serveMcp(served: unknown, options: object): Promise<RunningServer>;
  codeMode(tools: Iterable<Tool>, options: object): unknown;
  mcpTools(servers: readonly ServerEntry[], options: object): Promise<Iterable<Tool> & AsyncDisposable>;
  readServersFile(text: string, options: object): readonly ServerEntry[];
}

interface RunningServer {
  readonly url?: string;
  readonly key?: string;
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** An MCP server in a user's file. */
interface ServerEntry {
  readonly name?: string;
  readonly prefix?: string;
  readonly trust?: boolean;
}

/** The tools or the agent to serve, and how to close them. */
interface Prepared {
  readonly served: unknown;
  close(): Promise<void>;
}

/**
 * Serves until the client disconnects or Ctrl-C is pressed, and returns the exit code.
 *
 * @throws AgentError `invalid-option` when `@smolts/mcp` is not installed in the current folder, or
 *   a file cannot be used
 */
export async function mcpCommand(given: McpArguments, context: CommandContext): Promise<number> {
  const { directory, interruption } = context;
  const transport = given.httpPort === undefined ? protocolStreams(context) : httpOptions(given, context);
  // The cast is safe: the package exports these functions.
  const mcp = (await importPackage("@smolts/mcp", directory)) as unknown as McpPackage;
  interruption.beginRun();
  const { served, close } = await prepare(mcp, given, context);
  try {
    const serving = await mcp.serveMcp(served, transport);
    if (serving.url !== undefined) announce(serving, context);
    await Promise.race([serving.closed, interruption.aborted]);
    await serving.close();
  } finally {
    await close();
  }
  return exitCodes.success;
}

function protocolStreams({ protocolStreams }: CommandContext): object {
  if (protocolStreams) return protocolStreams();
  throw invalidOption("standard output cannot be used for the protocol here", "add --http");
}

const keyVariable = "SMOLTS_MCP_KEY";

function httpOptions({ httpPort }: McpArguments, { environment }: CommandContext): object {
  const key = environment[keyVariable];
  return { transport: "http", port: httpPort, ...(key === undefined ? {} : { auth: { key } }) };
}

function announce({ url, key }: RunningServer, { errorOutput }: CommandContext): void {
  const shown = key === undefined ? `the key of ${keyVariable}` : key;
  errorOutput.write(`The server is at ${url}\nClients send: Authorization: Bearer ${shown}\n`);
}

async function prepare(mcp: McpPackage, given: McpArguments, context: CommandContext): Promise<Prepared> {
  const { target, serverFiles, tools: references, code } = given;
  const { directory } = context;
  if (target !== undefined) return { served: await loadTarget(target, directory), close: async () => {} };
  const tools = await loadTools(references, directory);
  if (!code) return { served: tools, close: async () => {} };
  const executor = await executorOf(given, directory);
  const servers = await readServers(mcp, given, context);
  const connected = serverFiles.length === 0 ? null : await connect(mcp, servers, context);
  const close = async (): Promise<void> => {
    await connected?.[Symbol.asyncDispose]();
    await executor?.dispose();
  };
  try {
    const options = executor ? { executor: executor.executor } : {};
    return { served: mcp.codeMode([...tools, ...(connected ?? [])], options), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Loads the file's export. A function is called and its result returned; agents and tools are
 * returned unchanged.
 */
async function loadTarget(target: string, directory: string): Promise<unknown> {
  const loaded = await loadServed(target, directory);
  const made = typeof loaded === "function" && !isAgent(loaded) ? await loaded() : loaded;
  return made;
}

async function executorOf({ executor }: McpArguments, directory: string) {
  if (executor === undefined) return null;
  const { loadExecutor } = await import("./load-executor.ts");
  return loadExecutor(executor, "javascript", directory);
}

async function readServers(
  mcp: McpPackage,
  { serverFiles, trust }: McpArguments,
  { directory, environment }: CommandContext,
): Promise<readonly ServerEntry[]> {
  const lists = await Promise.all(
    serverFiles.map(async (given) => {
      const path = resolve(directory, given);
      const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
        throw invalidOption(
          `"${given}" cannot be read (${error.code})`,
          "check the path; it is relative to the current folder",
        );
      });
      // Paths in the file are relative to its project. For a file such as `.cursor/mcp.json`, the
      // project is the folder above `.cursor`.
      const folder = dirname(path).replace(/[/\\]\.(?:cursor|vscode|claude)$/, "");
      return mcp.readServersFile(text, { where: given, folder, variables: environment });
    }),
  );
  const servers = lists.flat();
  const names = servers.map(({ name = "" }) => name);
  const unknown = trust === "all" ? undefined : trust.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, names);
    throw invalidOption(
      `--trust names "${unknown}", which is not a server in the files`,
      nearest ? `did you mean "${nearest}"?` : `they are ${names.join(", ")}`,
    );
  }
  return servers.map((server) => withSettings(server, servers.length > 1, trust));
}

/**
 * Adds the command's settings to a server. If there are several servers, each tool's name gets the
 * name of its server as a prefix, so that all names differ.
 */
function withSettings(server: ServerEntry, isOneOfSeveral: boolean, trust: McpArguments["trust"]): ServerEntry {
  const { name = "", prefix = isOneOfSeveral ? prefixOf(name) : undefined } = server;
  const isTrusted = trust === "all" || trust.includes(name);
  return { ...server, ...(prefix === undefined ? {} : { prefix }), ...(isTrusted ? { trust: true } : {}) };
}

/** Returns a server's name as the start of an identifier: `my-files` becomes `myFiles`. */
function prefixOf(name: string): string {
  const words = name.match(/[A-Za-z0-9]+/g) ?? [];
  const joined = words
    .map((word, index) => (index === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`))
    .join("");
  return /^[A-Za-z]/.test(joined) ? joined : `server${joined}`;
}

async function connect(mcp: McpPackage, servers: readonly ServerEntry[], context: CommandContext) {
  const { errorOutput, interruption } = context;
  if (servers.length === 0) throw invalidOption("the files do not name any server", "add one to mcpServers");
  const onWarning = ({ server, message }: { readonly server: string; readonly message: string }): void => {
    errorOutput.write(`${visible(`smolts mcp: ${server}: ${message}`)}\n`);
  };
  return mcp.mcpTools(servers, { unreachable: "warning", onWarning, signal: interruption.signal });
}
