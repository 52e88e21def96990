// A value by type and size. What a run is given as a variable may be large, so the model is told what it is and reads it by code or hands it on.

import { shapeText } from "./shape-text.ts";

const shownLength = 100;

/** What a value is, such as `{ id: number }[] (100 elements)`; a small one is shown too. */
export function describeValue(value: unknown): string {
  const size = sizeOf(value);
  const shown = previewOf(value);
  return [shapeText(value), ...(size === null ? [] : [`(${size})`]), ...(shown === null ? [] : [`= ${shown}`])].join(
    " ",
  );
}

function sizeOf(value: unknown): string | null {
  if (typeof value === "string") return counted(value.length, "character");
  if (Array.isArray(value)) return counted(value.length, "element");
  if (value instanceof Uint8Array) return counted(value.length, "byte");
  if (value instanceof Map || value instanceof Set) return counted(value.size, "entry", "entries");
  return null;
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Only of what is small for certain, without writing out what is large. */
function previewOf(value: unknown): string | null {
  if (typeof value === "string") return value.length <= shownLength ? JSON.stringify(value) : null;
  if (typeof value === "bigint") return value < 10n ** 40n && value > -(10n ** 40n) ? `${value}n` : null;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : null;
}
