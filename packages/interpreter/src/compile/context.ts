// The context that compiling functions pass to each other: facts about the program, and the current
// place in it.
//
// Each node is compiled to one host closure that takes a frame: an expression to an Evaluate, a
// statement to an Execute. Nodes that contain `await` or `yield` are compiled to host generators
// instead (suspend/). Parts without `await` or `yield` are compiled to closures as usual.

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

/** A compiled expression: returns its value. */
export type Evaluate = (frame: Frame) => unknown;

/**
 * Reads a property of a value that was already evaluated. The frame is needed for evaluating the
 * key.
 */
export type ReadMethod = (frame: Frame, value: unknown) => unknown;

/**
 * A compiled statement. Returns undefined after a normal end. Returns a completion if control
 * leaves the statement in another way, for example with `break`.
 */
export type Execute = (frame: Frame) => Completion | undefined;

/** The current place in the program, and facts about the program. */
export interface Context {
  readonly realm: Realm;
  readonly meter: Meter;
  readonly source: SourceText;
  readonly bindings: SessionBindings;
  readonly analysis: Analysis;
  /** The innermost scope. */
  readonly scope: Scope;
  readonly functionKind: FunctionKind;
  /**
   * Operands of a suspending expression that have already been evaluated. Compiled code reads their
   * values from slots, and does not evaluate them again.
   */
  readonly evaluated: Map<Node, Evaluate>;
  /**
   * Called with the value of each expression statement that may be the last of the program; null
   * inside functions.
   */
  readonly onValue: ((value: unknown) => void) | null;
  readonly importDynamically: ImportDynamically;
}

/**
 * Returns the context inside the scope that `node` opens. If `node` opens no scope, returns the
 * same context.
 */
export function inside(context: Context, node: Node): Context {
  const scope = context.analysis.scopes.get(node);
  return scope ? { ...context, scope } : context;
}

/**
 * Returns the watch for misused promises; null if there is none. Modules are not watched: they are
 * libraries, and may inspect values of any type on purpose.
 */
export const promiseWatchOf = ({ realm, source }: Context): PromiseWatch | null =>
  source.isModule ? null : realm.promiseWatch;

/** Returns the place of a node in the source, for errors. */
export function positionOf({ source }: Context, { start }: Node): Position {
  return { source, offset: start };
}

/** Returns the reference that the analysis found for an identifier or private name. */
export function referenceOf({ analysis }: Context, node: Node): Reference {
  return analysis.references.get(node) as Reference; // the analysis has stored one for every identifier that is an expression or a target
}

/**
 * Returns the reference that the analysis found for `this`, the home object or a similar name at a
 * node.
 */
export function callReferenceOf({ analysis }: Context, node: Node, name: string): Reference {
  return analysis.callReferences.get(node)?.get(name) as Reference; // the analysis has stored one
}

/** Says whether a node contains an `await` or `yield` that belongs to the same function. */
export function suspends({ analysis }: Context, node: Node | null | undefined): boolean {
  return node ? analysis.suspending.has(node) : false;
}
