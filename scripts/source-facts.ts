// Reads the facts about a source file that the boundary rules need: the imported modules, and the
// uses of certain globals. A name counts as the global one unless the file declares it in an
// enclosing scope.

import ts from "typescript";

/** A module that a file imports, in any syntax. */
export interface ImportFact {
  readonly specifier: string;
  /** The number of the line; the first is 1. */
  readonly line: number;
  /** Whether it is imported with `import()`: it is loaded when the code runs, not with the file. */
  readonly dynamic: boolean;
  /** Whether only types are imported, so that the import is removed from the output. */
  readonly typeOnly: boolean;
}

/** Syntax in a file that a rule may forbid. */
export interface SyntaxFact {
  readonly type: "eval" | "new-function" | "top-level-await" | "fetch" | "process" | "console";
  /** The number of the line; the first is 1. */
  readonly line: number;
}

/** The facts about a file, in the order of its code. */
export interface SourceFacts {
  readonly imports: readonly ImportFact[];
  readonly syntax: readonly SyntaxFact[];
}

/** Reads the facts about one TypeScript file. */
export function sourceFacts(path: string, text: string): SourceFacts {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const imports: ImportFact[] = [];
  const syntax: SyntaxFact[] = [];
  const lineOf = (node: ts.Node) => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  const visit = (node: ts.Node): void => {
    const found = importIn(node);
    if (found) imports.push({ ...found, line: lineOf(node) });
    const type = syntaxIn(node);
    if (type) syntax.push({ type, line: lineOf(node) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { imports, syntax };
}

function importIn(node: ts.Node): Omit<ImportFact, "line"> | undefined {
  if (ts.isImportDeclaration(node)) return literal(node.moduleSpecifier, { typeOnly: isTypeOnlyImport(node) });
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
    return literal(node.moduleSpecifier, { typeOnly: node.isTypeOnly });
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return literal(node.argument.literal, { typeOnly: true });
  }
  if (!ts.isCallExpression(node)) return undefined;
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const isRequire = isGlobalName(node.expression, "require");
  return isImport || isRequire ? literal(node.arguments[0], { dynamic: isImport }) : undefined;
}

function isTypeOnlyImport(node: ts.ImportDeclaration): boolean {
  return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

function literal(
  node: ts.Node | undefined,
  { typeOnly = false, dynamic = false }: { typeOnly?: boolean; dynamic?: boolean },
): Omit<ImportFact, "line"> | undefined {
  return node && ts.isStringLiteralLike(node) ? { specifier: node.text, typeOnly, dynamic } : undefined;
}

function syntaxIn(node: ts.Node): SyntaxFact["type"] | undefined {
  if (isAwait(node) && isOutsideFunctions(node)) return "top-level-await";
  if (isGlobalName(node, "eval")) return "eval";
  if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && isGlobalName(node.expression, "Function")) {
    return "new-function";
  }
  for (const name of ["fetch", "process", "console"] as const) if (isGlobalName(node, name)) return name;
  return undefined;
}

function isAwait(node: ts.Node): boolean {
  if (ts.isAwaitExpression(node)) return true;
  if (ts.isForOfStatement(node)) return node.awaitModifier !== undefined;
  return ts.isVariableDeclarationList(node) && (node.flags & ts.NodeFlags.AwaitUsing) === ts.NodeFlags.AwaitUsing;
}

function isOutsideFunctions(node: ts.Node): boolean {
  for (let at = node.parent; at; at = at.parent) {
    if (ts.isFunctionLike(at) || ts.isClassStaticBlockDeclaration(at) || ts.isPropertyDeclaration(at)) return false;
  }
  return true;
}

/**
 * Says whether a node is `name` or `globalThis.name`, used as a value, and the file does not
 * declare that name.
 */
function isGlobalName(node: ts.Node, name: string): boolean {
  if (ts.isPropertyAccessExpression(node)) {
    return node.name.text === name && ts.isIdentifier(node.expression) && isGlobalName(node.expression, "globalThis");
  }
  return ts.isIdentifier(node) && node.text === name && isValueUse(node) && !isBound(node);
}

/**
 * Says whether a name is used as a value. Properties, keys, types and declarations are not uses.
 */
function isValueUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isShorthandPropertyAssignment(parent)) return parent.name === node;
  if (ts.isExportSpecifier(parent) || ts.isImportSpecifier(parent)) return false;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isTypeNode(parent) || ts.isTypeElement(parent) || ts.isQualifiedName(parent)) return false;
  if (ts.isLabeledStatement(parent) || ts.isNamedTupleMember(parent)) return false;
  // The cast is safe: every kind of declaration has its name in this field.
  const declared = (parent as { readonly name?: ts.Node }).name;
  return declared !== node;
}

function isBound(node: ts.Identifier): boolean {
  for (let at: ts.Node = node.parent; at; at = at.parent) if (bindsName(at, node.text)) return true;
  return false;
}

function bindsName(scope: ts.Node, name: string): boolean {
  if (ts.isFunctionLike(scope)) return scope.parameters.some((parameter) => patternBinds(parameter.name, name));
  if (ts.isSourceFile(scope) || ts.isBlock(scope) || ts.isCaseOrDefaultClause(scope) || ts.isModuleBlock(scope)) {
    return scope.statements.some((statement) => statementBinds(statement, name));
  }
  if (ts.isForStatement(scope) || ts.isForOfStatement(scope) || ts.isForInStatement(scope)) {
    return scope.initializer !== undefined && listBinds(scope.initializer, name);
  }
  if (ts.isCatchClause(scope) && scope.variableDeclaration) return patternBinds(scope.variableDeclaration.name, name);
  return false;
}

function statementBinds(statement: ts.Statement, name: string): boolean {
  if (ts.isVariableStatement(statement)) return listBinds(statement.declarationList, name);
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return statement.name?.text === name;
  if (!ts.isImportDeclaration(statement) || !statement.importClause) return false;
  const { name: defaultName, namedBindings } = statement.importClause;
  if (defaultName?.text === name) return true;
  if (!namedBindings) return false;
  if (ts.isNamespaceImport(namedBindings)) return namedBindings.name.text === name;
  return namedBindings.elements.some((element) => element.name.text === name);
}

function listBinds(list: ts.ForInitializer, name: string): boolean {
  return ts.isVariableDeclarationList(list) && list.declarations.some((item) => patternBinds(item.name, name));
}

function patternBinds(pattern: ts.BindingName, name: string): boolean {
  if (ts.isIdentifier(pattern)) return pattern.text === name;
  return pattern.elements.some((element) => ts.isBindingElement(element) && patternBinds(element.name, name));
}
