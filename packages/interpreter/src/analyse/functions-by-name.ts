import { isFunction, isNode, propertyName, type Shape, type TreeWalk } from "./tree-walk.ts";

/** The functions and methods of a program by name. Several may share a name. */
export type FunctionsByName = ReadonlyMap<string, readonly Shape[]>;

/**
 * Finds all functions of a program that have a name: declarations, and functions in variables,
 * methods, getters and properties.
 */
export function functionsByName(program: unknown, walk: TreeWalk): FunctionsByName {
  const found = new Map<string, Shape[]>();
  const add = (name: unknown, value: unknown): void => {
    if (typeof name !== "string" || !isNode(value) || !isFunction(value)) return;
    found.set(name, [...(found.get(name) ?? []), value]);
  };
  for (const node of walk.nodesIn(program)) {
    const named = isNode(node["id"]) ? node["id"]["name"] : undefined;
    add(named, node);
    add(named, node["init"]);
    add(propertyName(node), node["value"]);
    if (node.type === "AssignmentExpression" && isNode(node["left"]))
      add(node["left"]["name"] ?? propertyName(node["left"]), node["right"]);
  }
  return found;
}

/** Returns the name of the called function, for example of `load()` or `shop.load()`. */
export function calledName(call: Shape): string | null {
  const callee = call["callee"];
  if (!isNode(callee)) return null;
  return callee.type === "Identifier" ? String(callee["name"]) : propertyName(callee);
}
