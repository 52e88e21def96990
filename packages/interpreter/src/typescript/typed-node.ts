/**
 * A node of a syntax tree with types. Functions of this file read its children by property name and
 * check them.
 */
export interface TypedNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Returns the child node of this name, or null. */
export function nodeIn(node: TypedNode, key: string): TypedNode | null {
  const child = node[key];
  return isNode(child) ? child : null;
}

/** Returns the child nodes in the property `key`, which is a node or a list. */
export function nodesIn(node: TypedNode, key: string): TypedNode[] {
  return [node[key]].flat().filter(isNode);
}

/** Returns all child nodes of a node. */
export function childrenOf(node: TypedNode): TypedNode[] {
  return Object.entries(node).flatMap(([key, value]) => (key === "loc" ? [] : [value].flat().filter(isNode)));
}

function isNode(value: unknown): value is TypedNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
