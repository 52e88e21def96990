// Converts the validator's errors to issues that a model can act on: one issue for each invalid
// part of the input, which says what the part is and what is expected.
//
// The validator reports an error at every level from the root to the invalid part, and one for
// every branch of a union. Only the innermost errors are kept. If the value fits the type of only
// one branch of a union, only the errors of that branch are kept.

import type { OutputUnit } from "@cfworker/json-schema";
import { type JsonSchema, nearestName } from "@smolts/protocol";
import { describeSchema } from "./describe-schema.ts";
import { previewValue } from "./preview-value.ts";
import type { SchemaIssue } from "./standard-schema.ts";
import { isSchemaObject, pointerKeys, resolveReference } from "./walk-schema.ts";

/** The keywords whose errors only say that something below them is wrong. */
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
 * Returns the issues for a validator's errors.
 *
 * @param value - the input that was validated
 */
export function schemaIssues(errors: readonly OutputUnit[], schema: JsonSchema, value: unknown): SchemaIssue[] {
  const issues = new Map<string, SchemaIssue>();
  const reported = new Set<string>();
  for (const error of innermost(errors, schema)) {
    // Keep only the first issue for each path in the value, because a union with many branches may
    // cause thousands of errors for one path.
    const kind = `${/^(required|false)$/.test(error.keyword) ? error.keywordLocation : ""} ${error.instanceLocation}`;
    if (reported.has(kind)) continue;
    reported.add(kind);
    for (const issue of issuesOf(error, schema, value)) {
      const place = JSON.stringify(issue.path);
      if (!issues.has(place)) issues.set(place, issue);
    }
  }
  return issues.size > 0 ? [...issues.values()] : [{ message: "does not fit the schema" }];
}

/** The keywords whose error replaces all errors below it. */
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

// Returns true if the error's path in the schema is below that of the other. This is never true for
// an error of a `false` schema, because the validator reports only its path in the value.
function isWithin(error: OutputUnit, whole: OutputUnit): boolean {
  return error.keywordLocation.startsWith(`${whole.keywordLocation}/`);
}

/** Returns the errors of one branch of a union, if only that branch has the type of the value. */
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
      // This error means that an argument is not allowed. The validator also reports it for a known
      // argument with a wrong value. Skip such an argument, because it already has its own issue.
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

/**
 * Returns the message for an unknown argument. At the root it suggests the most similar known
 * argument.
 */
function unknownName(path: readonly PropertyKey[], value: unknown, schema: JsonSchema): string {
  const properties = isSchemaObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  if (path.length !== 1 || !isSchemaObject(value)) return "is not expected there";
  if (properties.length === 0) return "is unknown; the tool takes no arguments";
  const near = nearestName(
    String(path[0]),
    properties.filter((name) => !Object.hasOwn(value, name)),
  );
  return near
    ? `is unknown; did you mean "${near}"?`
    : `is unknown; known are ${properties.map((name) => `"${name}"`).join(", ")}`;
}

/** The keywords that {@link describeSchema} can describe. */
const describedKeyword =
  /^(type|enum|const|anyOf|oneOf|format|pattern|uniqueItems|multipleOf|(exclusive)?(min|max)imum|(min|max)(Length|Items))$/i;

function wrong({ keyword, error }: OutputUnit, found: unknown, expected: unknown, schema: JsonSchema): string {
  const described = describedKeyword.test(keyword) ? describeSchema(expected, schema) : "anything";
  if (described !== "anything") return `is ${previewValue(found)}; expected ${described}`;
  // The other keywords are rare, so their errors get the validator's own text.
  return `is ${previewValue(found)}, which does not fit: ${error.replace(/\.$/, "")}`;
}

/** Returns the schema that contains the keyword which failed. */
function schemaOf(error: OutputUnit, root: JsonSchema): unknown {
  let node: unknown = root;
  for (const key of pointerKeys(error.keywordLocation).slice(1, -1)) {
    if (typeof node !== "object" || node === null) return undefined;
    if (key === "$ref" && isSchemaObject(node)) node = resolveReference(root, String(node["$ref"]));
    // The cast is safe: the node is an object or a list, and both can be read by a key of the path.
    // A missing key returns undefined.
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

/** Returns the value at a path, or undefined if the path leads nowhere. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let node = value;
  for (const key of path) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
    // The cast is safe: the object has this key.
    node = (node as { readonly [key: PropertyKey]: unknown })[key];
  }
  return node;
}
