// Selects the compiler's diagnostics that a model is shown: those that mean that the code will fail
// when it runs. Models write loosely typed code, and a complaint about working code costs a step.
// So diagnostics about arguments are shown only for calls of functions that are declared outside
// the code, such as tools. Diagnostics about properties are shown only for values from these
// functions or from the language itself.

import type { CodeProblem } from "@smolts/protocol";
import type ts from "typescript";
import type { CheckedCode, TypeScript } from "./compiler.ts";
import { Writes } from "./writes.ts";

/** Returns the problems of a program that a model must correct, in the order of their lines. */
export function problemsOf(typescript: TypeScript, checked: CheckedCode): readonly CodeProblem[] {
  const reader = new ProblemReader(typescript, checked);
  return checked.diagnostics.flatMap((diagnostic) => reader.read(diagnostic) ?? []);
}

/** The codes of the compiler's diagnostics, by their subject. */
const aboutArguments = new Set([2322, 2345, 2353, 2554, 2559, 2561, 2739, 2740, 2741]);
const aboutProperties = new Set([2339, 2551]);
const misspeltName = 2552;

/**
 * Functions that the platform may have. A call of one is not reported as a misspelt name, even if
 * the program has a similar name.
 */
const platformFunctions = new Set([
  ...["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate"],
  ...["queueMicrotask", "structuredClone", "fetch", "atob", "btoa", "require", "reportError"],
  ...["requestAnimationFrame", "cancelAnimationFrame", "alert", "confirm", "prompt"],
]);

class ProblemReader {
  readonly #ts: TypeScript;
  readonly #checked: CheckedCode;
  readonly #writes: Writes;

  constructor(typescript: TypeScript, checked: CheckedCode) {
    this.#ts = typescript;
    this.#checked = checked;
    this.#writes = new Writes(typescript, checked);
  }

  read({ code, start, messageText }: ts.Diagnostic): CodeProblem | null {
    const { file } = this.#checked;
    const node = start === undefined ? null : this.#nodeAt(file, start);
    if (node === null || !this.#isReported(code, node)) return null;
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const text = this.#ts.flattenDiagnosticMessageText(messageText, " ");
    return { line, message: `${text}${this.#hint(code, node)}` };
  }

  #isReported(code: number, node: ts.Node): boolean {
    if (aboutArguments.has(code)) return this.#isArgumentOfDeclared(node);
    if (aboutProperties.has(code)) return this.#isReadOfKnown(node);
    return code === misspeltName && this.#ts.isCallExpression(node.parent) && !platformFunctions.has(node.getText());
  }

  /**
   * Says whether a node is in a call of a function that is declared outside the code. The call must
   * have one object as its argument, or no argument. Calls with positional arguments do not count,
   * because other rules apply to them.
   */
  #isArgumentOfDeclared(node: ts.Node): boolean {
    const call = this.#callAround(node);
    if (!call || !this.#ts.isIdentifier(call.expression)) return false;
    const [declaration] = this.#checked.checker.getSymbolAtLocation(call.expression)?.declarations ?? [];
    if (!declaration || declaration.getSourceFile() === this.#checked.file) return false;
    const [argument] = call.arguments;
    return call.arguments.length === 0 || (call.arguments.length === 1 && this.#isObject(argument));
  }

  #callAround(node: ts.Node): ts.CallExpression | null {
    for (let around: ts.Node = node; around.parent; around = around.parent) {
      if (this.#ts.isCallExpression(around)) return around;
      if (this.#ts.isFunctionLike(around)) return null;
    }
    return null;
  }

  #isObject(node: ts.Node | undefined): boolean {
    if (!node) return false;
    const { flags } = this.#checked.checker.getTypeAtLocation(node);
    return (flags & this.#ts.TypeFlags.Object) !== 0 && !this.#ts.isArrayLiteralExpression(node);
  }

  /**
   * Says whether a property is read from a value whose type is declared outside the code. An object
   * that the code itself made does not count, because it may get further properties later.
   */
  #isReadOfKnown(node: ts.Node): boolean {
    const owner = this.#ownerOf(node);
    if (!owner || this.#isWritten(node.parent)) return false;
    if (this.#writes.isRootReassigned(owner) || this.#writes.assignsProperty(node.getText())) return false;
    const type = this.#checked.checker.getTypeAtLocation(owner);
    const declarations = (type.symbol ?? this.#checked.checker.getApparentType(type).symbol)?.declarations ?? [];
    // The code that threw an error may have added any properties to the error.
    if (/Error$/.test(type.symbol?.name ?? "")) return false;
    return declarations.length > 0 && declarations.every((declared) => declared.getSourceFile() !== this.#checked.file);
  }

  /** Returns the expression whose property is read, if the node is the name of that property. */
  #ownerOf(node: ts.Node): ts.Expression | undefined {
    const { parent } = node;
    if (this.#ts.isPropertyAccessExpression(parent)) return parent.expression;
    const declaration = this.#ts.isBindingElement(parent) ? parent.parent.parent : undefined;
    return declaration && this.#ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  }

  #isWritten(access: ts.Node): boolean {
    const { parent } = access;
    const { FirstAssignment, LastAssignment } = this.#ts.SyntaxKind;
    if (!this.#ts.isBinaryExpression(parent) || parent.left !== access) return false;
    const { kind } = parent.operatorToken;
    return kind >= FirstAssignment && kind <= LastAssignment;
  }

  #hint(code: number, node: ts.Node): string {
    const owner = aboutProperties.has(code) ? this.#ownerOf(node) : undefined;
    const isPromise = owner && this.#checked.checker.getTypeAtLocation(owner).symbol?.name === "Promise";
    return isPromise ? " It is a promise: await it first." : "";
  }

  /** Returns the smallest node that begins at a position. */
  #nodeAt(node: ts.Node, position: number): ts.Node | null {
    if (position < node.getStart() || position >= node.end) return null;
    return this.#ts.forEachChild(node, (child) => this.#nodeAt(child, position) ?? undefined) ?? node;
  }
}
