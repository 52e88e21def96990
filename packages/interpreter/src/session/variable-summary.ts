// Describes a variable briefly: its type in TypeScript's terms, its size, and a short preview. Runs
// no guest code.

import type { VariableSummary } from "@smolts/protocol";
import { functionSlots } from "../function-object.ts";
import { type GuestObject, isObject, slotsOfKind } from "../guest-value.ts";
import { ownKeysUnlessMany } from "../operations/counted-keys.ts";
import { promiseSlots } from "../operations/promise.ts";
import { getOwnProperty } from "../operations/property.ts";
import { constructorName } from "../print/describe-object.ts";
import { quoteKey } from "../print/quote.ts";
import { textAfterEnd } from "../print/text-after-end.ts";
import type { Realm } from "../realm/realm.ts";
import { MapSlots } from "../slots/map.ts";
import { proxyState } from "../slots/proxy.ts";
import { SetSlots } from "../slots/set.ts";
import { typedArrayKind, typedArrayLength } from "../slots/typed-array.ts";

const maxPreviewLength = 100;
const maxOperationsOfPreview = 200_000;
const maxNameLength = 40;
const maxKeys = 8;
const maxElements = 20;
const maxTypeDepth = 2;
// The types of elements are described down to this depth. Without this limit, nested lists that
// each contain the next list twice would take exponential time. The limits on programs do not apply
// to this work, so they would not stop it.
const maxElementDepth = 3;

/** Describes a variable. This work does not count against any limit. */
export function summarizeVariable(realm: Realm, name: string, value: unknown, hasPreview: boolean): VariableSummary {
  const size = sizeOf(value);
  return {
    name,
    type: typeOf(realm, value, 0),
    ...(size === undefined ? {} : { size }),
    preview: hasPreview ? previewOf(realm, value) : "",
  };
}

function previewOf(realm: Realm, value: unknown): string {
  const options = { depth: 2, maxItems: 5, maxStringLength: maxPreviewLength };
  const text = textAfterEnd(realm, value, maxOperationsOfPreview, options).replace(/\s*\n\s*/g, " ");
  return text.length > maxPreviewLength ? `${text.slice(0, maxPreviewLength)}...` : text;
}

function sizeOf(value: unknown): number | undefined {
  if (typeof value === "string") return value.length;
  if (!isObject(value) || functionSlots(value) || proxyState(value)) return undefined;
  if (Array.isArray(value)) return value.length;
  const size = slotsOfKind(value, MapSlots)?.entries.size ?? slotsOfKind(value, SetSlots)?.values.size;
  if (size !== undefined) return size;
  if (typedArrayKind(value) !== undefined) return typedArrayLength(value);
  return constructorName(value) === "Object" ? ownKeysUnlessMany(value)?.length : undefined;
}

function typeOf(realm: Realm, value: unknown, depth: number): string {
  if (value === null) return "null";
  if (!isObject(value)) return typeof value;
  if (functionSlots(value)) return functionSlots(value)?.code.isClass ? "class" : "function";
  if (proxyState(value)) return "object";
  if (Array.isArray(value)) return arrayType(realm, value, depth);
  const promise = promiseSlots(value);
  if (promise)
    return promise.state === "fulfilled" ? `Promise<${typeOf(realm, promise.result, depth + 1)}>` : "Promise<unknown>";
  const map = slotsOfKind(value, MapSlots);
  if (map)
    return `Map<${elementType(realm, map.entries.keys(), depth)}, ${elementType(realm, map.entries.values(), depth)}>`;
  const set = slotsOfKind(value, SetSlots);
  if (set) return `Set<${elementType(realm, set.values, depth)}>`;
  const name = constructorName(value);
  if (name !== undefined && name !== "Object") return name.slice(0, maxNameLength);
  return depth >= maxTypeDepth ? "object" : objectType(realm, value, depth);
}

function arrayType(realm: Realm, array: GuestObject & readonly unknown[], depth: number): string {
  const elements: unknown[] = [];
  for (let index = 0; index < Math.min(array.length, maxElements); index++) {
    elements.push(getOwnProperty(array, index)?.value);
  }
  const type = elementType(realm, elements, depth);
  return type.includes(" | ") ? `(${type})[]` : `${type}[]`;
}

/**
 * Returns the types of the first elements as a union; `unknown` if there are more than three types,
 * or if the elements are nested too deeply.
 */
function elementType(realm: Realm, elements: Iterable<unknown>, depth: number): string {
  if (depth >= maxElementDepth) return "unknown";
  const types = new Set<string>();
  let count = 0;
  for (const element of elements) {
    if (count++ >= maxElements) break;
    types.add(typeOf(realm, element, depth + 1));
  }
  return types.size === 0 || types.size > 3 ? "unknown" : [...types].join(" | ");
}

function objectType(realm: Realm, object: GuestObject, depth: number): string {
  const keys = ownKeysUnlessMany(object)?.filter((key) => typeof key === "string");
  if (!keys) return "object";
  const fields = keys.slice(0, maxKeys).map((key) => {
    const descriptor = getOwnProperty(object, key);
    const type = descriptor?.get ? "unknown" : typeOf(realm, descriptor?.value, depth + 1);
    return `${quoteKey(key).slice(0, maxNameLength)}: ${type}`;
  });
  if (keys.length > maxKeys) fields.push(`... ${keys.length - maxKeys} more`);
  return fields.length === 0 ? "{}" : `{ ${fields.join("; ")} }`;
}
