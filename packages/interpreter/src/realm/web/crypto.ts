// The global `crypto`: random bytes. They come from the session's seed, so that a replay gets the
// same bytes.

import { throwTypeError } from "../../guest-throw.ts";
import type { GuestObject } from "../../guest-value.ts";
import { bytesOf } from "../../slots/typed-array.ts";
import { counted, defineMethods, defineTag } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { requireTypedArray } from "../typed-array/receiver.ts";

/** The built-in `crypto`. */
export const cryptoFamily: IntrinsicFamily = { intrinsics: [], globals: ["crypto"], make: makeCrypto };

// The maximum number of random bytes for one call, the same as in browsers.
const maxRandomBytes = 65_536;

function makeCrypto(realm: Realm): MadeFamily {
  const crypto: GuestObject = realm.newObject();
  defineMethods(realm, crypto, {
    getRandomValues: counted((_thisValue, array) => {
      const target = requireTypedArray(array, "getRandomValues");
      const bytes = bytesOf(target);
      if (bytes.length > maxRandomBytes) return throwTypeError(`getRandomValues fills at most ${maxRandomBytes} bytes`);
      realm.meter.charge(bytes.length);
      for (let index = 0; index < bytes.length; index++) bytes[index] = randomByte(realm);
      return target;
    }),
    randomUUID: counted(() => randomUuid(realm)),
  });
  defineTag(crypto, "Crypto");
  return { intrinsics: {}, globals: { crypto } };
}

function randomByte(realm: Realm): number {
  return Math.floor(realm.surroundings.random() * 256);
}

/** Returns a UUID of version 4. */
function randomUuid(realm: Realm): string {
  realm.meter.charge(200);
  realm.meter.allocate(80);
  const bytes = Array.from({ length: 16 }, () => randomByte(realm));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const text = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [0, 8, 12, 16, 20].map((start, index, starts) => text.slice(start, starts[index + 1])).join("-");
}
