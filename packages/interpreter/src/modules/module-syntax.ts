// Separates the imports and exports of a module from its other statements. The rest of the compiler
// does not know `import` and `export`. An exported declaration becomes a plain one. A default
// export becomes a variable named `default`, which no program can use as a name.

import type {
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  Expression,
  Identifier,
  ImportDeclaration,
  Literal,
  ModuleDeclaration,
  Program,
  Statement,
  VariableDeclaration,
} from "acorn";
import { boundNames } from "../analyse/bound-names.ts";

/** One imported name. */
export interface ImportedName {
  readonly specifier: string;
  /** The name in the other module; null for the whole module, as in `import * as local`. */
  readonly imported: string | null;
  readonly local: string;
  /** The offset from the start of the text, in UTF-16 units. */
  readonly offset: number;
}

/** One exported name, or all names of another module. */
export type Export =
  | { readonly type: "local"; readonly exported: string; readonly local: string }
  | {
      readonly type: "indirect";
      readonly exported: string;
      readonly specifier: string;
      readonly imported: string | null;
      readonly offset: number;
    }
  | { readonly type: "all"; readonly specifier: string };

/** Another module that this one imports or exports from. */
export interface ModuleRequest {
  readonly specifier: string;
  readonly offset: number;
}

/** A module with its imports and exports separated. */
export interface ModuleSyntax {
  readonly body: readonly Statement[];
  /** The imported modules, each only once, in the order in which the text mentions them. */
  readonly requests: readonly ModuleRequest[];
  readonly imports: readonly ImportedName[];
  readonly exports: readonly Export[];
  /** The offset of the first `export`; null if there is none. */
  readonly firstExport: number | null;
}

/** The name of the local variable that holds the value of `export default`. */
const defaultName = "default";

/** Separates the imports and exports of a module. */
export function moduleSyntax(program: Program): ModuleSyntax {
  const parts = new ModuleParts();
  for (const node of program.body) parts.take(node);
  return parts.withIndirectExports();
}

class ModuleParts implements ModuleSyntax {
  readonly body: Statement[] = [];
  readonly requests: ModuleRequest[] = [];
  readonly imports: ImportedName[] = [];
  exports: Export[] = [];
  firstExport: number | null = null;

  take(node: Statement | ModuleDeclaration): void {
    if (node.type.startsWith("Export")) this.firstExport ??= node.start;
    switch (node.type) {
      case "ImportDeclaration":
        return this.#takeImport(node);
      case "ExportNamedDeclaration":
        return this.#takeExport(node);
      case "ExportDefaultDeclaration":
        return this.#takeDefault(node);
      case "ExportAllDeclaration": {
        const specifier = this.#request(node.source);
        this.exports.push(
          node.exported
            ? { type: "indirect", exported: nameOf(node.exported), specifier, imported: null, offset: node.start }
            : { type: "all", specifier },
        );
        return;
      }
      default:
        this.body.push(node);
    }
  }

  /**
   * Returns the same syntax, with `import { a } from "m"; export { a }` rewritten to `export { a }
   * from "m"`.
   */
  withIndirectExports(): ModuleSyntax {
    const imports = new Map(this.imports.map((imported) => [imported.local, imported]));
    this.exports = this.exports.map((entry) => {
      const source = entry.type === "local" ? imports.get(entry.local) : undefined;
      if (entry.type !== "local" || !source) return entry;
      const { specifier, imported, offset } = source;
      return { type: "indirect", exported: entry.exported, specifier, imported, offset };
    });
    return this;
  }

  #takeImport({ source, specifiers, start }: ImportDeclaration): void {
    const specifier = this.#request(source, start);
    for (const node of specifiers) {
      const { local, start: offset } = node;
      const imported =
        node.type === "ImportSpecifier"
          ? nameOf(node.imported)
          : node.type === "ImportDefaultSpecifier"
            ? "default"
            : null;
      this.imports.push({ specifier, imported, local: local.name, offset });
    }
  }

  #takeExport({ declaration, specifiers, source, start }: ExportNamedDeclaration): void {
    if (declaration) {
      this.body.push(declaration);
      for (const name of declaredNames(declaration)) this.exports.push({ type: "local", exported: name, local: name });
      return;
    }
    const specifier = source ? this.#request(source, start) : null;
    for (const node of specifiers) {
      const exported = nameOf(node.exported);
      const local = nameOf(node.local);
      this.exports.push(
        specifier === null
          ? { type: "local", exported, local }
          : { type: "indirect", exported, specifier, imported: local, offset: node.start },
      );
    }
  }

  #takeDefault({ declaration }: ExportDefaultDeclaration): void {
    const statement = defaultStatement(declaration);
    const local = statement.type === "VariableDeclaration" ? defaultName : statement.id.name;
    this.body.push(statement);
    this.exports.push({ type: "local", exported: "default", local });
  }

  #request(source: Literal, offset: number = source.start): string {
    const specifier = String(source.value);
    if (!this.requests.some((request) => request.specifier === specifier)) this.requests.push({ specifier, offset });
    return specifier;
  }
}

type NamedDeclaration = Extract<
  Statement,
  { type: "FunctionDeclaration" | "ClassDeclaration" | "VariableDeclaration" }
>;

function declaredNames(declaration: NamedDeclaration): string[] {
  if (declaration.type !== "VariableDeclaration") return [declaration.id.name];
  return declaration.declarations.flatMap(({ id }) => boundNames(id).map(({ name }) => name));
}

/**
 * Creates the declaration for a default export:
 *
 * - A function stays a function declaration, so that it is hoisted.
 * - A class with a name stays a class declaration.
 * - Any other value is assigned to the variable `default`. If it is an anonymous class or function,
 *   `default` becomes its name.
 */
function defaultStatement(declaration: ExportDefaultDeclaration["declaration"]): NamedDeclaration {
  if (declaration.type === "FunctionDeclaration")
    return { ...declaration, id: declaration.id ?? identifierAt(declaration.start) };
  if (declaration.type === "ClassDeclaration" && declaration.id) return { ...declaration, id: declaration.id };
  const init = declaration.type === "ClassDeclaration" ? asExpression(declaration) : declaration;
  const { start, end } = init;
  const id = identifierAt(start);
  const declarator = { type: "VariableDeclarator" as const, id, init, start, end };
  return { type: "VariableDeclaration", kind: "const", declarations: [declarator], start, end } as VariableDeclaration;
}

/** Converts a class declaration to a class expression. Both syntax nodes have the same fields. */
const asExpression = (declaration: { readonly type: "ClassDeclaration" }): Expression =>
  ({ ...declaration, type: "ClassExpression" }) as unknown as Expression;

const identifierAt = (offset: number): Identifier => ({
  type: "Identifier",
  name: defaultName,
  start: offset,
  end: offset,
});

const nameOf = (node: Identifier | Literal): string => (node.type === "Identifier" ? node.name : String(node.value));
