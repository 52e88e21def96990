// Finds the assignments in code. The compiler assumes that variables keep their first type, and
// that objects have only their declared properties. An assignment can make this wrong, so
// diagnostics about assigned variables and properties are not certain.

import type ts from "typescript";
import type { CheckedCode, TypeScript } from "./compiler.ts";

/** The variables and properties that a program assigns again after they were created. */
export class Writes {
  readonly #ts: TypeScript;
  readonly #checked: CheckedCode;
  readonly #variables = new Set<ts.Symbol>();
  readonly #properties = new Set<string>();

  constructor(typescript: TypeScript, checked: CheckedCode) {
    this.#ts = typescript;
    this.#checked = checked;
    this.#collect(checked.file);
  }

  /**
   * Says whether an expression begins with a variable that is assigned again. If so, the type of
   * the expression is not certain.
   */
  isRootReassigned(expression: ts.Expression): boolean {
    const root = this.#rootOf(expression);
    const symbol = this.#ts.isIdentifier(root) ? this.#checked.checker.getSymbolAtLocation(root) : undefined;
    return symbol !== undefined && this.#variables.has(symbol);
  }

  /** Says whether the code assigns a property with this name to any object. */
  assignsProperty(name: string): boolean {
    return this.#properties.has(name);
  }

  #rootOf(expression: ts.Expression): ts.Expression {
    const ts = this.#ts;
    const isStep =
      ts.isPropertyAccessExpression(expression) ||
      ts.isElementAccessExpression(expression) ||
      ts.isCallExpression(expression) ||
      ts.isParenthesizedExpression(expression) ||
      ts.isAsExpression(expression) ||
      ts.isNonNullExpression(expression) ||
      ts.isAwaitExpression(expression);
    return isStep ? this.#rootOf(expression.expression) : expression;
  }

  #collect(node: ts.Node): void {
    const ts = this.#ts;
    if (ts.isBinaryExpression(node) && this.#isAssignment(node.operatorToken.kind)) this.#write(node.left);
    if (ts.isForOfStatement(node) || ts.isForInStatement(node)) this.#write(node.initializer);
    if (ts.isCallExpression(node) && /^Object\.(assign|define)/.test(node.expression.getText())) {
      for (const argument of node.arguments) this.#writeKeys(argument);
    }
    ts.forEachChild(node, (child) => this.#collect(child));
  }

  #isAssignment(kind: ts.SyntaxKind): boolean {
    const { FirstAssignment, LastAssignment } = this.#ts.SyntaxKind;
    return kind >= FirstAssignment && kind <= LastAssignment;
  }

  /**
   * Records the target of an assignment. If it is a destructuring pattern, such as `[a, b]`,
   * records each target in it.
   */
  #write(target: ts.Node): void {
    const ts = this.#ts;
    if (ts.isIdentifier(target)) {
      const symbol = this.#checked.checker.getSymbolAtLocation(target);
      if (symbol) this.#variables.add(symbol);
    } else if (ts.isPropertyAccessExpression(target)) this.#properties.add(target.name.text);
    else if (ts.isElementAccessExpression(target)) this.#writeKeys(target.argumentExpression);
    else if (ts.isArrayLiteralExpression(target) || ts.isObjectLiteralExpression(target))
      ts.forEachChild(target, (part) => this.#write(part));
    else if (ts.isShorthandPropertyAssignment(target)) {
      const symbol = this.#checked.checker.getShorthandAssignmentValueSymbol(target);
      if (symbol) this.#variables.add(symbol);
    } else if (ts.isPropertyAssignment(target)) this.#write(target.initializer);
    else if (ts.isSpreadElement(target) || ts.isSpreadAssignment(target)) this.#write(target.expression);
    else if (ts.isBinaryExpression(target)) this.#write(target.left);
  }

  #writeKeys(node: ts.Node): void {
    const ts = this.#ts;
    if (ts.isStringLiteralLike(node)) this.#properties.add(node.text);
    if (!ts.isObjectLiteralExpression(node)) return;
    for (const { name } of node.properties)
      if (name && (ts.isIdentifier(name) || ts.isStringLiteralLike(name))) this.#properties.add(name.text);
  }
}
