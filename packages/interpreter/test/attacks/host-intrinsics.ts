// The state of the host that no attack may change: every property of its built-ins.

/** The properties of the host's built-ins at one moment. */
export type HostIntrinsics = ReadonlyMap<object, ReadonlyMap<PropertyKey, PropertyDescriptor>>;

const constructors: readonly object[] = [
  ...[Object, Function, Array, String, Number, Boolean, Symbol, BigInt, Error, TypeError, RangeError, RegExp, Date],
  ...[Promise, Map, Set, WeakMap, WeakSet, WeakRef, ArrayBuffer, DataView, Uint8Array, Float64Array, Proxy],
  ...[(async () => {}).constructor, function* () {}.constructor, async function* () {}.constructor],
].flatMap((constructor) => [constructor, constructor.prototype ?? {}]);
const roots = [...constructors, globalThis, Math, JSON, Reflect, Object.getPrototypeOf([].values())];

// Node changes the global object when these globals are first read. That is not an attack, so each
// global is read once before the comparison.
for (const name of ["fetch", "Request", "WebSocket"]) Reflect.get(globalThis, name);

/** Records the properties of the host's built-ins. */
export function intrinsicsOfHost(): HostIntrinsics {
  return new Map(roots.map((root) => [root, descriptorsOf(root)]));
}

/** Returns a text for each property that has changed since `before` was recorded. */
export function changesSince(before: HostIntrinsics): string[] {
  return [...before].flatMap(([root, old]) => {
    const now = descriptorsOf(root);
    const keys = new Set([...old.keys(), ...now.keys()]);
    return [...keys]
      .filter((key) => !isLazyGlobal(root, old.get(key)) && !isSame(old.get(key), now.get(key)))
      .map((key) => `${String(key)} of an object of the host changed`);
  });
}

const descriptorsOf = (root: object): ReadonlyMap<PropertyKey, PropertyDescriptor> =>
  new Map(Reflect.ownKeys(root).map((key) => [key, Reflect.getOwnPropertyDescriptor(root, key) ?? {}]));

/** Says whether a property may be a global that is created lazily, at its first use. */
const isLazyGlobal = (root: object, old: PropertyDescriptor | undefined): boolean =>
  root === globalThis && old?.get !== undefined;

const isSame = (one: PropertyDescriptor | undefined, other: PropertyDescriptor | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  Object.is(one.value, other.value) &&
  one.get === other.get &&
  one.set === other.set &&
  one.writable === other.writable &&
  one.configurable === other.configurable;
