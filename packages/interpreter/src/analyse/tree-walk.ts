// Walks through syntax trees and ignores scopes. Used for guesses about a program, which compare
// only names.

import type { Node } from "acorn";

/** A node of any type. Its fields are read by their names. */
export interface Shape extends Node {
  readonly [key: string]: unknown;
}

/** Says whether a value is a node of a syntax tree. */
export const isNode = (value: unknown): value is Shape =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

/** A node, and the conditions that decide whether it runs. */
export interface Reached {
  readonly node: Shape;
  readonly tests: readonly Shape[];
}

/**
 * Walks through syntax trees to make one guess about a program. A guess must not take long, even if
 * the program is large. So all walks together visit a limited number of nodes. Once the limit is
 * reached, they find nothing more.
 */
export class TreeWalk {
  #nodesLeft: number;

  constructor(maxNodes: number) {
    this.#nodesLeft = maxNodes;
  }

  /** Whether all walks were completed within the limit. */
  get isWhole(): boolean {
    return this.#nodesLeft > 0;
  }

  /** Yields a node and all nodes in it, in the order of the text. */
  *nodesIn(tree: unknown): Iterable<Shape> {
    for (const { node } of this.reachedNodes(tree)) yield node;
  }

  /**
   * Yields the same nodes as {@link nodesIn}, each with the conditions of the statements and
   * expressions around it.
   */
  *reachedNodes(tree: unknown): Iterable<Reached> {
    // Not recursive, because a long sum nests deeper than the host's stack allows.
    const waiting: { readonly value: unknown; readonly tests: readonly Shape[] }[] = [{ value: tree, tests: [] }];
    for (let next = waiting.pop(); next && this.#nodesLeft > 0; next = waiting.pop()) {
      const { value, tests } = next;
      if (Array.isArray(value)) for (const item of value.toReversed()) waiting.push({ value: item, tests });
      if (!isNode(value)) continue;
      this.#nodesLeft--;
      yield { node: value, tests };
      const own = testsOf(value);
      const inside = own.length === 0 ? tests : [...tests, ...own];
      for (const [key, child] of Object.entries(value).reverse())
        if (typeof child === "object" && child !== null && key !== "type")
          waiting.push({ value: child, tests: inside });
    }
  }

  /** Returns the names of the variables in a pattern, or in any other tree. */
  identifiersIn(tree: unknown): readonly string[] {
    return [...this.nodesIn(tree)].flatMap((node) => (node.type === "Identifier" ? [String(node["name"])] : []));
  }
}

const testKeys = ["test", "discriminant"];

/** Returns the expressions of a node that decide which of its other parts run. */
function testsOf(node: Shape): readonly Shape[] {
  const keys = node.type === "LogicalExpression" ? ["left"] : isLoopOver(node) ? ["right"] : testKeys;
  return keys.map((key) => node[key]).filter(isNode);
}

/** Says whether a node is a loop over values or keys. */
export const isLoopOver = ({ type }: Shape): boolean => type === "ForOfStatement" || type === "ForInStatement";

/** Says whether a node is a function. */
export const isFunction = ({ type }: Shape): boolean =>
  type === "FunctionDeclaration" || type === "FunctionExpression" || type === "ArrowFunctionExpression";

/** Returns the name of a property that is not computed: `a.name`, `{ name: 1 }`, `name() {}`. */
export function propertyName(node: Shape): string | null {
  const key = node.type === "MemberExpression" ? node["property"] : node["key"];
  if (!isNode(key)) return null;
  if (key.type === "PrivateIdentifier" || (key.type === "Identifier" && node["computed"] !== true))
    return String(key["name"]);
  return key.type === "Literal" ? String(key["value"]) : null;
}

const changingMethods: ReadonlySet<unknown> = new Set(
  "add append clear copyWithin delete fill pop push reverse set shift sort splice unshift".split(" "),
);

/**
 * Returns the part of the tree that a node changes. For an assignment this is its target: a
 * variable, a property, or a pattern. For a call such as `list.push(1)` it is the expression of the
 * changed object. Null for other nodes.
 */
export function changedTarget(node: Shape): Shape | null {
  const target =
    node.type === "AssignmentExpression"
      ? node["left"]
      : node.type === "UpdateExpression"
        ? node["argument"]
        : node.type === "CallExpression"
          ? receiverOf(node)
          : null;
  return isNode(target) ? target : null;
}

function receiverOf(call: Shape): unknown {
  const callee = call["callee"];
  if (!isNode(callee) || callee.type !== "MemberExpression") return null;
  const name = propertyName(callee);
  if (changingMethods.has(name)) return callee["object"];
  const [first] = Array.isArray(call["arguments"]) ? call["arguments"] : [];
  return name === "assign" || name === "defineProperty" ? first : null;
}

/**
 * Returns the variable (or `this`) at the start of a path such as `a.b[c]`, and the names of the
 * properties after it.
 */
export function pathOf(target: Shape): { readonly root: string | null; readonly properties: readonly string[] } {
  const properties: string[] = [];
  for (let at: unknown = target; isNode(at); at = at["object"]) {
    if (at.type === "Identifier") return { root: String(at["name"]), properties };
    if (at.type === "ThisExpression") return { root: "this", properties };
    if (at.type !== "MemberExpression") break;
    const name = propertyName(at);
    if (name !== null) properties.push(name);
  }
  return { root: null, properties: [] };
}
