import { type OptionTable, readOptions, type Tool } from "@smolts/protocol";
import { javascriptInterpreter } from "./javascript-interpreter.ts";
import { visitWebpage } from "./visit-webpage.ts";
import { webSearch } from "./web-search.ts";

/** Options of {@link baseTools}. */
export interface BaseToolsOptions {
  /**
   * The kind of agent. Tool-calling agents also get an interpreter; code agents already have one.
   * @defaultValue "code"
   */
  readonly for?: "code" | "tool-calling";
}

/**
 * Returns the tools that most agents need: `webSearch` and `visitWebpage`, and for tool-calling
 * agents also `javascriptInterpreter`.
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
