import type { Identifier, Pattern } from "acorn";

/** Returns the identifiers that a pattern declares, in order. */
export function boundNames(pattern: Pattern, names: Identifier[] = []): Identifier[] {
  switch (pattern.type) {
    case "Identifier":
      names.push(pattern);
      return names;
    case "ObjectPattern":
      for (const property of pattern.properties) {
        boundNames(property.type === "RestElement" ? property.argument : property.value, names);
      }
      return names;
    case "ArrayPattern":
      for (const element of pattern.elements) if (element) boundNames(element, names);
      return names;
    case "AssignmentPattern":
      return boundNames(pattern.left, names);
    case "RestElement":
      return boundNames(pattern.argument, names);
    case "MemberExpression":
      return names;
    default:
      return pattern satisfies never;
  }
}
