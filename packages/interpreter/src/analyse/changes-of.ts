// Finds the variables that a function changes and that other code can see. This is a guess from the
// syntax, used only for warnings about answers.

import { calledName, type FunctionsByName, functionsByName } from "./functions-by-name.ts";
import {
  changedTarget,
  isFunction,
  isLoopOver,
  isNode,
  pathOf,
  propertyName,
  type Shape,
  type TreeWalk,
} from "./tree-walk.ts";

/** Code that may still run: a function, or the part of it after an `await`. */
export interface Code {
  readonly node: unknown;
  /** Whether the whole function may still run, or only the part after its first `await`. */
  readonly isWhole: boolean;
}

/**
 * Returns the names of outer variables that the code changes. If the code reaches an object only
 * through `this` or a parameter, the result has the names of the changed properties (`.name`).
 */
export function changesOf(program: unknown, { node, isWhole }: Code, walk: TreeWalk): ReadonlySet<string> {
  const changes = new Set<string>();
  const callables = functionsByName(program, walk);
  if (isNode(node)) collect({ walk, program, callables, changes, visited: new Set() }, node, isWhole);
  return changes;
}

interface Search {
  readonly walk: TreeWalk;
  readonly program: unknown;
  readonly callables: FunctionsByName;
  readonly changes: Set<string>;
  readonly visited: Set<string>;
}

function collect(search: Search, code: Shape, isWhole: boolean): void {
  const key = `${code.start} ${code.end}`;
  if (search.visited.has(key)) return;
  search.visited.add(key);
  const { walk } = search;
  const nodes = [...walk.nodesIn(code)];
  const parameters = new Set(nodes.filter(isFunction).flatMap((node) => walk.identifiersIn(node["params"])));
  const own = new Set(
    nodes.filter(({ type }) => type === "VariableDeclarator").flatMap((node) => walk.identifiersIn(node["id"])),
  );
  const from = isWhole ? code.start : firstWait(nodes, code);
  for (const node of nodes) {
    if (node.end <= from) continue;
    const target = changedTarget(node);
    for (const each of target === null ? [] : placesIn(walk, target))
      addChange(search, code, each, { own, parameters });
    const called = node.type === "CallExpression" || node.type === "NewExpression" ? calledName(node) : null;
    if (called !== null && !own.has(called))
      for (const callee of search.callables.get(called) ?? []) collect(search, callee, true);
  }
}

const firstWait = (nodes: readonly Shape[], { start }: Shape): number =>
  nodes.find((node) => waits(node))?.start ?? start;

const waits = (node: Shape): boolean => node.type === "AwaitExpression" || (isLoopOver(node) && node["await"] === true);

/**
 * Returns the variables and members that an assignment changes: its single target, or all targets
 * of a pattern.
 */
function placesIn(walk: TreeWalk, target: Shape): readonly Shape[] {
  if (!/Pattern$/.test(target.type)) return [target];
  return [...walk.nodesIn(target)].filter(({ type }) => type === "Identifier" || type === "MemberExpression");
}

interface Names {
  readonly own: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
}

function addChange({ walk, changes, program }: Search, code: Shape, place: Shape, { own, parameters }: Names): void {
  const { root, properties } = pathOf(place);
  if (root === null) return;
  if (root === "this") return addProperties(changes, properties);
  if (!parameters.has(root)) {
    if (!own.has(root)) changes.add(root);
    return;
  }
  // An assignment to a parameter changes only a variable of this function. A change of the object
  // that the parameter contains can be seen outside.
  if (place.type === "Identifier" && !isReceiver(walk, place, code)) return;
  addProperties(changes, properties);
  for (const name of passedTo(walk, program, code)) changes.add(name);
}

const addProperties = (changes: Set<string>, properties: readonly string[]): void => {
  for (const name of properties) changes.add(`.${name}`);
};

/**
 * Says whether a method is called on a variable, as in `list.push(1)`. Assignments such as
 * `list = []` do not count.
 */
const isReceiver = (walk: TreeWalk, place: Shape, code: Shape): boolean =>
  [...walk.nodesIn(code)].some((node) => node.type === "CallExpression" && changedTarget(node)?.start === place.start);

/**
 * Returns the variables that calls pass to a function. If the function is a callback, as in
 * `rows.forEach(f)`, the object `rows` counts too, because the method passes its items to `f`.
 */
function passedTo(walk: TreeWalk, program: unknown, code: Shape): readonly string[] {
  const ownNames = new Set<string>();
  const calls: Shape[] = [];
  for (const node of walk.nodesIn(program)) {
    if (node.type === "CallExpression" || node.type === "NewExpression") calls.push(node);
    for (const key of ["init", "value", "right"] as const) {
      const value = node[key];
      if (!isNode(value) || value.start !== code.start || value.end !== code.end) continue;
      const name = isNode(node["id"]) ? node["id"]["name"] : propertyName(node);
      if (typeof name === "string") ownNames.add(name);
    }
  }
  if (isNode(code["id"])) ownNames.add(String(code["id"]["name"]));
  return calls
    .filter((call) => ownNames.has(calledName(call) ?? "") || isArgument(call, code))
    .flatMap((call) => walk.identifiersIn([isArgument(call, code) ? call["callee"] : null, argumentsBut(call, code)]));
}

const isArgument = (call: Shape, { start, end }: Shape): boolean =>
  Array.isArray(call["arguments"]) && call["arguments"].some((each: Shape) => each.start === start && each.end === end);

const argumentsBut = (call: Shape, { start }: Shape): readonly unknown[] =>
  Array.isArray(call["arguments"]) ? call["arguments"].filter((each: Shape) => each.start !== start) : [];
