// The short form describes a tool's arguments without a schema library: { city: "string — where",
// days: "integer?" }.
//
//   type  := word "[]"? "?"? ( (" — " | " - ") description )?
//   word  := string | number | integer | boolean | object | any | image | audio
//
// The short form has no unions, enums or nesting on purpose, because a schema can be used for
// those. A type contains no space, so the first space ends it.

import { type AgentError, invalidOption, type JsonSchema, type MediaPart, nearestName } from "@smolts/protocol";
import { isStandardSchema } from "./standard-schema.ts";

/** The TypeScript type for each word of the short form. */
export interface ShortWords {
  string: string;
  /** Any finite number. */
  number: number;
  /** A whole number. 3.0 is a whole number, too. */
  integer: number;
  boolean: boolean;
  object: { [key: string]: unknown };
  any: unknown;
  image: MediaPart;
  audio: MediaPart;
}

type Word = keyof ShortWords | `${keyof ShortWords}[]`;
type BareType = Word | `${Word}?`;

/**
 * A type of the short form, such as `"string"`, `"integer[]"`, `"boolean?"` or `"string — a city"`.
 */
export type ShortType = BareType | `${BareType} ${"—" | "-"} ${string}`;

/** A tool's arguments in short form. The keys are the names of the arguments. */
export interface ShortForm {
  readonly [name: string]: ShortType;
}

type Bare<Type> = Type extends `${infer Head} ${string}` ? Head : Type;
type ReadWord<Type> = Type extends `${infer Word extends keyof ShortWords}[]`
  ? ShortWords[Word][]
  : Type extends keyof ShortWords
    ? ShortWords[Type]
    : unknown;
type OptionalNames<Form> = { [Name in keyof Form]: Bare<Form[Name]> extends `${string}?` ? Name : never }[keyof Form];

/**
 * The type of a value that fits a {@link ShortType}. {@link ReadShortForm} handles the `?` of
 * optional arguments.
 */
export type ReadShortType<Type> = Bare<Type> extends `${infer Word}?` ? ReadWord<Word> : ReadWord<Bare<Type>>;

/** The type of arguments that fit a {@link ShortForm}. */
export type ReadShortForm<Form> = {
  [Name in Exclude<keyof Form, OptionalNames<Form>>]: ReadShortType<Form[Name]>;
} & { [Name in OptionalNames<Form>]?: ReadShortType<Form[Name]> } extends infer Both
  ? { [Name in keyof Both]: Both[Name] }
  : never;

/** The result of parsing a short type. */
export interface ParsedShortType {
  readonly schema: JsonSchema;
  readonly optional: boolean;
}

const wordSchemas: { readonly [Name in keyof ShortWords]: JsonSchema } = {
  string: { type: "string" },
  number: { type: "number" },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
  object: { type: "object" },
  any: {},
  image: mediaSchema("image"),
  audio: mediaSchema("audio"),
};

const typePattern = /^([A-Za-z]+)(\[\])?(\?)?$/;
const separator = / [—-] /;

/**
 * Parses one short type.
 *
 * @param where - the place of the type, for errors, such as `tool "search": argument "query"`
 * @throws AgentError `invalid-option` if it is not a short type; the error lists the valid ones
 */
export function parseShortType(text: unknown, where: string): ParsedShortType {
  if (typeof text !== "string") throw notAShortType(where, text);
  const [type = "", ...rest] = text.trim().split(separator);
  const [, word, list, optional] = typePattern.exec(type.trim()) ?? [];
  if (!isWord(word)) throw notAShortType(where, text);
  const description = text.trim().slice(type.length).replace(separator, "").trim();
  const schema = list ? { type: "array", items: wordSchemas[word] } : wordSchemas[word];
  return { schema: rest.length > 0 && description ? { ...schema, description } : schema, optional: optional === "?" };
}

/**
 * Returns the JSON Schema of a short form.
 *
 * @throws AgentError `invalid-option` that names the argument with an invalid type
 */
