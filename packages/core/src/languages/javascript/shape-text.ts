// Describes the shape of a value as a TypeScript type. The type is shown for results of tools
// without an output schema.
//
// Property names come from the data that the tool fetched, so they may contain hostile text. Names
// that are not short identifiers are therefore quoted and cut.

/**
 * Returns the shape of a plain value as a TypeScript type, on one line.
 *
 * @example
 * ```ts
 * import { shapeText } from "@smolts/core";
 *
 * console.log(shapeText([{ id: 1, tags: ["a"] }, { id: 2 }])); // { id: number; tags?: string[] }[]
 * ```
 */
export function shapeText(value: unknown): string {
  return textOf(shapeOf(value, 0));
}

type Shape =
  | { readonly type: "named"; readonly name: string }
  | { readonly type: "array"; readonly item: Shape | null }
  | { readonly type: "object"; readonly fields: ReadonlyMap<string, Field>; readonly left: number }
  | { readonly type: "union"; readonly members: readonly Shape[] };

interface Field {
  readonly shape: Shape;
  readonly isOptional: boolean;
}

const maxDepth = 4;
const maxFields = 16;
const maxItems = 20;
const maxMembers = 4;
const unknown: Shape = { type: "named", name: "unknown" };

function shapeOf(value: unknown, depth: number): Shape {
  if (typeof value !== "object" || value === null) return { type: "named", name: primitiveName(value) };
  if (depth >= maxDepth) return unknown;
  if (Array.isArray(value)) return { type: "array", item: mergedItems(value, depth) };
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return objectShape(value, depth);
  return { type: "named", name: className(value, depth) };
}

const primitiveName = (value: unknown): string => (value === null ? "null" : typeof value);

/**
 * Returns the name of a class. Values contain only instances of the classes that the codec
 * supports.
 */
function className(value: object, depth: number): string {
  if (value instanceof Date) return "Date";
  if (value instanceof Map)
    return `Map<${itemText([...value.keys()], depth)}, ${itemText([...value.values()], depth)}>`;
  if (value instanceof Set) return `Set<${itemText([...value], depth)}>`;
  return value instanceof Uint8Array ? "Uint8Array" : "object";
}

const itemText = (items: readonly unknown[], depth: number): string => textOf(mergedItems(items, depth) ?? unknown);

function mergedItems(items: readonly unknown[], depth: number): Shape | null {
  // `Array.from` also visits the holes of a sparse array, which `map` would skip.
  const shapes = Array.from(items.slice(0, maxItems), (item) => shapeOf(item, depth + 1));
  return shapes.length === 0 ? null : shapes.reduce(merge);
}

function objectShape(value: object, depth: number): Shape {
  const entries = Object.entries(value);
  const fields = entries
    .slice(0, maxFields)
    .map(([name, item]): [string, Field] => [name, { shape: shapeOf(item, depth + 1), isOptional: false }]);
  return { type: "object", fields: new Map(fields), left: entries.length - fields.length };
}

/** Returns a shape that fits the values of both shapes. */
function merge(left: Shape, right: Shape): Shape {
  if (left.type === "object" && right.type === "object") return mergeObjects(left, right);
  if (left.type === "array" && right.type === "array") {
    const item = left.item && right.item ? merge(left.item, right.item) : (left.item ?? right.item);
    return { type: "array", item };
  }
  return mergeMembers([...membersOf(left), ...membersOf(right)]);
}

const membersOf = (shape: Shape): readonly Shape[] => (shape.type === "union" ? shape.members : [shape]);

function mergeMembers(all: readonly Shape[]): Shape {
  const members: Shape[] = [];
  for (const shape of all) {
    const index = members.findIndex((member) => isSameKind(member, shape));
    const known = members[index];
    if (known === undefined) members.push(shape);
    else members[index] = known.type === "named" ? known : merge(known, shape);
  }
  if (members.length > maxMembers) return unknown;
  const [only] = members;
  return members.length === 1 && only ? only : { type: "union", members };
}

const isSameKind = (left: Shape, right: Shape): boolean =>
  left.type === right.type && (left.type !== "named" || right.type !== "named" || left.name === right.name);

type ObjectShape = Extract<Shape, { type: "object" }>;

function mergeObjects(left: ObjectShape, right: ObjectShape): Shape {
  const fields = new Map<string, Field>();
  for (const name of new Set([...left.fields.keys(), ...right.fields.keys()])) {
    const field = mergeFields(left.fields.get(name), right.fields.get(name));
    if (field && fields.size < maxFields) fields.set(name, field);
  }
  return { type: "object", fields, left: Math.max(left.left, right.left) };
}

function mergeFields(left: Field | undefined, right: Field | undefined): Field | undefined {
  if (left && right) {
    return { shape: merge(left.shape, right.shape), isOptional: left.isOptional || right.isOptional };
  }
  const only = left ?? right;
  return only && { shape: only.shape, isOptional: true };
}

function textOf(shape: Shape): string {
  switch (shape.type) {
    case "named":
      return shape.name;
    case "array":
      return arrayText(shape.item);
    case "object":
      return objectText(shape);
    case "union":
      return shape.members.map(textOf).join(" | ");
    default:
      return shape satisfies never;
  }
}

function arrayText(item: Shape | null): string {
  if (item === null) return "unknown[]";
  return item.type === "union" ? `(${textOf(item)})[]` : `${textOf(item)}[]`;
}

function objectText({ fields, left }: ObjectShape): string {
  const texts = [...fields].map(
    ([name, { shape, isOptional }]) => `${keyText(name)}${isOptional ? "?" : ""}: ${textOf(shape)}`,
  );
  if (left > 0) texts.push(`/* ${left} more */`);
  return texts.length === 0 ? "{}" : `{ ${texts.join("; ")} }`;
}

const maxKeyLength = 40;

const keyText = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) && name.length <= maxKeyLength ? name : quoted(name);

/**
 * Quotes a name in ASCII only, so that a name from fetched data cannot contain hidden characters or
 * end a comment.
 */
const quoted = (name: string): string =>
  JSON.stringify(name.slice(0, maxKeyLength))
    .replaceAll(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replaceAll("*/", "*\\/");
