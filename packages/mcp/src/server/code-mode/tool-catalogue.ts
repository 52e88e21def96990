// Describes the tools behind code mode to the model. If the declarations of all tools are short
// enough in total, the model sees all of them. Otherwise, it sees some of the tools' names and can
// search for declarations.

import { createToolSearch, renderDeclarations, type ToolSearch } from "@smolts/core";
import type { Tool } from "@smolts/protocol";

/**
 * The maximum length of the declarations, in characters. This is about 250 tokens, so that the
 * definitions of both tools stay below 600 tokens.
 */
const maxDeclarationsLength = 900;
const maxNamesLength = 500;

const defaultMatches = 5;
const maxMatches = 20;
/** The maximum length of one search result, in characters. A server's schema can have any size. */
const maxSearchLength = 12_000;
const maxDeclarationLength = 4_000;

/** Declares the tools behind code mode, and searches them. */
export class ToolCatalogue {
  readonly #tools: readonly Tool[];
  #search: ToolSearch | null = null;

  constructor(tools: readonly Tool[]) {
    this.#tools = tools;
  }

  /** Returns the part of the description of `run_code` that is about the tools. */
  get summary(): string {
    const count = this.#tools.length;
    if (count === 0) return "There are no functions to call.";
    // The declarations of more than 20 tools are too long to show, so they are not rendered.
    const declarations = count <= 20 ? renderDeclarations(this.#tools) : "";
    if (declarations !== "" && declarations.length <= maxDeclarationsLength) return `Functions:\n${declarations}`;
    const names = this.#someNames();
    const left = count - names.length;
    const list = names.length === 0 ? "" : `: ${names.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
    return `There are ${count} functions${list}. Find declarations with search_tools, or in code with await searchTools("words").`;
  }

  /**
   * Searches for tools, and returns their declarations.
   *
   * @param limit - the maximum number of tools to return, from 1 to 20
   */
  find(query: string, limit: number = defaultMatches): string {
    const count = Math.min(Math.max(1, Math.floor(limit) || defaultMatches), maxMatches);
    const exact = this.#tools.filter(({ name }) => query.split(/[\s,]+/).includes(name));
    this.#search ??= createToolSearch(this.#tools);
    // The cast is safe: the search returns some of the tools that were passed to it.
    const found = [...new Set([...exact, ...(this.#search(query, count) as readonly Tool[])])].slice(0, count);
    if (found.length === 0) return `No function fits "${query.slice(0, 100)}". ${this.#orientation()}`;
    let text = "";
    for (const tool of found) {
      const declaration = declarationOf(tool);
      if (text.length + declaration.length > maxSearchLength) break;
      text += `${declaration}\n`;
    }
    return text;
  }

  #orientation(): string {
    const names = this.#someNames();
    return names.length === 0 ? "There are none." : `Some of them: ${names.join(", ")}.`;
  }

  /** Returns names from all parts of the list, so that each server is represented. */
  #someNames(): readonly string[] {
    const names: string[] = [];
    const whole = this.#tools.reduce((sum, { name }) => sum + name.length + 2, 0);
    const step = Math.ceil(whole / maxNamesLength);
    let length = 0;
    for (let index = 0; index < this.#tools.length; index += step) {
      const name = this.#tools[index]?.name ?? "";
      length += name.length + 2;
      if (length > maxNamesLength) break;
      names.push(name);
    }
    return names;
  }
}

function declarationOf(tool: Tool): string {
  const whole = renderDeclarations([tool]);
  if (whole.length <= maxDeclarationLength) return whole;
  const { name, description, inputSchema } = tool;
  const short = renderDeclarations([{ name, description: description.slice(0, 300), inputSchema }]);
  if (short.length <= maxDeclarationLength) return short;
  return `declare function ${name}(input: object): Promise<unknown>; // its declaration is too long to show; a wrong call says what it expects`;
}
