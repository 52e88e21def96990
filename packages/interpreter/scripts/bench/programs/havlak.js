// Finds the loops of a control flow graph (Havlak): sets, maps and union-find over many small
// objects.

class Block {
  inEdges = [];
  outEdges = [];
  constructor(name) {
    this.name = name;
  }
}

class Graph {
  blocks = [];
  start = null;
  block(name) {
    if (this.blocks[name]) return this.blocks[name];
    const block = new Block(name);
    this.blocks[name] = block;
    if (this.blocks.length === 1) this.start = block;
    return block;
  }
  connect(from, to) {
    const source = this.block(from);
    const target = this.block(to);
    source.outEdges.push(target);
    target.inEdges.push(source);
  }
  diamond(start) {
    this.connect(start, start + 1);
    this.connect(start, start + 2);
    this.connect(start + 1, start + 3);
    this.connect(start + 2, start + 3);
    return start + 3;
  }
  straight(start, length) {
    for (let i = 0; i < length; i++) this.connect(start + i, start + i + 1);
    return start + length;
  }
  baseLoop(from) {
    const header = this.straight(from, 1);
    const diamond1 = this.diamond(header);
    const d11 = this.straight(diamond1, 1);
    const diamond2 = this.diamond(d11);
    let footer = this.straight(diamond2, 1);
    this.connect(diamond2, d11);
    this.connect(diamond1, header);
    this.connect(footer, from);
    footer = this.straight(footer, 1);
    return footer;
  }
}

class Loop {
  parent = null;
  isRoot = false;
  nestingLevel = 0;
  depthLevel = 0;
  children = new Set();
  blocks = new Set();
  constructor(header, isReducible) {
    this.header = header;
    this.isReducible = isReducible;
    if (header !== null) this.blocks.add(header);
  }
  setParent(parent) {
    this.parent = parent;
    parent.children.add(this);
  }
}

class LoopStructure {
  constructor() {
    this.root = new Loop(null, true);
    this.root.isRoot = true;
    this.loops = [this.root];
  }
  create(header, isReducible) {
    const loop = new Loop(header, isReducible);
    this.loops.push(loop);
    return loop;
  }
  calculateNestingLevel() {
    for (const loop of this.loops) if (!loop.isRoot && loop.parent === null) loop.setParent(this.root);
    this.calculate(this.root, 0);
  }
  calculate(loop, depth) {
    loop.depthLevel = depth;
    for (const child of loop.children) {
      this.calculate(child, depth + 1);
      loop.nestingLevel = Math.max(loop.nestingLevel, 1 + child.nestingLevel);
    }
  }
}

class UnionFindNode {
  parent = this;
  block = null;
  number = 0;
  loop = null;
  init(block, number) {
    this.block = block;
    this.number = number;
  }
  find() {
    const list = [];
    let node = this;
    while (node !== node.parent) {
      if (node.parent !== node.parent.parent) list.push(node);
      node = node.parent;
    }
    for (const each of list) each.parent = this.parent;
    return node;
  }
}

const unvisited = 2_147_483_647;
const mostBackPredecessors = 32 * 1_024;

class LoopFinder {
  constructor(graph, loops) {
    this.graph = graph;
    this.loops = loops;
  }
  isAncestor(w, v) {
    return w <= v && v <= this.last[w];
  }
  search(block, current) {
    this.nodes[current].init(block, current);
    this.numbers.set(block, current);
    let last = current;
    for (const target of block.outEdges) {
      if (this.numbers.get(target) === unvisited) last = this.search(target, last + 1);
    }
    this.last[current] = last;
    return last;
  }
  identifyEdges(size) {
    for (let w = 0; w < size; w++) {
      this.header[w] = 0;
      this.type[w] = "normal";
      const { block } = this.nodes[w];
      if (block === null) {
        this.type[w] = "dead";
        continue;
      }
      for (const source of block.inEdges) {
        const v = this.numbers.get(source);
        if (v === unvisited) continue;
        if (this.isAncestor(w, v)) this.backPredecessors[w].push(v);
        else this.otherPredecessors[w].add(v);
      }
    }
  }
  find() {
    if (this.graph.start === null) return;
    const size = this.graph.blocks.length;
    this.otherPredecessors = Array.from({ length: size }, () => new Set());
    this.backPredecessors = Array.from({ length: size }, () => []);
    this.nodes = Array.from({ length: size }, () => new UnionFindNode());
    this.numbers = new Map();
    this.header = new Array(size).fill(0);
    this.type = new Array(size).fill("normal");
    this.last = new Array(size).fill(0);
    for (const block of this.graph.blocks) this.numbers.set(block, unvisited);
    this.search(this.graph.start, 0);
    this.identifyEdges(size);
    this.header[0] = 0;
    for (let w = size - 1; w >= 0; w--) this.findFrom(w);
  }
  findFrom(w) {
    const pool = [];
    const { block } = this.nodes[w];
    if (block === null) return;
    for (const v of this.backPredecessors[w]) {
      if (v === w) this.type[w] = "self";
      else pool.push(this.nodes[v].find());
    }
    const work = pool.slice();
    if (pool.length > 0) this.type[w] = "reducible";
    while (work.length > 0) {
      const x = work.shift();
      const others = this.otherPredecessors[x.number];
      if (others.size > mostBackPredecessors) return;
      for (const each of others) {
        const y = this.nodes[each].find();
        if (!this.isAncestor(w, y.number)) {
          this.type[w] = "irreducible";
          this.otherPredecessors[w].add(y.number);
        } else if (y.number !== w && !pool.includes(y)) {
          work.push(y);
          pool.push(y);
        }
      }
    }
    if (pool.length === 0 && this.type[w] !== "self") return;
    const loop = this.loops.create(block, this.type[w] !== "irreducible");
    this.nodes[w].loop = loop;
    for (const node of pool) {
      this.header[node.number] = w;
      node.parent = this.nodes[w];
      if (node.loop === null) loop.blocks.add(node.block);
      else node.loop.setParent(loop);
    }
  }
}

function construct(graph, parallel, nested, innermost) {
  let n = 2;
  graph.block(0);
  graph.baseLoop(0);
  graph.block(1);
  graph.connect(0, 2);
  for (let i = 0; i < parallel; i++) {
    graph.connect(2, n + 1);
    n++;
    for (let j = 0; j < nested; j++) {
      const top = n;
      n = graph.straight(n, 1);
      for (let k = 0; k < innermost; k++) n = graph.baseLoop(n);
      const bottom = graph.straight(n, 1);
      graph.connect(n, top);
      n = bottom;
    }
    graph.connect(n, 1);
  }
}

function main() {
  const graph = new Graph();
  construct(graph, 5, 8, 5);
  let structure = new LoopStructure();
  new LoopFinder(graph, structure).find();
  for (let i = 0; i < 2; i++) {
    structure = new LoopStructure();
    new LoopFinder(graph, structure).find();
    structure.calculateNestingLevel();
  }
  return structure.loops.length * 100_000 + graph.blocks.length;
}
