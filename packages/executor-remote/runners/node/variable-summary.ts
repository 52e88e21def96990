import { inspect } from "node:util";
import type { VariableSummary } from "@smolts/protocol";

const longestPreview = 80;
const sampled = 20;
const mostKeys = 6;

/** A variable, described and not dumped. */
export function variableSummary(name: string, value: unknown, hasPreview: boolean): VariableSummary {
  const size = sizeOf(value);
  return {
    name,
    type: typeText(value, 0),
    ...(size === undefined ? {} : { size }),
    preview: hasPreview ? preview(value) : "",
  };
}

function sizeOf(value: unknown): number | undefined {
  if (typeof value === "string" || Array.isArray(value) || ArrayBuffer.isView(value)) {
    return (value as { readonly length?: number }).length;
  }
  return value instanceof Map || value instanceof Set ? value.size : undefined;
}

function typeText(value: unknown, depth: number): string {
  if (value === null) return "null";
  if (typeof value === "function")
    return /^class\b/.test(Function.prototype.toString.call(value)) ? "class" : "function";
  if (typeof value !== "object") return typeof value;
  if (depth > 2) return "object";
  if (Array.isArray(value)) return arrayType(union(value.slice(0, sampled), depth + 1));
  if (value instanceof Map) {
    const entries = [...value].slice(0, sampled);
    return `Map<${union(
      entries.map(([key]) => key),
      depth + 1,
    )}, ${union(
      entries.map(([, entry]) => entry),
      depth + 1,
    )}>`;
  }
  if (value instanceof Set) return `Set<${union([...value].slice(0, sampled), depth + 1)}>`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value.constructor?.name || "object";
  const keys = Object.keys(value);
  const shown = keys.slice(0, mostKeys).map((key) => `${key}: ${typeText(Reflect.get(value, key), depth + 1)}`);
  return keys.length === 0 ? "object" : `{ ${[...shown, ...(keys.length > mostKeys ? ["..."] : [])].join("; ")} }`;
}

const union = (values: readonly unknown[], depth: number): string =>
  [...new Set(values.map((value) => typeText(value, depth)))].join(" | ") || "unknown";

const arrayType = (element: string): string => (/[ |]/.test(element) ? `(${element})[]` : `${element}[]`);

function preview(value: unknown): string {
  const text = inspect(value, {
    depth: 2,
    maxArrayLength: 10,
    maxStringLength: longestPreview,
    breakLength: Number.POSITIVE_INFINITY,
  });
  return text.length > longestPreview ? `${text.slice(0, longestPreview)}...` : text;
}
