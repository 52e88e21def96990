// The guest's random numbers: xoshiro128** (Blackman and Vigna, "Scrambled Linear Pseudorandom
// Number Generators", 2018). Its state comes from splitmix32, whose seed is a 32-bit FNV-1a hash of
// a text. The numbers are good for games and samples, but not for secrets: the log records the
// seed, and with the seed all numbers can be computed.

/**
 * Returns a function that returns numbers from 0 up to but not including 1. The same seed leads to
 * the same sequence.
 */
export function seededRandom(seed: string): () => number {
  const state = stateFrom(seed);
  // A number below 1 can have at most 53 evenly distributed bits.
  return () => ((next(state) >>> 5) * 2 ** 26 + (next(state) >>> 6)) / 2 ** 53;
}

type State = [number, number, number, number];

function stateFrom(seed: string): State {
  let counter = hash(seed);
  const word = (): number => {
    counter = (counter + 0x9e3779b9) | 0;
    let mixed = Math.imul(counter ^ (counter >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
  return [word(), word(), word(), word() | 1]; // a state of only zeros would never change
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value;
}

function next(state: State): number {
  const result = Math.imul(rotateLeft(Math.imul(state[1], 5), 7), 9);
  const shifted = state[1] << 9;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= shifted;
  state[3] = rotateLeft(state[3], 11);
  return result;
}

const rotateLeft = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));
