// The names that a program's answer depends on: a guess from its form, for doubts about answers. It
// follows names, not scopes, and rather takes one too many.

import { answerNames } from "../bindings.ts";
import { calledName } from "./functions-by-name.ts";
import {
  changedTarget,
  identifiersIn,
  isFunction,
  isLoopOver,
  isNode,
  nodesIn,
  propertyName,
  type Reached,
  reachedNodes,
  type Shape,
} from "./tree-walk.ts";

const mostRounds = 20;

/**
 * The variables, and the properties (`.name`), that the answer of a program is made of or that
 * decide about it; null if the program gives none itself.
 */
export function namesOfAnswer(program: unknown): ReadonlySet<string> | null {
  const nodes = [...reachedNodes(program)];
  const answers = nodes.filter(({ node }) => node.type === "CallExpression" && answerNames.has(calledName(node) ?? ""));
  if (answers.length === 0) return null;
  const names = new Set([...answers.flatMap(sourcesOfAnswer), ...nodes.flatMap(sourcesOfExit)]);
  for (let round = 0, before = 0; names.size > before && round < mostRounds; round++) {
    before = names.size;
    for (const reached of nodes) for (const name of sourcesOf(reached, names)) names.add(name);
  }
  return names;
}

const sourcesOfAnswer = ({ node, tests }: Reached): readonly string[] => namesIn([node["arguments"], tests]);

/** A program that leaves early, or stays in a loop, decides by that what follows. */
const sourcesOfExit = ({ node, tests }: Reached): readonly string[] =>
  /^(?:Return|Throw|Break|Continue)/.test(node.type) ? namesIn(tests) : [];

/** Gives what has a part in one of the names at this node. */
function sourcesOf({ node, tests }: Reached, names: ReadonlySet<string>): readonly string[] {
  const isMeant = (name: string | null): boolean => name !== null && names.has(name);
  if (node.type === "VariableDeclarator")
    return identifiersIn(node["id"]).some(isMeant) ? namesIn([node["init"], tests]) : [];
  if (isLoopOver(node)) return identifiersIn(node["left"]).some(isMeant) ? namesIn(node["right"]) : [];
  if (isFunction(node) || /^Class/.test(node.type))
    return isNode(node["id"]) && isMeant(String(node["id"]["name"])) ? namesIn(node) : [];
  if (node.type === "MethodDefinition" || node.type === "PropertyDefinition" || node.type === "Property") {
    const name = propertyName(node);
    return name !== null && names.has(`.${name}`) ? namesIn(node["value"]) : [];
  }
  const target = changedTarget(node);
  if (target !== null && namesIn(target).some(isMeant)) return namesIn([node, tests]);
  return node.type === "CallExpression" ? sourcesOfCall(node, tests, isMeant) : [];
}

/**
 * A function that gets an object may change it; a callback with a name that is meant is called with
 * what its caller has.
 */
function sourcesOfCall(call: Shape, tests: readonly Shape[], isMeant: (name: string) => boolean): readonly string[] {
  const given = Array.isArray(call["arguments"]) ? call["arguments"].filter(isNode) : [];
  const isPassed = given.some(({ type, ...node }) => type === "Identifier" && isMeant(String(node["name"])));
  const isCallback = given.some((node) => isFunction(node) && identifiersIn(node["params"]).some(isMeant));
  return isPassed || isCallback ? namesIn([call, tests]) : [];
}

/** The names of variables in a tree, and those of properties with a dot before them. */
function namesIn(tree: unknown): readonly string[] {
  const names: string[] = [];
  for (const node of nodesIn(tree)) {
    if (node.type === "Identifier") names.push(String(node["name"]));
    const property = node.type === "MemberExpression" ? propertyName(node) : null;
    if (property !== null) names.push(`.${property}`);
  }
  return names;
}
