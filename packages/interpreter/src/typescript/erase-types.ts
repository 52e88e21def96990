// Removes the types of a program. Each type is replaced by blanks, so that lines and columns of the
// remaining code stay the same. This file and its parser are loaded for the first program that is
// not plain JavaScript. TypeScript syntax that is more than a type, such as an enum, is refused.

import { tsPlugin } from "@sveltejs/acorn-typescript";
import { Parser } from "acorn";
import type { SourceText } from "../guest-throw.ts";
import { boundNesting } from "../nesting.ts";
import { toProgramSyntaxError } from "../parse.ts";
import { withoutHostPatterns } from "../pattern-literals.ts";
import { readingStep } from "../reading-steps.ts";
import { quickNames } from "../scope-names.ts";
import { refuse } from "./refused-nodes.ts";
import { childrenOf, nodeIn, nodesIn, type TypedNode } from "./typed-node.ts";

const statementsOfTypes = new Set(["TSInterfaceDeclaration", "TSTypeAliasDeclaration", "TSDeclareFunction"]);
const modifiers = /\b(?:private|public|protected|readonly|declare|abstract|override)\b/g;
// How many tokens the parser may read for each character of the text. The parser sometimes reads
// the same text in several ways, and such attempts can be nested. A limit on the length of the text
// would therefore not bound the work.
const tokensPerCharacter = 20;

/**
 * Returns the text of a program or module with its types replaced by blanks. Imports that a module
 * uses only in types are replaced too, because they may be types themselves.
 *
 * @throws TypeRefusal for syntax that is more than a type; ProgramSyntaxError when the text is not
 *   TypeScript
 */
export function eraseTypes(source: SourceText): string {
  const eraser = new Eraser(source);
  eraser.visit(parseTyped(source));
  // Imports of a program stay, because later programs may use them.
  if (source.isModule) eraser.blankUnusedImports();
  return eraser.text;
}

function parseTyped(source: SourceText): TypedNode {
  try {
    return readTyped(source.text);
  } catch (error) {
    throw toProgramSyntaxError(error, source);
  }
}

function readTyped(text: string): TypedNode {
  let tokensLeft = tokensPerCharacter * (text.length + 100);
  class BoundedParser extends Parser.extend(tsPlugin(), quickNames, withoutHostPatterns, boundNesting) {
    next(...args: unknown[]): void {
      // Do not throw a SyntaxError: the parser would catch it and read the text in another way.
      if (--tokensLeft < 0) throw new RangeError("too many readings");
      (Parser.prototype as unknown as { next(...args: unknown[]): void }).next.apply(this, args);
    }
  }
  const program = BoundedParser.parse(text, {
    ecmaVersion: 2024,
    sourceType: "module",
    allowAwaitOutsideFunction: true,
    // A `return` in a wrong place is reported later, when the text without types is parsed.
    allowReturnOutsideFunction: true,
    allowHashBang: true,
    preserveParens: true,
    locations: true,
  });
  return program as unknown as TypedNode; // acorn's types do not include TypeScript
}

class Eraser {
  readonly #source: SourceText;
  readonly #characters: string[];
  readonly #imports: TypedNode[] = [];
  /** All names that are used outside of types. */
  readonly #names = new Set<string>();

  constructor(source: SourceText) {
    this.#source = source;
    this.#characters = source.text.split("");
  }

  get text(): string {
    return this.#characters.join("");
  }

