import {
  type ExecutorFactory,
  invalidOption,
  type OptionTable,
  readOptions,
  type Tool,
  wrongArgument,
} from "@smolts/protocol";

/** Options of {@link codeMode}. */
export interface CodeModeOptions {
  /**
   * The executor of the code. It must run JavaScript.
   *
   * @defaultValue `interpreter()` of `@smolts/interpreter`
   */
  readonly executor?: ExecutorFactory;
  /**
   * The time limit of one call of `run_code`, including its tool calls, in ms. 0 or Infinity means
   * no limit. @defaultValue 120_000
   */
  readonly timeoutMs?: number;
  /**
   * How many characters of a result are returned to the model. The rest is kept, and the model can
   * read it by a handle.
   *
   * @defaultValue 10_000
   */
  readonly maxResultLength?: number;
}

/**
 * Tools that clients use by running code. Created by {@link codeMode}, and served by `serveMcp`.
 */
export interface CodeMode {
  readonly type: "code-mode";
  readonly tools: readonly Tool[];
  readonly options: CodeModeOptions;
}

/** The names of the functions that programs can call in addition to the tools. */
export const codeModeNames = { search: "searchTools", output: "readOutput" } as const;

/**
 * Puts any number of tools behind two tools for MCP clients: `run_code` and `search_tools`. The
 * model writes a program that calls the tools. Results stay in the sandbox and can be passed from
 * one tool to the next. The model reads only the program's output and its last value.
 *
 * @throws AgentError `invalid-option` if two tools have the same name, or if a tool has a name that
 *   programs need
 * @example
 * ```ts
 * import { codeMode, mcpTools, serveMcp } from "@smolts/mcp";
 *
 * export async function serveFiles(): Promise<void> {
 *   const files = { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] };
 *   await using mcp = await mcpTools(files);
 *   await using serving = await serveMcp(codeMode([...mcp]));
 *   await serving.closed;
 * }
 * ```
 */
export function codeMode(tools: Iterable<Tool>, given: CodeModeOptions = {}): CodeMode {
  const options = readOptions(given, "codeMode()", codeModeOptions);
  if (typeof tools?.[Symbol.iterator] !== "function")
    throw wrongArgument("codeMode()", tools, "a list of tools", "write codeMode(Object.values(tools))");
  const list = [...tools];
  const names = new Set<string>();
  for (const { name } of list) checkName(name, names);
  const { executor, timeoutMs, maxResultLength } = options;
  if (executor && executor.language !== "javascript") {
    throw invalidOption(
      `executor runs ${executor.language}; code mode runs JavaScript`,
      "leave it out for the interpreter",
    );
  }
  checkCount(timeoutMs, "timeoutMs");
  checkCount(maxResultLength, "maxResultLength");
  return { type: "code-mode", tools: list, options };
}

const codeModeOptions: OptionTable<CodeModeOptions> = {
  executor: "object",
  timeoutMs: "number",
  maxResultLength: "number",
};

function checkName(name: string, names: Set<string>): void {
  const isTaken = name === codeModeNames.search || name === codeModeNames.output || name === "finalAnswer";
  if (isTaken || names.has(name)) {
    const why = isTaken ? `programs in code mode have a function "${name}" already` : `two tools are named "${name}"`;
    throw invalidOption(why, "rename the tool, or give its server a prefix");
  }
  names.add(name);
}

function checkCount(value: number | undefined, option: string): void {
  if (value === undefined || value >= 0) return;
  throw invalidOption(`${option} is ${value}; expected a number >= 0`);
}

/** Says whether a value was made by {@link codeMode}. */
export function isCodeMode(value: unknown): value is CodeMode {
  return typeof value === "object" && value !== null && "type" in value && value.type === "code-mode";
}
