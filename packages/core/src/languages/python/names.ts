// Converts names to snake_case, and finds names that a Python program cannot use.

import { isRecord, type JsonSchema } from "@smolts/protocol";

/**
 * Returns a name in snake_case: `web_search` for `webSearch`, `read_html_page` for `readHTMLPage`.
 */
export const snakeCase = (name: string): string =>
  name
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1_$2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1_$2")
    .toLowerCase();

/** Returns why a program cannot use a name; null when it can. */
export function nameProblem(name: string): string | null {
  if (!/^[\p{ID_Start}_][\p{ID_Continue}]*$/u.test(name)) return "is not a valid Python identifier";
  return keywords.has(name) || commonBuiltins.has(name) ? "is a reserved word in Python" : null;
}

/** A parameter of a tool, with its name in programs. */
export interface Parameter {
  /** The name in the program; null if only `**{...}` can pass the parameter. */
  readonly name: string | null;
  /** The key in the tool's input. */
  readonly key: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/**
 * Returns the parameters of a tool in the order of positional arguments: the required ones first.
 */
export function parametersOf({ properties, required }: JsonSchema): readonly Parameter[] {
  const requiredKeys = Array.isArray(required) ? required : [];
  const entries = isRecord(properties) ? Object.entries(properties) : [];
  const names = entries.map(([key]) => snakeCase(key));
  const parameters = entries.map(([key, schema], index): Parameter => {
    const name = names[index] ?? key;
    const isFree = isParameterName(name) && names.filter((other) => other === name).length === 1;
    return {
      name: isFree ? name : isParameterName(key) ? key : null,
      key,
      schema: isRecord(schema) ? schema : {},
      isRequired: requiredKeys.includes(key),
    };
  });
  return [...parameters.filter(({ isRequired }) => isRequired), ...parameters.filter(({ isRequired }) => !isRequired)];
}

const isParameterName = (name: string): boolean =>
  /^[\p{ID_Start}_][\p{ID_Continue}]*$/u.test(name) && !keywords.has(name);

const keywords: ReadonlySet<string> = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or
  pass raise return try while with yield`.split(/\s+/),
);

/**
 * Built-in functions that programs often use. A tool with one of these names would break such
 * programs.
 */
const commonBuiltins: ReadonlySet<string> = new Set(
  `abs all any bool bytes dict dir enumerate filter float format getattr hasattr hash id int isinstance iter len list map max min next object open ord pow
  print range repr reversed round set setattr sorted str sum super tuple type vars zip`.split(/\s+/),
);
