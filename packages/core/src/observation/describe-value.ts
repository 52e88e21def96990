// Describes a value by type and size. A run's variables may be large, so the model sees a description and reads the value by code or passes it on.

import type { LanguageWords } from "../languages/code-language.ts";

/** The type and size of a value, such as `{ id: number }[] (100 elements)`; a small one is shown too. */
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
