// Copies the schemas of servers that are not trusted, so that they are safe to show to the model
// and cheap to validate values against. The copy is plain data. Long texts are cut, and hidden
// characters become visible. A schema that is too large or nested too deeply is refused, before and
// after its references are resolved.

import { AgentError, hiddenCharacter, isRecord, type JsonSchema } from "@smolts/protocol";

const maxParts = 4_000;
const maxDepth = 40;
const maxTextLength = 1_000;
const maxNameLength = 200;
const maxSchemaLength = 100_000;

/**
 * Copies a schema that a server sent.
 *
 * @throws AgentError `invalid-value` if it is not a schema, or is too large
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
    // The cast is safe: any other object than an array is a JSON object.
    if (isRecord(copy)) return copy;
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

  /**
   * Cleans texts that people or models read. Other values are copied unchanged, because the server
   * needs them exactly.
   */
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
    // Matching an untrusted pattern could block this process forever, so patterns are dropped. The
    // server still checks its own patterns.
    if (name === "pattern" && typeof value === "string") return [];
    if (name === "patternProperties") return [];
    // `$schema` names the dialect of the schema. Only known dialects are kept.
    if (name === "$schema") return depth === 0 && isKnownDialect(value) ? [[name, value]] : [];
    // Ids are dropped, so that no reference can point outside this schema. Schemas are never
    // fetched.
    if ((name === "$id" || name === "id") && typeof value === "string") return [];
    return [[name, this.#value(value, depth + 1, name)]];
  }
}

const isKnownDialect = (value: unknown): boolean =>
  typeof value === "string" && /^https?:\/\/json-schema\.org\/[\w./-]{1,60}#?$/.test(value);

const textKeys: ReadonlySet<string> = new Set(["description", "title", "$comment"]);

/**
 * Returns a stranger's text on one line, cut to the maximum length, with hidden characters made
 * visible.
 */
export function cleanText(text: string, maxLength: number): string {
  const line = text
    .slice(0, maxLength * 4)
    .replace(/\s+/g, " ")
    .replace(hiddenCharacter, "")
    .trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

/**
 * Refuses a schema that becomes too large when its references are resolved. A few nested references
 * can expand to millions of subschemas, and the type that the model is shown would contain all of
 * them.
 */
function checkUnfolded(root: JsonSchema): void {
  const sizes = new Map<unknown, number>();
  const sizeOf = (part: unknown): number => {
    if (typeof part !== "object" || part === null) return 1;
    const known = sizes.get(part);
    if (known !== undefined) return known;
    // A subschema that contains itself becomes `unknown` in the type that the model is shown, so
    // its size is 1.
    sizes.set(part, 1);
    const reference = (part as JsonSchema)["$ref"];
    const target = typeof reference === "string" ? resolve(root, reference) : undefined;
    const inner = [...Object.values(part), ...(target === undefined ? [] : [target])];
    const size = inner.reduce((sum: number, value) => Math.min(sum + sizeOf(value), Number.MAX_SAFE_INTEGER), 1);
    sizes.set(part, size);
    return size;
  };
  if (sizeOf(root) > maxParts) throw unfit(`expands to more than ${maxParts} parts`);
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
