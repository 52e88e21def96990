// The global `performance`: measures time on the session's clock, from the start of the session.

import type { GuestObject } from "../../guest-value.ts";
import { counted, defineAccessors, defineMethods, defineTag } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";

/** The built-in `performance`. */
export const performanceFamily: IntrinsicFamily = { intrinsics: [], globals: ["performance"], make: makePerformance };

function makePerformance(realm: Realm): MadeFamily {
  const performance: GuestObject = realm.newObject();
  defineMethods(realm, performance, {
    now: counted(() => realm.surroundings.now() - realm.surroundings.timeOrigin),
  });
  defineAccessors(realm, performance, { timeOrigin: counted(() => realm.surroundings.timeOrigin) });
  defineTag(performance, "Performance");
  return { intrinsics: {}, globals: { performance } };
}
