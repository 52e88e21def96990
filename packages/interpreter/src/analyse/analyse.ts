// The step between parsing and compiling. It creates the scopes, declares and resolves the names,
// and marks the nodes that can suspend.
//
// A node is "suspending" if it contains an `await` or `yield` that belongs to the same function.
// Only such nodes are compiled to generators (compile/suspend/).

import type {
  AnyNode,
  BlockStatement,
  Class,
  ForInStatement,
  ForOfStatement,
  ForStatement,
  Function as FunctionNode,
  Identifier,
  ModuleDeclaration,
  Node,
  Program,
  Statement,
  SwitchStatement,
  TryStatement,
  VariableDeclaration,
} from "acorn";
import type { SourceText } from "../guest-throw.ts";
import { ProgramSyntaxError } from "../parse.ts";
import { readingStep } from "../reading-steps.ts";
import { boundNames } from "./bound-names.ts";
import { hasOnlyNames, hasParameterExpressions, movesArguments } from "./parameters.ts";
import { plainChildren } from "./plain-children.ts";
import { type Reference, resolveReference } from "./reference.ts";
import { callNames, layOutFrames, Scope, type VariableKind } from "./scope.ts";

/** Facts about a program that the compiler needs. */
export interface Analysis {
  readonly programScope: Scope;
  /** The scope that each node opens, for nodes that open one. */
  readonly scopes: ReadonlyMap<Node, Scope>;
  /** The references of identifiers and private names. */
  readonly references: ReadonlyMap<Node, Reference>;
  /**
   * The references of `this`, `super` and `new.target`. The outer key is the node, the inner key is
   * the name in {@link callNames}.
   */
  readonly callReferences: ReadonlyMap<Node, ReadonlyMap<string, Reference>>;
  readonly suspending: ReadonlySet<Node>;
}

/**
 * Analyses a program, or a module without its imports and exports.
 *
 * @param imported - the local names of its imports
 * @throws ProgramSyntaxError for syntax that the interpreter refuses
 */
export function analyse(program: Program, source: SourceText, imported: readonly string[] = []): Analysis {
  const analyser = new Analyser(source);
  for (const name of imported) analyser.programScope.declare(name, "import");
  analyser.program(program);
  return analyser;
}

class Analyser implements Analysis {
  readonly programScope = new Scope("program", null);
  readonly scopes = new Map<Node, Scope>();
  readonly references = new Map<Node, Reference>();
  readonly callReferences = new Map<Node, Map<string, Reference>>();
  readonly suspending = new Set<Node>();
  readonly #source: SourceText;
  readonly #unresolved: Reference[] = [];
  #inAsyncGenerator = false;

  constructor(source: SourceText) {
    this.#source = source;
  }

  program(program: Program): void {
    this.#declareLexical(program.body, this.programScope);
    if (this.#walkAll(program.body, this.programScope)) this.suspending.add(program);
    for (const reference of this.#unresolved) {
      readingStep();
      resolveReference(reference);
    }
    layOutFrames(this.programScope);
  }

  /** Walks through a node. Returns whether it suspends. */
  #walk(node: Node | null | undefined, scope: Scope, inLoop = false): boolean {
    if (!node) return false;
    readingStep();
    const suspends = this.#walkNode(node as AnyNode, scope, inLoop); // the types of acorn's nodes are all in this union
    if (suspends) this.suspending.add(node);
    return suspends;
  }

  #walkAll(nodes: readonly (Node | null | undefined)[], scope: Scope, inLoop = false): boolean {
    let suspends = false;
    for (const node of nodes) if (this.#walk(node, scope, inLoop)) suspends = true;
    return suspends;
  }

