// Finds code that would change the content of the answer too late: async functions, and callbacks
// of `then`, of timers and of microtasks that are still waiting when the answer is given. If other
// code waits for a function, the function is skipped, because its change is not too late.

import { changesOf } from "../analyse/changes-of.ts";
import { namesOfAnswer } from "../analyse/names-of-answer.ts";
import { TreeWalk } from "../analyse/tree-walk.ts";
import { functionSlots } from "../function-object.ts";
import type { Position, SourceText } from "../guest-throw.ts";
import type { PromiseReaction } from "../jobs.ts";
import type { AsyncBody, PromiseSlots } from "../operations/promise.ts";
import type { PromiseWatch, Unfinished } from "../operations/promise-watch.ts";
import { parse } from "../parse.ts";

/** A change that comes too late for the answer. */
export interface LateChange {
  readonly text: string;
  readonly position: Position;
}

/** A guest function that waits. `isWhole` is true if none of its code has run. */
interface WaitingCode extends AsyncBody {
  readonly isWhole: boolean;
}

// The maximum number of functions to check. Each check searches the whole program.
const maxChecked = 16;

/**
 * Returns the late changes of code that nothing waits for. `callbacks` are the functions that
 * timers and microtasks will call.
 */
export function lateChanges(
  watch: PromiseWatch,
  callbacks: readonly unknown[],
  changes: AnswerChanges,
): readonly LateChange[] {
  const unfinished = watch.unfinished();
  const afterAnswer = waitersFor(unfinished.filter(isAnswering).map(({ promise }) => promise));
  const waiting = unfinished
    .filter(({ promise }) => !afterAnswer.has(promise) && isFloating(promise, 0))
    .map(({ promise, calls }) => (calls === undefined ? bodyOf(promise) : codeOf(calls)));
  const found = new Map<string, WaitingCode>();
  for (const code of [...waiting, ...callbacks.map(codeOf)])
    if (code && found.size < maxChecked) found.set(`${code.source.name} ${code.node.start}`, code);
  return [...found.values()].flatMap((code) => {
    const name = changes.by(code);
    if (name === null) return [];
    const what = `the code there was still to run when the answer was given, and changes ${name}`;
    return [{ text: what, position: { source: code.source, offset: code.node.start } }];
  });
}

const bodyOf = ({ body }: PromiseSlots): WaitingCode | null => body && { ...body, isWhole: false };

function codeOf(callback: unknown): WaitingCode | null {
  const code = functionSlots(callback)?.code;
  return code?.definedAt && code.node ? { source: code.definedAt.source, node: code.node, isWhole: true } : null;
}

/**
 * Says whether this function has called the answer tool. Such a call ends the function early, so
 * its promise has no body.
 */
const isAnswering = ({ promise, calls }: Unfinished): boolean => calls === undefined && promise.body === null;

/**
 * Returns these promises and all promises that wait for them. The code that waits for them runs
 * after the answer on purpose, so its changes are not reported as late.
 */
function waitersFor(promises: readonly PromiseSlots[]): ReadonlySet<PromiseSlots> {
  const waiters = new Set(promises);
  for (const promise of waiters) for (const { leadsTo } of reactionsTo(promise)) if (leadsTo) waiters.add(leadsTo);
  return waiters;
}

function reactionsTo({ reaction, otherReactions }: PromiseSlots): readonly PromiseReaction[] {
  return reaction ? [reaction, ...(otherReactions ?? []).map((other) => other.reaction)] : [];
}

const maxChainLength = 64;

/**
 * Says whether nothing waits for a promise, directly or through other promises. Returns false for a
 * promise that the program itself awaits.
 */
function isFloating(promise: PromiseSlots, length: number): boolean {
  if (promise.state !== "pending" || length > maxChainLength) return false;
  if (promise.reaction === null) return !promise.isHandled;
  return reactionsTo(promise).some(({ leadsTo }) => leadsTo !== undefined && isFloating(leadsTo, length + 1));
}

// The maximum number of nodes of a program to search. Searching that many takes a few milliseconds.
// Programs that models write have a few hundred nodes.
const maxNodes = 100_000;

/** Finds the variables of a program's answer that waiting code would still change. */
export class AnswerChanges {
  readonly #source: SourceText;
  #program: ReturnType<typeof parse> | null = null;
  #names: ReadonlySet<string> | null | undefined;

  constructor(source: SourceText) {
    this.#source = source;
  }

  /**
   * Returns the name of a variable that the code changes and the answer depends on; null if there
   * is none.
   */
  by({ node, isWhole }: WaitingCode): string | null {
    this.#program ??= parse(this.#source);
    const changed = changesOf(this.#program, { node, isWhole }, new TreeWalk(maxNodes));
    const names = this.#namesOf(this.#program);
    return [...changed].find((name) => names === null || names.has(name)) ?? null;
  }

  /**
   * Returns the names of the variables that the program's answer depends on. Null if the program is
   * too large to search; the answer may then depend on every variable.
   */
  #namesOf(program: unknown): ReadonlySet<string> | null {
    if (this.#names === undefined) {
      const walk = new TreeWalk(maxNodes);
      const names = namesOfAnswer(program, walk);
      this.#names = walk.isWhole ? names : null;
    }
    return this.#names;
  }
}
