// References: the uses of names. Each refers to a variable.

import { callNames, type Scope, type Variable } from "./scope.ts";

/** One use of a name. */
export interface Reference {
  readonly name: string;
  readonly scope: Scope;
  /** The offset from the start of the text, in UTF-16 units. */
  readonly offset: number;
  /** Whether this is the declaration, which stores the variable's first value. */
  initializes: boolean;
  /** The variable that the name refers to; null for a global. */
  variable: Variable | null;
  /** Whether the variable may still be uninitialised here. */
  checked: boolean;
}

const declaredByUse: ReadonlySet<string> = new Set(Object.values(callNames));

/**
 * Finds the variable that a reference refers to. Records whether a closure uses it, and whether it
 * may be uninitialised.
 */
export function resolveReference(reference: Reference): void {
  const { name, scope } = reference;
  let crossed = false;
  for (let candidate: Scope | null = scope; candidate; candidate = candidate.parent) {
    const variable =
      candidate.variables.get(name) ?? (declaredByUse.has(name) ? declareByUse(name, candidate) : undefined);
    if (variable) return settleReference(reference, variable, crossed);
    if (candidate.kind === "function" || candidate.kind === "initializer") crossed = true;
  }
}

function declareByUse(name: string, scope: Scope): Variable | undefined {
  if (!scope.hasCallNames || (name === callNames.arguments && scope.kind !== "function")) return undefined;
  return scope.declare(name, "implicit");
}

function settleReference(reference: Reference, variable: Variable, crossed: boolean): void {
  reference.variable = variable;
  if (crossed) variable.captured = true;
  reference.checked = !reference.initializes && mayBeUninitialized(reference, variable, crossed);
  if (reference.checked) variable.checked = true;
}

function mayBeUninitialized({ offset }: Reference, variable: Variable, crossed: boolean): boolean {
  switch (variable.kind) {
    case "let":
    case "const":
    case "class":
    case "catch":
      return crossed || offset < variable.initializedAt || variable.scope.kind === "switch";
    case "parameter":
      return variable.initializedAt > 0 && (crossed || offset < variable.initializedAt);
    default:
      return false;
  }
}
