// Maps and sets that grow and shrink: a cache, shortest paths, and similar words.

class Cache {
  constructor(size) {
    this.size = size;
    this.entries = new Map();
    this.hits = 0;
  }
  get(key) {
    if (!this.entries.has(key)) return undefined;
    const value = this.entries.get(key);
    this.entries.delete(key);
    this.entries.set(key, value);
    this.hits++;
    return value;
  }
  set(key, value) {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > this.size) this.entries.delete(this.entries.keys().next().value);
  }
}

function reach(edges, start) {
  const distance = new Map([[start, 0]]);
  const queue = [start];
  while (queue.length > 0) {
    const node = queue.shift();
    for (const next of edges.get(node) ?? []) {
      if (distance.has(next)) continue;
      distance.set(next, distance.get(node) + 1);
      queue.push(next);
    }
  }
  return distance;
}

function main() {
  const cache = new Cache(200);
  for (let i = 0; i < 20_000; i++) {
    const key = `page-${(i * i) % 359}`;
    if (cache.get(key) === undefined) cache.set(key, i);
  }
  const edges = new Map();
  for (let i = 0; i < 2_000; i++) edges.set(`n${i}`, new Set([`n${(i * 3 + 1) % 2_000}`, `n${(i * 7 + 2) % 2_000}`]));
  const distances = reach(edges, "n0");
  const seen = new Set();
  for (let i = 0; i < 30_000; i++) {
    const number = (i * 7_919) % 10_007;
    if (seen.has(number)) seen.delete(number);
    else seen.add(number);
  }
  const anagrams = new Map();
  for (let i = 0; i < 3_000; i++) {
    const word = (i * 2_654_435 + 1_000_003).toString(36);
    const key = [...word].sort().join("");
    if (!anagrams.has(key)) anagrams.set(key, []);
    anagrams.get(key).push(word);
  }
  let farthest = 0;
  for (const [, distance] of distances) farthest = Math.max(farthest, distance);
  const common = [...seen].filter((number) => distances.has(`n${number}`)).length;
  return cache.hits + distances.size + farthest + seen.size + anagrams.size + common;
}
