// How long prototype chains may get. The host walks the whole chain for each property that is not
// found, in one act that nothing can interrupt, so a chain must stay short. Proxies end it here:
// what goes on behind one is counted by its traps.

import { throwRangeError } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import { chargeTurn } from "../limits.ts";
import { getPrototypeOf } from "./property.ts";
import { proxyState } from "./proxy.ts";

const longestChain = 1_000;

/** How many objects there are at most in a chain below one that serves as a prototype. */
const heights = new WeakMap<GuestObject, number>();

/**
 * Checks that an object may get a prototype, or that one can be made with it where `object` is
 * null.
 *
 * @throws a guest RangeError when the chain would be too long
 */
export function requireShortChain(object: GuestObject | null, prototype: GuestObject | null): void {
  let height = (object && heights.get(object)) ?? 0;
  for (let link = prototype; link !== null; link = getPrototypeOf(link)) {
    height++;
    if (height > longestChain) {
      chargeTurn(longestChain);
      throwRangeError(`a prototype chain of more than ${longestChain} objects is too long`);
    }
    if (proxyState(link) !== undefined || (heights.get(link) ?? 0) >= height) return;
    heights.set(link, height);
    chargeTurn(1);
  }
}
