/** The maximum number of objects to visit. A result may be huge, but it has few promises. */
const maxObjects = 10_000;

/**
 * Ignores the rejections of all promises inside a value that is dropped. No other code can handle
 * them, and Node ends the process if a promise rejects without a handler.
 */
export function ignoreRejections(value: unknown): void {
  const seen = new Set<object>();
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    if (seen.size >= maxObjects) return;
    seen.add(next);
    try {
      if (next instanceof Promise) next.catch(() => {});
      else for (const part of partsOf(next)) waiting.push(part);
    } catch {
      // The traps of a proxy can throw. In that case its parts are not visited.
    }
  }
}

/** Returns the values in an object. Getters are not called, because they could have effects. */
function partsOf(object: object): readonly unknown[] {
  if (ArrayBuffer.isView(object)) return [];
  if (object instanceof Map) return [...object].flat();
  if (object instanceof Set) return [...object];
  const keys = Reflect.ownKeys(object).slice(0, maxObjects);
  return keys.map((key) => Reflect.getOwnPropertyDescriptor(object, key)?.value);
}
