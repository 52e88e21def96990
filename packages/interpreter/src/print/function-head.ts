// How functions and classes read.

import { functionSlots } from "../function-object.ts";
import type { GuestObject } from "../guest-value.ts";
import { getPrototypeOf } from "../operations/property.ts";
import type { Realm } from "../realm/realm.ts";
import { nameOfFunction } from "./describe-object.ts";

/** `[Function: name]`, `[class A extends B]` and the like. */
export function functionHead(realm: Realm, object: GuestObject): string {
  const name = nameOfFunction(object);
  const code = functionSlots(object)?.code;
  if (code?.isClass && /^class\b/.test(code.sourceText())) return classHead(object, name);
  const kind = functionKind(realm, object);
  return name === "" ? `[${kind} (anonymous)]` : `[${kind}: ${name}]`;
}

function classHead(object: GuestObject, name: string): string {
  const parent = getPrototypeOf(object);
  const parentName = parent ? nameOfFunction(parent) : "";
  return `[class ${name === "" ? "(anonymous)" : name}${parentName === "" ? "" : ` extends ${parentName}`}]`;
}

function functionKind(realm: Realm, object: GuestObject): string {
  switch (functionSlots(object)?.code.prototypeProperty) {
    case "generator":
      return "GeneratorFunction";
    case "async-generator":
      return "AsyncGeneratorFunction";
    default: {
      const isAsync =
        realm.hasIntrinsic("AsyncFunctionPrototype") &&
        getPrototypeOf(object) === realm.intrinsic("AsyncFunctionPrototype");
      return isAsync ? "AsyncFunction" : "Function";
    }
  }
}
