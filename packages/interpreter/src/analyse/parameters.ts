import type { Function as FunctionNode, Pattern } from "acorn";

/** Says whether all parameters are plain names. */
export function hasOnlyNames({ params }: FunctionNode): boolean {
  return params.every(({ type }) => type === "Identifier");
}

/**
 * Says whether a function moves its arguments to its parameters itself. A call of such a function
 * only stores the arguments in the first slots of the frame. This is true for plain functions that
 * have a parameter with a pattern or a default. It is false for three kinds of functions:
 *
 * - functions with a rest parameter, because they need a list of all arguments
 * - async functions, because they must turn errors of their parameters into rejections
 * - generators, because they run later
 */
export function movesArguments(node: FunctionNode): boolean {
  if (hasOnlyNames(node) || node.async || node.generator) return false;
  return node.params.at(-1)?.type !== "RestElement";
}

/** Says whether a parameter contains code. If so, the body gets its own scope. */
export function hasParameterExpressions({ params }: FunctionNode): boolean {
  return params.some(containsCode);
}

function containsCode(pattern: Pattern): boolean {
  switch (pattern.type) {
    case "Identifier":
      return false;
    case "RestElement":
      return containsCode(pattern.argument);
    case "ArrayPattern":
      return pattern.elements.some((element) => element !== null && containsCode(element));
    case "ObjectPattern":
      return pattern.properties.some((property) =>
        property.type === "RestElement"
          ? containsCode(property.argument)
          : property.computed || containsCode(property.value),
      );
    default:
      return true;
  }
}
