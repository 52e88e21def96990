// The towers of Hanoi with thirteen disks, each a linked object.

class Disk {
  next = null;
  constructor(size) {
    this.size = size;
  }
}

class Towers {
  piles = [null, null, null];
  moved = 0;
  push(disk, pile) {
    const top = this.piles[pile];
    if (top !== null && disk.size >= top.size) throw new Error("a disk does not fit on a smaller one");
    disk.next = top;
    this.piles[pile] = disk;
  }
  pop(pile) {
    const top = this.piles[pile];
    if (top === null) throw new Error("the pile is empty");
    this.piles[pile] = top.next;
    top.next = null;
    return top;
  }
  moveTop(from, to) {
    this.push(this.pop(from), to);
    this.moved++;
  }
  build(pile, disks) {
    for (let i = disks; i >= 0; i--) this.push(new Disk(i), pile);
  }
  move(disks, from, to) {
    if (disks === 1) return this.moveTop(from, to);
    const other = 3 - from - to;
    this.move(disks - 1, from, other);
    this.moveTop(from, to);
    this.move(disks - 1, other, to);
  }
}

function main() {
  let sum = 0;
  for (let i = 0; i < 4; i++) {
    const towers = new Towers();
    towers.build(0, 13);
    towers.move(13, 0, 1);
    sum += towers.moved;
  }
  return sum / 4;
}
