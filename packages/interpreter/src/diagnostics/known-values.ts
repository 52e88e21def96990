// Finds the values of expressions without running code. It knows variables, data properties,
// literals, and calls that return promises.

import type { Expression, Super } from "acorn";
import { uninitialized } from "../bindings.ts";
import { functionSlots } from "../function-object.ts";
import { isObject } from "../guest-value.ts";
import { ownKeysUnlessMany } from "../operations/counted-keys.ts";
import { promiseSlots } from "../operations/promise.ts";
import { getOwnProperty, getPrototypeOf, prototypeOfPrimitive } from "../operations/property.ts";
import { parse } from "../parse.ts";
import { dataProperty, prototypeChain } from "../print/describe-object.ts";
import type { Scene } from "./errors.ts";

/** The value at the end of a path such as `a.b.c`. */
export interface Found {
  /** The object before the last key. */
  readonly object?: { readonly value: unknown; readonly text: string };
  /** The last key. */
  readonly key?: string;
  /** The source text of the first part, such as `a.b` in `a.b.c`, whose value is a promise. */
  readonly promise?: string;
}

/** Finds the value of an expression such as `a.b.c`, as far as its values are known. */
export function resolve(scene: Scene, text: string): Found {
  const expression = parseExpression(text);
  if (!expression) return {};
  if (expression.type !== "MemberExpression") return isPromise(valueOf(scene, expression)) ? { promise: text } : {};
  const key = keyOf(expression);
  const value = scene.about ?? valueOf(scene, expression.object);
  const objectText = text.slice(expression.object.start, expression.object.end);
  if (value === unknownValue) return {};
  if (isPromise(value)) return { promise: objectText };
  return key === undefined ? {} : { object: { value, text: objectText }, key };
}

/** Returns the value of a path such as `a.b.c`, or {@link unknownValue}. */
export function valueOfPath(scene: Scene, path: string): unknown {
  const expression = parseExpression(path);
  return expression ? valueOf(scene, expression) : unknownValue;
}

/** Returns the names of all properties, own and inherited. */
export function propertyNames({ realm }: Scene, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const holder = isObject(value) ? value : prototypeOfPrimitive(realm, value);
  const names: string[] = [];
  for (const object of prototypeChain(holder)) {
    for (const key of (ownKeysUnlessMany(object) ?? []).slice(0, maxNames))
      if (typeof key === "string") names.push(key);
  }
  return functionSlots(value) ? names.filter((name) => !/^(caller|arguments)$/.test(name)) : names;
}

/** Returned for a value that is not known. */
export const unknownValue: unique symbol = Symbol("unknown");

/** Says whether a value is a promise, or the result of a call that returns a promise. */
export function isPromise(value: unknown): boolean {
  return value === promiseOfCall || promiseSlots(value) !== undefined;
}

const promiseOfCall: unique symbol = Symbol("promise");
const maxNames = 2_000;

function parseExpression(text: string): Expression | undefined {
  try {
    const [statement] = parse({ name: "", text }).body;
    return statement?.type === "ExpressionStatement" ? statement.expression : undefined;
  } catch {
    // The text is not valid, perhaps because it was cut. Without a syntax tree, no value is known.
    return undefined;
  }
}

/**
 * Returns the value of an expression. If its path contains a promise, the result is that promise.
 */
function valueOf(scene: Scene, node: Expression | Super): unknown {
  switch (node.type) {
    case "Identifier":
      return valueOfName(scene, node.name);
    case "Literal":
      return isObject(node.value) ? unknownValue : node.value;
    case "TemplateLiteral":
      return "";
    case "ArrayExpression":
      return scene.realm.newArray();
    case "CallExpression":
      return returnsPromise(scene, node.callee) ? promiseOfCall : unknownValue;
    case "MemberExpression":
      return valueOfMember(scene, node);
    default:
      return unknownValue;
  }
}

function valueOfMember(scene: Scene, node: Extract<Expression, { type: "MemberExpression" }>): unknown {
  const object = valueOf(scene, node.object);
  if (isPromise(object)) return object;
  const key = keyOf(node);
  return isObject(object) && key !== undefined ? dataProperty(object, key) : unknownValue;
}

function keyOf(node: Extract<Expression, { type: "MemberExpression" }>): string | undefined {
  const { property } = node;
  if (!node.computed && property.type === "Identifier") return property.name;
  return property.type === "Literal" ? String(property.value) : undefined;
}

function returnsPromise(scene: Scene, callee: Expression | Super): boolean {
  if (callee.type !== "Identifier") return false;
  if (scene.bindings.tool(callee.name)) return true;
  const value = valueOfName(scene, callee.name);
  const { realm } = scene;
  return (
    isObject(value) &&
    functionSlots(value) !== undefined &&
    realm.hasIntrinsic("AsyncFunctionPrototype") &&
    getPrototypeOf(value) === realm.intrinsic("AsyncFunctionPrototype")
  );
}

function valueOfName({ realm, bindings }: Scene, name: string): unknown {
  const binding = bindings.get(name);
  if (binding) return binding.value === uninitialized ? unknownValue : binding.value;
  const global = realm.materializeGlobal(name);
  return getOwnProperty(global, name) ? dataProperty(global, name) : unknownValue;
}
