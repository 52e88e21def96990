// Finds promises that a program uses as if they were their values. The language silently allows
// most of these uses: a promise is truthy, equals nothing but itself, and has no own properties. In
// a program that calls tools, such a use is nearly always a mistake. So sandboxes with tools watch
// for such uses. A use that cannot work is an error. A use that may be intended is recorded, and
// may become a warning.

import { type Position, throwMissing, throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isObject } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { expectedKeys } from "./many-keys.ts";
import { type PromiseSlots, promiseSlots } from "./promise.ts";

/** A promise that was used where the program probably meant its value. */
export interface PromiseUse {
  /** The promise; null for an async iterator, because only its items are promises. */
  readonly promise: PromiseSlots | null;
  /** A description of the use, such as "was used as a condition". */
  readonly what: string;
  readonly position: Position | null;
  /** Whether the use threw an error, which the program may have caught. */
  readonly isError: boolean;
  /**
   * Set if the promise was the left side of `||` or `??`, and the promise's value would have
   * selected the right side.
   */
  readonly fallback?: "||" | "??";
}

/** A promise that is settled only after a function of the program has run to its end. */
export interface Unfinished {
  readonly promise: PromiseSlots;
  /** The guest function that must run first; absent if it has already started. */
  readonly calls?: unknown;
}

/** The description of an async iterator that was used without `await`. */
export const asyncItemsUse = "was asked for its items without await";

const maxUses = 64;
// When the list of unfinished promises reaches this length, settled ones are removed. After that,
// they are removed each time the list has doubled.
const minSweepLength = 64;

/** Records how promises are used in one execution. */
export class PromiseWatch {
  #uses: PromiseUse[] = [];
  #unfinished: Unfinished[] = [];
  #sweepLength = minSweepLength;
  /**
   * Maps each function that `Promise.all` or a similar method created to the promise that this
   * function settles.
   */
  readonly #settledBy = new WeakMap<GuestObject, PromiseSlots>();

  /** Removes all records. */
  clear(): void {
    this.#uses = [];
    this.#unfinished = [];
    this.#sweepLength = minSweepLength;
  }