  visit(node: TypedNode, isInType: boolean = false): void {
    readingStep();
    if (isTypeOnlySpecifier(node)) return this.#blankListed(node);
    // Inside a type, the statement is already replaced together with the whole type.
    if (!isInType && isTypeOnlyStatement(node)) return this.#blankStatement(node);
    refuse(node, this.#source);
    if (/^TSType(?:Annotation|ParameterDeclaration|ParameterInstantiation)$/.test(node.type))
      return this.#blank(node.start, node.end);
    this.#eraseOwn(node);
    if (node.type === "Identifier" && !isInType) this.#names.add(String(node["name"]));
    if (node.type === "ImportDeclaration") this.#imports.push(node);
    const isType = isInType || /^(?:Import.*Specifier$|TS(?!.*(?:Expression|Assertion)$))/.test(node.type);
    for (const child of childrenOf(node)) this.visit(child, isType);
  }

  blankUnusedImports(): void {
    for (const node of this.#imports) {
      const specifiers = nodesIn(node, "specifiers");
      const unused = specifiers.filter((specifier) => !this.#names.has(String(nodeIn(specifier, "local")?.["name"])));
      if (unused.length > 0 && unused.length === specifiers.length) this.#blankStatement(node);
      else for (const specifier of unused) this.#blankListed(specifier);
    }
  }

  /**
   * Blanks the parts of a node that belong to types, if the node itself is not a type: keywords
   * such as `abstract`, and the marks `?` and `!`.
   */
  #eraseOwn(node: TypedNode): void {
    switch (node.type) {
      case "TSAsExpression":
      case "TSSatisfiesExpression":
      case "TSNonNullExpression":
        return this.#blank(nodeIn(node, "expression")?.end ?? node.end, node.end);
      case "TSTypeAssertion":
        return this.#blank(node.start, nodeIn(node, "expression")?.start ?? node.end);
      case "Identifier":
      case "ObjectPattern":
      case "ArrayPattern":
        return this.#erasePattern(node);
      case "ClassDeclaration":
      case "ClassExpression":
        return this.#eraseHeritage(node);
      case "PropertyDefinition":
      case "MethodDefinition":
        return this.#eraseMember(node);
      case "FunctionDeclaration":
      case "FunctionExpression":
        return this.#eraseThis(node);
      default:
        return;
    }
  }

  #erasePattern(node: TypedNode): void {
    const annotation = nodeIn(node, "typeAnnotation");
    if (node["optional"] !== true) return;
    const end = annotation?.start ?? node.end;
    const mark = this.#source.text.lastIndexOf("?", end - 1);
    if (mark >= node.start) this.#blank(mark, mark + 1);
  }

  #eraseHeritage(node: TypedNode): void {
    if (node["abstract"] === true) this.#blank(node.start, node.start + "abstract".length);
    const last = nodesIn(node, "implements").at(-1);
    if (!last) return;
    const before = ["superTypeParameters", "superClass", "typeParameters", "id"].map((key) => nodeIn(node, key));
    this.#blank(before.find((part) => part !== null)?.end ?? node.start + "class".length, last.end);
  }

  #eraseMember(node: TypedNode): void {
    const key = nodeIn(node, "key");
    if (!key) return;
    const head = this.#source.text.slice(node.start, key.start);
    for (const { 0: word, index } of head.matchAll(modifiers)) {
      this.#blank(node.start + index, node.start + index + word.length);
    }
    const next = nodeIn(node, "typeAnnotation") ?? nodeIn(node, "value");
    const tail = this.#source.text.slice(key.end, next?.start ?? node.end);
    for (const { index } of tail.matchAll(/[?!]/g)) this.#blank(key.end + index, key.end + index + 1);
  }

  /** Blanks a first parameter named `this`, which is only a type. */
  #eraseThis(node: TypedNode): void {
    const [first] = nodesIn(node, "params");
    if (first?.["name"] === "this") this.#blankListed(first);
  }

  /**
   * Replaces a statement by blanks and a semicolon, so that the code before the statement still
   * ends there.
   */
  #blankStatement({ start, end }: TypedNode): void {
    this.#blank(start, end);
    this.#characters[start] = ";";
  }

  /** Blanks an item of a list, and the comma after it. */
  #blankListed({ start, end }: TypedNode): void {
    const comma = /^\s*,/.exec(this.#source.text.slice(end))?.[0].length ?? 0;
    this.#blank(start, end + comma);
  }

  #blank(start: number, end: number): void {
    for (let index = start; index < end; index++) {
      if (!/[\n\r\u2028\u2029]/.test(this.#characters[index] ?? "")) this.#characters[index] = " ";
    }
  }
}

/** Says whether a statement or member is only a type, so that all of it is removed. */
function isTypeOnlyStatement(node: TypedNode): boolean {
  if (statementsOfTypes.has(node.type) || node.type === "TSIndexSignature") return true;
  if (node["declare"] === true || node["importKind"] === "type" || node["exportKind"] === "type") return true;
  const exported = nodeIn(node, "declaration");
  if (exported !== null && statementsOfTypes.has(exported.type)) return true;
  const imported = node.type === "ImportDeclaration" ? nodesIn(node, "specifiers") : [];
  if (imported.length > 0 && imported.every(isTypeOnlySpecifier)) return true;
  const isMember = node.type === "MethodDefinition" || node.type === "PropertyDefinition";
  return isMember && (node["abstract"] === true || nodeIn(node, "value")?.type === "TSDeclareMethod");
}

/** Says whether a name between the braces of an `import` or `export` is only a type. */
const isTypeOnlySpecifier = (node: TypedNode): boolean =>
  (node.type === "ImportSpecifier" && node["importKind"] === "type") ||
  (node.type === "ExportSpecifier" && node["exportKind"] === "type");
