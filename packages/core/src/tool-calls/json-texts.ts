// Parses JSON texts in inputs. Models pass a JSON text where a tool takes an object or a list: a
// printed result, or arguments written as a text. Some also write numbers and booleans as texts.

import { isRecord, type JsonSchema } from "@smolts/protocol";

/** Returns the value with its JSON texts parsed, or the value itself if it contains none. */
export function withReadTexts(value: unknown, schema: JsonSchema): unknown {
  return read(value, schema, schema);
}

/** Returns the object or list in a JSON text; undefined when the text contains neither. */
export function valueInText(text: unknown): unknown {
  if (typeof text !== "string" || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function read(value: unknown, part: unknown, root: JsonSchema): unknown {
  const schema = resolved(part, root);
  if (schema === null) return value;
  if (typeof value === "string") return takesText(schema, root) ? value : (valueInText(value) ?? wordIn(value, schema));
  if (Array.isArray(value)) return same(value, (item) => read(item, schema["items"], root));
  const { properties } = schema;
  if (!isRecord(value) || !isRecord(properties)) return value;
  const changed = Object.entries(value).map(([key, item]) => {
    const field = Object.hasOwn(properties, key) ? properties[key] : undefined;
    return [key, read(item, field, root)] as const;
  });
  return changed.some(([key, item]) => item !== value[key]) ? Object.fromEntries(changed) : value;
}

/**
 * Returns the number or boolean in a text, if the schema requires a value of that type. Otherwise
 * returns the text.
 */
function wordIn(text: string, { type }: JsonSchema): unknown {
  const word = text.trim();
  if (type === "boolean" && /^(?:true|false)$/i.test(word)) return word.toLowerCase() === "true";
  const isNumber = (type === "number" || type === "integer") && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(word);
  return isNumber ? Number(word) : text;
}

function same(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change);
  return changed.some((item, index) => item !== list[index]) ? changed : list;
}

/**
 * Says whether a schema may accept a string. If so, a text is passed on as it is, because the tool
 * may want the text and not the value in it.
 */
function takesText(part: unknown, root: JsonSchema): boolean {
  const schema = resolved(part, root);
  if (schema === null) return true;
  const { type, anyOf, oneOf } = schema;
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return choices.some((choice) => takesText(choice, root));
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.includes("string") || types.includes(undefined);
}

/**
 * Returns a schema as an object. If it is a reference within the root schema, returns the schema it
 * refers to, without following further references.
 */
function resolved(part: unknown, root: JsonSchema): JsonSchema | null {
  if (!isRecord(part)) return null;
  const { $ref: reference } = part;
  if (typeof reference !== "string") return part;
  const [, name] = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  const named = root["$defs"] ?? root["definitions"];
  const found = name !== undefined && isRecord(named) ? named[name] : null;
  return isRecord(found) && found["$ref"] === undefined ? found : null;
}
