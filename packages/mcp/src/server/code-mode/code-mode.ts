import { AgentError, type ExecutorFactory, type OptionTable, readOptions, type Tool } from "@smolts/protocol";

/** Options of {@link codeMode}. */
export interface CodeModeOptions {
  /**
   * Where the code runs; JavaScript only.
   *
   * @defaultValue `interpreter()` of `@smolts/interpreter`
   */
  readonly executor?: ExecutorFactory;
  /**
   * How long one call of `run_code` may take, its tool calls included, in ms; 0 or Infinity for
   * ever. @defaultValue 120_000
   */
  readonly timeoutMs?: number;
  /**
   * How many characters of a result the model is shown. The rest stays in the sandbox, under a
   * handle. @defaultValue 10_000
   */
  readonly maxResultLength?: number;
}

/** Tools behind one tool that runs code; made by {@link codeMode}, served by `serveMcp`. */
export interface CodeMode {
  readonly type: "code-mode";
  readonly tools: readonly Tool[];
  readonly options: CodeModeOptions;
}

/** The names that programs have besides those of the tools. */
export const codeModeNames = { search: "searchTools", output: "readOutput" } as const;

/**
 * Puts tools behind two tools for any MCP client: `run_code` and `search_tools`. The model writes a
 * program that calls the tools; what they return goes from one to the next inside the sandbox, and
 * the model reads only what the program prints and its last value.
 *
 * @throws AgentError `invalid-option` when two tools have the same name, or one has a name that
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
  const list = [...tools];
  const names = new Set<string>();
  for (const { name } of list) checkName(name, names);
  const { executor, timeoutMs, maxResultLength } = options;
  if (executor && executor.language !== "javascript") {
    throw new AgentError("invalid-option", `executor runs ${executor.language}; code mode runs JavaScript`, {
      hint: "leave it out for the interpreter",
    });
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
    throw new AgentError("invalid-option", why, { hint: "rename the tool, or give its server a prefix" });
  }
  names.add(name);
}

function checkCount(value: number | undefined, option: string): void {
  if (value === undefined || value >= 0) return;
  throw new AgentError("invalid-option", `${option} is ${value}; expected a number >= 0`);
}

/** Whether a value is of {@link codeMode}. */
export function isCodeMode(value: unknown): value is CodeMode {
  return typeof value === "object" && value !== null && "type" in value && value.type === "code-mode";
}
