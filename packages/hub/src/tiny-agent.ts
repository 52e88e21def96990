// Loads an agent of tiny-agents (huggingface.js and huggingface_hub): a model, MCP servers and a
// prompt. The agent contains no code, but its MCP servers are programs.

import { type CodeAgent, ToolCallingAgent } from "@smolts/core";
import type { LoadOptions } from "@smolts/core/save";
import { resolveModel } from "@smolts/models";
import { AgentError, type Model, type Tool } from "@smolts/protocol";
import type { HubErrorDetails } from "./hub-error-details.ts";

/** An MCP server, as `mcpTools` of `@smolts/mcp` accepts it. */
export type McpServer =
  | {
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: { readonly [name: string]: string };
      readonly cwd?: string;
    }
  | { readonly url: string; readonly headers?: { readonly [name: string]: string } };

/** An agent of another framework, converted to an agent of smolts. */
export interface MadeAgent {
  readonly agent: CodeAgent | ToolCallingAgent;
  readonly leftOut: readonly string[];
}

/** Connects MCP servers. */
export type McpTools = (
  servers: readonly McpServer[],
) => Promise<AsyncDisposable & { readonly tools: readonly Tool[] }>;

/**
 * Creates an agent from an `agent.json` of tiny-agents.
 *
 * @param mcpTools - starts the agent's servers; without it, the servers are left out
 */
export async function fromTinyAgent(
  definition: unknown,
  prompt: string | null,
  { tools = [], ...options }: LoadOptions,
  mcpTools: McpTools | undefined,
): Promise<MadeAgent & AsyncDisposable> {
  // The cast is safe: the format says that the definition is an object.
  const { servers, ...rest } = definition as Readonly<Record<string, unknown>>;
  const leftOut: string[] = [];
  const usable = (Array.isArray(servers) ? servers : []).flatMap((given) => serverOf(given, leftOut));
  if (!mcpTools)
    leftOut.push(...usable.map((server) => `${serverText(server)}: it needs { trustCode: true, mcpTools }`));
  const model = options.model ?? modelOf(rest, options.trustCode === true);
  const connected = mcpTools && usable.length > 0 ? await mcpTools(usable) : undefined;
  const own = Array.isArray(tools) ? (tools as readonly Tool[]) : Object.values(tools);
  const agent = new ToolCallingAgent({
    answerByText: true,
    ...(prompt === null ? {} : { instructions: prompt }),
    ...withoutTrust(options),
    model,
    tools: [...(connected?.tools ?? []), ...own],
  });
  return { agent, leftOut, [Symbol.asyncDispose]: async () => connected?.[Symbol.asyncDispose]() };
}

/** Returns the options without `trustCode`, which agents do not have. */
export function withoutTrust<Options extends { readonly trustCode?: boolean }>(
  options: Options,
): Omit<Options, "trustCode"> {
  const { trustCode: _, ...rest } = options;
  return rest;
}

function modelOf({ model, provider, endpointUrl }: Readonly<Record<string, unknown>>, trustCode: boolean): Model {
  if (typeof endpointUrl === "string") {
    if (trustCode)
      return resolveModel(`openai:${typeof model === "string" ? model : "default"}`, { baseUrl: endpointUrl });
    throw new AgentError("invalid-option", `the agent sends all its requests to "${endpointUrl}"`, {
      hint: "pass { trustCode: true } if that is right, or a model of your own: load({ model })",
      details: { missing: "trust" } satisfies HubErrorDetails,
    });
  }
  if (typeof model !== "string") {
    throw new AgentError("invalid-option", "the agent does not name a model", {
      hint: "pass one: load({ model })",
      details: { missing: "model" } satisfies HubErrorDetails,
    });
  }
  return resolveModel(typeof provider === "string" && provider !== "auto" ? `hf:${model}:${provider}` : `hf:${model}`);
}

/**
 * Converts a server to our format. If the server cannot be used, returns nothing and adds the
 * server to `leftOut`.
 */
function serverOf(given: unknown, leftOut: string[]): readonly McpServer[] {
  if (typeof given !== "object" || given === null) {
    leftOut.push("a server that is not an object");
    return [];
  }
  const outer = given as Readonly<Record<string, unknown>>;
  // In older files, the settings are in `config`.
  const { config, type } = outer;
  const settings = (typeof config === "object" && config !== null ? { ...outer, ...config } : outer) as Readonly<
    Record<string, unknown>
  >;
  const asked = /\$\{input:([^}]*)\}/.exec(JSON.stringify(settings))?.[1];
  const { command, args, env, cwd, url, headers, options } = settings;
  const nested = (typeof options === "object" && options !== null ? options : {}) as {
    readonly requestInit?: { readonly headers?: unknown };
  };
  const name = typeof command === "string" ? command : String(url ?? type);
  if (asked !== undefined) {
    leftOut.push(`the server "${name}": it needs your input "${asked}"`);
    return [];
  }
  if (typeof command === "string") {
    return [
      {
        command,
        ...(Array.isArray(args) ? { args: args.map(String) } : {}),
        ...(isTexts(env) ? { env } : {}),
        ...(typeof cwd === "string" ? { cwd } : {}),
      },
    ];
  }
  const sent = headers ?? nested.requestInit?.headers;
  if (typeof url === "string" && type !== "sse") return [{ url, ...(isTexts(sent) ? { headers: sent } : {}) }];
  leftOut.push(`the server "${name}": its transport "${String(type)}" is not supported`);
  return [];
}

const isTexts = (value: unknown): value is { readonly [name: string]: string } =>
  typeof value === "object" && value !== null && Object.values(value).every((item) => typeof item === "string");

const serverText = (server: McpServer): string =>
  "url" in server
    ? `the server at ${server.url}`
    : `the server "${[server.command, ...(server.args ?? [])].join(" ")}"`;
