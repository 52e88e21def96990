// For each kind of function in a realm: the prototype of the functions, and the initial value of
// their own `prototype` property.

import { FunctionFamily, type FunctionKind, type FunctionSlots } from "../function-object.ts";
import type { GuestObject } from "../guest-value.ts";
import type { Realm } from "./realm.ts";

/**
 * For each kind of functions in one realm, the `FunctionFamily` that creates them. The one for
 * normal functions is made immediately, and each of the others at its first use.
 */
export class FunctionFamilies {
  readonly normal: FunctionFamily;
  readonly #realm: Realm;
  readonly #others = new Map<FunctionKind, FunctionFamily>();

  constructor(realm: Realm) {
    this.#realm = realm;
    this.normal = this.#make("normal");
  }

  /** Returns the object that creates functions of this kind. */
  of(kind: FunctionKind): FunctionFamily {
    if (kind === "normal") return this.normal;
    const known = this.#others.get(kind);
    if (known) return known;
    const family = this.#make(kind);
    this.#others.set(kind, family);
    return family;
  }

  #make(kind: FunctionKind): FunctionFamily {
    return new FunctionFamily(prototypeOfKind(this.#realm, kind), (slots) => prototypeProperty(this.#realm, slots));
  }
}

function prototypeOfKind(realm: Realm, kind: FunctionKind): GuestObject {
  switch (kind) {
    case "normal":
      return realm.functionPrototype;
    case "async":
      return realm.intrinsic("AsyncFunctionPrototype");
    case "generator":
      return realm.intrinsic("GeneratorFunctionPrototype");
    case "async-generator":
      return realm.intrinsic("AsyncGeneratorFunctionPrototype");
    default:
      return kind satisfies never;
  }
}

/** Creates the initial value of a function's own `prototype` property. */
function prototypeProperty(realm: Realm, { self, code }: FunctionSlots): GuestObject {
  if (code.prototypeProperty === "generator") return realm.newObjectFrom("GeneratorPrototype");
  if (code.prototypeProperty === "async-generator") return realm.newObjectFrom("AsyncGeneratorPrototype");
  const prototype = realm.newObject();
  Object.defineProperty(prototype, "constructor", {
    value: self,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  return prototype;
}
