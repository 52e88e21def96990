// An incremental constraint solver: many small classes, inheritance, and calls of overridden
// methods.

const required = 0;
const strongPreferred = 1;
const preferred = 2;
const strongDefault = 3;
const weakDefault = 5;
const weakest = 6;

const none = 0;
const forward = 1;
const backward = 2;

class Variable {
  constructor(name, value) {
    this.name = name;
    this.value = value;
    this.constraints = [];
    this.determinedBy = null;
    this.mark = 0;
    this.walkStrength = weakest;
    this.stay = true;
  }
  addConstraint(constraint) {
    this.constraints.push(constraint);
  }
  removeConstraint(constraint) {
    const index = this.constraints.indexOf(constraint);
    if (index >= 0) this.constraints.splice(index, 1);
    if (this.determinedBy === constraint) this.determinedBy = null;
  }
}

class Constraint {
  constructor(strength, planner) {
    this.strength = strength;
    this.planner = planner;
  }
  add() {
    this.addToGraph();
    this.planner.incrementalAdd(this);
  }
  destroy() {
    if (this.isSatisfied()) this.planner.incrementalRemove(this);
    else this.removeFromGraph();
  }
  isInput() {
    return false;
  }
  satisfy(mark) {
    this.chooseMethod(mark);
    if (!this.isSatisfied()) {
      if (this.strength === required) throw new Error("a required constraint cannot be satisfied");
      return null;
    }
    this.markInputs(mark);
    const out = this.output();
    const overridden = out.determinedBy;
    if (overridden !== null) overridden.markUnsatisfied();
    out.determinedBy = this;
    if (!this.planner.addPropagate(this, mark)) throw new Error("a cycle of constraints");
    out.mark = mark;
    return overridden;
  }
}

class UnaryConstraint extends Constraint {
  constructor(variable, strength, planner) {
    super(strength, planner);
    this.variable = variable;
    this.satisfied = false;
    this.add();
  }
  addToGraph() {
    this.variable.addConstraint(this);
    this.satisfied = false;
  }
  removeFromGraph() {
    this.variable.removeConstraint(this);
    this.satisfied = false;
  }
  chooseMethod(mark) {
    this.satisfied = this.variable.mark !== mark && this.strength < this.variable.walkStrength;
  }
  isSatisfied() {
    return this.satisfied;
  }
  markInputs() {}
  output() {
    return this.variable;
  }
  markUnsatisfied() {
    this.satisfied = false;
  }
  recalculate() {
    this.variable.walkStrength = this.strength;
    this.variable.stay = !this.isInput();
    if (this.variable.stay) this.execute();
  }
  inputsKnown() {
    return true;
  }
  execute() {}
}

class StayConstraint extends UnaryConstraint {}

class EditConstraint extends UnaryConstraint {
  isInput() {
    return true;
  }
}

class BinaryConstraint extends Constraint {
  constructor(v1, v2, strength, planner) {
    super(strength, planner);
    this.v1 = v1;
    this.v2 = v2;
    this.direction = none;
  }
  addToGraph() {
    this.v1.addConstraint(this);
    this.v2.addConstraint(this);
    this.direction = none;
  }
  removeFromGraph() {
    this.v1.removeConstraint(this);
    this.v2.removeConstraint(this);
    this.direction = none;
  }
  chooseMethod(mark) {
    const { v1, v2, strength } = this;
    if (v1.mark === mark) {
      this.direction = v2.mark !== mark && strength < v2.walkStrength ? forward : none;
    } else if (v2.mark === mark) {
      this.direction = strength < v1.walkStrength ? backward : none;
    } else if (v1.walkStrength > v2.walkStrength) {
      this.direction = strength < v1.walkStrength ? backward : none;
    } else {
      this.direction = strength < v2.walkStrength ? forward : none;
    }
  }
  isSatisfied() {
    return this.direction !== none;
  }
  markInputs(mark) {
    this.input().mark = mark;
  }
  input() {
    return this.direction === forward ? this.v1 : this.v2;
  }
  output() {
    return this.direction === forward ? this.v2 : this.v1;
  }
  markUnsatisfied() {
    this.direction = none;
  }
  inputsKnown(mark) {
    const input = this.input();
    return input.mark === mark || input.stay || input.determinedBy === null;
  }
  recalculate() {
    const input = this.input();
    const output = this.output();
    output.walkStrength = Math.max(this.strength, input.walkStrength);
    output.stay = input.stay;
    if (output.stay) this.execute();
  }
}

class EqualConstraint extends BinaryConstraint {
  constructor(v1, v2, strength, planner) {
    super(v1, v2, strength, planner);
    this.add();
  }
  execute() {
    this.output().value = this.input().value;
  }
}

