// The closures that read `object[key]` and that make objects: most programs spend much of their
// time in them.

import type { Frame } from "../frame.ts";
import type { InstanceSite } from "../function-object.ts";
import type { GuestObject } from "../guest-value.ts";
import { longKey } from "../operations/conversion.ts";
import type { Evaluate } from "./context.ts";

/**
 * `object[key]`; `slow` reads from values that are not objects, and with keys that are not property
 * keys yet.
 */
export function computedRead(
  object: Evaluate,
  key: Evaluate,
  slow: (value: unknown, property: unknown, frame: Frame) => unknown,
): Evaluate {
  return (frame) => {
    const value = object(frame);
    const property = key(frame);
    if (
      typeof value === "object" &&
      value !== null &&
      (typeof property === "number" || (typeof property === "string" && property.length <= longKey))
    ) {
      return (value as GuestObject)[property];
    }
    return slow(value, property, frame);
  };
}

/** An object with the given properties, made by a host constructor of its own. */
export function plainObject(
  Site: InstanceSite,
  keys: readonly string[],
  values: readonly Evaluate[],
): (frame: Frame) => GuestObject {
  const [firstKey, secondKey, thirdKey] = keys as [string, string, string]; // these are read only where there are so many
  const [first, second, third] = values as [Evaluate, Evaluate, Evaluate];
  switch (keys.length) {
    case 1:
      return (frame) => {
        const object = new Site();
        object[firstKey] = first(frame);
        return object;
      };
    case 2:
      return (frame) => {
        const object = new Site();
        object[firstKey] = first(frame);
        object[secondKey] = second(frame);
        return object;
      };
    case 3:
      return (frame) => {
        const object = new Site();
        object[firstKey] = first(frame);
        object[secondKey] = second(frame);
        object[thirdKey] = third(frame);
        return object;
      };
    default:
      return (frame) => {
        const object = new Site();
        for (let index = 0; index < keys.length; index++) {
          object[keys[index] as string] = (values[index] as Evaluate)(frame); // the index is below both lengths
        }
        return object;
      };
  }
}
