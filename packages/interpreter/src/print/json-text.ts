// Formats data as JSON, for `%j` in printed text. Like all printing, this runs no getter, proxy
// trap or `toJSON` of the program. Dates have their usual JSON form.

import { type GuestObject, isObject, slotsOf } from "../guest-value.ts";
import { isCallable } from "../operations/call.ts";
import { PrimitiveSlots } from "../operations/conversion.ts";
import { enumerableOwnKeys } from "../operations/counted-keys.ts";
import { getOwnProperty } from "../operations/property.ts";
import type { Realm } from "../realm/realm.ts";
import { DateSlots } from "../slots/date.ts";
import { proxyState } from "../slots/proxy.ts";
import { inspect } from "./inspect.ts";

// The bytes of one piece of text in a list that is joined later: the text, and its entry in the
// list.
const bytesOfPart = 40;
// The maximum nesting depth that is shown. Deeper values are shown in the same way as circular
// ones.
const maxLevels = 500;

/**
 * Returns the JSON of a value; `undefined` for values without JSON, and `[Circular]` for an object
 * that contains itself.
 */
export function jsonText(realm: Realm, value: unknown): string {
  try {
    return String(textOf(realm, value, new Set()));
  } catch (error) {
    if (error instanceof CircularError) return "[Circular]";
    throw error;
  }
}

class CircularError extends Error {}

function textOf(realm: Realm, value: unknown, around: Set<GuestObject>): string | undefined {
  realm.meter.charge(1);
  if (typeof value === "bigint") return inspect(realm, value);
  if (typeof value === "string") realm.meter.charge(value.length >>> 4);
  if (!isObject(value)) return typeof value === "symbol" ? undefined : counted(realm, JSON.stringify(value));
  if (isCallable(value)) return undefined;
  if (proxyState(value)) return "{}";
  const slots = slotsOf(value);
  if (slots instanceof PrimitiveSlots) return textOf(realm, slots.value, around);
  if (slots instanceof DateSlots)
    return Number.isNaN(slots.time) ? "null" : JSON.stringify(new Date(slots.time).toISOString());
  if (around.has(value) || around.size >= maxLevels) throw new CircularError();
  around.add(value);
  const text = Array.isArray(value) ? arrayText(realm, value, around) : objectText(realm, value, around);
  around.delete(value);
  return text;
}

function arrayText(realm: Realm, array: GuestObject & readonly unknown[], around: Set<GuestObject>): string {
  const parts: string[] = [];
  for (let index = 0; index < array.length; index++) {
    realm.meter.charge(1);
    realm.meter.allocate(bytesOfPart);
    parts.push(textOf(realm, getOwnProperty(array, index)?.value, around) ?? "null");
  }
  return counted(realm, `[${parts.join(",")}]`) ?? "";
}

function objectText(realm: Realm, object: GuestObject, around: Set<GuestObject>): string {
  const parts: string[] = [];
  for (const key of enumerableOwnKeys(realm, object)) {
    realm.meter.charge(1);
    realm.meter.allocate(bytesOfPart);
    const text = textOf(realm, getOwnProperty(object, key)?.value, around);
    if (text !== undefined) parts.push(`${JSON.stringify(key)}:${text}`);
  }
  return counted(realm, `{${parts.join(",")}}`) ?? "";
}

function counted(realm: Realm, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  realm.meter.charge(text.length >>> 4);
  realm.meter.allocate(2 * text.length);
  return text;
}
