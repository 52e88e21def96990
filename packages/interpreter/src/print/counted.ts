/**
 * Returns a count with a noun: `1 more item`, `2 more items`. `one` is the ending of the noun in
 * the singular, and `many` is the ending in the plural.
 */
export const counted = (count: number, noun: string, one = "", many = "s"): string =>
  `${count} ${noun}${count === 1 ? one : many}`;
