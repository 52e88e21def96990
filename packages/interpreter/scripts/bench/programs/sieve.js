// The primes below 5,000.

function sieve(flags, size) {
  let primes = 0;
  for (let i = 2; i <= size; i++) {
    if (!flags[i - 1]) continue;
    primes++;
    for (let k = i + i; k <= size; k += i) flags[k - 1] = false;
  }
  return primes;
}

function main() {
  let sum = 0;
  for (let i = 0; i < 30; i++) sum += sieve(new Array(5_000).fill(true), 5_000);
  return sum / 30;
}
