// What compiling hands down: the program's facts, and where in it the compiler is.
//
// Each node becomes one host closure over a frame: expressions an Evaluate, statements an Execute.
// Subtrees that contain `await` or `yield` are compiled a second way, as host generators
// (suspend/); everything else inside them stays in the fast mode.

import type { Node } from "acorn";
import type { Analysis } from "../analyse/analyse.ts";
import type { Reference } from "../analyse/reference.ts";
import type { Scope } from "../analyse/scope.ts";
import type { SessionBindings } from "../bindings.ts";
import type { Completion } from "../completion.ts";
import type { Frame } from "../frame.ts";
import type { FunctionKind } from "../function-object.ts";
import type { Position, SourceText } from "../guest-throw.ts";
import type { Meter } from "../limits.ts";
import type { ImportDynamically } from "../modules/loaded-module.ts";
import type { PromiseWatch } from "../operations/promise-watch.ts";
import type { Realm } from "../realm/realm.ts";

/** An expression: returns its value. */
export type Evaluate = (frame: Frame) => unknown;

/** The property of a value that has been evaluated; the frame is for the key. */
export type ReadMethod = (frame: Frame, value: unknown) => unknown;

/** A statement: gives undefined, or why control leaves it. */
export type Execute = (frame: Frame) => Completion | undefined;

/** Where the compiler is. */
export interface Context {
  readonly realm: Realm;
  readonly meter: Meter;
  readonly source: SourceText;
  readonly bindings: SessionBindings;
  readonly analysis: Analysis;
  /** The innermost scope. */
  readonly scope: Scope;
  readonly functionKind: FunctionKind;
  /** Operands that a suspending expression has evaluated already: read from a slot instead. */
  readonly evaluated: Map<Node, Evaluate>;
  /**
   * Called with the value of each expression statement that a program may end with; null inside
   * functions.
   */
  readonly onValue: ((value: unknown) => void) | null;
  readonly importDynamically: ImportDynamically;
}

/** The same place inside a scope that `node` opens, if it opens one. */
export function inside(context: Context, node: Node): Context {
  const scope = context.analysis.scopes.get(node);
  return scope ? { ...context, scope } : context;
}

/**
 * Looks at what the program does with promises; null where nobody watches. Modules are libraries,
 * which ask values what they are.
 */
export const promiseWatchOf = ({ realm, source }: Context): PromiseWatch | null =>
  source.isModule ? null : realm.promiseWatch;

/** A place in the source, for errors. */
export function positionOf({ source }: Context, { start }: Node): Position {
  return { source, offset: start };
}

/** The reference that analysis found for an identifier or private name. */
export function referenceOf({ analysis }: Context, node: Node): Reference {
  return analysis.references.get(node) as Reference; // analysis has referred every identifier that is an expression or target
}

/** The reference to `this`, the home object, ... that analysis found for a node. */
export function callReferenceOf({ analysis }: Context, node: Node, name: string): Reference {
  return analysis.callReferences.get(node)?.get(name) as Reference; // see above
}

/** Whether a node contains an `await` or `yield` of its own function. */
export function suspends({ analysis }: Context, node: Node | null | undefined): boolean {
  return node ? analysis.suspending.has(node) : false;
}
