// Symbol. Well-known symbols, such as `Symbol.iterator`, are those of the host. But each realm has
// its own registry for `Symbol.for`, so that a guest cannot get a symbol of the host by its key.

import { throwTypeError } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import { slotsOfKind } from "../guest-value.ts";
import { chargeEntryKey, PrimitiveSlots, toStringValue } from "../operations/conversion.ts";
import { valueText } from "../operations/text.ts";
import { brief, counted, defineAccessors, defineConstructor, defineMethods, defineTag } from "./define.ts";
import type { IntrinsicFamily, MadeFamily } from "./intrinsics.ts";
import type { Realm } from "./realm.ts";

/** The built-in Symbol. */
export const symbolFamily: IntrinsicFamily = {
  intrinsics: ["SymbolPrototype"],
  globals: ["Symbol"],
  make: makeSymbol,
};

const wellKnown = [
  "asyncIterator",
  "hasInstance",
  "isConcatSpreadable",
  "iterator",
  "match",
  "matchAll",
  "replace",
  "search",
  "species",
  "split",
  "toPrimitive",
  "toStringTag",
  "unscopables",
] as const;

const registries = new WeakMap<Realm, SymbolRegistry>();

class SymbolRegistry {
  readonly symbols = new Map<string, symbol>();
  readonly keys = new Map<symbol, string>();
}

/** Says whether a symbol came from the realm's `Symbol.for`. */
export function isRegisteredSymbol(realm: Realm, symbol: symbol): boolean {
  return registries.get(realm)?.keys.has(symbol) ?? false;
}

/** Returns the keys of all symbols that the realm's `Symbol.for` has created. */
export function registeredKeys(realm: Realm): Iterable<string> {
  return registries.get(realm)?.symbols.keys() ?? [];
}

function makeSymbol(realm: Realm): MadeFamily {
  const registry = new SymbolRegistry();
  registries.set(realm, registry);
  const prototype = realm.newObject();
  const symbol = defineConstructor(realm, {
    name: "Symbol",
    length: 0,
    cost: "counted",
    prototype,
    construct: () => throwTypeError("Symbol is not a constructor; call it without new"),
    call: (_thisValue, description) => {
      realm.meter.allocate(32);
      return Symbol(description === undefined ? undefined : toStringValue(description));
    },
    statics: {
      for: counted((_thisValue, key) => registeredSymbol(realm, registry, toStringValue(key))),
      keyFor: counted((_thisValue, symbol) =>
        typeof symbol === "symbol" ? registry.keys.get(symbol) : throwTypeError(`${valueText(symbol)} is not a symbol`),
      ),
    },
    constants: Object.fromEntries(wellKnown.map((name) => [name, Symbol[name]])),
  });
  fillPrototype(realm, prototype);
  return { intrinsics: { SymbolPrototype: prototype }, globals: { Symbol: symbol } };
}

function fillPrototype(realm: Realm, prototype: GuestObject): void {
  defineMethods(realm, prototype, {
    toString: brief((thisValue: unknown) => symbolOf(thisValue).toString()),
    valueOf: brief((thisValue: unknown) => symbolOf(thisValue)),
  });
  defineAccessors(realm, prototype, { description: brief((thisValue) => symbolOf(thisValue).description) });
  Object.defineProperty(prototype, Symbol.toPrimitive, {
    value: realm.newNativeFunction("[Symbol.toPrimitive]", 1, (thisValue) => symbolOf(thisValue)),
    writable: false,
    enumerable: false,
    configurable: true,
  });
  defineTag(prototype, "Symbol");
}

function registeredSymbol(realm: Realm, registry: SymbolRegistry, key: string): symbol {
  chargeEntryKey(key, registry.symbols.size);
  const known = registry.symbols.get(key);
  if (known) return known;
  realm.meter.allocate(96);
  const symbol = Symbol(key);
  registry.symbols.set(key, symbol);
  registry.keys.set(symbol, key);
  return symbol;
}

function symbolOf(thisValue: unknown): symbol {
  if (typeof thisValue === "symbol") return thisValue;
  const value = slotsOfKind(thisValue, PrimitiveSlots)?.value;
  return typeof value === "symbol" ? value : throwTypeError("a method of symbols was called on something else");
}
