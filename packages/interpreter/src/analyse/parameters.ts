import type { Function as FunctionNode, Pattern } from "acorn";

/** Says whether all parameters are plain names. */
export function hasOnlyNames({ params }: FunctionNode): boolean {
  return params.every(({ type }) => type === "Identifier");
}

/**
 * Says whether a call only stores its arguments in the first slots of the frame, and the function
 * then moves them to its parameters. Plain functions with patterns or defaults do this. A rest
 * parameter needs a list of all arguments instead. An async function must turn errors of its
 * parameters into rejections, and a generator runs later.
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
