// Which copy of the hot operators and closures serves where (see hot-closures.ts). What they meet depends on the shapes of the nodes that they
// evaluate, so the shapes decide: code of the same shape, in whatever program, has the same copy, and other code mostly another one. Nothing but
// the speed depends on it.

import type { Node } from "acorn";
import { type HotClosures, type HotOperators, hotClosures, hotOperators } from "./generated/hot-copies.gen.ts";

/** The operators for these operands. */
export function hotOperatorsFor(...operands: readonly Node[]): HotOperators {
  return copyOf(hotOperators, operands);
}

/** The closures for these nodes. */
export function hotClosuresFor(...nodes: readonly Node[]): HotClosures {
  return copyOf(hotClosures, nodes);
}

function copyOf<Copy>(copies: readonly Copy[], nodes: readonly Node[]): Copy {
  // All names look alike, but `index` is mostly a whole number, and `price` mostly none.
  const shape = nodes.every(isLeaf) ? nameShape(nodes) : shapeOf(nodes, 3);
  return copies[shape % copies.length] as Copy; // the index is below the length
}

const isLeaf = ({ type }: Node): boolean => type === "Identifier" || type === "Literal";

/** A number for the names and constants of leaves. */
function nameShape(leaves: readonly Node[]): number {
  let shape = 0;
  for (const leaf of leaves) {
    const { name, raw } = leaf as { readonly name?: string; readonly raw?: string }; // an identifier has a name, a literal its text
    const text = name ?? raw ?? "";
    for (let index = 0; index < text.length; index++) shape = mixed(shape, text.charCodeAt(index));
  }
  return shape;
}

/** A number for the kinds of nodes in what a node holds, down to some depth. Names and values of constants do not matter. */
function shapeOf(value: unknown, depth: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) return value.reduce((shape: number, element) => mixed(shape, shapeOf(element, depth)), 1);
  const { type, operator = "" } = value as { readonly type?: string; readonly operator?: string }; // what acorn's nodes have
  if (type === undefined) return 0;
  let shape = mixed(type.length, type.charCodeAt(0)) + mixed(operator.length, operator.charCodeAt(0) | 0);
  if (depth === 0) return shape;
  for (const part of Object.values(value)) shape = mixed(shape, shapeOf(part, depth - 1));
  return shape;
}

const mixed = (shape: number, part: number): number => (Math.imul(shape, 31) + part) >>> 0;
