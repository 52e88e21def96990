// All permutations of six numbers by swapping.

class Permuter {
  constructor(size) {
    this.count = 0;
    this.numbers = Array.from({ length: size }, (_, i) => i);
  }
  permute(n) {
    this.count++;
    if (n === 0) return;
    const last = n - 1;
    this.permute(last);
    for (let i = last; i >= 0; i--) {
      this.swap(last, i);
      this.permute(last);
      this.swap(last, i);
    }
  }
  swap(i, j) {
    const kept = this.numbers[i];
    this.numbers[i] = this.numbers[j];
    this.numbers[j] = kept;
  }
}

function main() {
  let sum = 0;
  for (let i = 0; i < 10; i++) {
    const permuter = new Permuter(6);
    permuter.permute(6);
    sum += permuter.count;
  }
  return sum / 10;
}
