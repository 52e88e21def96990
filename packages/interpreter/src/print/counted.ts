/**
 * Returns a count with a noun: `1 more item`, `2 more items`. `one` and `many` are the endings of
 * the noun.
 */
export const counted = (count: number, noun: string, one = "", many = "s"): string =>
  `${count} ${noun}${count === 1 ? one : many}`;
