// The short form says a tool's arguments without a schema library: { city: "string — where", days:
// "integer?" }.
//
//   type  := word "[]"? "?"? ( (" — " | " - ") description )?
//   word  := string | number | integer | boolean | object | any | image | audio
//
// It has no unions, enums or nesting on purpose: those are what schemas are for. A type holds no
// space, so the first one ends it.

import { AgentError, type JsonSchema, type MediaPart, nearestName } from "@smolts/protocol";
import { isStandardSchema } from "./standard-schema.ts";

/** What each word of the short form stands for. */
export interface ShortWords {
  string: string;
  /** Any finite number. */
  number: number;
  /** A whole number; 3.0 is one. */
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

/** A tool's arguments in short form, by name. */
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

/** The type of a value that fits a {@link ShortType}; `?` is left to whoever holds it. */
export type ReadShortType<Type> = Bare<Type> extends `${infer Word}?` ? ReadWord<Word> : ReadWord<Bare<Type>>;

/** The type of arguments that fit a {@link ShortForm}. */
export type ReadShortForm<Form> = {
  [Name in Exclude<keyof Form, OptionalNames<Form>>]: ReadShortType<Form[Name]>;
} & { [Name in OptionalNames<Form>]?: ReadShortType<Form[Name]> } extends infer Both
  ? { [Name in keyof Both]: Both[Name] }
  : never;

/** A short type, read. */
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
 * Reads one short type.
 *
 * @param where - what the type is of, such as `tool "search": argument "query"`
 * @throws AgentError `invalid-option` when it is not a short type, with those there are
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
 * The JSON Schema of a short form.
 *
 * @throws AgentError `invalid-option` that names the argument whose type cannot be read
 */
export function shortFormSchema(form: { readonly [name: string]: unknown }, where: string): JsonSchema {
  const parsed = Object.entries(form).map(
    ([name, type]) => [name, parseShortType(type, `${where}: argument "${name}"`)] as const,
  );
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

function notAShortType(where: string, text: unknown): AgentError {
  const words = Object.keys(wordSchemas);
  const list = `the short types are ${words.join(", ")}, each with [] for a list, a closing ? for an optional one and " — description"; for anything else give a schema`;
  const found = typeof text === "string" ? `"${text}"` : foundType(text);
  const better = typeof text === "string" ? betterText(text, words) : betterForm(text, where);
  return new AgentError("invalid-option", `${where} has no type: ${found}`, {
    hint: better === undefined ? list : `${better}; ${list}`,
  });
}

function foundType(given: unknown): string {
  if (isStandardSchema(given)) return "a schema";
  return typeof given === "object" ? "an object" : `a ${typeof given}`;
}

function betterText(text: string, words: readonly string[]): string | undefined {
  const choices = [...text.matchAll(/(['"])(.*?)\1/g)].map(([, , choice]) => JSON.stringify(choice));
  if (choices.length > 0 && /^\s*['"]/.test(text)) {
    return `write the input as a JSON Schema, with { enum: [${choices.join(", ")}] }, or as z.object() with z.enum([${choices.join(", ")}])`;
  }
  const head = /^[A-Za-z]+/.exec(text.trim())?.[0] ?? "";
  const near = isWord(head) ? undefined : (synonyms[head.toLowerCase()] ?? nearestName(head, words));
  return near && `write "${near}"`;
}

/** What to write in place of a schema for one argument: zod's, smolagents', a constructor. */
function betterForm(given: unknown, where: string): string | undefined {
  const argument = /argument "([^"]*)"/.exec(where)?.[1] ?? "name";
  if (isStandardSchema(given)) return `write the input as one schema: z.object({ ${argument}: ... })`;
  if (typeof given === "function") {
    const word = synonyms[given.name.toLowerCase()] ?? given.name.toLowerCase();
    return isWord(word) ? `write ${argument}: "${word}"` : undefined;
  }
  if (typeof given !== "object" || given === null || !("type" in given)) return undefined;
  const { type, description, nullable } = given as { readonly [key: string]: unknown }; // each is looked at here
  const word = synonyms[String(type).toLowerCase()] ?? String(type).toLowerCase();
  if (!isWord(word)) return undefined;
  const optional = nullable === true ? "?" : "";
  return `write ${argument}: "${word}${optional}${typeof description === "string" ? ` — ${description}` : ""}"`;
}

// What people write who come from other languages.
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
};
