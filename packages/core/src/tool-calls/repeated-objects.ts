// Limits how often the objects of an input are repeated. A validator visits an object once for each
// place that refers to it. If a few dozen objects refer to each other, there can be too many
// visits.

/** How often the objects of an input may occur again after their first occurrence. */
export const maxRepeats = 250_000;

/** Says whether the objects in a value are repeated more often than the limit allows. */
export function isRepeatedTooOften(value: unknown): boolean {
  const seen = new Set<object>();
  let repeats = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null || ArrayBuffer.isView(next)) continue;
    if (seen.has(next) && ++repeats > maxRepeats) return true;
    seen.add(next);
    for (const part of partsOf(next)) waiting.push(part);
  }
  return false;
}

function partsOf(object: object): Iterable<unknown> {
  if (object instanceof Map) return [...object.keys(), ...object.values()];
  return object instanceof Set ? object : Object.values(object);
}
