// The object that `import * as name` returns. It is read-only and has no prototype, and its
// properties always have the current values of the module's variables.
//
// It is a host proxy, and its handler is code of the interpreter, as for guest proxies
// (operations/proxy.ts). The handler never runs guest code. The proxy's target has the same keys as
// the namespace, because the host compares the target's keys with the handler's results.

import { type Binding, uninitialized } from "../bindings.ts";
import { throwError } from "../guest-throw.ts";
import { brand, type GuestObject, type Slots } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";

/** Creates a module's namespace. */
export function createNamespace(realm: Realm, exports: ReadonlyMap<string, Binding>): GuestObject {
  realm.meter.allocate(160 + 64 * exports.size);
  const target = Object.create(null) as GuestObject;
  for (const name of [...exports.keys()].sort()) {
    Object.defineProperty(target, name, { value: undefined, writable: true, enumerable: true, configurable: false });
  }
  Object.defineProperty(target, Symbol.toStringTag, { value: "Module" });
  const handler = namespaceHandler(exports);
  return brand(new Proxy(Object.preventExtensions(target), handler), namespaceSlots);
}

const namespaceSlots: Slots = { type: "module-namespace" };

function namespaceHandler(exports: ReadonlyMap<string, Binding>): ProxyHandler<GuestObject> {
  const read = (name: string, { value }: Binding): unknown =>
    value === uninitialized
      ? throwError("ReferenceError", `cannot access "${name}" before its declaration has run`)
      : value;
  const handler: ProxyHandler<GuestObject> = {
    get(target, key) {
      const binding = typeof key === "string" ? exports.get(key) : undefined;
      return binding ? read(String(key), binding) : Reflect.get(target, key);
    },
    getOwnPropertyDescriptor(target, key) {
      const descriptor = Reflect.getOwnPropertyDescriptor(target, key);
      const binding = typeof key === "string" ? exports.get(key) : undefined;
      return descriptor && binding ? { ...descriptor, value: read(String(key), binding) } : descriptor;
    },
    set: () => false,
    defineProperty(target, key, descriptor) {
      const own = handler.getOwnPropertyDescriptor?.(target, key);
      return own !== undefined && isSame(own, descriptor);
    },
    setPrototypeOf: (_target, prototype) => prototype === null,
  };
  return Object.setPrototypeOf(handler, null);
}

/** Says whether defining this property would change nothing. */
function isSame(own: PropertyDescriptor, wanted: PropertyDescriptor): boolean {
  if ("get" in wanted || "set" in wanted) return false;
  if ("value" in wanted && !Object.is(wanted.value, own.value)) return false;
  const flags = ["writable", "enumerable", "configurable"] as const;
  return flags.every((flag) => !(flag in wanted) || wanted[flag] === own[flag]);
}