  /** Records a function that has not finished. */
  noteUnfinished(waiting: Unfinished): void {
    this.#unfinished.push(waiting);
    if (this.#unfinished.length < this.#sweepLength) return;
    this.#unfinished = this.#unfinished.filter(isUnfinished);
    this.#sweepLength = Math.max(minSweepLength, 2 * this.#unfinished.length);
  }

  /** Returns the functions that are still waiting. */
  unfinished(): readonly Unfinished[] {
    return this.#unfinished.filter(isUnfinished);
  }

  /** Records that the built-in function `settle` settles this promise. */
  noteSettledBy(settle: GuestObject, promise: PromiseSlots): void {
    this.#settledBy.set(settle, promise);
  }

  /** Returns the promise that a built-in function settles, if that was recorded. */
  settledBy(settle: unknown): PromiseSlots | undefined {
    return isObject(settle) ? this.#settledBy.get(settle) : undefined;
  }

  /** Records a value that is a promise; does nothing for other values. */
  note(value: unknown, what: string, position: Position | null = null): void {
    const promise = promiseSlots(value);
    if (promise) this.#add({ promise, what, position, isError: false });
  }

  /**
   * Records a promise that is the left side of `||` or `??`. A promise is never falsy, null or
   * undefined, so the right side is never used, even where the promise's value would have selected
   * it. If `callName` is not null, records the promise only if a call of the tool `callName`
   * returned it.
   */
  noteFallback(value: unknown, callName: string | null, fallback: "||" | "??", position: Position): void {
    const promise = promiseSlots(value);
    // Ignore promises that functions other than the tool returned. Such a function may return a
    // promise on purpose, for example from a cache.
    if (!promise || (callName !== null && promise.callName !== callName)) return;
    this.#add({
      promise,
      what: `was on the left side of ${fallback}, where a promise is never replaced`,
      position,
      isError: false,
      fallback,
    });
  }

  /** Records an error that is thrown because of a promise. */
  noteError(promise: PromiseSlots, what: string): void {
    this.#add({ promise, what, position: null, isError: true });
  }

  /** Records that an async iterator was used as a sync one, which is an error. */
  noteAsyncItems(): void {
    this.#add({ promise: null, what: asyncItemsUse, position: null, isError: true });
  }

  /**
   * Checks two values that are not equal. @throws a guest TypeError when a promise was compared
   * with a primitive value
   */
  compared(left: unknown, right: unknown, position: () => Position): void {
    const one = promiseSlots(left);
    const other = promiseSlots(right);
    const promise = one ?? other;
    if (!promise || (one && other)) return;
    const value = one ? right : left;
    if (value !== undefined && value !== null && !isObject(value))
      this.refuse(promise, "was compared with a value that is not a promise");
    this.note(promise.self, `was compared with ${isObject(value) ? "something else" : value}`, position());
  }

  /** Throws a guest TypeError that says how the promise was used. */
  refuse(promise: PromiseSlots, what: string): never {
    this.noteError(promise, what);
    return throwTypeError(`${promiseText(promise)} ${what}`);
  }

  /** Throws a guest TypeError about a property that promises do not have. */
  refuseProperty(promise: PromiseSlots, key: string): never {
    const what = `was asked for "${key}", which promises do not have`;
    this.noteError(promise, what);
    return throwMissing(`${promiseText(promise)} ${what}`, () => promise.self);
  }

  /**
   * Throws if an object is a promise without own properties, because such a promise has no keys to
   * list or copy.
   */
  refuseKeysOf(object: GuestObject, what: string): void {
    const promise = promiseSlots(object);
    if (promise && expectedKeys(object) === 0 && Object.keys(object).length === 0) this.refuse(promise, what);
  }

  /**
   * Returns the uses that may have made a result wrong: uses of promises that nothing ever awaited,
   * and uses that were errors.
   */
  suspects(): readonly PromiseUse[] {
    return this.#uses.filter(isSuspect);
  }

  #add(use: PromiseUse): void {
    if (this.#uses.length >= maxUses) this.#uses = this.#uses.filter(isSuspect);
    if (this.#uses.length < maxUses) this.#uses.push(use);
  }
}

/**
 * Says whether a use is probably a mistake. It is not if the promise is awaited later. For example,
 * a program may store promises in a cache, look them up, and await them.
 */
const isSuspect = ({ isError, promise, fallback }: PromiseUse): boolean =>
  isError || promise === null || !promise.isHandled || (fallback !== undefined && selectsRightSide(promise, fallback));

const selectsRightSide = ({ state, result }: PromiseSlots, fallback: "||" | "??"): boolean =>
  state === "fulfilled" && (fallback === "||" ? !result : (result ?? null) === null);

const isUnfinished = ({ promise }: Unfinished): boolean => promise.state === "pending";

/**
 * Says whether the result of a callback is truthy. A promise is recorded as a mistake, because the
 * method does not await it.
 */
export function isTruthyResult(realm: Realm, given: unknown, method: string): boolean {
  if (typeof given === "object" && given !== null) noteCallbackResult(realm, given, method);
  return Boolean(given);
}

/** Records the result of a callback if it is a promise, because the method does not await it. */
export function noteCallbackResult({ promiseWatch }: Realm, given: unknown, method: string): undefined {
  promiseWatch?.note(given, `was returned to ${method}, which does not wait for it`);
}

/**
 * Records a value if it is a promise that a built-in reads without awaiting it. Returns the value.
 */
export function noteIfPromise(realm: Realm, value: unknown, what: string): unknown {
  if (typeof value === "object" && value !== null) realm.promiseWatch?.note(value, what);
  return value;
}

/** Describes a promise in a message by naming the call that created it. */
export const promiseText = ({ callName }: PromiseSlots): string =>
  callName === null ? "a promise" : `the promise of ${callName}(...)`;
