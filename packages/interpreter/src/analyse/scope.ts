// Scopes and variables: where the variables of a program are stored when it runs.
//
// A variable of a function is in a slot of a frame (an array whose slot 0 is the enclosing frame).
// Blocks share the frame of their function. The exception is a block in a loop: if a closure
// captures variables of the block, the block gets a new frame for each iteration. Top-level
// variables of a program are bindings of the session instead.

import type { Binding } from "../bindings.ts";

/**
 * How a variable was declared. `this`, `arguments` and the names in angle brackets are declared by
 * their first use.
 */
export type VariableKind =
  | "let"
  | "const"
  | "class"
  | "var"
  | "function"
  | "parameter"
  | "catch"
  | "self"
  | "import"
  | "private"
  | "implicit";

/**
 * Names for values of the current call. They are not valid identifiers, so no program can declare
 * them.
 */
export const callNames = {
  this: "this",
  arguments: "arguments",
  newTarget: "<new.target>",
  home: "<home>",
  function: "<function>",
} as const;

/** The construct that owns a scope. */
export type ScopeKind =
  | "program"
  | "function"
  | "body"
  | "block"
  | "loop"
  | "switch"
  | "catch"
  | "class"
  | "initializer";

/** One variable of a program. */
export class Variable {
  readonly name: string;
  kind: VariableKind;
  readonly scope: Scope;
  /** In straight-line code, the variable is initialised from this offset on. */
  readonly initializedAt: number;
  /** Whether a closure uses the variable. */
  captured = false;
  /**
   * Whether the variable may be used before it is initialised. If so, its first value is
   * `uninitialized`.
   */
  checked = false;
  slot = 0;
  /** The binding of a top-level variable; null for others. */
  binding: Binding | null = null;

  constructor(name: string, kind: VariableKind, scope: Scope, initializedAt: number) {
    this.name = name;
    this.kind = kind;
    this.scope = scope;
    this.initializedAt = initializedAt;
  }
}

/** One scope of a program. */
export class Scope {
  readonly kind: ScopeKind;
  readonly parent: Scope | null;
  /** The scope of the function, program or class initialiser that contains this scope. */
  readonly functionScope: Scope;
  readonly inLoop: boolean;
  readonly variables: Map<string, Variable> = new Map();
  readonly children: Scope[] = [];
  /**
   * Whether this is the scope of an arrow function, which does not have its own `this` and
   * `arguments`.
   */
  readonly isArrow: boolean;
  /** Whether entering the scope creates a frame. Known after the analysis. */
  hasFrame: boolean;
  /** The scope in whose frame the variables are stored. Known after the analysis. */
  owner: Scope = this;
  /** The number of slots in the scope's frame, if it has one. */
  size = 1;

  constructor(
    kind: ScopeKind,
    parent: Scope | null,
    { inLoop = false, isArrow = false }: { readonly inLoop?: boolean; readonly isArrow?: boolean } = {},
  ) {
    this.kind = kind;
    this.parent = parent;
    this.isArrow = isArrow;
    this.hasFrame = kind === "function" || kind === "program" || kind === "initializer";
    this.functionScope = this.hasFrame || parent === null ? this : parent.functionScope;
    this.inLoop = inLoop && !this.hasFrame;
    parent?.children.push(this);
  }

  /** Declares a name. If it is declared already, returns the existing variable. */
  declare(name: string, kind: VariableKind, initializedAt = 0): Variable {
    const known = this.variables.get(name);
    if (known) return known;
    const variable = new Variable(name, kind, this, initializedAt);
    this.variables.set(name, variable);
    return variable;
  }

  /** Reserves a slot for a value that the compiler must keep while code is suspended. */
  newTemporary(): number {
    return this.owner.size++;
  }

  /** Whether `this`, `arguments` and similar names are declared in this scope. */
  get hasCallNames(): boolean {
    return (this.kind === "function" || this.kind === "initializer") && !this.isArrow;
  }
}

/** Returns how many frames are between a scope and the frame of a variable. */
export function frameDistance(from: Scope, variable: Variable): number {
  const target = variable.scope.owner;
  let distance = 0;
  for (let owner = from.owner; owner !== target; owner = (owner.parent as Scope).owner) distance++;
  return distance;
}

/**
 * Assigns a frame and a slot to each variable. Call this after all variables are declared and all
 * references are resolved.
 */
export function layOutFrames(scope: Scope): void {
  if (scope.inLoop) for (const variable of scope.variables.values()) if (variable.captured) scope.hasFrame = true;
  scope.owner = scope.hasFrame || scope.parent === null ? scope : scope.parent.owner;
  for (const variable of scope.variables.values()) variable.slot = scope.owner.size++;
  for (const child of scope.children) layOutFrames(child);
}
