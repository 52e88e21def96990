// How the parts of a printed object are laid out: on one line when they are few and short, else one
// below the other.

import { alignInColumns, type List } from "./columns.ts";

/** An object that is to be printed. */
export interface Parts {
  /** Before the bracket, such as `Map(2)`; or all there is to say, such as `[Function: f]`. */
  readonly head: string;
  /**
   * Whether the head says something by itself, so that the bracket only opens what is said besides.
   */
  readonly isHeadAlone?: boolean;
  /** The brackets; none when the head stands alone unless there are entries. */
  readonly brackets: readonly [open: string, close: string];
  readonly entries: readonly string[];
  /** Set for entries that may be printed in columns, such as array elements. */
  readonly list?: List | undefined;
}

// As in Node: so wide is a line, and so many levels may stand on one.
const lineWidth = 80;
const levelsOnOneLine = 3;

/**
 * Joins the parts.
 *
 * @param level - how deep the object stands, 0-based; decides the indentation
 * @param levelsInside - how many levels the last thing inside it has
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
