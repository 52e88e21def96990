/**
 * The known name that a misspelt one most likely meant, if any is near: a third of its letters may differ.
 *
 * @example
 * ```ts
 * import { nearestName } from "@smolts/tools";
 *
 * console.log(nearestName("locaton", ["location", "celsius"])); // location
 * ```
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name);
  let best: string | undefined;
  let bestDistance = Math.floor(Math.min(wanted.length, 60) / 3) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate));
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

// Other ways to write the same words: max_results, maxResults, MaxResults.
const plain = (name: string): string =>
  name
    .slice(0, 60)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** How many letters must be put in, left out, replaced or swapped with their neighbour. */
function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= from.length; row++) {
    const line = [row];
    for (let column = 1; column <= to.length; column++) line.push(cheapest(row, column, line));
    rows.push(line);
  }
  return rows[from.length]![to.length]!;

  function cheapest(row: number, column: number, line: readonly number[]): number {
    const above = rows[row - 1]!;
    const same = from[row - 1] === to[column - 1];
    const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
    const plainSteps = Math.min(above[column]! + 1, line[column - 1]! + 1, above[column - 1]! + (same ? 0 : 1));
    return swapped && row > 1 && column > 1 ? Math.min(plainSteps, rows[row - 2]![column - 2]! + 1) : plainSteps;
  }
}
