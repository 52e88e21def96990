/** `1 more item`, `2 more items`; `one` and `many` are how the noun ends. */
export const counted = (count: number, noun: string, one = "", many = "s"): string =>
  `${count} ${noun}${count === 1 ? one : many}`;
