import { type OptionTable, readOptions, type Tool } from "@smolts/protocol";
import { javascriptInterpreter } from "./javascript-interpreter.ts";
import { visitWebpage } from "./visit-webpage.ts";
import { webSearch } from "./web-search.ts";

/** Options of {@link baseTools}. */
export interface BaseToolsOptions {
  /**
   * Agents that call tools by JSON also get an interpreter; those that write code have one.
   * @defaultValue "code"
   */
  readonly for?: "code" | "tool-calling";
}

/**
 * The tools that most agents want: `webSearch` and `visitWebpage`, and for tool-calling agents
 * `javascriptInterpreter`.
 *
 * @example
 * ```ts
 * import { baseTools } from "@smolts/tools/base-tools";
 *
 * console.log(baseTools({ for: "tool-calling" }).map(({ name }) => name).join()); // webSearch,visitWebpage,javascriptInterpreter
 * ```
 */
export function baseTools(options: BaseToolsOptions = {}): readonly Tool[] {
  const { for: kind = "code" } = readOptions(options, "baseTools()", baseToolsOptions);
  const tools = [webSearch(), visitWebpage()];
  return kind === "tool-calling" ? [...tools, javascriptInterpreter()] : tools;
}

const baseToolsOptions: OptionTable<BaseToolsOptions> = { for: ["code", "tool-calling"] };
