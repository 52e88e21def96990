// Whether a function changes what others see once it has waited: a guess from its form, for doubts about answers.

import type { Node } from "acorn";

/** Whether a function assigns to variables that are not its own, or changes objects that they hold, after its first `await`. */
export function changesOutside(functionNode: Node): boolean {
  const nodes = [...nodesIn(functionNode)];
  const own = new Set(nodes.flatMap(declaredName));
  const firstAwait = Math.min(...nodes.filter(({ type }) => waits(type)).map(({ start }) => start));
  const from = Number.isFinite(firstAwait) ? firstAwait : functionNode.start;
  return nodes.some((node) => {
    const target = node.end > from ? changedBy(node) : null;
    return target !== null && !own.has(target);
  });
}

const waits = (type: string): boolean => type === "AwaitExpression" || type === "ForOfStatement";

function* nodesIn(value: unknown): Iterable<Shape> {
  if (Array.isArray(value)) for (const item of value) yield* nodesIn(item);
  if (!isNode(value)) return;
  yield value;
  for (const [key, child] of Object.entries(value)) if (key !== "type") yield* nodesIn(child);
}

/** A node with whatever children its type has. */
interface Shape extends Node {
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Shape =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

/** The names that a declaration or a function's parameters make. */
function declaredName(node: Shape): readonly string[] {
  if (node.type === "VariableDeclarator") return namesIn(node["id"]);
  return Array.isArray(node["params"]) ? namesIn(node["params"]) : [];
}

const namesIn = (pattern: unknown): readonly string[] =>
  [...nodesIn(pattern)].flatMap((node) => (node.type === "Identifier" ? [String(node["name"])] : []));

/** The variable that a node assigns to, or whose object it changes. */
function changedBy(node: Shape): string | null {
  switch (node.type) {
    case "AssignmentExpression":
      return rootOf(node["left"]);
    case "UpdateExpression":
      return rootOf(node["argument"]);
    case "CallExpression":
      return changedByCall(node["callee"]);
    default:
      return null;
  }
}

const changingMethods: ReadonlySet<unknown> = new Set("add clear delete pop push set shift splice unshift".split(" "));

function changedByCall(callee: unknown): string | null {
  if (!isNode(callee) || callee.type !== "MemberExpression") return null;
  const { property, object } = callee;
  return isNode(property) && changingMethods.has(property["name"]) ? rootOf(object) : null;
}

/** The variable that `a.b[c]` begins with. */
function rootOf(target: unknown): string | null {
  if (!isNode(target)) return null;
  if (target.type === "Identifier") return String(target["name"]);
  return target.type === "MemberExpression" ? rootOf(target["object"]) : null;
}
