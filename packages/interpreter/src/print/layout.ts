// How the parts of a printed object are laid out: on one line when they are few and short, else one below the other.

/** An object that is to be printed. */
export interface Parts {
  /** Before the bracket, such as `Map(2)`; or all there is to say, such as `[Function: f]`. */
  readonly head: string;
  /** The brackets; none when the head stands alone unless there are entries. */
  readonly brackets: readonly [open: string, close: string];
  readonly entries: readonly string[];
  /** Whether short entries may share lines, as the elements of arrays do. */
  readonly isList: boolean;
}

// As in Node: so wide is a line, and so many levels may stand on one.
const lineWidth = 80;
const levelsOnOneLine = 3;
const listMinimum = 6;

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
  if (levelsInside < levelsOnOneLine && fitsOnLine(parts, level)) return `${start} ${entries.join(", ")} ${close}`;
  const indent = "  ".repeat(level);
  const lines = parts.isList && entries.length > listMinimum ? shareLines(entries, level) : entries;
  if (lines.length === 1 && levelsInside < levelsOnOneLine) return `${start} ${lines[0]} ${close}`;
  return `${start}\n${indent}  ${lines.join(`,\n${indent}  `)}\n${indent}${close}`;
}

function fitsOnLine({ head, brackets, entries }: Parts, level: number): boolean {
  let width = head.length + brackets[0].length + entries.length * 2 + level * 2 + 10;
  for (const entry of entries) {
    width += entry.length;
    if (width > lineWidth || entry.includes("\n")) return false;
  }
  return true;
}

/** Fills lines with as many entries as they hold; entries of several lines stand alone. */
function shareLines(entries: readonly string[], level: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const entry of entries) {
    const isAlone = entry.includes("\n") || line.includes("\n");
    if (line !== "" && !isAlone && level * 2 + line.length + entry.length + 4 <= lineWidth) {
      line += `, ${entry}`;
    } else {
      if (line !== "") lines.push(line);
      line = entry;
    }
  }
  return [...lines, line];
}
