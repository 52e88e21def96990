// The constructor Proxy. The behaviour of proxies is in operations/proxy.ts.

import { throwTypeError } from "../../guest-throw.ts";
import { createDataPropertyOrThrow, getOwnProperty } from "../../operations/property.ts";
import { proxyCreate } from "../../operations/proxy.ts";
import { proxyState } from "../../slots/proxy.ts";
import { defineHidden } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";

/** The built-in Proxy. */
export const proxyFamily: IntrinsicFamily = { intrinsics: [], globals: ["Proxy"], make: makeProxy };

function makeProxy(realm: Realm): MadeFamily {
  const proxy = realm.newNativeFunction("Proxy", 2, null, {
    nativeConstruct: (_newTarget, target, handler) => proxyCreate(realm, target, handler),
    isClass: true,
  });
  const revocable = realm.newNativeFunction("revocable", 2, (_thisValue, target, handler) => {
    const made = proxyCreate(realm, target, handler);
    const result = realm.newObject();
    createDataPropertyOrThrow(result, "proxy", made);
    createDataPropertyOrThrow(
      result,
      "revoke",
      realm.newNativeFunction("", 0, () => revoke(made), { held: [made] }),
    );
    return result;
  });
  getOwnProperty(proxy, "length"); // this read defines `length` and `name`, which must be the first properties
  defineHidden(proxy, "revocable", revocable);
  return { intrinsics: {}, globals: { Proxy: proxy } };
}

function revoke(proxy: object): void {
  const state = proxyState(proxy);
  if (!state) return throwTypeError("there is no proxy to revoke");
  state.target = null;
  state.handler = null;
}
