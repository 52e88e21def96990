// Arguments of `console.log` and `print`. Models often write `map.key` where they mean
// `map.get("key")`. Reading such a missing property of a Map or Set returns `undefined` without an
// error. If a program prints it, an extra line says what to write instead.

import type { CallExpression, Expression, MemberExpression } from "acorn";
import { isObject, slotsOf } from "../guest-value.ts";
import { getOwnProperty } from "../operations/property.ts";
import { prototypeChain } from "../print/describe-object.ts";
import { quote } from "../print/quote.ts";
import { MapSlots } from "../slots/map.ts";
import { SetSlots } from "../slots/set.ts";
import type { Context, Evaluate } from "./context.ts";
import { compileExpression } from "./expression.ts";

/** Compiles an argument of a call. */
export function compileArgument(context: Context, { callee }: CallExpression, node: Expression): Evaluate {
  const evaluate = compileExpression(context, node);
  if (!isPrinting(callee) || node.type !== "MemberExpression" || node.object.type !== "Identifier") return evaluate;
  const key = keyOf(context, node);
  if (!key) return evaluate;
  const { realm } = context;
  const { name } = node.object;
  // If the property is missing, the object is evaluated a second time to create the hint. This has
  // no side effects, because the object is a variable.
  const base = compileExpression(context, node.object);
  return (frame) => {
    const value = evaluate(frame);
    if (value === undefined) {
      const hint = hintFor(base(frame), name, key(frame));
      if (hint !== undefined) realm.printHints.add(hint);
    }
    return value;
  };
}

const isPrinting = (callee: CallExpression["callee"]): boolean =>
  callee.type === "MemberExpression"
    ? callee.object.type === "Identifier" && callee.object.name === "console"
    : callee.type === "Identifier" && callee.name === "print";

/** Compiles the key if evaluating it again has no effect; otherwise returns null. */
function keyOf(context: Context, { computed, property }: MemberExpression): Evaluate | null {
  if (!computed) return property.type === "Identifier" ? () => property.name : null;
  return property.type === "Literal" || property.type === "Identifier" ? compileExpression(context, property) : null;
}

const maxKeyLength = 100;

function hintFor(base: unknown, name: string, key: unknown): string | undefined {
  if (!isObject(base) || (typeof key !== "string" && typeof key !== "number")) return undefined;
  const slots = slotsOf(base);
  if (!(slots instanceof MapSlots) && !(slots instanceof SetSlots)) return undefined;
  for (const holder of prototypeChain(base)) if (getOwnProperty(holder, String(key)) !== undefined) return undefined;
  const kind = slots instanceof MapSlots ? "Map" : "Set";
  if (key === "length") return `${name} is a ${kind}: write ${name}.size`;
  const shown = typeof key === "number" ? String(key) : quote(key.slice(0, maxKeyLength));
  return `${name} is a ${kind}: write ${name}.${kind === "Map" ? "get" : "has"}(${shown})`;
}
