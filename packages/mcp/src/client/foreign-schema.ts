// The schemas of a stranger. The model sees them and values are checked against them, so nothing in
// one may cost much: it is copied as plain data, with texts that are cut and visible, and one that
// is too large, too deep, or unfolds to too much is refused.

import { AgentError, hiddenCharacter, type JsonSchema } from "@smolts/protocol";

const maxParts = 4_000;
const maxDepth = 40;
const maxTextLength = 1_000;
const maxNameLength = 200;
const maxSchemaLength = 100_000;

/**
 * Copies a schema that a server sent.
 *
 * @throws AgentError `invalid-value` when it is not a schema, or is too large
 */
export function foreignSchema(given: unknown): JsonSchema {
  const copy = new Copy().schema(given);
  if (JSON.stringify(copy).length > maxSchemaLength) throw unfit(`is longer than ${maxSchemaLength} characters`);
  checkUnfolded(copy);
  return copy;
}

class Copy {
  #parts = 0;

  schema(given: unknown): JsonSchema {
    const copy = this.#value(given, 0, "");
    if (typeof copy === "object" && copy !== null && !Array.isArray(copy)) return copy as JsonSchema; // an object of JSON
    throw unfit("is not an object");
  }

  #value(given: unknown, depth: number, key: string): unknown {
    this.#parts++;
    if (this.#parts > maxParts) throw unfit(`has more than ${maxParts} parts`);
    if (depth > maxDepth) throw unfit(`is nested more than ${maxDepth} levels deep`);
    if (typeof given === "string") return this.#text(given, key);
    if (typeof given !== "object" || given === null) return given;
    if (Array.isArray(given)) return given.map((item) => this.#value(item, depth + 1, ""));
    const isOfNames = key === "properties" || key === "$defs" || key === "definitions";
    const entries = Object.entries(given).flatMap(([name, value]) => this.#entry(name, value, { depth, isOfNames }));
    return Object.fromEntries(entries);
  }

  /** Texts for readers are made readable; values must stay as the server knows them. */
  #text(text: string, key: string): string {
    if (textKeys.has(key)) return cleanText(text, maxTextLength);
    if (text.length > maxTextLength) throw unfit(`has a value of ${text.length} characters`);
    return text;
  }

  #entry(
    name: string,
    value: unknown,
    { depth, isOfNames }: { readonly depth: number; readonly isOfNames: boolean },
  ): readonly (readonly [string, unknown])[] {
    if (name === "__proto__") throw unfit('has a property "__proto__"');
    if (name.length > maxNameLength) throw unfit(`has a name of ${name.length} characters`);
    if (cleanText(name, maxNameLength) !== name) throw unfit("has a name with hidden characters");
    if (isOfNames) return [[name, this.#value(value, depth + 1, "")]];
    // A pattern of a stranger can keep this process busy for ever. The server checks it anyway.
    if (name === "pattern" && typeof value === "string") return [];
    if (name === "patternProperties") return [];
    // The dialect decides how the schema is read. Other dialects are not known here.
    if (name === "$schema") return depth === 0 && isKnownDialect(value) ? [[name, value]] : [];
    // Schemas have no names for others to refer to: what is not in the schema is not fetched.
    if ((name === "$id" || name === "id") && typeof value === "string") return [];
    return [[name, this.#value(value, depth + 1, name)]];
  }
}

const isKnownDialect = (value: unknown): boolean =>
  typeof value === "string" && /^https?:\/\/json-schema\.org\/[\w./-]{1,60}#?$/.test(value);

const textKeys: ReadonlySet<string> = new Set(["description", "title", "$comment"]);

/** A text of a stranger on one line: nothing in it hides, and it is cut. */
export function cleanText(text: string, maxLength: number): string {
  const line = text
    .slice(0, maxLength * 4)
    .replace(/\s+/g, " ")
    .replace(hiddenCharacter, "")
    .trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

/**
 * A few references can stand for millions of parts; who writes the type of it for a model would
 * write them all.
 */
function checkUnfolded(root: JsonSchema): void {
  const sizes = new Map<unknown, number>();
  const sizeOf = (part: unknown): number => {
    if (typeof part !== "object" || part === null) return 1;
    const known = sizes.get(part);
    if (known !== undefined) return known;
    // One that holds itself is written as unknown where it does.
    sizes.set(part, 1);
    const reference = (part as JsonSchema)["$ref"];
    const target = typeof reference === "string" ? resolve(root, reference) : undefined;
    const inner = [...Object.values(part), ...(target === undefined ? [] : [target])];
    const size = inner.reduce((sum: number, value) => Math.min(sum + sizeOf(value), Number.MAX_SAFE_INTEGER), 1);
    sizes.set(part, size);
    return size;
  };
  if (sizeOf(root) > maxParts) throw unfit(`unfolds to more than ${maxParts} parts`);
}

function resolve(root: JsonSchema, reference: string): unknown {
  if (!reference.startsWith("#")) return undefined;
  let part: unknown = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const name = decode(step).replace(/~1/g, "/").replace(/~0/g, "~");
    part =
      typeof part === "object" && part !== null && Object.hasOwn(part, name) ? (part as JsonSchema)[name] : undefined;
  }
  return part;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

const unfit = (why: string): AgentError => new AgentError("invalid-value", `a schema of the server ${why}`);
