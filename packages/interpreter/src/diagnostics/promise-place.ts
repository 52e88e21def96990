// Finds the place where a program read a property of a promise. Recording all reads would cost too
// much. So this code runs after the error, and searches the places that read a property of that
// name.

import type { Expression, MemberExpression, Node, Super } from "acorn";
import type { Position } from "../guest-throw.ts";
import { parse } from "../parse.ts";
import type { Scene } from "./errors.ts";
import { isPromise, valueOfPath } from "./known-values.ts";

/** A place that reads a property, and the text of the expression before the dot. */
export interface PromisePlace {
  readonly position: Position;
  readonly text: string;
}

/**
 * Returns the most likely place where the program read `key` of `promise`; undefined if no place
 * reads such a property.
 */
export function placeOfPromise(scene: Scene, promise: unknown, key: string): PromisePlace | undefined {
  const places = membersNamed(scene, key).map((node) => ({ node, rank: rankOf(scene, node, promise) }));
  const [best] = places.filter(({ rank }) => rank > 0).sort((one, other) => other.rank - one.rank);
  if (!best) return undefined;
  const { object } = best.node;
  return { position: { source: scene.source, offset: best.node.start }, text: textOf(scene, object) };
}

/**
 * Returns how likely a place is: 3 if it reads from this promise, 2 from another promise, 1 from an
 * unknown value, 0 from a value that is not a promise.
 */
function rankOf(scene: Scene, { object }: MemberExpression, promise: unknown): number {
  const value = valueOfPath(scene, textOf(scene, object));
  if (value === promise) return 3;
  if (isPromise(value)) return 2;
  return typeof value === "symbol" ? 1 : 0;
}

const textOf = ({ source }: Scene, { start, end }: Expression | Super): string =>
  (source.parsed ?? source.text).slice(start, end);

function membersNamed({ source }: Scene, key: string): readonly MemberExpression[] {
  try {
    return [...membersIn(parse(source))].filter((node) => nameOf(node) === key);
  } catch {
    // A program with imports cannot be parsed in this way, so no place is found.
    return [];
  }
}

function* membersIn(value: unknown): Iterable<MemberExpression> {
  if (Array.isArray(value)) for (const item of value) yield* membersIn(item);
  if (typeof value !== "object" || value === null || !("type" in value)) return;
  if (value.type === "MemberExpression") yield value as MemberExpression; // the type of the node was checked
  for (const child of Object.values(value as Node)) if (typeof child === "object") yield* membersIn(child);
}

function nameOf({ computed, property }: MemberExpression): string | undefined {
  if (!computed && property.type === "Identifier") return property.name;
  return property.type === "Literal" ? String(property.value) : undefined;
}
