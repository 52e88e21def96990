// Scopes and variables: where each name of a program lives when it runs.
//
// A variable of a function lives in a slot of a frame (an array whose slot 0 is the frame around
// it). Blocks share their function's frame; only a block inside a loop whose variables a closure
// captures gets a frame of its own for each round. Top-level variables of a program are bindings of
// the session instead.

import type { Binding } from "../bindings.ts";

/**
 * What declared a variable. `this`, `arguments` and the names in angle brackets are declared by
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
 * The names a function has for its own call. They are not identifiers, so no program can declare
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

/** One variable. */
export class Variable {
  readonly name: string;
  kind: VariableKind;
  readonly scope: Scope;
  /** Offset from which on straight-line code finds it initialised. */
  readonly initializedAt: number;
  /** A closure uses it. */
  captured = false;
  /** Some use may come before its initialisation, so it starts as `uninitialized`. */
  checked = false;
  slot = 0;
  /** Set for a top-level variable. */
  binding: Binding | null = null;

  constructor(name: string, kind: VariableKind, scope: Scope, initializedAt: number) {
    this.name = name;
    this.kind = kind;
    this.scope = scope;
    this.initializedAt = initializedAt;
  }
}

/** One scope. */
export class Scope {
  readonly kind: ScopeKind;
  readonly parent: Scope | null;
  /** The function (or program, or class initialiser) that it is part of. */
  readonly functionScope: Scope;
  readonly inLoop: boolean;
  readonly variables: Map<string, Variable> = new Map();
  readonly children: Scope[] = [];
  /** An arrow function has no `this` and no `arguments` of its own. */
  readonly isArrow: boolean;
  /** Whether it makes a frame when it is entered; known after analysis. */
  hasFrame: boolean;
  /** The scope whose frame its variables live in; known after analysis. */
  owner: Scope = this;
  /** Slots of its frame, when it has one. */
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

  /** Declares a name; one that is declared already stays what it is. */
  declare(name: string, kind: VariableKind, initializedAt = 0): Variable {
    const known = this.variables.get(name);
    if (known) return known;
    const variable = new Variable(name, kind, this, initializedAt);
    this.variables.set(name, variable);
    return variable;
  }

  /** A slot for a value that the compiler keeps over a suspension. */
  newTemporary(): number {
    return this.owner.size++;
  }

  /** Whether `this`, `arguments` and the like are declared here. */
  get hasCallNames(): boolean {
    return (this.kind === "function" || this.kind === "initializer") && !this.isArrow;
  }
}

/** How many frames lie between a scope and the frame of a variable. */
export function frameDistance(from: Scope, variable: Variable): number {
  const target = variable.scope.owner;
  let distance = 0;
  for (let owner = from.owner; owner !== target; owner = (owner.parent as Scope).owner) distance++;
  return distance;
}

/**
 * Gives every variable its frame and slot, when all are declared and it is known which of them
 * closures use.
 */
export function layOutFrames(scope: Scope): void {
  if (scope.inLoop) for (const variable of scope.variables.values()) if (variable.captured) scope.hasFrame = true;
  scope.owner = scope.hasFrame || scope.parent === null ? scope : scope.parent.owner;
  for (const variable of scope.variables.values()) variable.slot = scope.owner.size++;
  for (const child of scope.children) layOutFrames(child);
}
