// Finds keys that would make a Map, a Set or an object slow.
//
// V8 finds a key by its hash, and compares it with all keys whose hashes lead to the same bucket. A
// program can choose numbers that share a bucket: a Set of 65,000 of them takes V8 four seconds,
// and nothing can stop it. For most texts this does not work, because their hashes depend on a
// secret seed. But if a text has more than 16,383 characters, V8 uses its length as the hash. So V8
// compares all long texts that have the same length.
//
// Every host uses V8's hashes for this check. So a value is accepted on all hosts or on none.

// The maximum number of comparisons that V8 may need on average to find a key.
const maxComparisons = 64;
/** The maximum number of keys that need no check: they are fast enough even if all collide. */
const fewKeys: number = 2 * maxComparisons;
// The maximum length of a text whose content V8 hashes.
const maxHashedLength = 16_383;

/** Says whether so many keys collide that looking them up would take the host a long time. */
export function keysCollide(keys: readonly unknown[]): boolean {
  if (keys.length <= fewKeys) return false;
  const buckets = new Uint32Array(2 ** Math.floor(Math.log2(keys.length)));
  const textsOfLength = new Map<number, number>();
  let comparisons = 0;
  for (const key of keys) {
    if (typeof key === "string") {
      if (key.length > maxHashedLength) comparisons += countText(textsOfLength, key.length);
    } else {
      const hash = hashOf(key);
      if (hash === null) continue;
      const bucket = hash & (buckets.length - 1);
      comparisons += buckets[bucket] as number; // `bucket` is below the length
      (buckets[bucket] as number)++;
    }
  }
  return comparisons > maxComparisons * keys.length;
}

/** Adds one to the count of texts with this length. Returns the count before. */
function countText(textsOfLength: Map<number, number>, length: number): number {
  const count = textsOfLength.get(length) ?? 0;
  textsOfLength.set(length, count + 1);
  return count;
}

/** Returns the hash of a number or bigint. A program cannot choose the hashes of other keys. */
function hashOf(key: unknown): number | null {
  if (typeof key === "number") return hashOfNumber(key);
  return typeof key === "bigint" ? hashOfBigInt(key) : null;
}

const view = new DataView(new ArrayBuffer(8));

function hashOfNumber(number: number): number {
  if ((number | 0) === number) return hashOfInteger(number | 0);
  view.setFloat64(0, number);
  return hashOfWord(view.getUint32(0), view.getUint32(4));
}

/** Returns the hash of a bigint. V8 hashes only the lowest 64 bits of the absolute value. */
function hashOfBigInt(bigint: bigint): number {
  view.setBigUint64(0, bigint < 0n ? -bigint : bigint);
  return hashOfWord(view.getUint32(0), view.getUint32(4));
}

function hashOfInteger(integer: number): number {
  let hash = ~integer + (integer << 15);
  hash ^= hash >>> 12;
  hash += hash << 2;
  hash ^= hash >>> 4;
  hash = Math.imul(hash, 2057);
  return (hash ^ (hash >>> 16)) & maxHash;
}

const maxHash = 0x3fff_ffff;

/** Returns the hash of 64 bits that are passed as two halves. */
function hashOfWord(highHalf: number, lowHalf: number): number {
  let sum = (~lowHalf >>> 0) + ((lowHalf << 18) >>> 0);
  let high = ~highHalf + ((highHalf << 18) | (lowHalf >>> 14)) + carryOf(sum);
  let low = sum >>> 0;
  low ^= (high << 1) | (low >>> 31);
  high ^= high >>> 31;
  sum = (low >>> 0) * 21;
  high = Math.imul(high, 21) + carryOf(sum);
  low = sum >>> 0;
  low ^= (high << 21) | (low >>> 11);
  high ^= high >>> 11;
  sum = (low >>> 0) + ((low << 6) >>> 0);
  high += ((high << 6) | (low >>> 26)) + carryOf(sum);
  low = sum >>> 0;
  return (low ^ ((high << 10) | (low >>> 22))) & maxHash;
}

const carryOf = (sum: number): number => Math.floor(sum / 2 ** 32);
