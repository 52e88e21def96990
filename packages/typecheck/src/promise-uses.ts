// Finds promises that are used instead of their values: as a condition, in arithmetic, in a
// comparison, or in a text.
//
// The compiler reports such uses only with `strictNullChecks`, which would also reject loosely
// typed code that works. So this file searches for these uses itself. It reports only values that
// are certainly promises: the result of a function that always returns a promise, or a variable
// that holds such a result and is never awaited.

import type { CodeProblem } from "@smolts/protocol";
import type ts from "typescript";
import type { CheckedCode, TypeScript } from "./compiler.ts";

/**
 * Returns the problems with promises that a program uses instead of their values, in the order of
 * the code.
 */
export function promiseProblemsOf(typescript: TypeScript, checked: CheckedCode): readonly CodeProblem[] {
  return new PromiseReader(typescript, checked).problems();
}

class PromiseReader {
  readonly #ts: TypeScript;
  readonly #checked: CheckedCode;
  readonly #references = new Map<ts.Symbol, ts.Identifier[]>();
  readonly #calls: ts.CallExpression[] = [];

  constructor(typescript: TypeScript, checked: CheckedCode) {
    this.#ts = typescript;
    this.#checked = checked;
  }

  problems(): readonly CodeProblem[] {
    this.#collect(this.#checked.file);
    const found = this.#calls.filter((call) => this.#returnsPromise(call)).flatMap((call) => this.#problemsOf(call));
    return found.sort((one, other) => one.line - other.line);
  }

  #collect(node: ts.Node): void {
    if (this.#ts.isCallExpression(node)) this.#calls.push(node);
    if (this.#ts.isIdentifier(node)) {
      const symbol = this.#checked.checker.getSymbolAtLocation(node);
      if (symbol) this.#references.set(symbol, [...(this.#references.get(symbol) ?? []), node]);
    }
    this.#ts.forEachChild(node, (child) => this.#collect(child));
  }

  /**
   * Says whether a call always returns a promise: the called function is async, or `Promise` is its
   * declared return type. For example, this is false for `get` of a map of promises, because `get`
   * may also return undefined.
   */
  #returnsPromise(call: ts.CallExpression): boolean {
    const { checker } = this.#checked;
    if (call.questionDotToken || this.#ts.isOptionalChain(call)) return false;
    if (checker.getTypeAtLocation(call).symbol?.name !== "Promise") return false;
    const declaration = checker.getResolvedSignature(call)?.declaration;
    if (!declaration) return false;
    if (this.#ts.getCombinedModifierFlags(declaration as ts.Declaration) & this.#ts.ModifierFlags.Async) return true;
    const { type } = declaration;
    return type !== undefined && this.#ts.isTypeReferenceNode(type) && type.typeName.getText() === "Promise";
  }

  #problemsOf(call: ts.CallExpression): readonly CodeProblem[] {
    const use = this.#useOf(call);
    if (use) return [this.#problem(call, call, use)];
    return this.#usesOfVariable(call).map(({ node, use }) => this.#problem(node, call, use));
  }

  #problem(node: ts.Node, call: ts.CallExpression, use: string): CodeProblem {
    const { file } = this.#checked;
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const callee = call.expression.getText().replace(/\s+/g, " ").slice(-maxNameLength);
    return { line, message: `The promise of ${callee}(...) ${use}. Write await before the call.` };
  }

  /**
   * Returns the uses of the variable that holds the promise of a call. Returns an empty list if one
   * of the uses may await the promise. Also returns an empty list if the code does not call
   * finalAnswer, because then a later block of code may await the promise.
   */
  #usesOfVariable(call: ts.CallExpression): readonly { readonly node: ts.Node; readonly use: string }[] {
    const { parent } = call;
    if (!this.#ts.isVariableDeclaration(parent) || !this.#ts.isIdentifier(parent.name)) return [];
    const symbol = this.#checked.checker.getSymbolAtLocation(parent.name);
    const references = ((symbol && this.#references.get(symbol)) ?? []).filter((node) => node !== parent.name);
    const uses = references.flatMap((node) => {
      const use = this.#useOf(node);
      return use ? [{ node, use }] : [];
    });
    const isLast = this.#calls.some(({ expression }) => /^final_?[aA]nswer$/.test(expression.getText()));
    return isLast && uses.length === references.length ? uses : [];
  }

  /**
   * Describes how the code uses a promise as if it were a plain value, such as "is put into a
   * text". Returns null if the code does not do this, or if the use may be meant for the promise
   * itself.
   */
  #useOf(node: ts.Node): string | null {
    const { parent } = node;
    const ts = this.#ts;
    if (ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent) || ts.isNonNullExpression(parent))
      return this.#useOf(parent);
    if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent))
      return parent.expression === node ? asCondition : null;
    if (ts.isForStatement(parent)) return parent.condition === node ? asCondition : null;
    if (ts.isConditionalExpression(parent)) return parent.condition === node ? asCondition : this.#useOf(parent);
    if (ts.isTemplateSpan(parent)) return ts.isTaggedTemplateExpression(parent.parent.parent) ? null : asText;
    if (ts.isPrefixUnaryExpression(parent))
      return parent.operator === ts.SyntaxKind.ExclamationToken ? asCondition : inArithmetic;
    return ts.isBinaryExpression(parent) ? this.#useByOperator(parent, node) : null;
  }

  #useByOperator(parent: ts.BinaryExpression, node: ts.Node): string | null {
    const ts = this.#ts;
    const isLeft = parent.left === node;
    switch (ts.tokenToString(parent.operatorToken.kind)) {
      case "&&":
        return isLeft ? asCondition : this.#useOf(parent);
      case "||":
      case "??":
        // The promise may become the value of the whole expression, and the surrounding code may
        // await that value.
        return ts.isExpressionStatement(parent.parent) && isLeft ? asCondition : this.#useOf(parent);
      case "+":
      case "-":
      case "*":
      case "/":
      case "%":
      case "**":
        return inArithmetic;
      case "+=":
      case "-=":
      case "*=":
      case "/=":
        return isLeft ? null : inArithmetic;
      case "<":
      case ">":
      case "<=":
      case ">=":
      case "==":
      case "!=":
      case "===":
      case "!==":
        return this.#isPromise(isLeft ? parent.right : parent.left) ? null : inComparison;
      default:
        return null;
    }
  }

  #isPromise(node: ts.Node): boolean {
    return this.#checked.checker.getTypeAtLocation(node).symbol?.name === "Promise";
  }
}

const maxNameLength = 60;
const asCondition = "is used as a condition, where every promise counts as true";
const inArithmetic = "is used in arithmetic or joined to a text";
const inComparison = "is compared in place of its value";
const asText = "is put into a text";
