// Lays out the parts of a printed object: on one line if they are few and short, and otherwise each
// on its own line.

import { alignInColumns, type List } from "./columns.ts";

/** The printed parts of an object. */
export interface Parts {
  /** The text before the bracket, such as `Map(2)`, or the whole text, such as `[Function: f]`. */
  readonly head: string;
  /**
   * Whether the head is a complete description of the object. Then the brackets enclose only
   * additional properties.
   */
  readonly isHeadAlone?: boolean;
  /** The brackets. Both are empty if the object is described by its head and has no entries. */
  readonly brackets: readonly [open: string, close: string];
  readonly entries: readonly string[];
  /** Facts about entries that may be printed in columns, such as array elements. */
  readonly list?: List | undefined;
}

// The width of a line, and how many levels of nesting one line may contain, as in Node.
const lineWidth = 80;
const levelsOnOneLine = 3;

/**
 * Combines the parts into the text of an object.
 *
 * @param level - how deep the object is nested, 0-based; decides the indentation
 * @param levelsInside - how many levels are nested in the last of its entries
 */
export function layOut(parts: Parts, level: number, levelsInside: number): string {
  const { head, brackets, entries } = parts;
  const [open, close] = brackets;
  const start = head === "" ? open : `${head} ${open}`;
  if (entries.length === 0) return start + close;
  const lines = parts.list ? alignInColumns(entries, parts.list, 2 * level) : entries;
  const mayShare = levelsInside < levelsOnOneLine && lines === entries;
  if (mayShare && fitsOnLine(parts, start, level)) return `${start} ${entries.join(", ")} ${close}`;
  const indent = "  ".repeat(level);
  return `${start}\n${indent}  ${lines.join(`,\n${indent}  `)}\n${indent}${close}`;
}

function fitsOnLine({ entries, isHeadAlone }: Parts, start: string, level: number): boolean {
  if (start.includes("\n")) return false;
  let width = start.length - (isHeadAlone ? 1 : 0) + entries.length * 2 + level * 2 + 10;
  for (const entry of entries) {
    width += entry.length;
    if (width > lineWidth || entry.includes("\n")) return false;
  }
  return true;
}
