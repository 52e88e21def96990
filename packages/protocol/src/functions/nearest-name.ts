/**
 * Returns the known name that a misspelt name most likely means. Undefined when no known name is
 * near enough: at most a third of the letters may differ. Different ways of writing the same words
 * (`max_results`, `maxResults`) count as the same.
 *
 * The distance is the optimal string alignment distance (a restricted Damerau-Levenshtein
 * distance). It counts letters that are inserted, deleted, replaced, or swapped with their
 * neighbour.
 *
 * @example
 * ```ts
 * import { nearestName } from "@smolts/protocol";
 *
 * console.log(nearestName("locaton", ["location", "celsius"])); // location
 * ```
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = plain(name);
  let nearest: string | undefined;
  let best = Math.floor(wanted.length / 3) + 1;
  for (const candidate of known) {
    const distance = alignmentDistance(wanted, plain(candidate));
    if (distance < best) [nearest, best] = [candidate, distance];
  }
  return nearest;
}

/**
 * Returns the known name that `name` most likely means. This is the nearest known name. If none is
 * near, it is the only known name that `name` abbreviates or extends: `lang` means `language`.
 *
 * @example
 * ```ts
 * import { likelyName } from "@smolts/protocol";
 *
 * console.log(likelyName("lang", ["language", "limit"])); // language
 * ```
 */
export function likelyName(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name);
  const nearest = nearestName(name, known);
  if (nearest !== undefined || wanted.length < 2) return nearest;
  const [first, ...others] = known.filter(
    (other) => wanted.startsWith(plain(other)) || plain(other).startsWith(wanted),
  );
  return others.length === 0 ? first : undefined;
}

/**
 * Says whether two names are the same words in different notations, such as `max_results` and
 * `maxResults`.
 */
export const sameWords = (name: string, other: string): boolean => plain(name) !== "" && plain(name) === plain(other);

/**
 * Returns the letters and digits of a name in lower case. Long names are cut off, so that a name
 * that an attacker chose cannot make the comparison slow.
 */
const plain = (name: string): string =>
  name
    .slice(0, 60)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

function alignmentDistance(left: string, right: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replaced = at(previous, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const distance = Math.min(replaced, at(previous, column) + 1, at(current, column - 1) + 1);
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(isSwap ? Math.min(distance, at(before, column - 2) + 1) : distance);
    }
    before = previous;
    previous = current;
  }
  return at(previous, right.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY;
