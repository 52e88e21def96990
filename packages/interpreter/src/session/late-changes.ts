// Code that still waits when the answer is given, and would change what the answer is made of:
// async functions, callbacks of `then`, of timers and of microtasks. Whoever waits for such code
// has its change; so only what nobody waits for counts.

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

/** A function of the program; `isWhole` if none of it has run. */
interface WaitingCode extends AsyncBody {
  readonly isWhole: boolean;
}

// Each is looked for in the whole program.
const mostLookedAt = 16;

/**
 * The changes of code that nobody waits for. `callbacks`: functions that timers and microtasks are
 * to call.
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
    if (code && found.size < mostLookedAt) found.set(`${code.source.name} ${code.node.start}`, code);
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

/** Whether the answer was given in a function: a breach ended its body. */
const isAnswering = ({ promise, calls }: Unfinished): boolean => calls === undefined && promise.body === null;

/** The promises that wait for others: what follows the answer is not missed in it. */
function waitersFor(promises: readonly PromiseSlots[]): ReadonlySet<PromiseSlots> {
  const waiters = new Set(promises);
  for (const promise of waiters) for (const { leadsTo } of reactionsTo(promise)) if (leadsTo) waiters.add(leadsTo);
  return waiters;
}

function reactionsTo({ reaction, otherReactions }: PromiseSlots): readonly PromiseReaction[] {
  return reaction ? [reaction, ...(otherReactions ?? []).map((other) => other.reaction)] : [];
}

const longestChain = 64;

/**
 * Whether nobody waits for a promise, or for what waits for it. What the program itself waits for
 * leads nowhere.
 */
function isFloating(promise: PromiseSlots, length: number): boolean {
  if (promise.state !== "pending" || length > longestChain) return false;
  if (promise.reaction === null) return !promise.isHandled;
  return reactionsTo(promise).some(({ leadsTo }) => leadsTo !== undefined && isFloating(leadsTo, length + 1));
}

// Visited in some milliseconds; programs of models have a few hundred.
const mostNodes = 100_000;

/** What code would change of a program's answer. */
export class AnswerChanges {
  readonly #source: SourceText;
  #program: ReturnType<typeof parse> | null = null;
  #names: ReadonlySet<string> | null | undefined;

  constructor(source: SourceText) {
    this.#source = source;
  }

  /**
   * The name of something that the code changes and the answer depends on; null if there is
   * nothing.
   */
  by({ node, isWhole }: WaitingCode): string | null {
    this.#program ??= parse(this.#source);
    const changed = changesOf(this.#program, { node, isWhole }, new TreeWalk(mostNodes));
    const names = this.#namesOf(this.#program);
    return [...changed].find((name) => names === null || names.has(name)) ?? null;
  }

  /** Null if it depends on everything, as far as is known. */
  #namesOf(program: unknown): ReadonlySet<string> | null {
    if (this.#names === undefined) {
      const walk = new TreeWalk(mostNodes);
      const names = namesOfAnswer(program, walk);
      this.#names = walk.isWhole ? names : null;
    }
    return this.#names;
  }
}
