// A tree of arrays, allocated and dropped.

class Storage {
  count = 0;
  seed = 74_755;
  random() {
    this.seed = (this.seed * 1_309 + 13_849) & 65_535;
    return this.seed;
  }
  build(depth) {
    this.count++;
    if (depth === 1) return new Array((this.random() % 10) + 1);
    const branches = new Array(4);
    for (let i = 0; i < 4; i++) branches[i] = this.build(depth - 1);
    return branches;
  }
}

function main() {
  let sum = 0;
  for (let i = 0; i < 8; i++) {
    const storage = new Storage();
    storage.build(7);
    sum += storage.count;
  }
  return sum / 8;
}
