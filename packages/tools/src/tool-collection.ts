import { type AgentError, invalidOption, nearestName, type Tool } from "@smolts/protocol";
import { checkToolName } from "./tool-name.ts";

/**
 * A collection of tools that belong together, such as those of one service. No two tools have the
 * same name. Pass the collection's `tools` to an agent, or spread the collection into a list.
 */
export interface ToolCollection extends Iterable<Tool> {
  readonly tools: readonly Tool[];
  /**
   * Returns only the tools with these names, in this order.
   *
   * @throws AgentError `invalid-option` for an unknown name; the hint suggests the most similar one
   */
  pick(...names: readonly string[]): ToolCollection;
  /**
   * Returns the same tools with longer names: with the prefix `wiki`, `search` becomes
   * `wikiSearch`.
   */
  prefixed(prefix: string): ToolCollection;
}

/**
 * Creates a collection of tools.
 *
 * @param sources - lists of tools, or other collections
 * @throws AgentError `invalid-option` if two tools have the same name; the hint says what to write
 * @example
 * ```ts
 * import { tool, toolCollection } from "@smolts/tools";
 *
 * const search = tool({ name: "search", description: "Finds pages.", input: { query: "string" }, effects: "none", execute: () => [] });
 * const all = toolCollection([search], toolCollection([search]).prefixed("wiki"));
 * console.log(all.tools.map(({ name }) => name).join()); // search,wikiSearch
 * ```
 */
export function toolCollection(...sources: readonly Iterable<Tool>[]): ToolCollection {
  const byName = new Map<string, Tool>();
  for (const tool of sources.flatMap((source) => [...source])) {
    if (byName.has(tool.name)) throw twice(tool.name);
    byName.set(tool.name, tool);
  }
  const tools = [...byName.values()];
  return {
    tools,
    pick: (...names) => toolCollection(names.map((name) => byName.get(name) ?? unknown(name, [...byName.keys()]))),
    prefixed: (prefix) => toolCollection(tools.map((tool) => renamed(tool, withPrefix(prefix, tool.name)))),
    [Symbol.iterator]: () => tools[Symbol.iterator](),
  };
}

const withPrefix = (prefix: string, name: string): string => `${prefix}${name[0]?.toUpperCase()}${name.slice(1)}`;

function renamed(tool: Tool, name: string): Tool {
  checkToolName(name);
  // A plain object is copied with the new name. Its methods read the name from `this`, so their
  // errors contain the new name.
  if (Object.getPrototypeOf(tool) === Object.prototype) return { ...tool, name };
  // This tool is an instance of a class. Its methods must be called on the instance itself, because
  // otherwise they could not use its private members.
  const { description, inputSchema, outputSchema, effects, examples, timeoutMs, positional, reference } = tool;
  const given = { outputSchema, examples, timeoutMs, positional, reference };
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return {
    ...present,
    name,
    description,
    inputSchema,
    effects,
    parseInput: (input) => tool.parseInput(input),
    execute: (input, context) => tool.execute(input, context),
    ...(tool.needsApproval ? { needsApproval: (input, context) => tool.needsApproval?.(input, context) ?? true } : {}),
  };
}

function twice(name: string): AgentError {
  return invalidOption(
    `two tools have the name "${name}"`,
    `give those of one source a prefix: toolCollection(tools).prefixed("${name === "wiki" ? "other" : "wiki"}")`,
  );
}

function unknown(name: string, known: readonly string[]): never {
  const nearest = nearestName(name, known);
  const listed =
    known.length > 20 ? `${known.slice(0, 20).join(", ")} and ${known.length - 20} more` : known.join(", ");
  throw invalidOption(
    `the collection has no tool "${name}"`,
    nearest ? `did you mean "${nearest}"?` : `it has ${listed}`,
  );
}
