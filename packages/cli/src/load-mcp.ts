// Connects MCP servers for one run. `--mcp` names a command, an address, or a file that lists
// servers. The package with the client is imported from the user's project.

import { existsSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { invalidOption, type Tool, visible } from "@smolts/protocol";
import { importPackage } from "./import-package.ts";
import { printError } from "./print-error.ts";
import type { CommandContext } from "./run-command.ts";

/** The parts of the command context that `--mcp` needs. */
export type McpSurroundings = Pick<CommandContext, "directory" | "environment"> &
  Partial<Pick<CommandContext, "errorOutput" | "interruption">>;

/** The tools of MCP servers. Dispose them after the run. */
export interface LoadedMcp extends AsyncDisposable {
  readonly tools: readonly Tool[];
}

/** The part of `@smolts/mcp` that the command uses. */
interface McpPackage {
  mcpTools(servers: readonly object[], options: object): Promise<LoadedMcp>;
  readServersFile(text: string, options: object): readonly object[];
}

/**
 * Connects the MCP servers that `--mcp` names.
 *
 * @throws AgentError `invalid-option` with the command that installs a missing package, or for a
 *   file that cannot be read; `tool-execution` when a server cannot be reached
 */
export async function loadMcp(given: readonly string[], context: McpSurroundings): Promise<LoadedMcp> {
  const { directory, errorOutput, interruption } = context;
  // The cast is safe: the package exports these functions.
  const { mcpTools, readServersFile } = (await importPackage("@smolts/mcp", directory)) as unknown as McpPackage;
  const servers = given.flatMap((text) => serversOf(text, context, readServersFile));
  return await mcpTools(servers, {
    roots: [directory],
    ...(interruption && { signal: interruption.signal }),
    ...(errorOutput && {
      onWarning: ({ server, message }: { readonly server: string; readonly message: string }) =>
        printError({ message: `MCP server "${visible(server)}": ${visible(message)}`, hint: undefined }, errorOutput),
    }),
  });
}

function serversOf(
  text: string,
  { directory, environment }: McpSurroundings,
  readServersFile: McpPackage["readServersFile"],
): readonly object[] {
  if (/^https?:\/\//i.test(text)) return [{ url: text }];
  const path = isAbsolute(text) ? text : resolve(directory, text);
  if (/\.jsonc?$/i.test(text))
    return readServersFile(readText(path, text), { where: text, folder: folderOf(path), variables: environment });
  const [command, ...args] = wordsOf(text);
  if (command === undefined)
    throw invalidOption("--mcp is empty", 'write --mcp "npx -y @modelcontextprotocol/server-filesystem ."');
  return [{ command, args, cwd: directory }];
}

/**
 * Returns the folder from which relative paths in a configuration file start. If the file is in an
 * editor's folder, such as `.vscode`, they start from the project's folder.
 */
function folderOf(path: string): string {
  const folder = dirname(path);
  return /[/\\]\.(?:vscode|cursor)$/.test(folder) ? dirname(folder) : folder;
}

function readText(path: string, given: string): string {
  if (!existsSync(path))
    throw invalidOption(`--mcp: there is no file "${given}"`, "pass a file with mcpServers, a command, or an address");
  return readFileSync(path, "utf8");
}

/** Splits a command line into words, with quotes as in a shell. No shell is started. */
function wordsOf(text: string): readonly string[] {
  const words = text.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) =>
    word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_whole, double?: string, single?: string) =>
      double === undefined ? (single ?? "") : double.replace(/\\(["\\])/g, "$1"),
    ),
  );
}
