// Rewrites a block of code to a script whose top-level variables survive the block.
//
// The block becomes the body of an async function. Its top-level names are declared once, in a
// separate script, and the declarations in the block become assignments. So later blocks can use
// the variables, and functions that use them see the values that later blocks assign.

import type { ImportDeclaration, Node, Pattern, Program, Statement, VariableDeclaration } from "acorn";
import type { SourceText } from "../../../interpreter/src/guest-throw.ts";
import { ProgramSyntaxError, parse } from "../../../interpreter/src/parse.ts";
import { eraseTypes } from "../../../interpreter/src/typescript/erase-types.ts";
import { furtherError, looksTyped } from "../../../interpreter/src/typescript/typed-source.ts";
import { EditedText } from "./edited-text.ts";

/** A block that is ready to be compiled. */
export interface RewrittenProgram {
  /** The rewritten block: an async arrow function with the parameter {@link helperName}. */
  readonly text: string;
  /** The names that the block declares at its top level. */
  readonly names: readonly string[];
  /** Returns the position in the original block for an offset in `text`. */
  readonly originalOffset: (offset: number) => number;
}

/** The only name that rewriting adds to a block. */
export const helperName = "__smolts";

/**
 * Parses and rewrites a block.
 *
 * @param refused - names that the block must not declare
 * @throws ProgramSyntaxError if it is neither valid JavaScript nor TypeScript
 */
export function rewriteProgram(source: SourceText, refused: ReadonlySet<string>): RewrittenProgram {
  const { program, text } = readProgram(source);
  const rewriting = new Rewriting(text);
  rewriting.program(program);
  for (const name of rewriting.names) {
    if (refused.has(name))
      throw new ProgramSyntaxError(
        `cannot redefine the tool "${name}"; use another name`,
        source,
        0,
        `"${name}" is always the declared tool; choose another name for your own variable or function`,
      );
  }
  return rewriting.finish();
}

/**
 * Returns the syntax tree of a block, and the text to which its positions refer. In that text,
 * TypeScript types are replaced by spaces.
 */
export function readProgram(source: SourceText): { readonly program: Program; readonly text: string } {
  if (looksTyped(source)) {
    try {
      return readTyped(source);
    } catch {
      // The block is not valid TypeScript. Parse it as JavaScript below.
    }
  }
  try {
    return { program: parse(source), text: source.text };
  } catch (plain) {
    if (!(plain instanceof ProgramSyntaxError)) throw plain;
    try {
      return readTyped(source);
    } catch (typed) {
      throw typed instanceof ProgramSyntaxError ? furtherError(plain, typed) : plain;
    }
  }
}

function readTyped(source: SourceText): { readonly program: Program; readonly text: string } {
  const text = eraseTypes(source);
  return { program: parse({ ...source, parsed: text }), text };
}

class Rewriting {
  readonly #edits: EditedText;
  readonly #names = new Set<string>();
  readonly #functions: string[] = [];
  #last = "";

  constructor(text: string) {
    this.#edits = new EditedText(text);
  }

  get names(): ReadonlySet<string> {
    return this.#names;
  }

  program(program: Program): void {
    const statements = program.body.filter(({ type }) => type !== "EmptyStatement");
    for (const statement of statements) this.#topLevel(statement);
    const last = statements.at(-1);
    if (last) this.#lastValue(last as Statement);
    this.#eachReturn(program);
    this.#eachImport(program);
  }

  finish(): RewrittenProgram {
    const { text, originalOffset } = this.#edits.finish();
    const functions = this.#functions.map((name) => `${helperName}.set[${JSON.stringify(name)}](${name});`).join("");
    const header = `(async (${helperName}) => {${functions}`;
    return {
      text: `${header}${text}\n${this.#last}})`,
      names: [...this.#names],
      originalOffset: (offset) => originalOffset(Math.max(0, offset - header.length)),
    };
  }

  #topLevel(node: Program["body"][number]): void {
    switch (node.type) {
      case "VariableDeclaration":
        return this.#assignments(node, "list");
      case "FunctionDeclaration":
        this.#names.add(node.id.name);
        this.#functions.push(node.id.name);
        return;
      case "ClassDeclaration":
        this.#names.add(node.id.name);
        this.#edits.insert(node.start, `${node.id.name} = `);
        this.#edits.insert(node.end, ";");
        return;
      case "ImportDeclaration":
        return this.#import(node);
      case "ExportNamedDeclaration":
        if (!node.declaration) return this.#edits.replace(node.start, node.end, ";");
        this.#edits.replace(node.start, node.declaration.start, "");
        return this.#topLevel(node.declaration);
      case "ExportDefaultDeclaration":
        return this.#exportDefault(node);
      case "ExportAllDeclaration":
        return this.#edits.replace(node.start, node.end, ";");
      default:
        this.#nestedVariables(node);
    }
  }

  #exportDefault(node: Extract<Program["body"][number], { type: "ExportDefaultDeclaration" }>): void {
    const { declaration } = node;
    const isNamed = "id" in declaration && declaration.id;
    this.#edits.replace(node.start, declaration.start, "");
    if (isNamed && (declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration"))
      return this.#topLevel(declaration as Statement);
    this.#edits.insert(declaration.start, "(");
    this.#edits.insert(declaration.end, ");");
  }

  /**
   * Rewrites a declaration to an assignment. For example, `let a = 1, { b } = c;` becomes
   * `;(a = 1, { b } = c);`.
   */
  #assignments(node: VariableDeclaration, place: "list" | "body" | "loop"): void {
    const first = node.declarations[0];
    const last = node.declarations.at(-1);
    if (!first || !last) return;
    for (const { id } of node.declarations) for (const name of namesIn(id)) this.#names.add(name);
    this.#edits.replace(node.start, first.start, { list: ";(", body: "(", loop: "" }[place]);
    for (const { id, init } of node.declarations) {
      if (!init && node.kind !== "var") this.#edits.insert(id.end, " = undefined");
    }
    if (place !== "loop") this.#edits.insert(last.end, node.end > last.end ? ")" : ");");
  }

