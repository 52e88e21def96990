// Detects collisions of aircraft: vectors of fractions, a red-black tree, and a grid of the
// airspace.

const red = 0;
const black = 1;

class TreeNode {
  left = null;
  right = null;
  parent = null;
  color = red;
  constructor(key, value) {
    this.key = key;
    this.value = value;
  }
}

class RedBlackTree {
  constructor(compare) {
    this.compare = compare;
    this.root = null;
  }
  get(key) {
    let node = this.root;
    while (node !== null) {
      const order = this.compare(key, node.key);
      if (order === 0) return node.value;
      node = order < 0 ? node.left : node.right;
    }
    return undefined;
  }
  /** Returns the old value of the key. */
  put(key, value) {
    let parent = null;
    let node = this.root;
    let order = 0;
    while (node !== null) {
      order = this.compare(key, node.key);
      if (order === 0) {
        const old = node.value;
        node.value = value;
        return old;
      }
      parent = node;
      node = order < 0 ? node.left : node.right;
    }
    const added = new TreeNode(key, value);
    added.parent = parent;
    if (parent === null) this.root = added;
    else if (order < 0) parent.left = added;
    else parent.right = added;
    this.balance(added);
    return undefined;
  }
  balance(added) {
    let x = added;
    while (x !== this.root && x.parent.color === red) {
      const grandparent = x.parent.parent;
      const isLeft = x.parent === grandparent.left;
      const uncle = isLeft ? grandparent.right : grandparent.left;
      if (uncle !== null && uncle.color === red) {
        x.parent.color = black;
        uncle.color = black;
        grandparent.color = red;
        x = grandparent;
        continue;
      }
      if (x === (isLeft ? x.parent.right : x.parent.left)) {
        x = x.parent;
        this.rotate(x, isLeft);
      }
      x.parent.color = black;
      grandparent.color = red;
      this.rotate(grandparent, !isLeft);
    }
    this.root.color = black;
  }
  rotate(x, toLeft) {
    const y = toLeft ? x.right : x.left;
    const moved = toLeft ? y.left : y.right;
    if (toLeft) x.right = moved;
    else x.left = moved;
    if (moved !== null) moved.parent = x;
    y.parent = x.parent;
    if (x.parent === null) this.root = y;
    else if (x === x.parent.left) x.parent.left = y;
    else x.parent.right = y;
    if (toLeft) y.left = x;
    else y.right = x;
    x.parent = y;
  }
  delete(key) {
    // Rebuilds the whole tree. That is rare, because aircraft are rarely removed.
    const kept = [];
    this.forEach((k, v) => {
      if (this.compare(k, key) !== 0) kept.push([k, v]);
    });
    this.root = null;
    for (const [k, v] of kept) this.put(k, v);
  }
  forEach(act) {
    let node = this.root;
    while (node !== null && node.left !== null) node = node.left;
    while (node !== null) {
      act(node.key, node.value);
      if (node.right !== null) {
        node = node.right;
        while (node.left !== null) node = node.left;
      } else {
        while (node.parent !== null && node === node.parent.right) node = node.parent;
        node = node.parent;
      }
    }
  }
}

class Vector2 {
  constructor(x, y) {
    this.x = x;
    this.y = y;
  }
  plus(other) {
    return new Vector2(this.x + other.x, this.y + other.y);
  }
  minus(other) {
    return new Vector2(this.x - other.x, this.y - other.y);
  }
}

function compareVectors(left, right) {
  const byX = compareNumbers(left.x, right.x);
  return byX !== 0 ? byX : compareNumbers(left.y, right.y);
}

