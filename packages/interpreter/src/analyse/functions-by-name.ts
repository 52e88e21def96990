import { isFunction, isNode, propertyName, type Shape, type TreeWalk } from "./tree-walk.ts";

/** The functions and methods of a program by their names. A name may have several. */
export type FunctionsByName = ReadonlyMap<string, readonly Shape[]>;

/**
 * Collects the functions that a program names: declarations, variables, methods, getters and
 * properties that hold functions.
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

/** The name that a call calls: of `load()` and of `shop.load()`. */
export function calledName(call: Shape): string | null {
  const callee = call["callee"];
  if (!isNode(callee)) return null;
  return callee.type === "Identifier" ? String(callee["name"]) : propertyName(callee);
}
