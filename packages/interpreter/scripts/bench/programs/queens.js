// Eight queens by backtracking: arrays of booleans in fields.

class Board {
  constructor(size) {
    this.size = size;
    this.freeRows = new Array(size).fill(true);
    this.freeMaxs = new Array(2 * size).fill(true);
    this.freeMins = new Array(2 * size).fill(true);
    this.queenRows = new Array(size).fill(-1);
  }
  place(column) {
    for (let row = 0; row < this.size; row++) {
      if (!this.isFree(row, column)) continue;
      this.queenRows[row] = column;
      this.set(row, column, false);
      if (column === this.size - 1) return true;
      if (this.place(column + 1)) return true;
      this.set(row, column, true);
    }
    return false;
  }
  isFree(row, column) {
    return this.freeRows[row] && this.freeMaxs[column + row] && this.freeMins[column - row + this.size - 1];
  }
  set(row, column, isFree) {
    this.freeRows[row] = isFree;
    this.freeMaxs[column + row] = isFree;
    this.freeMins[column - row + this.size - 1] = isFree;
  }
}

function main() {
  let rows = 0;
  for (let i = 0; i < 60; i++) {
    const board = new Board(8);
    if (!board.place(0)) return -1;
    rows = board.queenRows.reduce((sum, column) => sum * 8 + column, 0);
  }
  return rows;
}