  /**
   * Rewrites `var` declarations in nested statements, because they also declare top-level
   * variables.
   */
  #nestedVariables(node: Node): void {
    for (const child of childrenOf(node)) {
      if (isFunction(child)) continue;
      if (isNode(child, "VariableDeclaration") && child.kind === "var") {
        this.#assignments(child, placeOf(node, child));
        for (const { init } of child.declarations) if (init) this.#nestedVariables(init);
      } else this.#nestedVariables(child);
    }
  }

  #import(node: ImportDeclaration): void {
    const source = JSON.stringify(String(node.source.value));
    const parts: string[] = [];
    for (const specifier of node.specifiers) {
      const local = specifier.local.name;
      this.#names.add(local);
      if (specifier.type === "ImportNamespaceSpecifier")
        parts.push(`${local} = await ${helperName}.import(${source});`);
      else {
        const imported =
          specifier.type === "ImportDefaultSpecifier"
            ? "default"
            : specifier.imported.type === "Identifier"
              ? specifier.imported.name
              : String(specifier.imported.value);
        const name = JSON.stringify(imported);
        parts.push(`${local} = ${helperName}.pick(await ${helperName}.import(${source}), ${name}, ${source});`);
      }
    }
    if (parts.length === 0) parts.push(`await ${helperName}.import(${source});`);
    this.#edits.replace(node.start, node.end, `;${parts.join("")}`);
  }

  /**
   * Rewrites `import(x)` and `import.meta` anywhere in the block, because a script does not support
   * them.
   */
  #eachImport(node: Node): void {
    for (const child of childrenOf(node)) {
      if (child.type === "ImportExpression") {
        this.#edits.replace(child.start, child.start + "import".length, `${helperName}.import`);
      } else if (isNode(child, "MetaProperty") && child.meta.name === "import") {
        this.#edits.replace(child.start, child.end, `${helperName}.meta`);
      }
      this.#eachImport(child);
    }
  }

  /** Makes the value of each top-level `return` the output of the block. */
  #eachReturn(node: Node): void {
    for (const child of childrenOf(node)) {
      if (isFunction(child)) continue;
      if (isNode(child, "ReturnStatement") && child.argument) {
        this.#edits.insert(child.argument.start, `${helperName}.show(await (`);
        this.#edits.insert(child.argument.end, "))");
      }
      this.#eachReturn(child);
    }
  }

  /**
   * Makes the value of the last statement the output of the block. A loop has no output, because
   * nobody expects one.
   */
  #lastValue(node: Statement): void {
    switch (node.type) {
      case "ExpressionStatement":
        this.#edits.insert(node.expression.start, `${helperName}.show((`);
        this.#edits.insert(node.expression.end, "))");
        return;
      case "VariableDeclaration":
        this.#showName(node.declarations.flatMap(({ id }) => namesIn(id)).at(-1));
        return;
      case "FunctionDeclaration":
      case "ClassDeclaration":
        this.#showName(node.id.name);
        return;
      case "IfStatement":
        this.#lastValue(node.consequent);
        if (node.alternate) this.#lastValue(node.alternate);
        return;
      case "BlockStatement": {
        const last = node.body.filter(({ type }) => type !== "EmptyStatement").at(-1);
        if (last && !last.type.endsWith("Declaration")) this.#lastValue(last);
        return;
      }
      case "TryStatement":
        this.#lastValue(node.block);
        if (node.handler) this.#lastValue(node.handler.body);
        return;
      case "LabeledStatement":
        return this.#lastValue(node.body);
      default:
    }
  }

  #showName(name: string | undefined): void {
    if (name !== undefined) this.#last = `;${helperName}.show(${name});`;
  }
}

/** Returns all names that a pattern declares. */
export function namesIn(pattern: Pattern): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        namesIn(property.type === "RestElement" ? property.argument : property.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element ? namesIn(element) : []));
    case "RestElement":
      return namesIn(pattern.argument);
    case "AssignmentPattern":
      return namesIn(pattern.left);
    case "MemberExpression":
      return [];
    default:
      return pattern satisfies never;
  }
}

const isNode = <Type extends string>(node: Node, type: Type): node is Extract<AnyNode, { type: Type }> =>
  node.type === type;

type AnyNode = import("acorn").AnyNode;

const isFunction = ({ type }: Node): boolean =>
  type === "FunctionDeclaration" ||
  type === "FunctionExpression" ||
  type === "ArrowFunctionExpression" ||
  type === "ClassBody";

function placeOf(parent: Node, child: Node): "list" | "body" | "loop" {
  const { init, left } = parent as { init?: unknown; left?: unknown };
  if (init === child || left === child) return "loop";
  return parent.type === "BlockStatement" || parent.type === "SwitchCase" ? "list" : "body";
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === "object" && child !== null && typeof (child as Node).type === "string")
        children.push(child as Node);
    }
  }
  return children;
}