export function shortFormSchema(form: { readonly [name: string]: unknown }, where: string): JsonSchema {
  const parsed = Object.entries(form).map(([name, type]) => {
    if (name.endsWith("?")) throw optionalName(name, type, where);
    return [name, parseShortType(type, `${where}: argument "${name}"`)] as const;
  });
  const required = parsed.filter(([, { optional }]) => !optional).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(parsed.map(([name, { schema }]) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function isWord(word: string | undefined): word is keyof ShortWords {
  return word !== undefined && Object.hasOwn(wordSchemas, word);
}

function mediaSchema(type: "image" | "audio"): JsonSchema {
  return {
    title: type,
    type: "object",
    properties: { type: { const: type }, source: { type: "object" } },
    required: ["type", "source"],
  };
}

/**
 * Creates the error for a `?` in an argument's name. TypeScript and arktype write `city?:
 * "string"`.
 */
function optionalName(name: string, type: unknown, where: string): AgentError {
  const [, word = "string", rest = ""] = /^(\S+)(.*)$/.exec(String(type)) ?? [];
  return invalidOption(
    `${where}: argument "${name}" has the ? in its name`,
    `write ${name.slice(0, -1)}: "${word.replace(/\??$/, "?")}${rest}"`,
  );
}

function notAShortType(where: string, text: unknown): AgentError {
  const words = Object.keys(wordSchemas);
  const list = `the short types are ${words.join(", ")}, each with [] for a list, a closing ? for an optional one and " — description"; for anything else give a schema`;
  const found = typeof text === "string" ? `"${text}"` : foundType(text);
  const better = typeof text === "string" ? betterText(text, words) : betterForm(text, where);
  return invalidOption(`${where} has no type: ${found}`, better === undefined ? list : `${better}; ${list}`);
}

function foundType(value: unknown): string {
  if (isStandardSchema(value)) return "a schema";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function betterText(text: string, words: readonly string[]): string | undefined {
  const choices = [...text.matchAll(/(['"])(.*?)\1/g)].map(([, , choice]) => JSON.stringify(choice));
  if (choices.length > 0 && /^\s*['"]/.test(text)) {
    return `write the input as a JSON Schema, with { enum: [${choices.join(", ")}] }, or as z.object() with z.enum([${choices.join(", ")}])`;
  }
  const [type = ""] = text.trim().split(separator);
  // Such as "list of numbers", "Array<string>" and "number array".
  const list = /^(?:array|list)\s*(?:of\s|[<[])\s*(\w+?)s?\s*[>\]]?$|^(\w+) (?:array|list)$/i.exec(type);
  if (list) return `write "${wordOf(list[1] ?? list[2]) ?? "any"}[]"`;
  // Such as "optional string" and "number = 5".
  const [, word = type] = /^(?:optional\s*)?(\w+)(?:\s*=.*)?$/i.exec(type) ?? [];
  if (word !== type && wordOf(word)) return `write "${wordOf(word)}?"`;
  const [, head = "", mark = "", rest = ""] = /^([A-Za-z]*)\s*(\W?)\s*(.*)$/s.exec(text.trim()) ?? [];
  const near = isWord(head) ? head : (synonyms[head.toLowerCase()] ?? nearestName(head, words));
  if (near === undefined) return / /.test(text.trim()) ? `write "string — ${text.trim()}"` : undefined;
  if (mark === "|" && /^(?:null|undefined)$/.test(rest)) return `write "${near}?"`;
  if (isWord(head)) return /[:,;—-]/.test(mark) && rest !== "" ? `write "${near} — ${rest}"` : undefined;
  return `write "${near}${/^(?:array|list)$/i.test(head) ? "[]" : ""}"`;
}

/**
 * Returns a hint that says what to write for an argument, if its value looks like a constructor, a
 * schema of zod, or an input of smolagents.
 */
function betterForm(value: unknown, where: string): string | undefined {
  const argument = /argument "([^"]*)"/.exec(where)?.[1] ?? "name";
  if (isStandardSchema(value)) return `write the input as one schema: z.object({ ${argument}: ... })`;
  if (typeof value === "function") {
    const word = synonyms[value.name.toLowerCase()] ?? value.name.toLowerCase();
    return isWord(word) ? `write ${argument}: "${word}"` : undefined;
  }
  if (typeof value !== "object" || value === null || !("type" in value)) return undefined;
  // The cast is safe: the code below checks each of these fields.
  const { type, description, nullable } = value as { readonly [key: string]: unknown };
  const word = synonyms[String(type).toLowerCase()] ?? String(type).toLowerCase();
  if (!isWord(word)) return undefined;
  const optional = nullable === true ? "?" : "";
  return `write ${argument}: "${word}${optional}${typeof description === "string" ? ` — ${description}` : ""}"`;
}

/** Returns the word of the short form for the name of a type in another language. */
function wordOf(name = ""): keyof ShortWords | undefined {
  const word = name.toLowerCase();
  return isWord(word) ? word : synonyms[word];
}

// Maps names of types in other languages to words of the short form.
const synonyms: { readonly [word: string]: keyof ShortWords | undefined } = {
  str: "string",
  text: "string",
  int: "integer",
  float: "number",
  double: "number",
  bool: "boolean",
  dict: "object",
  record: "object",
  array: "any",
  list: "any",
  unknown: "any",
  date: "string",
  datetime: "string",
  url: "string",
  enum: "string",
};
