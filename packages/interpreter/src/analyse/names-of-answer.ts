// Finds the names of the variables and properties that a program's answer depends on. This is a
// guess from the syntax, used only for warnings about answers. Names are compared without regard to
// scopes, so the result may contain too many names.

import { answerNames } from "../bindings.ts";
import { calledName } from "./functions-by-name.ts";
import {
  changedTarget,
  isFunction,
  isLoopOver,
  isNode,
  propertyName,
  type Reached,
  type TreeWalk,
} from "./tree-walk.ts";

const maxRounds = 20;

/**
 * Returns the variables and properties (`.name`) that a program's answer contains or depends on;
 * null if the program does not call the answer tool.
 */
export function namesOfAnswer(program: unknown, walk: TreeWalk): ReadonlySet<string> | null {
  const nodes = [...walk.reachedNodes(program)];
  const answers = nodes.filter(({ node }) => node.type === "CallExpression" && answerNames.has(calledName(node) ?? ""));
  if (answers.length === 0) return null;
  const names = new Set([
    ...answers.flatMap((reached) => sourcesOfAnswer(walk, reached)),
    ...nodes.flatMap((reached) => sourcesOfExit(walk, reached)),
  ]);
  for (let round = 0, before = 0; names.size > before && round < maxRounds; round++) {
    before = names.size;
    for (const reached of nodes) for (const name of sourcesOf(walk, reached, names)) names.add(name);
  }
  return names;
}

const sourcesOfAnswer = (walk: TreeWalk, { node, tests }: Reached): readonly string[] =>
  namesIn(walk, [node["arguments"], tests]);

/**
 * If a node is a `return`, `throw`, `break` or `continue`, returns the names in the conditions
 * around it. These conditions decide whether the code after the node runs.
 */
const sourcesOfExit = (walk: TreeWalk, { node, tests }: Reached): readonly string[] =>
  /^(?:Return|Throw|Break|Continue)/.test(node.type) ? namesIn(walk, tests) : [];

/** Returns the names that this node uses to compute one of `names`. */
function sourcesOf(walk: TreeWalk, { node, tests }: Reached, names: ReadonlySet<string>): readonly string[] {
  const isMeant = (name: string | null): boolean => name !== null && names.has(name);
  if (node.type === "VariableDeclarator")
    return walk.identifiersIn(node["id"]).some(isMeant) ? namesIn(walk, [node["init"], tests]) : [];
  if (isLoopOver(node)) return walk.identifiersIn(node["left"]).some(isMeant) ? namesIn(walk, node["right"]) : [];
  if (isFunction(node) || /^Class/.test(node.type))
    return isNode(node["id"]) && isMeant(String(node["id"]["name"])) ? namesIn(walk, node) : [];
  if (node.type === "MethodDefinition" || node.type === "PropertyDefinition" || node.type === "Property") {
    const name = propertyName(node);
    return name !== null && names.has(`.${name}`) ? namesIn(walk, node["value"]) : [];
  }
  const target = changedTarget(node);
  if (target !== null && namesIn(walk, target).some(isMeant)) return namesIn(walk, [node, tests]);
  return node.type === "CallExpression" ? sourcesOfCall(walk, { node, tests }, isMeant) : [];
}

/**
 * Returns the names in a call if the call may change a variable that the answer depends on. There
 * are two such calls:
 *
 * - `f(total)`, because a function can change an object that is passed to it
 * - `rows.forEach((total) => ...)`, because a callback gets its values from the function that calls
 *   it
 */
function sourcesOfCall(
  walk: TreeWalk,
  { node: call, tests }: Reached,
  isMeant: (name: string) => boolean,
): readonly string[] {
  const given = Array.isArray(call["arguments"]) ? call["arguments"].filter(isNode) : [];
  const isPassed = given.some(({ type, ...node }) => type === "Identifier" && isMeant(String(node["name"])));
  const isCallback = given.some((node) => isFunction(node) && walk.identifiersIn(node["params"]).some(isMeant));
  return isPassed || isCallback ? namesIn(walk, [call, tests]) : [];
}

/**
 * Returns the names of the variables in a tree, and the names of its properties with a dot before
 * them.
 */
function namesIn(walk: TreeWalk, tree: unknown): readonly string[] {
  const names: string[] = [];
  for (const node of walk.nodesIn(tree)) {
    if (node.type === "Identifier") names.push(String(node["name"]));
    const property = node.type === "MemberExpression" ? propertyName(node) : null;
    if (property !== null) names.push(`.${property}`);
  }
  return names;
}