class ScaleConstraint extends BinaryConstraint {
  constructor(source, scale, offset, target, strength, planner) {
    super(source, target, strength, planner);
    this.scale = scale;
    this.offset = offset;
    this.add();
  }
  addToGraph() {
    super.addToGraph();
    this.scale.addConstraint(this);
    this.offset.addConstraint(this);
  }
  removeFromGraph() {
    super.removeFromGraph();
    this.scale.removeConstraint(this);
    this.offset.removeConstraint(this);
  }
  markInputs(mark) {
    super.markInputs(mark);
    this.scale.mark = mark;
    this.offset.mark = mark;
  }
  execute() {
    if (this.direction === forward) this.v2.value = this.v1.value * this.scale.value + this.offset.value;
    else this.v1.value = (this.v2.value - this.offset.value) / this.scale.value;
  }
  recalculate() {
    const input = this.input();
    const output = this.output();
    output.walkStrength = Math.max(this.strength, input.walkStrength);
    output.stay = input.stay && this.scale.stay && this.offset.stay;
    if (output.stay) this.execute();
  }
}

class Plan {
  constructor() {
    this.constraints = [];
  }
  execute() {
    for (const constraint of this.constraints) constraint.execute();
  }
}

class Planner {
  currentMark = 1;
  newMark() {
    return ++this.currentMark;
  }
  incrementalAdd(constraint) {
    const mark = this.newMark();
    let overridden = constraint.satisfy(mark);
    while (overridden !== null) overridden = overridden.satisfy(mark);
  }
  incrementalRemove(constraint) {
    const out = constraint.output();
    constraint.markUnsatisfied();
    constraint.removeFromGraph();
    const unsatisfied = this.removePropagateFrom(out);
    for (let strength = required; strength <= weakest; strength++) {
      for (const each of unsatisfied) if (each.strength === strength) this.incrementalAdd(each);
    }
  }
  makePlan(sources) {
    const mark = this.newMark();
    const plan = new Plan();
    const todo = sources;
    while (todo.length > 0) {
      const constraint = todo.pop();
      const out = constraint.output();
      if (out.mark === mark || !constraint.inputsKnown(mark)) continue;
      plan.constraints.push(constraint);
      out.mark = mark;
      this.addConsuming(out, todo);
    }
    return plan;
  }
  planFrom(constraints) {
    return this.makePlan(constraints.filter((constraint) => constraint.isInput() && constraint.isSatisfied()));
  }
  addPropagate(constraint, mark) {
    const todo = [constraint];
    while (todo.length > 0) {
      const each = todo.pop();
      if (each.output().mark === mark) {
        this.incrementalRemove(constraint);
        return false;
      }
      each.recalculate();
      this.addConsuming(each.output(), todo);
    }
    return true;
  }
  removePropagateFrom(out) {
    out.determinedBy = null;
    out.walkStrength = weakest;
    out.stay = true;
    const unsatisfied = [];
    const todo = [out];
    while (todo.length > 0) {
      const variable = todo.pop();
      for (const constraint of variable.constraints) if (!constraint.isSatisfied()) unsatisfied.push(constraint);
      for (const next of variable.constraints) {
        if (next === variable.determinedBy || !next.isSatisfied()) continue;
        next.recalculate();
        todo.push(next.output());
      }
    }
    return unsatisfied;
  }
  addConsuming(variable, list) {
    for (const constraint of variable.constraints) {
      if (constraint !== variable.determinedBy && constraint.isSatisfied()) list.push(constraint);
    }
  }
  change(variable, value) {
    const edit = new EditConstraint(variable, preferred, this);
    const plan = this.planFrom([edit]);
    for (let i = 0; i < 10; i++) {
      variable.value = value;
      plan.execute();
    }
    edit.destroy();
  }
}

function chain(length) {
  const planner = new Planner();
  const variables = Array.from({ length: length + 1 }, (_, i) => new Variable(`v${i}`, 0));
  for (let i = 0; i < length; i++) new EqualConstraint(variables[i], variables[i + 1], required, planner);
  const [first, last] = [variables[0], variables[length]];
  new StayConstraint(last, strongDefault, planner);
  const edit = new EditConstraint(first, preferred, planner);
  const plan = planner.planFrom([edit]);
  for (let i = 0; i < 100; i++) {
    first.value = i;
    plan.execute();
    if (last.value !== i) throw new Error("the chain is broken");
  }
  edit.destroy();
  return last.value;
}

function projection(count) {
  const planner = new Planner();
  const scale = new Variable("scale", 10);
  const offset = new Variable("offset", 1_000);
  const targets = [];
  let source;
  let target;
  for (let i = 1; i <= count; i++) {
    source = new Variable(`s${i}`, i);
    target = new Variable(`t${i}`, i);
    targets.push(target);
    new StayConstraint(source, weakDefault, planner);
    new ScaleConstraint(source, scale, offset, target, required, planner);
  }
  const check = (isRight) => {
    if (!isRight) throw new Error("the projection is wrong");
  };
  planner.change(source, 17);
  check(target.value === 1_170);
  planner.change(target, 1_050);
  check(source.value === 5);
  planner.change(scale, 5);
  for (let i = 0; i < count - 1; i++) check(targets[i].value === (i + 1) * 5 + 1_000);
  planner.change(offset, 2_000);
  for (let i = 0; i < count - 1; i++) check(targets[i].value === (i + 1) * 5 + 2_000);
  return targets.reduce((sum, { value }) => sum + value, 0);
}

function main() {
  return chain(150) + projection(150) + strongPreferred;
}
