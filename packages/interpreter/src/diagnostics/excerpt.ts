// The place in a program as people see it: line, column, the line itself and a caret.

import type { Position } from "../guest-throw.ts";

// Minified code has lines of any length; so much is shown around the column.
const shownBefore = 60;
const shownAfter = 40;

/** A line and column, both 1-based. */
export interface LineAndColumn {
  readonly line: number;
  readonly column: number;
}

/** Where an offset stands. */
export function lineAndColumn(text: string, offset: number): LineAndColumn {
  const lines = text.slice(0, offset).split(lineEnd);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

/** `line 3, column 5` and, below it, the source line with a caret under the column. `where` names another program than the present one. */
export function excerpt({ source, offset }: Position, where: string = ""): string {
  const { line, column } = lineAndColumn(source.text, offset);
  const text = source.text.split(lineEnd)[line - 1] ?? "";
  const start = Math.max(0, column - 1 - shownBefore);
  const shown = text.slice(start, column - 1 + shownAfter);
  const indent = shown.length - shown.trimStart().length;
  // Tabs stay, so that the caret stands under the column however wide they are shown.
  const gap = shown.slice(indent, column - 1 - start).replace(/[^\t]/g, " ");
  return `line ${line}, column ${column}${where}:\n  ${shown.slice(indent)}\n  ${gap}^`;
}

const lineEnd = /\r\n|[\n\r\u2028\u2029]/;
