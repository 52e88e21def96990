// Shows a place in a program to people: line, column, the line itself and a caret.

import type { Position } from "../guest-throw.ts";

// The maximum length of a line that is shown completely. From a longer line, as in minified code,
// only this many characters around the column are shown.
const maxLineLength = 160;
const shownBefore = 60;
const shownAfter = 40;

/** A line and column, both 1-based. */
export interface LineAndColumn {
  readonly line: number;
  readonly column: number;
}

/** Returns the line and column of an offset. */
export function lineAndColumn(text: string, offset: number): LineAndColumn {
  const lines = text.slice(0, offset).split(lineEnd);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

/**
 * Returns `line 3, column 5` and, below it, the source line with a caret under the column. `where`
 * names the program if it is not the current one.
 */
export function excerpt({ source, offset }: Position, where: string = ""): string {
  const { line, column } = lineAndColumn(source.text, offset);
  const text = source.text.split(lineEnd)[line - 1] ?? "";
  const { shown, caret } = partAround(text.trimEnd(), column - 1);
  const indent = shown.length - shown.trimStart().length;
  // Tabs are kept, so that the caret is under the right column for every tab width.
  const gap = shown.slice(indent, caret).replace(/[^\t]/g, " ");
  return `line ${line}, column ${column}${where}:\n  ${shown.slice(indent)}\n  ${gap}^`;
}

/** Returns the visible part of a line, and the column of the caret in it. */
function partAround(text: string, caret: number): { readonly shown: string; readonly caret: number } {
  if (text.length <= maxLineLength) return { shown: text, caret };
  const start = Math.max(0, caret - shownBefore);
  const end = Math.min(text.length, caret + shownAfter);
  const before = start > 0 ? "... " : "";
  const after = end < text.length ? " ..." : "";
  return { shown: `${before}${text.slice(start, end)}${after}`, caret: before.length + caret - start };
}

const lineEnd = /\r\n|[\n\r\u2028\u2029]/;
