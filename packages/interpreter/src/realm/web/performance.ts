// performance: the session's clock, from its start.

import type { GuestObject } from "../../guest-value.ts";
import { counted, defineAccessors, defineMethods, defineTag } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";

/** performance. */
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
