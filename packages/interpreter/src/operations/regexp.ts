// Making regular expressions: literals do it at each evaluation. The RegExp family (realm/regexp.ts) tells how.

import type { GuestObject } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { construct } from "./call.ts";

/** `/pattern/flags`. */
export function regExpCreate(realm: Realm, pattern: string, flags: string): GuestObject {
  return construct(realm.intrinsic("RegExp"), [pattern, flags]);
}
