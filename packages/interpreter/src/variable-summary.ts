// A variable, described and not dumped: its type in TypeScript's words, its size, and a short preview. Runs nothing of the guest.

import type { VariableSummary } from "@smolts/protocol";
import { constructorName } from "./describe-object.ts";
import { functionSlots } from "./function-object.ts";
import { type GuestObject, isObject } from "./guest-value.ts";
import { Meter } from "./limits.ts";
import { promiseSlots } from "./operations/promise.ts";
import { getOwnProperty, ownKeys } from "./operations/property.ts";
import { proxyState } from "./operations/proxy.ts";
import { inspect } from "./print/inspect.ts";
import { quoteKey } from "./print/quote.ts";
import type { Realm } from "./realm/realm.ts";

const longestPreview = 100;
const longestName = 40;
const mostKeys = 8;
const mostElements = 20;
const deepestType = 2;

/** Describes a variable. Counted against no limit. */
export function summarizeVariable(realm: Realm, name: string, value: unknown): VariableSummary {
  const size = sizeOf(value);
  return {
    name,
    type: typeOf(realm, value, 0),
    ...(size === undefined ? {} : { size }),
    preview: previewOf(realm, value),
  };
}

function previewOf(realm: Realm, value: unknown): string {
  const meter = new Meter();
  meter.start();
  const text = inspect(realm, value, { depth: 2, maxItems: 5, maxStringLength: longestPreview, meter }).replace(
    /\s*\n\s*/g,
    " ",
  );
  return text.length > longestPreview ? `${text.slice(0, longestPreview)}...` : text;
}

function sizeOf(value: unknown): number | undefined {
  if (typeof value === "string") return value.length;
  if (!isObject(value) || functionSlots(value) || proxyState(value)) return undefined;
  if (Array.isArray(value)) return value.length;
  return constructorName(value) === "Object" ? ownKeys(value).length : undefined;
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
  const name = constructorName(value);
  if (name !== undefined && name !== "Object") return name.slice(0, longestName);
  return depth >= deepestType ? "object" : objectType(realm, value, depth);
}

function arrayType(realm: Realm, array: GuestObject & readonly unknown[], depth: number): string {
  const types = new Set<string>();
  for (let index = 0; index < Math.min(array.length, mostElements); index++) {
    const descriptor = getOwnProperty(array, index);
    types.add(typeOf(realm, descriptor?.value, depth + 1));
  }
  return `${union(types)}[]`;
}

/** Several types as one; more than three say nothing more. */
function union(types: ReadonlySet<string>): string {
  if (types.size === 0 || types.size > 3) return "unknown";
  return types.size === 1 ? [...types].join("") : `(${[...types].join(" | ")})`;
}

function objectType(realm: Realm, object: GuestObject, depth: number): string {
  const keys = ownKeys(object).filter((key) => typeof key === "string");
  const fields = keys.slice(0, mostKeys).map((key) => {
    const descriptor = getOwnProperty(object, key);
    const type = descriptor?.get ? "unknown" : typeOf(realm, descriptor?.value, depth + 1);
    return `${quoteKey(key).slice(0, longestName)}: ${type}`;
  });
  if (keys.length > mostKeys) fields.push(`... ${keys.length - mostKeys} more`);
  return fields.length === 0 ? "{}" : `{ ${fields.join("; ")} }`;
}
