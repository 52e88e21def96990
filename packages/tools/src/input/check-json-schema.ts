import { AgentError, invalidOption, type JsonSchema } from "@smolts/protocol";
import { isSchemaObject, resolveReference, walkSchema } from "./walk-schema.ts";

const typeNames: readonly unknown[] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/**
 * Checks a JSON Schema from any source. Returns a plain copy, which later changes of the original
 * do not affect.
 *
 * @param where - the use of the schema, for errors, such as `tool "search": input`
 * @throws AgentError `invalid-option` for a mistake that would otherwise be found only with the
 *   first value: an unknown type, an invalid pattern, a reference without a target
 */
export function checkJsonSchema(schema: unknown, where: string): JsonSchema {
  const copy = plainCopy(schema, where);
  for (const [part, place] of walkSchema(copy)) {
    const at = place === "" ? where : `${where}: "${place}"`;
    checkTypes(part["type"], at);
    checkPatterns(part, at);
    checkReference(copy, part["$ref"], at);
    checkProperties(part["properties"], at);
  }
  return copy;
}

function plainCopy(schema: unknown, where: string): JsonSchema {
  if (typeof schema === "function") {
    throw invalidOption(
      `${where} is a function; expected a schema`,
      'write "string", or a schema such as { type: "string" }',
    );
  }
  try {
    const copy: unknown = JSON.parse(JSON.stringify(schema));
    if (isSchemaObject(copy)) return copy;
  } catch (error) {
    if (error instanceof RangeError) {
      const hint = "write it with fewer levels, and use $ref for recursive parts";
      throw new AgentError("invalid-option", `${where} is a schema that nests too deep`, { cause: error, hint });
    }
    throw new AgentError("invalid-option", `${where} is a schema that is not JSON`, {
      cause: error,
      hint: "write it as plain data, with $ref for recursive parts",
    });
  }
  throw invalidOption(
    `${where} is not a schema`,
    'write { type: "object", properties: { ... } }, the short form, or a schema of zod, valibot or arktype',
  );
}

function checkTypes(type: unknown, at: string): void {
  if (type === undefined) return;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const unknown = types.find((name) => !typeNames.includes(name));
  if (types.length > 0 && unknown === undefined) return;
  throw invalidOption(
    `${at} has the unknown type ${JSON.stringify(unknown ?? type)}`,
    `the types of JSON Schema are ${typeNames.join(", ")}`,
  );
}

function checkPatterns(part: JsonSchema, at: string): void {
  const { pattern, patternProperties } = part;
  const patterns = [...(pattern === undefined ? [] : [pattern]), ...Object.keys(patternProperties ?? {})];
  for (const source of patterns) {
    try {
      new RegExp(String(source), "u");
    } catch (error) {
      throw new AgentError("invalid-option", `${at} has a pattern that does not compile: ${JSON.stringify(source)}`, {
        cause: error,
        hint: 'patterns are JavaScript regular expressions with the flag "u"',
      });
    }
  }
}

function checkReference(root: JsonSchema, reference: unknown, at: string): void {
  if (reference === undefined) return;
  if (typeof reference === "string" && resolveReference(root, reference)) return;
  throw invalidOption(
    `${at} refers to ${JSON.stringify(reference)}, which is not in the schema`,
    'put the referenced schema under "$defs" and write { $ref: "#/$defs/name" }',
  );
}

function checkProperties(properties: unknown, at: string): void {
  if (isSchemaObject(properties) && Object.hasOwn(properties, "__proto__")) {
    throw invalidOption(`${at} has a property "__proto__"`, "give it another name");
  }
}
