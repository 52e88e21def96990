// Removes `export` from programs, because models often write code as a module. The keyword is not
// needed: later programs can use the top-level names of a program anyway.

import type { ExportDefaultDeclaration, Expression, ModuleDeclaration, Program, Statement } from "acorn";

/**
 * Returns the program without the keyword `export` before declarations. Does not change
 * `export ... from`.
 */
export function withoutExports(program: Program): Program {
  if (!program.body.some(({ type }) => type.startsWith("Export"))) return program;
  return { ...program, body: program.body.map(withoutExport) };
}

function withoutExport(node: Statement | ModuleDeclaration): Statement | ModuleDeclaration {
  switch (node.type) {
    case "ExportNamedDeclaration":
      if (node.source) return node;
      return node.declaration ?? { type: "EmptyStatement", start: node.start, end: node.end };
    case "ExportDefaultDeclaration":
      return defaultStatement(node.declaration);
    default:
      return node;
  }
}

/**
 * Returns the statement for an `export default`. A function or class with a name becomes its
 * declaration. Otherwise the statement is the expression, whose value the program shows.
 */
function defaultStatement(declaration: ExportDefaultDeclaration["declaration"]): Statement {
  const { start, end } = declaration;
  if (declaration.type === "FunctionDeclaration" && declaration.id) return { ...declaration, id: declaration.id };
  if (declaration.type === "ClassDeclaration" && declaration.id) return { ...declaration, id: declaration.id };
  return { type: "ExpressionStatement", expression: asExpression(declaration), start, end };
}

function asExpression(declaration: ExportDefaultDeclaration["declaration"]): Expression {
  switch (declaration.type) {
    case "FunctionDeclaration":
      return { ...declaration, type: "FunctionExpression" };
    case "ClassDeclaration":
      return { ...declaration, type: "ClassExpression" };
    default:
      return declaration;
  }
}
