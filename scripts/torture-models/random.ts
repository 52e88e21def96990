/** A generator of random numbers. The same seed produces the same numbers. */
export interface Random {
  /** Returns a whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** Creates a {@link Random} that uses the mulberry32 generator. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    below,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
  };
}
