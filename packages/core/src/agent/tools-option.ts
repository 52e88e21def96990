import { type AgentError, invalidOption, type Tool } from "@smolts/protocol";
import { isObject, shown } from "../shown-value.ts";
import { type AgentTool, isAgentTool } from "../tools/agent-tool.ts";
import { finalAnswer, finalAnswerName } from "../tools/final-answer.ts";
import { type AnswerSchema, typedFinalAnswer } from "../tools/typed-answer.ts";
import type { AgentOptions, ManagedAgentOption, ToolsOption } from "./agent-options.ts";
import { checkIdentifier } from "./identifier.ts";

/**
 * Returns all tools of an agent by name, including its managed agents and `finalAnswer`.
 *
 * @throws AgentError `invalid-option` that says what to change
 */
export function checkTools({ tools = [], managedAgents = [], output }: AgentOptions): ReadonlyMap<string, Tool> {
  if ((tools as unknown) instanceof Promise) throw invalidOption("tools is a promise", "write tools: await ...");
  if (isObject(tools) && typeof tools["execute"] === "function") {
    throw invalidOption("tools is a single tool; expected a list of tools, or a record of them", "write tools: [tool]");
  }
  if (!isObject(tools)) {
    const found = `tools is ${shown(tools)}; expected a list of tools, or a record of them`;
    throw invalidOption(found, "write tools: [tool], and call the function that makes a tool: [webSearch()]");
  }
  if (Symbol.iterator in tools && !isList(tools)) {
    const list = tools instanceof Map ? "[...tools.values()]" : "[...tools]";
    throw invalidOption(
      `tools is ${instanceOf(tools)}; expected a list of tools, or a record of them`,
      `write tools: ${list}`,
    );
  }
  const byName = new Map<string, Tool>();
  for (const tool of [...namedTools(tools), ...agentTools(managedAgents)]) {
    checkTool(tool);
    if (byName.has(tool.name)) throw sameName(tool, byName.get(tool.name));
    byName.set(tool.name, tool);
  }
  if (output !== undefined) return withTypedAnswer(byName, output);
  // The cast is safe, because `execute` is called with nothing but the result of `parseInput` of
  // the same tool.
  if (!byName.has(finalAnswerName)) byName.set(finalAnswerName, finalAnswer as Tool);
  return byName;
}

function namedTools(tools: ToolsOption): readonly Tool[] {
  if (isList(tools)) return tools;
  return Object.entries(tools).map(([name, tool]) => (tool?.name === name ? tool : renamed(tool, name)));
}

function withTypedAnswer(tools: Map<string, Tool>, output: AnswerSchema): ReadonlyMap<string, Tool> {
  if (!tools.has(finalAnswerName)) return tools.set(finalAnswerName, typedFinalAnswer(output));
  throw invalidOption(
    `an agent with the option output makes the tool "${finalAnswerName}" itself`,
    "remove your own tool, or the option output",
  );
}

function agentTools(managedAgents: readonly ManagedAgentOption[]): readonly AgentTool[] {
  if (!Array.isArray(managedAgents)) {
    throw invalidOption(
      `managedAgents is ${shown(managedAgents)}; expected a list of agents`,
      "write managedAgents: [agent]",
    );
  }
  return managedAgents.map((agent, index) => {
    if (isAgent(agent)) return agent.asTool();
    throw invalidOption(
      `managedAgents[${index}] is ${shown(agent)}; expected an agent`,
      "put a tool into the option tools",
    );
  });
}

const isAgent = (value: unknown): value is ManagedAgentOption =>
  isObject(value) && typeof value["asTool"] === "function";

function sameName(tool: Tool, other: Tool | undefined): AgentError {
  const kinds = [tool, other].map((one) => (one && isAgentTool(one) ? "agent" : "tool"));
  const what = kinds[0] === kinds[1] ? `two ${kinds[0]}s have` : "a tool and an agent have";
  const prefixed = `my${tool.name[0]?.toUpperCase() ?? ""}${tool.name.slice(1)}`;
  return invalidOption(
    `${what} the name "${tool.name}"`,
    `give one of them another name with a prefix, such as "${prefixed}": tools as a record whose keys are the names, agents by asTool({ name })`,
  );
}

/**
 * Returns the same tool under another name. Its errors use the new name. If the tool is a class
 * instance, its methods are called on the instance itself, so that private fields work.
 */
function renamed(tool: Tool, name: string): Tool {
  if (isObject(tool) && Object.getPrototypeOf(tool) === Object.prototype) return { ...tool, name };
  return {
    ...tool,
    name,
    parseInput: (input) => tool.parseInput(input),
    execute: (input, context) => tool.execute(input, context),
    ...(tool?.needsApproval ? { needsApproval: (input, context) => tool.needsApproval?.(input, context) ?? true } : {}),
  };
}

const instanceOf = ({ constructor: made }: object): string => `a ${made.name || "collection"}`;

const isList = (tools: ToolsOption): tools is readonly Tool[] => Array.isArray(tools);

function checkTool(tool: Partial<Tool> | null): void {
  if (
    typeof tool !== "object" ||
    tool === null ||
    typeof tool.execute !== "function" ||
    typeof tool.parseInput !== "function" ||
    !isObject(tool.inputSchema)
  ) {
    if (Array.isArray(tool))
      throw invalidOption("one of the tools is a list", "write tools: [...list], with three dots");
    const foreign = isObject(tool) ? foreignToolHint(tool) : undefined;
    if (foreign !== undefined) throw invalidOption("one of the tools is a tool of another library", foreign);
    if (isObject(tool) && Object.values(tool).some((one) => isObject(one) && typeof one["execute"] === "function"))
      throw invalidOption("one of the tools is an object of tools", "write tools: [...Object.values(tools)]");
    if (isAgent(tool)) {
      throw invalidOption("one of the tools is an agent", "write managedAgents: [agent], or tools: [agent.asTool()]");
    }
    if (Object.prototype.toString.call(tool) === "[object Promise]")
      throw invalidOption("one of the tools is a promise", "write tools: [...(await mcpTools(...))], with await");
    const called = typeof tool === "function" ? `call it if it makes a tool: tools: [${nameOf(tool)}()]; or ` : "";
    const named = typeof tool === "string" && /search/i.test(tool) ? "write tools: [webSearch()]; or " : called;
    throw invalidOption(
      `one of the tools is ${shown(tool)}`,
      `${named}make tools with tool({ name, description, input, execute })`,
    );
  }
  checkIdentifier(tool.name, "a tool's name");
}

/** Returns a hint for a tool of another library, which is recognised by its members. */
function foreignToolHint(tool: object): string | undefined {
  if ("lc_namespace" in tool)
    return "write tools: [...fromLangChain([tool])], with fromLangChain of smolts/tools/from-lang-chain";
  const hasSchema = "inputSchema" in tool || "parameters" in tool;
  if (hasSchema && !("parseInput" in tool))
    return "write tools: { name: tool }, or tools: [tool({ name, ...it })] with tool of smolts";
  return undefined;
}

const nameOf = (factory: { readonly name?: string }): string => factory.name || "makeTool";
