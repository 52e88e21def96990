// Where a program asked a promise for a property. Reads are too many to note their places, so it is
// looked for afterwards, among the places that read a property of that name.

import type { Expression, MemberExpression, Node, Super } from "acorn";
import type { Position } from "../guest-throw.ts";
import { parse } from "../parse.ts";
import type { Scene } from "./errors.ts";
import { isPromise, valueOfPath } from "./known-values.ts";

/** A place that reads a property, and the text of what it reads it from. */
export interface PromisePlace {
  readonly position: Position;
  readonly text: string;
}

/**
 * The likeliest place in the program at which `promise` was asked for `key`; undefined when none
 * reads such a property.
 */
export function placeOfPromise(scene: Scene, promise: unknown, key: string): PromisePlace | undefined {
  const places = membersNamed(scene, key).map((node) => ({ node, rank: rankOf(scene, node, promise) }));
  const [best] = places.filter(({ rank }) => rank > 0).sort((one, other) => other.rank - one.rank);
  if (!best) return undefined;
  const { object } = best.node;
  return { position: { source: scene.source, offset: best.node.start }, text: textOf(scene, object) };
}

/** 3: that promise is read from. 2: some promise is. 1: unknown. 0: something else is. */
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
    // A program with imports is read in another way, and has no place then.
    return [];
  }
}

function* membersIn(value: unknown): Iterable<MemberExpression> {
  if (Array.isArray(value)) for (const item of value) yield* membersIn(item);
  if (typeof value !== "object" || value === null || !("type" in value)) return;
  if (value.type === "MemberExpression") yield value as MemberExpression; // just seen
  for (const child of Object.values(value as Node)) if (typeof child === "object") yield* membersIn(child);
}

function nameOf({ computed, property }: MemberExpression): string | undefined {
  if (!computed && property.type === "Identifier") return property.name;
  return property.type === "Literal" ? String(property.value) : undefined;
}
