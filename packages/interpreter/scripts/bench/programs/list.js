// Linked lists and deep recursion.

class Link {
  constructor(value, next) {
    this.value = value;
    this.next = next;
  }
  length() {
    return this.next === null ? 1 : 1 + this.next.length();
  }
}

function makeList(length) {
  return length === 0 ? null : new Link(length, makeList(length - 1));
}

function isShorter(left, right) {
  let [x, y] = [left, right];
  while (y !== null) {
    if (x === null) return true;
    x = x.next;
    y = y.next;
  }
  return false;
}

function tail(x, y, z) {
  if (!isShorter(y, x)) return z;
  return tail(tail(x.next, y, z), tail(y.next, z, x), tail(z.next, x, y));
}

function main() {
  let sum = 0;
  for (let i = 0; i < 4; i++) sum += tail(makeList(15), makeList(10), makeList(6)).length();
  return sum / 4;
}
