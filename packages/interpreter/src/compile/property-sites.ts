// For each property name, chooses a copy of the code that accesses properties. The copies are in
// generated/property-sites.gen.ts. The first names in a process get their own copies; all other
// names share the last copy. This affects only speed.

import type { MemberExpression, Node } from "acorn";
import { callNames, frameDistance } from "../analyse/scope.ts";
import { type Context, callReferenceOf, type Evaluate, type ReadMethod } from "./context.ts";
import { compileExpression } from "./expression.ts";
import type { Slow } from "./generated/operators.gen.ts";
import {
  changeSites,
  methodSites,
  type ObjectOperand,
  readSites,
  type SlowChange,
  type SlowRead,
  type SlowStore,
  storeSites,
} from "./generated/property-sites.gen.ts";
import { localSlot } from "./variable.ts";

/** Compiles a read of a named property. */
export function readSite(context: Context, node: MemberExpression, name: string, slow: SlowRead): Evaluate {
  return copyFor(readSites, name)(objectOperand(context, node), name, slow);
}

/** Compiles a read of a named method. */
export function methodSite(name: string, slow: SlowRead): ReadMethod {
  return copyFor(methodSites, name)(name, slow);
}

/** Compiles an assignment to a named property. */
export function storeSite(
  context: Context,
  node: MemberExpression,
  name: string,
  value: Evaluate,
  slow: SlowStore,
): Evaluate {
  return copyFor(storeSites, name)(objectOperand(context, node), name, value, slow);
}

/**
 * Compiles an assignment that first reads the named property, such as `object.name += 1`.
 */
export function changeSite(name: string, object: Evaluate, apply: Slow, value: Evaluate, slow: SlowChange): Evaluate {
  return copyFor(changeSites, name)(object, name, apply, value, slow);
}

// The copy for each name. There is one map for the whole process, because all programs share the
// copies. It has at most as many names as there are copies.
const copyOfName = new Map<string, number>();

function copyFor<Site>(sites: readonly Site[], name: string): Site {
  const known = copyOfName.get(name);
  const copy = known ?? Math.min(copyOfName.size, sites.length - 1);
  if (known === undefined && copyOfName.size < sites.length) copyOfName.set(name, copy);
  return sites[copy] as Site; // the number of the copy is less than the length
}

function objectOperand(context: Context, { object }: MemberExpression): ObjectOperand {
  if (object.type === "Super") throw new Error("a property of super is read in a way of its own");
  const slot = object.type === "ThisExpression" ? thisSlot(context, object) : localSlot(context, object);
  return { slot, evaluate: slot === 0 ? compileExpression(context, object) : () => undefined };
}

/**
 * Returns the slot of `this` if it is in the current frame and certainly initialised. Otherwise
 * returns 0.
 */
function thisSlot(context: Context, node: Node): number {
  const { variable, checked, scope } = callReferenceOf(context, node, callNames.this);
  if (!variable || variable.checked || checked || frameDistance(scope, variable) !== 0) return 0;
  return context.evaluated.has(node) ? 0 : variable.slot;
}
