// Prints many short array elements in columns, like Node, so that a matrix or a list of numbers is
// easy to read. A row has about two and a half times as many characters as there are rows.

/** Facts about a list that decide how it is printed. */
export interface List {
  /** Whether the last entry is not an element, but says how many more elements there are. */
  readonly isCut: boolean;
  /** Whether all elements are numbers, which are aligned on the right. */
  readonly isNumeric: boolean;
}

const lineWidth = 80;
const minEntries = 7;
const maxColumns = 12;
const gap = 2;
const heightOfCharacter = 2.5;

/** Returns the rows, or `entries` itself if they should not be in columns. */
export function alignInColumns(entries: readonly string[], list: List, indentation: number): readonly string[] {
  if (entries.length < minEntries) return entries;
  const cells = list.isCut ? entries.slice(0, -1) : entries;
  const widths = cells.map(displayWidth);
  const columns = columnCount(widths, entries.length, indentation);
  if (columns <= 1) return entries;
  const rows = rowsOf(cells, widths, columns, list.isNumeric);
  return list.isCut ? [...rows, ...entries.slice(-1)] : rows;
}

function columnCount(widths: readonly number[], entryCount: number, indentation: number): number {
  const widest = Math.max(...widths) + gap;
  const total = widths.reduce((sum, width) => sum + width + gap, 0);
  const isEven = total / widest > 5 || widest - gap <= 6;
  if (widest * 3 + indentation >= lineWidth || !isEven) return 1;
  const typical = Math.max(widest - 3 - Math.sqrt(widest - total / entryCount), 1);
  return Math.min(
    Math.round(Math.sqrt(heightOfCharacter * typical * widths.length) / typical),
    Math.floor((lineWidth - indentation) / widest),
    maxColumns,
  );
}

function rowsOf(
  cells: readonly string[],
  widths: readonly number[],
  columns: number,
  isNumeric: boolean,
): readonly string[] {
  const columnWidths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...widths.filter((_width, index) => index % columns === column)),
  );
  const rows: string[] = [];
  for (let start = 0; start < cells.length; start += columns) {
    const row = cells.slice(start, start + columns).map((cell, column, { length }) => {
      const isLast = column === length - 1;
      const text = isLast ? cell : `${cell}, `;
      const space = " ".repeat((columnWidths[column] ?? 0) - (widths[start + column] ?? 0));
      if (isNumeric) return space + text;
      return isLast ? text : text + space;
    });
    rows.push(row.join(""));
  }
  return rows;
}

/**
 * Returns how many columns a text takes in a terminal. Combining marks and joiners take none.
 * Ideographs and most emoji take two.
 */
function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += invisible.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}

const invisible = /[\p{M}\p{Cf}\p{Cc}]/u;
const wide =
  /[\u1100-\u115f\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\uff01-\uff60\uffe0-\uffe6\p{Emoji_Presentation}]/u;
