import { inspect, types } from "node:util";
import type { VariableSummary } from "@smolts/protocol";

// Describes variables without running any code of the program. It is used between blocks, where
// nothing could stop such code.

const maxPreviewLength = 80;
const sampled = 20;
const maxKeys = 6;
const longBigInt = 2n ** 4_096n;

/** Describes a variable by name, type and a short preview. */
export function variableSummary(name: string, value: unknown, hasPreview: boolean): VariableSummary {
  try {
    const size = sizeOf(value);
    return {
      name,
      type: typeText(value, 0),
      ...(size === undefined ? {} : { size }),
      preview: hasPreview ? preview(value) : "",
    };
  } catch {
    // The program has replaced functions that this code needs. Return no preview.
    return { name, type: "object", preview: "" };
  }
}

function sizeOf(value: unknown): number | undefined {
  if (types.isProxy(value)) return undefined;
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  if (types.isTypedArray(value)) return ownMember(typedArrayPrototype, "length")?.get?.call(value) as number;
  if (types.isMap(value)) return ownMember(Map.prototype, "size")?.get?.call(value) as number;
  return types.isSet(value) ? (ownMember(Set.prototype, "size")?.get?.call(value) as number) : undefined;
}

const typedArrayPrototype: object = Object.getPrototypeOf(Uint8Array.prototype);
const ownMember = Object.getOwnPropertyDescriptor;

function typeText(value: unknown, depth: number): string {
  if (value === null) return "null";
  if (types.isProxy(value)) return typeof value;
  if (typeof value === "function")
    return /^class\b/.test(Function.prototype.toString.call(value)) ? "class" : "function";
  if (typeof value !== "object") return typeof value;
  if (depth > 2) return "object";
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) return arrayType(union(ownValues(value, sampled), depth + 1));
  if (types.isMap(value) && prototype === Map.prototype) {
    const entries = [...value].slice(0, sampled);
    return `Map<${union(
      entries.map(([key]) => key),
      depth + 1,
    )}, ${union(
      entries.map(([, entry]) => entry),
      depth + 1,
    )}>`;
  }
  if (types.isSet(value) && prototype === Set.prototype)
    return `Set<${union([...value].slice(0, sampled), depth + 1)}>`;
  if (prototype !== Object.prototype && prototype !== null) return className(prototype);
  const keys = Object.keys(value);
  const shown = keys.slice(0, maxKeys).map((key) => {
    const member = ownMember(value, key);
    return `${key}: ${member && "value" in member ? typeText(member.value, depth + 1) : "unknown"}`;
  });
  return keys.length === 0 ? "object" : `{ ${[...shown, ...(keys.length > maxKeys ? ["..."] : [])].join("; ")} }`;
}

/** Returns the values of an array's first elements, without calling getters. */
function ownValues(array: readonly unknown[], most: number): unknown[] {
  const values: unknown[] = [];
  for (let index = 0; index < Math.min(array.length, most); index++) {
    const member = ownMember(array, index);
    values.push(member && "value" in member ? member.value : undefined);
  }
  return values;
}

function className(prototype: unknown): string {
  if (types.isProxy(prototype)) return "object";
  // The cast is safe: the prototype of an object is an object.
  const maker: unknown = ownMember(prototype as object, "constructor")?.value;
  if (typeof maker !== "function" || types.isProxy(maker)) return "object";
  const name: unknown = ownMember(maker, "name")?.value;
  return typeof name === "string" && name !== "" ? name : "object";
}

const union = (values: readonly unknown[], depth: number): string =>
  [...new Set(values.map((value) => typeText(value, depth)))].join(" | ") || "unknown";

const arrayType = (element: string): string => (/[ |]/.test(element) ? `(${element})[]` : `${element}[]`);

function preview(value: unknown): string {
  // computing its digits would take long
  if (typeof value === "bigint" && (value > longBigInt || value < -longBigInt)) return "";
  const text = inspect(value, {
    depth: 2,
    maxArrayLength: 10,
    maxStringLength: maxPreviewLength,
    breakLength: Number.POSITIVE_INFINITY,
    customInspect: false,
  });
  return text.length > maxPreviewLength ? `${text.slice(0, maxPreviewLength)}...` : text;
}