  #walkNode(node: AnyNode, scope: Scope, inLoop: boolean): boolean {
    switch (node.type) {
      case "Identifier":
        this.#refer(node, node.name, scope);
        return false;
      case "PrivateIdentifier":
        this.#refer(node, `#${node.name}`, scope);
        return false;
      case "ThisExpression":
        this.#referToCall(node, scope, callNames.this);
        return false;
      case "Super":
        this.#referToCall(node, scope, callNames.this, callNames.home, callNames.newTarget, callNames.function);
        return false;
      case "MetaProperty":
        if (node.meta.name !== "new") return this.#refuse(node, "import.meta");
        this.#referToCall(node, scope, callNames.newTarget);
        return false;
      case "AwaitExpression":
      case "YieldExpression":
        this.#walk(node.argument, scope, inLoop);
        return true;
      case "ReturnStatement":
        // An async generator awaits the value that it returns, so `return` with a value suspends.
        return this.#walk(node.argument, scope, inLoop) || (this.#inAsyncGenerator && Boolean(node.argument));
      case "FunctionDeclaration":
        if (node.id) this.#referToDeclared(node.id, scope);
        return this.#walkFunction(node, scope);
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        return this.#walkFunction(node, scope);
      case "ClassDeclaration":
        if (node.id) this.#referToDeclared(node.id, scope);
        return this.#walkClass(node, scope, inLoop);
      case "ClassExpression":
        return this.#walkClass(node, scope, inLoop);
      case "VariableDeclaration":
        return this.#walkDeclaration(node, scope, inLoop);
      case "BlockStatement":
        return this.#walkBlock(node, scope, inLoop);
      case "ForStatement":
        return this.#walkFor(node, scope);
      case "ForOfStatement":
      case "ForInStatement":
        return this.#walkForEach(node, scope);
      case "WhileStatement":
      case "DoWhileStatement":
        return this.#walkAll([node.test, node.body], scope, true);
      case "SwitchStatement":
        return this.#walkSwitch(node, scope, inLoop);
      case "TryStatement":
        return this.#walkTry(node, scope, inLoop);
      default: {
        const children = plainChildren(node);
        return children ? this.#walkAll(children, scope, inLoop) : this.#refuse(node, node.type);
      }
    }
  }

  #refuse(node: Node, what: string): never {
    throw new ProgramSyntaxError(`"${what}" is not available here`, this.#source, node.start);
  }

  #walkDeclaration({ kind, declarations }: VariableDeclaration, scope: Scope, inLoop: boolean): boolean {
    let suspends = false;
    for (const { id, init } of declarations) {
      if (kind === "var") declareAll(varScopeOf(scope), boundNames(id), "var");
      if (this.#walkAll([id, init], scope, inLoop)) suspends = true;
      if (kind !== "var") this.#markInitializations(boundNames(id));
    }
    return suspends;
  }

  #walkBlock(node: BlockStatement, scope: Scope, inLoop: boolean): boolean {
    const inner = this.#open(node, new Scope("block", scope, { inLoop }));
    this.#declareLexical(node.body, inner);
    return this.#walkAll(node.body, inner, inLoop);
  }

  #walkFor(node: ForStatement, scope: Scope): boolean {
    const inner = this.#open(node, new Scope("loop", scope, { inLoop: true }));
    if (node.init?.type === "VariableDeclaration") this.#declareLexical([node.init], inner);
    return this.#walkAll([node.init, node.test, node.update, node.body], inner, true);
  }

  #walkForEach(node: ForOfStatement | ForInStatement, scope: Scope): boolean {
    const inner = this.#open(node, new Scope("loop", scope, { inLoop: true }));
    const { left, right, body } = node;
    if (left.type === "VariableDeclaration") this.#declareLexical([left], inner, right.end);
    const suspends = this.#walkAll([left, right, body], inner, true);
    return suspends || (node.type === "ForOfStatement" && node.await);
  }

  #walkSwitch(node: SwitchStatement, scope: Scope, inLoop: boolean): boolean {
    const suspends = this.#walk(node.discriminant, scope, inLoop);
    const inner = this.#open(node, new Scope("switch", scope, { inLoop }));
    for (const { consequent } of node.cases) this.#declareLexical(consequent, inner);
    let casesSuspend = false;
    for (const { test, consequent } of node.cases) {
      if (this.#walkAll([test, ...consequent], inner, inLoop)) casesSuspend = true;
    }
    return suspends || casesSuspend;
  }

  #walkTry({ block, handler, finalizer }: TryStatement, scope: Scope, inLoop: boolean): boolean {
    let suspends = this.#walk(block, scope, inLoop);
    if (handler) {
      const inner = this.#open(handler, new Scope("catch", scope, { inLoop }));
      if (handler.param) declareAll(inner, boundNames(handler.param), "catch", handler.param.end);
      if (this.#walkAll([handler.param, handler.body], inner, inLoop)) suspends = true;
      if (handler.param) this.#markInitializations(boundNames(handler.param));
    }
    return this.#walk(finalizer, scope, inLoop) || suspends;
  }

  #walkFunction(node: FunctionNode, scope: Scope): boolean {
    const isArrow = node.type === "ArrowFunctionExpression";
    const inner = this.#open(node, new Scope("function", scope, { isArrow }));
    const areNames = hasOnlyNames(node);
    if (movesArguments(node)) inner.size += node.params.length;
    for (const parameter of node.params) {
      declareAll(inner, boundNames(parameter), "parameter", areNames ? 0 : parameter.end);
    }
    this.#walkAll(node.params, inner);
    for (const parameter of node.params) this.#markInitializations(boundNames(parameter));
    const body = hasParameterExpressions(node) ? this.#open(node.body, new Scope("body", inner)) : inner;
    const wasInAsyncGenerator = this.#inAsyncGenerator;
    this.#inAsyncGenerator = node.async && node.generator;
    if (node.body.type === "BlockStatement") {
      const statements = (node.body as BlockStatement).body; // its type says so
      this.#declareLexical(statements, body);
      if (this.#walkAll(statements, body)) this.suspending.add(node.body);
    } else {
      this.#walk(node.body, body);
    }
    this.#inAsyncGenerator = wasInAsyncGenerator;
    if (node.type === "FunctionExpression" && node.id) inner.declare(node.id.name, "self");
    return false;
  }

  #walkClass(node: Class, scope: Scope, inLoop: boolean): boolean {
    const inner = this.#open(node, new Scope("class", scope, { inLoop }));
    if (node.id) inner.declare(node.id.name, "const", node.end);
    for (const member of node.body.body) {
      if (member.type !== "StaticBlock" && member.key.type === "PrivateIdentifier") {
        inner.declare(`#${member.key.name}`, "private");
      }
    }
    let suspends = this.#walk(node.superClass, inner, inLoop);
    const instance = this.#open(node.body, new Scope("initializer", inner));
    for (const member of node.body.body) if (this.#walkMember(member, inner, instance, inLoop)) suspends = true;
    return suspends;
  }

  #walkMember(member: Class["body"]["body"][number], scope: Scope, instance: Scope, inLoop: boolean): boolean {
    if (member.type === "StaticBlock") {
      const inner = this.#open(member, new Scope("initializer", scope));
      this.#declareLexical(member.body, inner);
      this.#walkAll(member.body, inner);
      return false;
    }
    const isNamed = !member.computed && member.key.type !== "PrivateIdentifier";
    const suspends = !isNamed && this.#walk(member.key, scope, inLoop);
    if (member.type === "MethodDefinition") this.#walk(member.value, scope);
    else if (!member.static) this.#walk(member.value, instance);
    else this.#walk(member.value, this.#open(member, new Scope("initializer", scope)));
    return suspends;
  }

  #declareLexical(statements: readonly (Statement | ModuleDeclaration)[], scope: Scope, initializedAt?: number): void {
    for (const statement of statements) {
      if (statement.type === "VariableDeclaration" && statement.kind !== "var") {
        if (statement.kind !== "let" && statement.kind !== "const") this.#refuse(statement, statement.kind);
        for (const { id, end } of statement.declarations)
          declareAll(scope, boundNames(id), statement.kind, initializedAt ?? end);
      } else if (statement.type === "ClassDeclaration") {
        scope.declare(statement.id.name, "class", statement.end);
      } else if (statement.type === "FunctionDeclaration") {
        scope.declare(statement.id.name, "function");
      }
    }
  }

  #open(node: Node, scope: Scope): Scope {
    this.scopes.set(node, scope);
    return scope;
  }

  #refer(node: Node, name: string, scope: Scope): void {
    this.references.set(node, this.#newReference(node, name, scope));
  }

  #referToDeclared(id: Identifier, scope: Scope): void {
    this.#refer(id, id.name, scope);
    this.#markInitializations([id]);
  }

  #markInitializations(names: readonly Identifier[]): void {
    for (const name of names) {
      const reference = this.references.get(name);
      if (reference) reference.initializes = true;
    }
  }

  #referToCall(node: Node, scope: Scope, ...names: readonly string[]): void {
    this.callReferences.set(node, new Map(names.map((name) => [name, this.#newReference(node, name, scope)])));
  }

  #newReference(node: Node, name: string, scope: Scope): Reference {
    const reference = { name, scope, offset: node.start, initializes: false, variable: null, checked: false };
    this.#unresolved.push(reference);
    return reference;
  }
}

function declareAll(scope: Scope, names: readonly { name: string }[], kind: VariableKind, initializedAt = 0): void {
  for (const { name } of names) scope.declare(name, kind, initializedAt);
}

function varScopeOf(scope: Scope): Scope {
  let candidate = scope;
  while (!["program", "function", "body", "initializer"].includes(candidate.kind))
    candidate = candidate.parent as Scope; // only the program scope has no parent
  return candidate;
}
