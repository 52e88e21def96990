/**
 * Returns a count with a noun: `1 more item`, `2 more items`. `one` is the ending of the singular,
 * `many` that of the plural.
 */
export const counted = (count: number, noun: string, one = "", many = "s"): string =>
  `${count} ${noun}${count === 1 ? one : many}`;
