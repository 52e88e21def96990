// The closures that read `object[key]` and those that create objects. Most programs spend much of
// their time in them.

import type { Frame } from "../frame.ts";
import type { InstanceSite } from "../function-object.ts";
import type { GuestObject } from "../guest-value.ts";
import { longKey } from "../operations/conversion.ts";
import type { Evaluate } from "./context.ts";
import type { ObjectOperand } from "./generated/property-sites.gen.ts";

/**
 * Compiles `object[key]`. If object and key are both variables of the frame, as in most loops, the
 * closure is shorter. `slow` handles values that are not objects, and keys that must be converted
 * first.
 */
export function computedRead(
  { slot, evaluate: object }: ObjectOperand,
  { slot: keySlot, evaluate: key }: ObjectOperand,
  slow: (value: unknown, property: unknown, frame: Frame) => unknown,
): Evaluate {
  if (slot !== 0 && keySlot !== 0) {
    return (frame) => {
      const value = frame[slot];
      const property = frame[keySlot];
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

/**
 * Creates an object with the given properties. Objects with the same list of keys are created by
 * the same host constructor.
 */
export function plainObject(
  Site: InstanceSite,
  keys: readonly string[],
  values: readonly Evaluate[],
): (frame: Frame) => GuestObject {
  const [firstKey, secondKey, thirdKey] = keys as [string, string, string]; // a key is used only if it exists
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
          object[keys[index] as string] = (values[index] as Evaluate)(frame); // `index` is less than both lengths
        }
        return object;
      };
  }
}
