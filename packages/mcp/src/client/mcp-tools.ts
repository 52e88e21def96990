import { AgentError, type OptionTable, readOptions, type Tool } from "@smolts/protocol";
import { type ToolCollection, toolCollection } from "@smolts/tools";
import { type McpToolChange, type McpWarning, ServerConnection } from "./connection.ts";
import type { ForeignDefinition } from "./foreign-definition.ts";
import { cleanText } from "./foreign-schema.ts";
import type { McpServer } from "./mcp-server.ts";
import { resourceTools } from "./resource-tools.ts";
import type { AnswerOptions } from "./server-requests.ts";
import { toTool } from "./to-tool.ts";

/** Options of {@link mcpTools}. */
export interface McpToolsOptions extends AnswerOptions {
  /**
   * Whether a server that cannot be reached is an error, or a warning while the others work.
   *
   * @defaultValue "error"
   */
  readonly unreachable?: "error" | "warning";
  /** Whether resources and prompts of the servers become tools, too. @defaultValue false */
  readonly resources?: boolean;
  /**
   * Hears what the program should know and what did not stop the rest; `warnings` keeps the same.
   */
  readonly onWarning?: (warning: McpWarning) => void;
  /** Ends connecting. */
  readonly signal?: AbortSignal;
}

/**
 * The tools of MCP servers, and the connections behind them. Disposing ends the connections and the
 * processes.
 */
export interface McpTools extends ToolCollection, AsyncDisposable {
  /** Servers that could not be reached, tools that were left out, and what changed. */
  readonly warnings: readonly McpWarning[];
  /** Tools that are not what they were when they were approved, as far as their servers said so. */
  readonly changes: readonly McpToolChange[];
  /** Takes all tools as they are now, for a new agent; what changed is refused until then. */
  approveChanges(): Promise<ToolCollection>;
}

const maxWarnings = 1_000;

/**
 * Connects MCP servers, all at once, and returns their tools.
 *
 * Tools of servers that are not trusted ask a person before each call. A connection that is lost is
 * opened again at the next call. An agent gets `tools: [...mcp]`, or a choice:
 * `mcp.pick("search")`.
 *
 * @throws AgentError `tool-execution` when a server cannot be reached; `invalid-option` when two
 * servers have a tool of the same name, with what to write; the signal's reason when it aborts
 * @example
 * ```ts
 * import { mcpTools } from "@smolts/mcp";
 *
 * async function listFiles(): Promise<readonly string[]> {
 *   await using mcp = await mcpTools({ command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] });
 *   return mcp.tools.map(({ name }) => name);
 * }
 * console.log(typeof listFiles); // function
 * ```
 */
export async function mcpTools(
  servers: McpServer | readonly McpServer[],
  given: McpToolsOptions = {},
): Promise<McpTools> {
  const options = readOptions(given, "mcpTools()", mcpToolsOptions);
  const warnings: McpWarning[] = [];
  const warn = (warning: McpWarning): void => {
    if (warnings.length >= maxWarnings) return;
    warnings.push(warning);
    options.onWarning?.(warning);
  };
  const all = [servers].flat().map((server) => new ServerConnection(server, { ...options, warn }));
  const close = async (): Promise<void> => {
    await Promise.all(all.map((connection) => connection[Symbol.asyncDispose]()));
  };
  try {
    const listed = await untilAborted(listAll(all, options, warn), options.signal);
    return {
      ...collect(listed, options),
      warnings,
      get changes() {
        return all.flatMap(({ changes }) => changes);
      },
      approveChanges: async () => collect(await listAll(all, options, warn), options),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const mcpToolsOptions: OptionTable<McpToolsOptions> = {
  roots: "list",
  sampling: "flag",
  elicitation: "flag",
  unreachable: ["error", "warning"],
  resources: "flag",
  onWarning: "function",
  signal: "signal",
};

interface Listed {
  readonly connection: ServerConnection;
  readonly tools: readonly Tool[];
}

async function listAll(
  all: readonly ServerConnection[],
  { unreachable = "error", resources = false }: McpToolsOptions,
  warn: (warning: McpWarning) => void,
): Promise<readonly Listed[]> {
  const listed = await Promise.all(
    all.map(async (connection) => {
      try {
        const definitions = chosen(connection, await connection.approveTools());
        const own = toolsOf(connection, definitions, warn);
        return { connection, tools: resources ? [...own, ...(await resourceTools(connection))] : own };
      } catch (error) {
        const isOwnFault = AgentError.is(error) && error.code === "invalid-option";
        if (unreachable === "error" || isOwnFault) throw error;
        warn({ server: connection.name, message: error instanceof Error ? error.message : String(error) });
        return { connection, tools: [] };
      }
    }),
  );
  return listed;
}

function chosen({ server: { only, effects = {} }, name }: ServerConnection, definitions: readonly ForeignDefinition[]) {
  const known = new Set(definitions.map(({ serverTool }) => serverTool));
  const unknown = [...(only ?? []), ...Object.keys(effects)].find((tool) => !known.has(tool));
  if (unknown !== undefined) {
    throw new AgentError("invalid-option", `the MCP server "${name}" has no tool "${unknown}"`, {
      hint: `its tools are ${[...known].slice(0, 20).join(", ")}`,
    });
  }
  return only === undefined ? definitions : definitions.filter(({ serverTool }) => only.includes(serverTool));
}

/** A tool that cannot be used is left out, so that the others of its server can. */
function toolsOf(
  connection: ServerConnection,
  definitions: readonly ForeignDefinition[],
  warn: (warning: McpWarning) => void,
): readonly Tool[] {
  const byName = new Map<string, Tool>();
  for (const definition of definitions) {
    const leaveOut = (why: string) =>
      warn({
        server: connection.name,
        message: `its tool "${cleanText(definition.serverTool, 80)}" is left out: ${why}`,
      });
    try {
      const tool = toTool(connection, definition);
      if (byName.has(tool.name)) leaveOut(`another one would also be called "${tool.name}"`);
      else byName.set(tool.name, tool);
    } catch (error) {
      leaveOut(error instanceof Error ? error.message : String(error));
    }
  }
  return [...byName.values()];
}

function collect(listed: readonly Listed[], _options: McpToolsOptions): ToolCollection {
  const owners = new Map<string, ServerConnection>();
  for (const { connection, tools } of listed) {
    for (const { name } of tools) {
      const other = owners.get(name);
      if (other) throw clash(name, other, connection);
      owners.set(name, connection);
    }
  }
  return toolCollection(...listed.map(({ tools }) => tools));
}

function clash(tool: string, first: ServerConnection, second: ServerConnection): AgentError {
  const word = second.name.replace(/[^A-Za-z0-9]+/g, "").replace(/^[0-9]+/, "") || "other";
  return new AgentError(
    "invalid-option",
    `the MCP servers "${first.name}" and "${second.name}" both have a tool "${tool}"`,
    { hint: `give one of them a prefix: { ..., prefix: "${word}" }` },
  );
}

function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
