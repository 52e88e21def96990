// Compiles reads of `this`, including the `this` that `super.x` needs.

import type { Node } from "acorn";
import { callNames } from "../analyse/scope.ts";
import { throwError } from "../guest-throw.ts";
import { isObject } from "../guest-value.ts";
import { type Context, callReferenceOf, type Evaluate, positionOf } from "./context.ts";
import { readReference } from "./variable.ts";

/**
 * Compiles a read of `this` for a `this` or `super` node. At the top level, `this` is the global
 * object.
 */
export function compileThisValue(context: Context, node: Node): Evaluate {
  const reference = callReferenceOf(context, node, callNames.this);
  if (!reference.variable) return () => context.realm.globalObject;
  const position = positionOf(context, node);
  const read = readReference(context, reference, position);
  if (!reference.variable.checked) return read;
  // Before `super()`, a derived constructor has no `this`, so each read must be checked.
  return (frame) => {
    const value = read(frame);
    if (!isObject(value)) throwError("ReferenceError", 'call "super()" before using "this"', position);
    return value;
  };
}
