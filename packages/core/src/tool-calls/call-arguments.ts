import { AgentError, decodeValue, type EncodedValue, type Tool } from "@smolts/protocol";
import type { CodeLanguage, LanguageWords } from "../languages/code-language.ts";
import { defaultLanguage } from "../languages/languages.ts";

/**
 * Returns the single input object of a tool, from the arguments that the program passed.
 *
 * A single plain object is the input itself. Positional arguments get names only if their names are
 * certain: if the tool lists the names, or if there is one argument and one required parameter.
 * Otherwise arguments could be swapped without an error.
 *
 * A tool whose input is a list (a function of a host module) gets all arguments as they are.
 *
 * @throws AgentError `tool-input` that shows the correct call, when the arguments cannot be mapped
 * @example
 * ```ts
 * import { inputFromArguments } from "@smolts/core";
 *
 * const inputSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
 * console.log(inputFromArguments({ name: "getWeather", inputSchema }, ["Paris"])); // { city: 'Paris' }
 * ```
 */
export function inputFromArguments(
  tool: Pick<Tool, "name" | "inputSchema" | "positional">,
  args: readonly EncodedValue[],
  { words }: CodeLanguage = defaultLanguage,
): unknown {
  const values = withoutTrailingUndefined(args.map((arg) => decodeValue(arg)));
  const [first] = values;
  if (tool.inputSchema["type"] === "array") return values;
  if (values.length === 0) return {};
  if (values.length === 1 && isPlainObject(first)) return first;
  const required = requiredOf(tool);
  // Some models send null as the arguments of a tool without required parameters.
  if (values.length === 1 && first === null && required.length === 0) return {};
  const names = tool.positional ?? (required.length === 1 ? required : []);
  if (values.length > names.length) throw unmapped(tool, values.length, words);
  return Object.fromEntries(values.map((value, index) => [names[index], value]));
}

function withoutTrailingUndefined(values: readonly unknown[]): readonly unknown[] {
  const end = values.findLastIndex((value) => value !== undefined);
  return values.slice(0, end + 1);
}

const isPlainObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function requiredOf({ inputSchema }: Pick<Tool, "inputSchema">): readonly string[] {
  const { required } = inputSchema;
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

function unmapped(tool: Pick<Tool, "name" | "inputSchema">, count: number, words: LanguageWords): AgentError {
  const { name, inputSchema } = tool;
  const got = count === 1 ? "one argument that is not an object" : `${count} arguments`;
  const isEmpty = Object.keys(inputSchema["properties"] ?? {}).length === 0;
  const takes = isEmpty ? "no argument" : "one object with named fields";
  return new AgentError("tool-input", `tool "${name}" takes ${takes}; it was called with ${got}`, {
    hint: `write: ${words.callForm(tool)}`,
  });
}