function compareNumbers(left, right) {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

class Vector3 {
  constructor(x, y, z) {
    this.x = x;
    this.y = y;
    this.z = z;
  }
  plus(other) {
    return new Vector3(this.x + other.x, this.y + other.y, this.z + other.z);
  }
  minus(other) {
    return new Vector3(this.x - other.x, this.y - other.y, this.z - other.z);
  }
  dot(other) {
    return this.x * other.x + this.y * other.y + this.z * other.z;
  }
  squaredMagnitude() {
    return this.dot(this);
  }
  magnitude() {
    return Math.sqrt(this.squaredMagnitude());
  }
  times(amount) {
    return new Vector3(this.x * amount, this.y * amount, this.z * amount);
  }
}

const minX = 0;
const minY = 0;
const maxX = 1_000;
const maxY = 1_000;
const radius = 1;
const voxelSize = radius * 2;
const horizontal = new Vector2(voxelSize, 0);
const vertical = new Vector2(0, voxelSize);

class Motion {
  constructor(callsign, from, to) {
    this.callsign = callsign;
    this.from = from;
    this.to = to;
  }
  delta() {
    return this.to.minus(this.from);
  }
  findIntersection(other) {
    const v1 = this.delta();
    const v2 = other.delta();
    const difference = v2.minus(v1);
    const a = difference.squaredMagnitude();
    const start = this.from.minus(other.from);
    if (a === 0) {
      if (start.magnitude() > radius) return null;
      return this.from.plus(other.from).times(0.5);
    }
    const b = 2 * start.dot(v1.minus(v2));
    const c = -radius * radius + start.squaredMagnitude();
    const discriminant = b * b - 4 * a * c;
    if (discriminant < 0) return null;
    const t1 = (-b - Math.sqrt(discriminant)) / (2 * a);
    const t2 = (-b + Math.sqrt(discriminant)) / (2 * a);
    const doMeet = t1 <= t2 && ((t1 <= 1 && t2 >= 1) || (t1 <= 0 && t2 >= 0) || (t1 >= 0 && t2 <= 1));
    if (!doMeet) return null;
    const t = Math.max(t1, 0);
    const here = this.from.plus(v1.times(t));
    const there = other.from.plus(v2.times(t));
    const result = here.plus(there).times(0.5);
    const { x, y, z } = result;
    return x >= minX && x <= maxX && y >= minY && y <= maxY && z >= 0 && z <= 10 ? result : null;
  }
}

function isInVoxel(voxel, motion) {
  if (voxel.x > maxX || voxel.x < minX || voxel.y > maxY || voxel.y < minY) return false;
  const { from, to } = motion;
  const side = voxelSize;
  const r = radius / 2;
  const vx = to.x - from.x;
  const vy = to.y - from.y;
  let lowX = (voxel.x - r - from.x) / vx;
  let highX = (voxel.x + side + r - from.x) / vx;
  if (vx < 0) [lowX, highX] = [highX, lowX];
  let lowY = (voxel.y - r - from.y) / vy;
  let highY = (voxel.y + side + r - from.y) / vy;
  if (vy < 0) [lowY, highY] = [highY, lowY];
  const meets = (low, high) => (low <= 1 && 1 <= high) || (low <= 0 && 0 <= high) || (0 <= low && high <= 1);
  return (
    ((vx === 0 && from.x <= voxel.x + side + r && voxel.x - r <= from.x) || meets(lowX, highX)) &&
    ((vy === 0 && from.y <= voxel.y + side + r && voxel.y - r <= from.y) || meets(lowY, highY)) &&
    (vx === 0 ||
      vy === 0 ||
      (lowY <= highX && highX <= highY) ||
      (lowY <= lowX && lowX <= highY) ||
      (lowX <= lowY && highY <= highX))
  );
}

function hashOf(position) {
  const xIndex = Math.trunc(position.x / voxelSize);
  const yIndex = Math.trunc(position.y / voxelSize);
  let x = voxelSize * xIndex;
  let y = voxelSize * yIndex;
  if (position.x < 0) x -= voxelSize;
  if (position.y < 0) y -= voxelSize;
  return new Vector2(x, y);
}

function drawMotion(voxels, motion) {
  const seen = new RedBlackTree(compareVectors);
  const visit = (voxel) => {
    if (!isInVoxel(voxel, motion)) return;
    if (seen.put(voxel, true) === true) return;
    const list = voxels.get(voxel);
    if (list) list.push(motion);
    else voxels.put(voxel, [motion]);
    visit(voxel.minus(horizontal));
    visit(voxel.plus(horizontal));
    visit(voxel.minus(vertical));
    visit(voxel.plus(vertical));
    visit(voxel.minus(horizontal).minus(vertical));
    visit(voxel.minus(horizontal).plus(vertical));
    visit(voxel.plus(horizontal).minus(vertical));
    visit(voxel.plus(horizontal).plus(vertical));
  };
  visit(hashOf(motion.from));
}

class Detector {
  state = new RedBlackTree(compareNumbers);
  handle(frame) {
    const motions = [];
    const seen = new RedBlackTree(compareNumbers);
    for (const { callsign, position } of frame) {
      const old = this.state.put(callsign, position) ?? position;
      seen.put(callsign, true);
      motions.push(new Motion(callsign, old, position));
    }
    const gone = [];
    this.state.forEach((callsign) => {
      if (!seen.get(callsign)) gone.push(callsign);
    });
    for (const callsign of gone) this.state.delete(callsign);
    const collisions = [];
    for (const list of this.reduce(motions)) {
      for (let i = 0; i < list.length; i++) {
        for (let j = i + 1; j < list.length; j++) {
          const position = list[i].findIntersection(list[j]);
          if (position !== null) collisions.push({ a: list[i].callsign, b: list[j].callsign, position });
        }
      }
    }
    return collisions;
  }
  reduce(motions) {
    const voxels = new RedBlackTree(compareVectors);
    for (const motion of motions) drawMotion(voxels, motion);
    const lists = [];
    voxels.forEach((_, list) => {
      if (list.length > 1) lists.push(list);
    });
    return lists;
  }
}

function frameAt(time, count) {
  const frame = [];
  for (let i = 0; i < count; i += 2) {
    frame.push({ callsign: i, position: new Vector3(time, Math.cos(time) * 2 + i * 3, 10) });
    frame.push({ callsign: i + 1, position: new Vector3(time, Math.sin(time) * 2 + i * 3, 10) });
  }
  return frame;
}

function collisions(count, frames) {
  const detector = new Detector();
  let sum = 0;
  for (let i = 0; i < frames; i++) sum += detector.handle(frameAt(i / 10, count)).length;
  return sum;
}

function main() {
  return collisions(40, 60);
}
