// A value by type and size. What a run is given as a variable may be large, so the model is told what it is and reads it by code or hands it on.

import type { LanguageWords } from "../languages/code-language.ts";

/** What a value is, such as `{ id: number }[] (100 elements)`; a small one is shown too. */
export function describeValue(value: unknown, { shape, preview }: LanguageWords): string {
  const size = sizeOf(value);
  const shown = preview(value);
  return [shape(value), ...(size === null ? [] : [`(${size})`]), ...(shown === null ? [] : [`= ${shown}`])].join(" ");
}

function sizeOf(value: unknown): string | null {
  if (typeof value === "string") return counted(value.length, "character");
  if (Array.isArray(value)) return counted(value.length, "element");
  if (value instanceof Uint8Array) return counted(value.length, "byte");
  if (value instanceof Map || value instanceof Set) return counted(value.size, "entry", "entries");
  return null;
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
