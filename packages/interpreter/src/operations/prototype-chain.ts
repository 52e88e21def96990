// Limits the length of prototype chains. If a property does not exist, the host searches the whole
// chain for it, and nothing can interrupt the search. So chains must be short. The search in the
// host ends at a proxy. The objects behind the proxy are counted when its traps run.

import { throwRangeError } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import { chargeGuest, currentMeter } from "../limits.ts";
import { proxyState } from "../slots/proxy.ts";
import { getPrototypeOf } from "./property.ts";

const maxChainLength = 1_000;

/**
 * For each object that is a prototype: the length of the longest chain of objects that inherit from
 * it.
 */
const heights = new WeakMap<GuestObject, number>();

/**
 * Checks that an object may get this prototype. If `object` is null, checks that a new object may
 * have it.
 *
 * @throws a guest RangeError when the chain would be too long
 */
export function requireShortChain(object: GuestObject | null, prototype: GuestObject | null): void {
  let height = (object && heights.get(object)) ?? 0;
  for (let link = prototype; link !== null; link = getPrototypeOf(link)) {
    height++;
    if (height > maxChainLength) {
      chargeGuest(maxChainLength);
      throwRangeError(`a prototype chain of more than ${maxChainLength} objects is too long`);
    }
    if (proxyState(link) !== undefined || (heights.get(link) ?? 0) >= height) return;
    heights.set(link, height);
    chargeGuest(1);
    currentMeter()?.noteChain(height);
  }
}
