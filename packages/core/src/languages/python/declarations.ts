// Tools as functions of Python: a signature with types, and a docstring.
//
// Texts of others (descriptions, property names) must not leave their place: ends of docstrings and
// lines in them are made harmless.

import type { JsonSchema } from "@smolts/protocol";
import { type DeclaredTool, maxExamples } from "../code-language.ts";
import { type Parameter, parametersOf, snakeCase } from "./names.ts";
import { annotation, harmless, literal, shapeOfSchema } from "./type-text.ts";

/** Declares tools for a code agent's prompt, one function each. */
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

/** Parameters that no name can pass, and those of a tool that takes any, stand as `**kwargs`. */
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

/** The arguments of a call as a program writes them. */
export function argumentsText(input: unknown, parameters: readonly Parameter[] = parametersIn(input)): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return literal(input);
  return Object.entries(input)
    .map(([key, value]) => {
      const name = parameters.find((parameter) => parameter.key === key)?.name;
      return name ? `${name}=${literal(value)}` : `**{${literal(key)}: ${literal(value)}}`;
    })
    .join(", ");
}

/** Each key as a parameter, where nothing is known of the tool. */
const parametersIn = (input: unknown): readonly Parameter[] =>
  typeof input === "object" && input !== null
    ? parametersOf({ properties: Object.fromEntries(Object.keys(input).map((key) => [key, {}])) })
    : [];

/**
 * A quote at the end would be taken for part of the end of the docstring, a backslash for its
 * undoing.
 */
const endingSafely = (text: string): string => (/["\\]$/.test(text) ? `${text} ` : text);
