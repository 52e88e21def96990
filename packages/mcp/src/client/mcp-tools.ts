import {
  AgentError,
  explainMembers,
  explainPromise,
  invalidOption,
  type OptionTable,
  readOptions,
  type Tool,
  thrownText,
  untilAborted,
} from "@smolts/protocol";
import { type ToolCollection, toolCollection } from "@smolts/tools";
import type { ClientFeatures } from "./client-features.ts";
import { ServerConnection } from "./connection.ts";
import type { ForeignDefinition } from "./foreign-definition.ts";
import { cleanText } from "./foreign-schema.ts";
import { type McpServer, readServer } from "./mcp-server.ts";
import type { McpToolChange } from "./mcp-tool-change.ts";
import type { McpWarning } from "./mcp-warning.ts";
import { resourceTools } from "./resource-tools.ts";
import { toTool } from "./to-tool.ts";

/** Options of {@link mcpTools}. */
export interface McpToolsOptions extends ClientFeatures {
  /**
   * What to do if a server cannot be reached. `error` throws an error. `warning` adds a warning and
   * leaves out the tools of that server.
   *
   * @defaultValue "error"
   */
  readonly unreachable?: "error" | "warning";
  /** Whether resources and prompts of the servers also become tools. @defaultValue false */
  readonly resources?: boolean;
  /**
   * Called with each warning. A warning reports a problem that did not stop the other servers or
   * tools. The field `warnings` of the result lists the same warnings.
   */
  readonly onWarning?: (warning: McpWarning) => void;
  /** When the signal aborts, connecting stops. */
  readonly signal?: AbortSignal;
}

/**
 * The tools of MCP servers, and the connections to the servers. Disposing it closes the connections
 * and ends the servers' processes.
 */
export interface McpTools extends ToolCollection, AsyncDisposable {
  /**
   * The warnings so far: servers that could not be reached, tools that were left out, and changed
   * tools.
   */
  readonly warnings: readonly McpWarning[];
  /** The tools that have changed since their approval, according to each server's last list. */
  readonly changes: readonly McpToolChange[];
  /**
   * Approves all tools in their current form, for a new agent. Until then, calls of changed tools
   * are refused.
   */
  approveChanges(): Promise<ToolCollection>;
}

const maxWarnings = 1_000;

/**
 * Connects to MCP servers in parallel, and returns their tools.
 *
 * If a server is not trusted, each call of its tools needs approval. A lost connection is opened
 * again at the next call. Pass `tools: [...mcp]` to an agent, or some of the tools:
 * `mcp.pick("search")`.
 *
 * @throws AgentError `tool-execution` if a server cannot be reached; `invalid-option` if two
 *   servers have tools with the same name; if the signal aborts, its reason is thrown
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
export function mcpTools(servers: McpServer | readonly McpServer[], given: McpToolsOptions = {}): Promise<McpTools> {
  return explainPromise(connected(servers, given), "mcpTools()");
}

async function connected(servers: McpServer | readonly McpServer[], given: McpToolsOptions): Promise<McpTools> {
  if (typeof servers === "string") readServer(servers);
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
    const listing = listAll(all, options, warn);
    const listed = await (options.signal ? untilAborted(listing, options.signal) : listing);
    const tools: McpTools = {
      ...collect(listed),
      warnings,
      get changes() {
        return all.flatMap(({ changes }) => changes);
      },
      approveChanges: async () => collect(await listAll(all, options, warn)),
      [Symbol.asyncDispose]: close,
    };
    return explainMembers(tools, "mcpTools()", {
      methods: [
        ["getTools get_tools listTools listToolsets getToolsets", "write [...mcp]"],
        ["callTool call_tool connect", "write tools: [...mcp]: the agent calls the tools"],
        [
          "close disconnect stop exit",
          "write await mcp[Symbol.asyncDispose](), or await using mcp = await mcpTools(...)",
        ],
      ],
    });
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
        warn({ server: connection.name, message: thrownText(error) });
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
    throw invalidOption(
      `the MCP server "${name}" has no tool "${unknown}"`,
      `its tools are ${[...known].slice(0, 20).join(", ")}`,
    );
  }
  return only === undefined ? definitions : definitions.filter(({ serverTool }) => only.includes(serverTool));
}

/**
 * Returns the tools of a server. A tool that cannot be used is left out, so that the others can be
 * used.
 */
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
      leaveOut(thrownText(error));
    }
  }
  return [...byName.values()];
}

function collect(listed: readonly Listed[]): ToolCollection {
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
  return invalidOption(
    `the MCP servers "${first.name}" and "${second.name}" both have a tool "${tool}"`,
    `give one of them a prefix: { ..., prefix: "${word}" }`,
  );
}
