import { decodeValue, type EncodedValue, encodeValue, type JsonSchema, type Tool } from "@smolts/protocol";
import type { BlockFacts, CallArguments, CodeLanguage, LanguageWords } from "../code-language.ts";
import { languageTitles } from "../language-titles.ts";
import { argumentsText, renderDeclarations, signature } from "./declarations.ts";
import { nameProblem, type Parameter, parametersOf, snakeCase } from "./names.ts";
import { shapeText } from "./shape-text.ts";
import { syntax } from "./syntax.ts";
import { systemPromptWords } from "./system-prompt.ts";
import { literal, quoted, shapeOfSchema } from "./type-text.ts";

const words: LanguageWords = {
  ...systemPromptWords,
  declarationFence: "python",
  declarations: renderDeclarations,
  type: shapeOfSchema,
  callForm: ({ name, inputSchema }) => `${snakeCase(name)}(${signature(inputSchema)})`,
  shape: shapeText,
  preview,
  sampleCall: { full: 'print(some_tool(name="value"))', short: "print(some_function())" },
  call: (name, input) => `print(${snakeCase(name)}(${argumentsText(input)}))`,
  answer: (value) => `final_answer(${literal(value)})`,
};

/** Python as a language for code agents. */
export const python: CodeLanguage = {
  id: "python",
  name: languageTitles.python,
  fence: "python",
  syntax,
  toolName: snakeCase,
  nameProblem,
  importableModules,
  callArguments,
  words,
  notes: awaitNotes,
};

/**
 * Returns everything that may be imported: names, `name.*` with all submodules, or `*` alone. The
 * base modules include their submodules.
 */
function importableModules(additional: readonly string[]): {
  readonly rules: readonly string[];
  readonly shown: readonly string[];
} {
  if (additional.includes("*")) return { rules: ["*"], shown: ["*"] };
  return {
    rules: [...baseModules.map((name) => `${name}.*`), ...additional],
    shown: [...new Set([...baseModules, ...additional])].toSorted(),
  };
}

/**
 * Modules of the standard library that may always be imported: they only compute, and cannot reach
 * files, the network or processes. Others must be named by `additionalAuthorizedImports`.
 */
const baseModules: readonly string[] =
  `asyncio base64 bisect calendar cmath collections copy csv dataclasses datetime decimal difflib enum fractions functools hashlib heapq html io itertools
  json math numbers operator pprint queue random re stat statistics string textwrap time typing unicodedata uuid zoneinfo`.split(
    /\s+/,
  );

/**
 * Turns the arguments of a call into the one object that a tool takes as its input. Names of
 * parameters in the program become keys of the input. An optional parameter with the value `None`
 * is left out. Arguments that do not fit the parameters are passed on unchanged, so that the tool's
 * validation reports them.
 */
function callArguments(
  tool: Pick<Tool, "inputSchema" | "positional">,
  { args, keywords = {} }: CallArguments,
): readonly EncodedValue[] {
  const parameters = parametersOf(tool.inputSchema);
  const order = tool.positional ?? parameters.map(({ key }) => key);
  const named = Object.entries(keywords).map(([name, value]) => {
    return [parameters.find((parameter) => parameter.name === name)?.key ?? name, value] as const;
  });
  const isTwice = named.some(([key]) => order.slice(0, args.length).includes(key));
  if (args.length > order.length || isTwice) return named.length === 0 ? args : [...args, objectOf(named)];
  const given = [...args.map((value, index) => [order[index] ?? "", value] as const), ...named];
  return [objectOf(given.filter(([key, value]) => value !== null || !mayBeLeftOut(key, parameters)))];
}

/**
 * Encodes one object from fields that are already encoded. Each field is decoded first: it was
 * encoded separately, so references in it are valid only within that field.
 */
const objectOf = (entries: readonly (readonly [string, EncodedValue])[]): EncodedValue =>
  encodeValue(Object.fromEntries(entries.map(([key, value]) => [key, decodeValue(value)])));

function mayBeLeftOut(key: string, parameters: readonly Parameter[]): boolean {
  const parameter = parameters.find((other) => other.key === key);
  return parameter !== undefined && !parameter.isRequired && !acceptsNull(parameter.schema);
}

function acceptsNull({ type, nullable, enum: values, anyOf, oneOf }: JsonSchema): boolean {
  if (nullable === true || type === "null") return true;
  if (Array.isArray(type)) return type.includes("null");
  if (Array.isArray(values)) return values.includes(null);
  const alternatives = anyOf ?? oneOf;
  if (!Array.isArray(alternatives)) return type === undefined;
  return alternatives.some(
    (schema) => typeof schema === "object" && schema !== null && acceptsNull(schema as JsonSchema),
  ); // an object
}

const maxPreviewLength = 100;

/** Returns a value as code if the value is certainly small. Never formats a large value. */
function preview(value: unknown): string | null {
  if (typeof value === "string") return value.length <= maxPreviewLength ? quoted(value) : null;
  if (typeof value === "bigint") return value < 10n ** 40n && value > -(10n ** 40n) ? String(value) : null;
  if (typeof value === "number" || typeof value === "boolean") return literal(value);
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : null;
}

// Notes about calls that were started and not awaited. Such a program works with the coroutine or
// task instead of the value.

/** Returns notes about calls that were not awaited, and about coroutines that were printed. */
function awaitNotes({ result, logs, calls = [] }: BlockFacts): string[] {
  const text = result.type === "value" ? (result.output?.text ?? "") : "";
  return [...unawaitedNote(result.unawaited, calls), ...([logs, text].some(showsCoroutine) ? [printedNote] : [])];
}

function unawaitedNote(unawaited: readonly number[], calls: readonly { readonly name: string }[]): string[] {
  if (unawaited.length === 0) return [];
  const names = unawaited.map((index) => snakeCase(calls[index - 1]?.name ?? `call ${index}`));
  const counts = [...new Set(names)].map((name) => {
    const count = names.filter((other) => other === name).length;
    return count === 1 ? name : `${name} (${count} times)`;
  });
  return [
    `Not awaited, and completed after the end of your code: ${counts.join(", ")}. Write await before .aio(...), or await asyncio.gather(...) for several, to see what the calls return.`,
  ];
}

const showsCoroutine = (text: string): boolean =>
  /<coroutine object |<Task (?:pending|finished)|<Future pending/.test(text);

const printedNote =
  "A coroutine or task was printed in place of its value: write await before it, or leave out .aio for a call that waits by itself.";
