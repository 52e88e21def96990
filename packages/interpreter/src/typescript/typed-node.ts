/** A node of a tree with types: children are read by name and looked at before use. */
export interface TypedNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** The node under a name, if there is one. */
export function nodeIn(node: TypedNode, key: string): TypedNode | null {
  const child = node[key];
  return isNode(child) ? child : null;
}

/** The nodes of the list under a name. */
export function nodesIn(node: TypedNode, key: string): TypedNode[] {
  return [node[key]].flat().filter(isNode);
}

/** All nodes right below a node. */
export function childrenOf(node: TypedNode): TypedNode[] {
  return Object.entries(node).flatMap(([key, value]) => (key === "loc" ? [] : [value].flat().filter(isNode)));
}

function isNode(value: unknown): value is TypedNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
