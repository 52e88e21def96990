// Which intrinsics there are, and which family makes them. To add a built-in: write its family in a file of its own, name its intrinsics
// below, and add it to `families`.

import type { GuestObject } from "../guest-value.ts";
import { consoleFamily } from "./console.ts";
import { errorFamily } from "./error.ts";
import { generatorFamily } from "./generator.ts";
import type { Realm } from "./realm.ts";
import { timersFamily } from "./timers.ts";

/** The intrinsics that anything asks for by name; their `%Names%` of the spec with dots left out. */
export type IntrinsicName =
  | "ObjectPrototype"
  | "FunctionPrototype"
  | "ArrayPrototype"
  | "ArrayPrototypeValues"
  | "ArrayIteratorPrototype"
  | "ArrayIteratorPrototypeNext"
  | "IteratorPrototype"
  | "AsyncIteratorPrototype"
  | "StringPrototype"
  | "NumberPrototype"
  | "BooleanPrototype"
  | "BigIntPrototype"
  | "SymbolPrototype"
  | "RegExp"
  | "RegExpPrototype"
  | "Promise"
  | "PromisePrototype"
  | "AsyncFunctionPrototype"
  | "GeneratorFunctionPrototype"
  | "GeneratorPrototype"
  | "AsyncGeneratorFunctionPrototype"
  | "AsyncGeneratorPrototype"
  | "AsyncFromSyncIteratorPrototype"
  | `${ErrorName}Prototype`
  | ErrorName
  | FurtherIntrinsicName;

type ErrorName =
  | "Error"
  | "EvalError"
  | "RangeError"
  | "ReferenceError"
  | "SyntaxError"
  | "TypeError"
  | "URIError"
  | "AggregateError";

/** Intrinsics that only built-ins ask for. */
export type FurtherIntrinsicName = "MapPrototype" | "SetPrototype";

/** Intrinsics that are made together. */
export interface IntrinsicFamily {
  readonly intrinsics: readonly IntrinsicName[];
  /** Names of the global object's properties that it gives. */
  readonly globals?: readonly string[];
  /** Made with the realm instead of at first use: fills the prototypes that exist from the start. */
  readonly eager?: boolean;
  make(realm: Realm): MadeFamily;
}

/** What {@link IntrinsicFamily.make} gives: the objects under the promised names. */
export interface MadeFamily {
  readonly intrinsics: { readonly [Name in IntrinsicName]?: GuestObject };
  readonly globals?: { readonly [name: string]: unknown };
}

const families: readonly IntrinsicFamily[] = [errorFamily, generatorFamily, consoleFamily, timersFamily];

/** Families to make with a realm. */
export const eagerFamilies: readonly IntrinsicFamily[] = /* @__PURE__ */ families.filter(({ eager }) => eager);

const byIntrinsic = /* @__PURE__ */ new Map(
  families.flatMap((family) => family.intrinsics.map((name) => [name, family])),
);
const byGlobal = /* @__PURE__ */ new Map(
  families.flatMap((family) => (family.globals ?? []).map((name) => [name, family])),
);

/** The family that makes an intrinsic. */
export function familyOfIntrinsic(name: IntrinsicName): IntrinsicFamily {
  const family = byIntrinsic.get(name);
  if (!family) throw new Error(`no family makes the intrinsic "${name}"`);
  return family;
}

/** The family that gives a global. */
export function familyOfGlobal(name: string): IntrinsicFamily {
  const family = byGlobal.get(name);
  if (!family) throw new Error(`no family gives the global "${name}"`);
  return family;
}

/** Names of all built-in properties of the global object. */
export function globalNames(): readonly string[] {
  return ["globalThis", ...byGlobal.keys()];
}
