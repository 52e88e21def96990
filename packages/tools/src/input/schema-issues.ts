// Turns what the validator found into what a model can act on: one issue for each wrong place,
// saying what is there and what is expected.
//
// The validator reports an error at every level from the root to the wrong place, and one for every
// branch of a union. What remains here is the innermost ones; and of a union, the one branch that
// could have been meant, if there is just one.

import type { OutputUnit } from "@cfworker/json-schema";
import { type JsonSchema, nearestName } from "@smolts/protocol";
import { describeSchema } from "./describe-schema.ts";
import { previewValue } from "./preview-value.ts";
import type { SchemaIssue } from "./standard-schema.ts";
import { isSchemaObject, pointerKeys, resolveReference } from "./walk-schema.ts";

/** Errors that only say that something below them is wrong. */
const outerKeywords: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "dependentSchemas",
  "$ref",
  "$recursiveRef",
  "allOf",
  "if",
  "then",
  "else",
]);

/**
 * The issues behind a validator's errors.
 *
 * @param value - what was validated, as it came
 */
export function schemaIssues(errors: readonly OutputUnit[], schema: JsonSchema, value: unknown): SchemaIssue[] {
  const issues = new Map<string, SchemaIssue>();
  const told = new Set<string>();
  for (const error of innermost(errors, schema)) {
    // A place has one issue, its first: a schema that multiplies has thousands of errors for it.
    const kind = `${/^(required|false)$/.test(error.keyword) ? error.keywordLocation : ""} ${error.instanceLocation}`;
    if (told.has(kind)) continue;
    told.add(kind);
    for (const issue of issuesOf(error, schema, value)) {
      const place = JSON.stringify(issue.path);
      if (!issues.has(place)) issues.set(place, issue);
    }
  }
  return issues.size > 0 ? [...issues.values()] : [{ message: "does not fit the schema" }];
}

/** Errors that stand for all that lie below them. */
const wholeKeywords: ReadonlySet<string> = new Set(["anyOf", "oneOf", "contains", "not", "propertyNames"]);

function innermost(errors: readonly OutputUnit[], schema: JsonSchema): OutputUnit[] {
  const wholes = new Set(
    errors.filter(({ keyword }) => wholeKeywords.has(keyword)).map(({ keywordLocation }) => keywordLocation),
  );
  const isCovered = ({ keywordLocation }: OutputUnit): boolean => {
    for (let end = keywordLocation.lastIndexOf("/"); end > 0; end = keywordLocation.lastIndexOf("/", end - 1)) {
      if (wholes.has(keywordLocation.slice(0, end))) return true;
    }
    return false;
  };
  return errors
    .filter((error) => !outerKeywords.has(error.keyword) && !isCovered(error))
    .flatMap((error) => meantBranch(error, errors, schema) ?? [error]);
}

// The place of a `false` schema is lost in its error, which names the value's place instead.
function isWithin(error: OutputUnit, whole: OutputUnit): boolean {
  return error.keywordLocation.startsWith(`${whole.keywordLocation}/`);
}

/** The errors of the only branch of a union whose type the value has. */
function meantBranch(union: OutputUnit, errors: readonly OutputUnit[], schema: JsonSchema): OutputUnit[] | undefined {
  if (union.keyword !== "anyOf" && union.keyword !== "oneOf") return undefined;
  const branches = new Map<string, OutputUnit[]>();
  for (const error of errors.filter((error) => isWithin(error, union))) {
    const branch = error.keywordLocation.slice(union.keywordLocation.length + 1).split("/")[0]!;
    const found = branches.get(branch);
    if (found) found.push(error);
    else branches.set(branch, [error]);
  }
  const isMeant = (found: readonly OutputUnit[]): boolean =>
    !found.some(
      (error) => error.instanceLocation === union.instanceLocation && /^(type|const|enum)$/.test(error.keyword),
    );
  const meant = [...branches.values()].filter(isMeant);
  return meant.length === 1 && meant[0]!.length > 0 ? innermost(meant[0]!, schema) : undefined;
}

