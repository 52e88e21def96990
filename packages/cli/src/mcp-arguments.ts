// Reads the command line of `smolts mcp`.

import { invalidOption } from "@smolts/protocol";
import { type Command, Option } from "commander";
import { isFileReference } from "./file-reference.ts";

/** The arguments of `smolts mcp`. */
export interface McpArguments {
  /** A file that exports an agent or tools. */
  readonly target: string | undefined;
  /** Files that list MCP servers. */
  readonly serverFiles: readonly string[];
  /** More tools to serve, named as in `smolts run --tools`. */
  readonly tools: readonly string[];
  /**
   * Whether to serve code mode, in which a client sends programs that call the tools. Always true
   * with `serverFiles`.
   */
  readonly code: boolean;
  /** The servers whose tools run without approval: their names, or `all`. */
  readonly trust: readonly string[] | "all";
  readonly executor: string | undefined;
  /** The port for HTTP. If absent, standard input and output are used. */
  readonly httpPort: number | undefined;
}

/** Adds the command to the program. */
export function addMcpCommand(program: Command, onCommand: (given: McpArguments) => void): void {
  program
    .command("mcp")
    .description("Start an MCP server: an agent, tools, or code mode over other MCP servers (needs @smolts/mcp).")
    .argument("[target]", "./agent.ts, ./agent.ts#name (an agent, a function that makes one, or a tool)")
    .addOption(
      new Option(
        "-s, --servers <file...>",
        "put code mode in front of the servers of mcp.json files (Claude, Cursor, VS Code)",
      ),
    )
    .addOption(new Option("-t, --tools <tool...>", "serve tools: webSearch, ./file.ts, ./file.ts#name, package#name"))
    .addOption(new Option("--code", "serve code mode: two tools, run_code and search_tools, in place of all others"))
    .addOption(new Option("--trust [server...]", "tools of these servers, or of all, run without approval"))
    .addOption(new Option("--executor <name>", "where code runs: interpreter, worker, process, quickjs, docker or e2b"))
    .addOption(new Option("--http [port]", "serve over HTTP on this machine (default: over standard input and output)"))
    .addHelpText("after", help)
    .action((target: string | undefined, flags: McpFlags) => onCommand(toArguments(target, flags)));
}

const help = `
Over HTTP, clients need the key in the variable SMOLTS_MCP_KEY; without it, a
key is created and printed. The client is asked about calls that need approval.

Examples:
  smolts mcp --servers ~/.cursor/mcp.json
  smolts mcp ./agent.ts`;

interface McpFlags {
  readonly servers?: readonly string[];
  readonly tools?: readonly string[];
  readonly code?: true;
  readonly trust?: true | readonly string[];
  readonly executor?: string;
  readonly http?: true | string;
}

function toArguments(target: string | undefined, flags: McpFlags): McpArguments {
  const { servers: serverFiles = [], tools = [], code = false, trust = [], executor } = flags;
  const sources = [target !== undefined, serverFiles.length + tools.length > 0].filter(Boolean).length;
  if (sources === 0) {
    throw invalidOption("there is nothing to serve", "write smolts mcp ./agent.ts, or smolts mcp --servers mcp.json");
  }
  if (sources === 2)
    throw invalidOption(
      "an agent file cannot be combined with --servers or --tools",
      "leave out --servers and --tools, or the file",
    );
  if (target !== undefined && !isFileReference(target)) {
    throw invalidOption(`"${target}" is not a file`, `write "./${target}" for a file, or --tools ${target}`);
  }
  const isCode = code || serverFiles.length > 0;
  if (executor !== undefined && !isCode)
    throw invalidOption("--executor is for code mode", "add --code, or leave it out");
  if (trust !== true && trust.length > 0 && serverFiles.length === 0) {
    throw invalidOption("--trust is for servers", "leave it out, or add --servers mcp.json");
  }
  return {
    target,
    serverFiles,
    tools,
    code: isCode,
    trust: trust === true ? "all" : trust,
    executor: executor === "interpreter" ? undefined : executor,
    httpPort: portOf(flags.http),
  };
}

function portOf(given: true | string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (given === true) return 0;
  const number = Number(given);
  if (/^\d+$/.test(given) && number <= 65_535) return number;
  throw invalidOption(
    `--http is "${given}"; expected a port from 0 to 65535`,
    "leave the number out for any free port",
  );
}
