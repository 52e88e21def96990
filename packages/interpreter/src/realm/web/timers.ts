// setTimeout and setInterval. The session's clock decides when a timer is due; see guest-clock.ts.
// Waiting for a timer takes no real time.

import { throwTypeError } from "../../guest-throw.ts";
import type { GuestObject } from "../../guest-value.ts";
import { callWith, isCallable } from "../../operations/call.ts";
import { toNumber } from "../../operations/conversion.ts";
import { brief, counted, defineMethods, withLength } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";

const names = ["setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate"] as const;

/** The built-ins setTimeout and setInterval, and the functions that clear timers. */
export const timersFamily: IntrinsicFamily = { intrinsics: [], globals: names, make: makeTimers };

// The maximum delay, as in browsers and Node. A longer delay does not fit into 32 bits.
const maxDelayMs = 2 ** 31 - 1;

function makeTimers(realm: Realm): MadeFamily {
  const clear = withLength(1, (_thisValue, id) => {
    if (id !== undefined) realm.surroundings.clearTimer(toNumber(id));
  });
  const holder = defineMethods(realm, realm.newObject(), {
    setTimeout: counted(
      withLength(1, (_thisValue, callback, delay, ...args) => setTimer(realm, "setTimeout", callback, delay, args)),
    ),
    setInterval: counted(
      withLength(1, (_thisValue, callback, delay, ...args) => setTimer(realm, "setInterval", callback, delay, args)),
    ),
    setImmediate: counted(
      withLength(1, (_thisValue, callback, ...args) => setTimer(realm, "setImmediate", callback, 0, args)),
    ),
    clearTimeout: brief(clear),
    clearInterval: brief(clear),
    clearImmediate: brief(clear),
  });
  return { intrinsics: {}, globals: Object.fromEntries(names.map((name) => [name, holder[name]])) };
}

function setTimer(realm: Realm, name: string, callback: unknown, delay: unknown, args: readonly unknown[]): number {
  if (!isCallable(callback)) return throwTypeError(`${name} needs a function; write ${name}(() => ..., milliseconds)`);
  const repeats = name === "setInterval";
  realm.meter.charge(1);
  realm.meter.allocate(200 + 12 * args.length);
  return realm.surroundings.setTimer({
    delayMs: delayOf(delay),
    repeats,
    calls: callback,
    run: () => run(callback, args),
  });
}

function run(callback: GuestObject, args: readonly unknown[]): void {
  callWith(callback, undefined, args);
}

function delayOf(delay: unknown): number {
  const number = delay === undefined ? 0 : Math.trunc(toNumber(delay));
  return number >= 0 && number <= maxDelayMs ? number : 0;
}