function issuesOf(error: OutputUnit, schema: JsonSchema, value: unknown): SchemaIssue[] {
  const path = valuePath(error.instanceLocation, value);
  const found = valueAt(value, path);
  const expected = schemaOf(error, schema);
  switch (error.keyword) {
    case "required":
      return missing(path, found, expected, schema);
    case "false":
      // A known argument that is wrong is also one that was not evaluated: it has an issue of its
      // own.
      return isKnownName(path, schema) ? [] : [{ path, message: unknownName(path, value, schema) }];
    default:
      return [{ path, message: wrong(error, found, expected, schema) }];
  }
}

function missing(path: readonly PropertyKey[], found: unknown, expected: unknown, schema: JsonSchema): SchemaIssue[] {
  if (!isSchemaObject(expected) || !Array.isArray(expected["required"])) return [];
  const properties = isSchemaObject(expected["properties"]) ? expected["properties"] : {};
  return expected["required"]
    .filter((name) => !isSchemaObject(found) || !Object.hasOwn(found, name) || found[name] === undefined)
    .map((name) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const about =
        isSchemaObject(property) && typeof property["description"] === "string" ? ` (${property["description"]})` : "";
      return { path: [...path, name], message: `is missing; expected ${describeSchema(property, schema)}${about}` };
    });
}

function isKnownName(path: readonly PropertyKey[], { properties }: JsonSchema): boolean {
  return path.length === 1 && isSchemaObject(properties) && isSchemaObject(properties[String(path[0])]);
}

/** Says what an unknown name may have meant, where the root's own arguments are known. */
function unknownName(path: readonly PropertyKey[], value: unknown, schema: JsonSchema): string {
  const properties = isSchemaObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  if (path.length !== 1 || !isSchemaObject(value)) return "is not expected there";
  if (properties.length === 0) return "is unknown; no arguments are taken";
  const near = nearestName(
    String(path[0]),
    properties.filter((name) => !Object.hasOwn(value, name)),
  );
  return near
    ? `is unknown; did you mean "${near}"?`
    : `is unknown; known are ${properties.map((name) => `"${name}"`).join(", ")}`;
}

/** The keywords that {@link describeSchema} puts in words. */
const describedKeyword =
  /^(type|enum|const|anyOf|oneOf|format|pattern|uniqueItems|multipleOf|(exclusive)?(min|max)imum|(min|max)(Length|Items))$/i;

function wrong({ keyword, error }: OutputUnit, found: unknown, expected: unknown, schema: JsonSchema): string {
  const described = describedKeyword.test(keyword) ? describeSchema(expected, schema) : "anything";
  if (described !== "anything") return `is ${previewValue(found)}; expected ${described}`;
  // Rarer keywords are reported in the validator's words.
  return `is ${previewValue(found)}, which does not fit: ${error.replace(/\.$/, "")}`;
}

/** The schema that holds the keyword which failed. */
function schemaOf(error: OutputUnit, root: JsonSchema): unknown {
  let node: unknown = root;
  for (const key of pointerKeys(error.keywordLocation).slice(1, -1)) {
    if (typeof node !== "object" || node === null) return undefined;
    if (key === "$ref" && isSchemaObject(node)) node = resolveReference(root, String(node["$ref"]));
    // Arrays of schemas are read by index as objects are by name; a key that is not there gives
    // undefined.
    else node = (node as { readonly [key: string]: unknown })[key];
  }
  return node;
}

function valuePath(instanceLocation: string, value: unknown): PropertyKey[] {
  let node = value;
  return pointerKeys(instanceLocation)
    .slice(1)
    .map((key) => {
      const step = Array.isArray(node) ? Number(key) : key;
      node = valueAt(node, [step]);
      return step;
    });
}

/** The value at a path, undefined if the path leads nowhere. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let node = value;
  for (const key of path) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
    // An object that holds the key may be read by it.
    node = (node as { readonly [key: PropertyKey]: unknown })[key];
  }
  return node;
}
