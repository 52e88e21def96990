// Finds the value on which a property is missing, for the message of an error. It runs after the
// failure, and reads only variables and data properties. It runs no guest code.

import type { Expression, MemberExpression, Super } from "acorn";
import type { Frame } from "../frame.ts";
import { isObject } from "../guest-value.ts";
import { dataProperty } from "../print/describe-object.ts";
import { type Context, referenceOf } from "./context.ts";
import { compileExpression } from "./expression.ts";

/** Returns the value of `a.b` for `a.b.c`, or undefined if it is unknown. */
export function ownerOf(context: Context, { object }: MemberExpression, frame: Frame): unknown {
  return object.type === "MemberExpression" ? settledValue(context, object.object, frame) : undefined;
}

function settledValue(context: Context, node: Expression | Super, frame: Frame): unknown {
  switch (node.type) {
    case "Identifier":
    case "ThisExpression":
      return variableValue(context, node, frame);
    case "MemberExpression": {
      const object = settledValue(context, node.object, frame);
      const key = staticKey(node);
      return isObject(object) && key !== undefined ? dataProperty(object, key) : undefined;
    }
    default:
      return undefined;
  }
}

function variableValue(context: Context, node: Expression, frame: Frame): unknown {
  if (node.type === "Identifier" && !referenceOf(context, node).variable) return globalValue(context, node.name);
  try {
    return compileExpression(context, node)(frame);
  } catch {
    // The variable has no value yet, so the owner is unknown.
    return undefined;
  }
}

/**
 * Returns the value of a name that the program does not declare: a variable of the session, or a
 * property of the global object. Does not run getters.
 */
function globalValue({ bindings, realm }: Context, name: string): unknown {
  const binding = bindings.get(name);
  return binding ? binding.value : dataProperty(realm.materializeGlobal(name), name);
}

function staticKey({ computed, property }: MemberExpression): string | undefined {
  if (!computed && property.type === "Identifier") return property.name;
  return property.type === "Literal" ? String(property.value) : undefined;
}
