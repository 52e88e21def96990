// Code that was written as a module exports what it declares. Top-level names of a program stay
// anyway, so it is read as if `export` were not there.

import type { ExportDefaultDeclaration, Expression, ModuleDeclaration, Program, Statement } from "acorn";

/**
 * A program whose own exports are plain declarations. What it would pass on from other modules is
 * left as it is.
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
 * A function or class that has a name is declared; the value of anything else is what the program
 * shows.
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
