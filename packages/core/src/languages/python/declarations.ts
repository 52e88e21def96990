// Declares tools as Python functions: a signature with types, and a docstring.
//
// Texts from others (descriptions, property names) must not end a docstring or begin a new line, so
// ends of docstrings and line breaks in them are replaced.

import type { JsonSchema } from "@smolts/protocol";
import { type DeclaredTool, maxExamples } from "../code-language.ts";
import { type Parameter, parametersOf, snakeCase } from "./names.ts";
import { annotation, harmless, literal, shapeOfSchema } from "./type-text.ts";

/** Returns the declarations of tools for a code agent's prompt, one function for each tool. */
export const renderDeclarations = (tools: readonly DeclaredTool[]): string => tools.map(renderTool).join("\n\n");

function renderTool(tool: DeclaredTool): string {
  const { name, inputSchema, outputSchema, answerSchema } = tool;
  if (answerSchema) {
    const answer: Parameter = { name: "answer", key: "answer", schema: answerSchema, isRequired: true };
    return `def ${snakeCase(name)}(answer: ${annotation(answerSchema)}) -> NoReturn:\n${docstring(tool, [answer])}`;
  }
  const parameters = parametersOf(inputSchema);
  const result = outputSchema ? annotation(outputSchema) : "Any";
  return `def ${snakeCase(name)}(${signature(inputSchema, parameters)}) -> ${result}:\n${docstring(tool, parameters)}`;
}

/**
 * Returns the signature of a tool. Parameters whose names are not valid in Python are passed as
 * `**kwargs`. So are the parameters of a tool that accepts any parameter.
 */
export function signature(schema: JsonSchema, parameters: readonly Parameter[] = parametersOf(schema)): string {
  const named = parameters.flatMap(({ name, schema: type, isRequired }) =>
    name === null ? [] : [`${name}: ${annotation(type)}${isRequired ? "" : " = None"}`],
  );
  const { additionalProperties: others } = schema;
  const takesOthers = typeof others === "object" && others !== null && parameters.length === 0;
  return [...named, ...(takesOthers || parameters.some(({ name }) => name === null) ? ["**kwargs"] : [])].join(", ");
}

const maxDescriptionLength = 2_000;
const maxCommentLength = 300;

function docstring(tool: DeclaredTool, parameters: readonly Parameter[]): string {
  const { name, description, outputSchema, examples = [] } = tool;
  const lines = [
    ...linesOf(description),
    ...argumentLines(parameters),
    ...(outputSchema && annotation(outputSchema) !== shapeOfSchema(outputSchema)
      ? [`Returns: ${harmless(shapeOfSchema(outputSchema), maxDescriptionLength)}`]
      : []),
    ...examples
      .slice(0, maxExamples)
      .map((input) => `Example: ${snakeCase(name)}(${argumentsText(input, parameters)})`),
  ];
  if (lines.length === 0) return "    ...";
  if (lines.length === 1) return `    """${endingSafely(lines[0] ?? "")}"""`;
  return `    """${lines.join("\n").replaceAll(/\n(?=[^\n])/g, "\n    ")}\n    """`;
}

function linesOf(description: string): string[] {
  const lines = description.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => harmless(line, maxDescriptionLength));
  const text = lines.join("\n").trim();
  return text === "" ? [] : text.split("\n");
}

function argumentLines(parameters: readonly Parameter[]): string[] {
  const lines = parameters.flatMap((parameter) => {
    const { name, key, schema } = parameter;
    const shape =
      annotation(schema) === shapeOfSchema(schema) ? "" : harmless(shapeOfSchema(schema), maxDescriptionLength);
    const description =
      typeof schema["description"] === "string" ? harmless(schema["description"], maxCommentLength) : "";
    const text = [description, shape].filter((part) => part !== "").join(", as ");
    if (name === null)
      return [`    ${literal(key)} (pass it as **{${literal(key)}: ...}): ${text || annotation(schema)}`];
    return text === "" ? [] : [`    ${name}: ${text}`];
  });
  return lines.length === 0 ? [] : ["Args:", ...lines];
}

/** Returns the arguments of a call as a program writes them. */
export function argumentsText(input: unknown, parameters: readonly Parameter[] = parametersIn(input)): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return literal(input);
  return Object.entries(input)
    .map(([key, value]) => {
      const name = parameters.find((parameter) => parameter.key === key)?.name;
      return name ? `${name}=${literal(value)}` : `**{${literal(key)}: ${literal(value)}}`;
    })
    .join(", ");
}

/**
 * Turns each key of an input into a parameter. It is used when the tool's parameters are not known.
 */
const parametersIn = (input: unknown): readonly Parameter[] =>
  typeof input === "object" && input !== null
    ? parametersOf({ properties: Object.fromEntries(Object.keys(input).map((key) => [key, {}])) })
    : [];

/**
 * Adds a space after a quote or a backslash at the end of a text. Otherwise the quote would count
 * as part of the docstring's end, and the backslash would escape that end.
 */
const endingSafely = (text: string): string => (/["\\]$/.test(text) ? `${text} ` : text);
