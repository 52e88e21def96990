// Handles more tools than fit into the prompt. The prompt lists the names of some of them, and the
// model's code finds the others with two functions.

import { AgentError, invalidOption, nearestName, type Tool } from "@smolts/protocol";
import { defaults } from "../defaults.ts";
import type { CodeLanguage, DeclaredTool } from "../languages/code-language.ts";
import { isObject } from "../shown-value.ts";
import { isAgentTool } from "./agent-tool.ts";
import { finalAnswerName } from "./final-answer.ts";
import { createToolSearch, type ToolSearch } from "./tool-search.ts";

/** The names of the functions that code uses to find tools. */
const toolIndexNames = { search: "searchTools", describe: "describeTool" } as const;

/**
 * Returns the tools that the prompt does not declare, but lists by name in an index. Empty if the
 * declarations of all tools fit into the prompt.
 */
export function indexedTools(tools: Iterable<Tool>, { words }: CodeLanguage): readonly Tool[] {
  const candidates = [...tools].filter((tool) => tool.name !== finalAnswerName && !isAgentTool(tool));
  return tokensOf(words.declarations(candidates)) > defaults.maxDeclarationTokens ? candidates : [];
}

/**
 * Returns two tools: one with which the model's code searches the given tools, and one that
 * describes a tool.
 *
 * @throws AgentError `invalid-option` when another tool has the name of one of these two
 */
export function toolIndexTools(indexed: readonly Tool[], language: CodeLanguage): readonly Tool[] {
  const taken = indexed.find(({ name }) => name === toolIndexNames.search || name === toolIndexNames.describe);
  if (taken) throw nameTaken(taken.name);
  // The search index is built only in runs that search.
  let search: ToolSearch | null = null;
  const find = (query: string, limit: number): readonly DeclaredTool[] => {
    search ??= createToolSearch(indexed);
    return search(query, limit);
  };
  // The cast is safe: each `execute` gets the result of its own `parseInput`.
  return [searchTool(find, language), describeTool(indexed, language)] as readonly Tool[];
}

/**
 * Returns the text of the index for the model: as many names as fit, and how to find the other
 * tools.
 */
export function indexText(
  indexed: readonly DeclaredTool[],
  declarations: string,
  { toolName, words }: CodeLanguage,
): string {
  const names: string[] = [];
  let length = 0;
  for (const { name } of indexed) {
    length += name.length + 2;
    if (length > maxNamesLength) break;
    names.push(toolName(name));
  }
  const left = indexed.length - names.length;
  return `Your code can call ${indexed.length} functions more than are declared here:
\`\`\`${words.declarationFence}
${declarations}
\`\`\`
Find the ones you need with ${toolName(toolIndexNames.search)}, print what it gives, and call them in your next message. They are: ${names.join(", ")}${left === 0 ? "" : `, and ${left} more`}.`;
}

/** About 400 tokens. */
const maxNamesLength = 1_600;

/** Estimates tokens. In declarations a token has about four characters. */
const tokensOf = (text: string): number => text.length / 4;

const defaultMatches = 5;
const maxMatches = 20;

interface SearchInput {
  readonly query: string;
  readonly limit: number;
}

type Match = { readonly name: string; readonly declaration: string };

const searchTool = (find: ToolSearch, { toolName, words }: CodeLanguage): Tool<SearchInput, readonly Match[]> => ({
  name: toolIndexNames.search,
  description: "Finds functions by what they do, the best first.",
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", description: "what it is to do, in a few words" },
      limit: { type: "integer", description: `${defaultMatches} when absent` },
    },
    required: ["query"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "array",
    items: {
      type: "object",
      properties: { name: { type: "string" }, declaration: { type: "string" } },
      required: ["name", "declaration"],
    },
  },
  effects: "none",
  parseInput: parseSearchInput,
  execute: ({ query, limit }) =>
    find(query, limit).map((tool) => ({ name: toolName(tool.name), declaration: words.declarations([tool]) })),
});

const describeTool = (indexed: readonly Tool[], language: CodeLanguage): Tool<string, string> => ({
  name: toolIndexNames.describe,
  description: "Tells how a function is called.",
  inputSchema: {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
    additionalProperties: false,
  },
  outputSchema: { type: "string" },
  effects: "none",
  parseInput: (input) => textField(input, toolIndexNames.describe, "name"),
  execute: (name) => language.words.declarations([toolNamed(indexed, name, language)]),
});

function parseSearchInput(input: unknown): SearchInput {
  const query = textField(input, toolIndexNames.search, "query");
  const limit = isObject(input) ? input["limit"] : undefined;
  if (limit === undefined) return { query, limit: defaultMatches };
  if (typeof limit === "number" && limit >= 1) return { query, limit: Math.min(Math.floor(limit), maxMatches) };
  throw new AgentError("tool-input", `tool "${toolIndexNames.search}" got the limit ${JSON.stringify(limit)}`, {
    hint: `pass a whole number from 1 to ${maxMatches}, or leave it out for ${defaultMatches}`,
  });
}

function textField(input: unknown, tool: string, field: string): string {
  const value = isObject(input) ? input[field] : undefined;
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new AgentError("tool-input", `tool "${tool}" got no "${field}"; expected { ${field}: string }`);
}

function toolNamed(indexed: readonly Tool[], name: string, { toolName }: CodeLanguage): Tool {
  const tool = indexed.find((candidate) => toolName(candidate.name) === toolName(name));
  if (tool) return tool;
  const names = indexed.map((candidate) => toolName(candidate.name));
  const nearest = nearestName(name, names);
  throw new AgentError("tool-input", `there is no function "${name}"`, {
    hint: nearest ? `did you mean "${nearest}"?` : `find one with ${toolName(toolIndexNames.search)}`,
  });
}

const nameTaken = (name: string): AgentError =>
  invalidOption(
    `with so many tools, "${name}" is the function that finds them, but one of the tools has the same name`,
    "give that tool another name, for example with a prefix",
  );
