// Renders tools as TypeScript declarations. Models that write code understand this form best, and
// it is the shortest one.
//
// Texts from others (descriptions, property names) must not end a comment or begin a new line, so
// ends of comments and line breaks in them are replaced.

import { isRecord, type JsonSchema, type JsonValue } from "@smolts/protocol";
import { type DeclaredTool, maxExamples } from "../code-language.ts";
import { type SchemaPlace, schemaType, type TypeWords } from "../schema-type.ts";

/**
 * Returns the declarations of tools for a code agent's prompt, one function for each tool, always
 * with a result type.
 *
 * @example
 * ```ts
 * import { renderDeclarations } from "@smolts/core";
 *
 * const inputSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
 * console.log(renderDeclarations([{ name: "getWeather", description: "Weather of today.", inputSchema }]));
 * // /** Weather of today. *\/
 * // declare function getWeather(input: { city: string }): Promise<unknown>;
 * ```
 */
export function renderDeclarations(tools: readonly DeclaredTool[]): string {
  return tools.map(renderTool).join("\n");
}

/**
 * Returns a JSON Schema as a TypeScript type, on one line.
 *
 * @example
 * ```ts
 * import { typeText } from "@smolts/core";
 *
 * console.log(typeText({ type: "array", items: { enum: ["a", "b"] } })); // ("a" | "b")[]
 * ```
 */
export function typeText(schema: JsonSchema): string {
  return textOfType(schema, { root: schema, depth: 0 });
}

function renderTool(tool: DeclaredTool): string {
  const { name, description, inputSchema, outputSchema, answerSchema, examples = [] } = tool;
  const result = outputSchema ? typeText(outputSchema) : "unknown";
  const declaration = answerSchema
    ? `declare function ${name}(answer: ${typeText(answerSchema)}): never;`
    : `declare function ${name}(${parameterOf(inputSchema)}): Promise<${result}>;`;
  const calls = examples.slice(0, maxExamples).map((input) => `Example: await ${name}(${valueText(input)})`);
  return `${docComment([description, ...calls].join("\n"))}${declaration}`;
}

/** Returns a value as a program writes it: without quotes around keys that do not need them. */
function valueText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${keyText(key)}: ${valueText(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function docComment(description: string): string {
  const lines = description
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => harmless(line, maxDescriptionLength).trimEnd());
  const text = lines.join("\n").trim();
  if (text === "") return "";
  return text.includes("\n") ? `/**\n${text.replaceAll(/^/gm, " * ")}\n */\n` : `/** ${text} */\n`;
}

/** Inputs that are shorter than this number of characters are written on one line. */
const maxLineLength = 100;

function parameterOf(schema: JsonSchema): string {
  const properties = propertiesOf(schema);
  if (properties.length === 0 && !isRecord(schema["additionalProperties"])) return "";
  const name = properties.some(({ isRequired }) => isRequired) ? "input" : "input?";
  const line = typeText(schema);
  if (line.length <= maxLineLength || properties.length === 0) return `${name}: ${line}`;
  const place: SchemaPlace = { root: schema, depth: 1 };
  return `${name}: {\n${properties.map((property) => propertyLine(property, place)).join("\n")}\n}`;
}

function propertyLine(property: Property, place: SchemaPlace): string {
  const comment = descriptionOf(property.schema);
  return `  ${propertyText(property, place)};${comment === "" ? "" : ` // ${comment}`}`;
}

const words: TypeWords = {
  unknown: "unknown",
  never: "never",
  null: "null",
  union,
  intersection,
  literals: enumText,
  named: namedType,
};

const textOfType = (schema: unknown, place: SchemaPlace): string => schemaType(schema, words, place);

function namedType(schema: JsonSchema, place: SchemaPlace): string {
  switch (schema["type"]) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return schema["type"];
    case "integer":
      return "number";
    case "array":
      return arrayText(schema, place);
    case "object":
      return objectText(schema, place);
    default:
      return isRecord(schema["properties"]) ? objectText(schema, place) : "unknown";
  }
}

function arrayText({ items, prefixItems }: JsonSchema, place: SchemaPlace): string {
  if (Array.isArray(prefixItems)) return `[${prefixItems.map((item) => textOfType(item, place)).join(", ")}]`;
  const item = textOfType(items, place);
  return / [|&] /.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
}

function objectText(schema: JsonSchema, place: SchemaPlace): string {
  const properties = propertiesOf(schema);
  const { additionalProperties: others } = schema;
  if (properties.length === 0) return others === false ? "{}" : `Record<string, ${textOfType(others, place)}>`;
  const texts = properties.map((property) => {
    const comment = descriptionOf(property.schema);
    return `${propertyText(property, place)}${comment === "" ? "" : ` /* ${comment} */`}`;
  });
  if (isRecord(others) && Object.keys(others).length > 0) texts.push(`[key: string]: ${textOfType(others, place)}`);
  return `{ ${texts.join("; ")} }`;
}

interface Property {
  readonly name: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

function propertiesOf({ properties, required }: JsonSchema): Property[] {
  if (!isRecord(properties)) return [];
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: names.includes(name) }));
}

const propertyText = ({ name, schema, isRequired }: Property, place: SchemaPlace): string =>
  `${keyText(name)}${isRequired ? "" : "?"}: ${textOfType(schema, place)}`;

const maxKeyLength = 80;

const keyText = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) && name.length <= maxKeyLength ? name : JSON.stringify(harmless(name, maxKeyLength));

const maxEnumValues = 20;

function enumText(values: readonly unknown[]): string {
  const shown = values.slice(0, maxEnumValues).map(literal);
  const rest = values.length - shown.length;
  return union(rest > 0 ? [...shown, `unknown /* ${rest} more values */`] : shown);
}

const literal = (value: unknown): string =>
  typeof value === "object" && value !== null ? "unknown" : harmless(JSON.stringify(value) ?? "unknown", maxKeyLength);

function union(types: readonly string[]): string {
  const unique = [...new Set(types)];
  if (unique.length === 0 || unique.includes("unknown")) return "unknown";
  return unique.join(" | ");
}

function intersection(types: readonly string[]): string {
  const known = [...new Set(types)].filter((type) => type !== "unknown");
  const parts = known.map((type) => (type.includes(" | ") && !type.startsWith("{") ? `(${type})` : type));
  return parts.join(" & ") || "unknown";
}

const maxDescriptionLength = 2_000;
const maxCommentLength = 300;

function descriptionOf(schema: unknown): string {
  const description = isRecord(schema) ? schema["description"] : undefined;
  return typeof description === "string" ? harmless(description, maxCommentLength) : "";
}

/**
 * Returns a text on one line, without hidden characters and without anything that ends a comment.
 */
function harmless(text: string, maxLength: number): string {
  const line = text
    .replaceAll(/[\s\u0085\u2028\u2029]+/g, " ")
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
    .replaceAll("*/", "* /");
  return line.length <= maxLength ? line.trim() : `${line.slice(0, maxLength - 1).trim()}…`;
}
