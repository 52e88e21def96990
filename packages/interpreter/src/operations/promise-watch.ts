// Watches promises that a program uses in place of their values. The language allows most of it
// silently: a promise counts as true, equals nothing, and has no property. A program that calls
// tools hardly ever means that. Sandboxes with tools have a watch: a use that cannot produce a
// value is an error, and a use that may be intended is noted.

import { type Position, throwMissing, throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isObject } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { hasManyKeys } from "./many-keys.ts";
import { type PromiseSlots, promiseSlots } from "./promise.ts";

/** A promise that was used where its value was likely meant. */
export interface PromiseUse {
  /** Null for an async iterator, whose items are promises. */
  readonly promise: PromiseSlots | null;
  /** The misuse, such as "was used as a condition". */
  readonly what: string;
  readonly position: Position | null;
  /** Whether it was an error, which the program may have caught. */
  readonly isError: boolean;
  /** The operator that would have taken another value in place of this one's. */
  readonly fallback?: "||" | "??";
}

/** A function of the program that is still to run, or to run on, before its promise is settled. */
export interface Unfinished {
  readonly promise: PromiseSlots;
  /** The function, if none of it has run. */
  readonly calls?: unknown;
}

/** The misuse of an async iterator. */
export const asyncItemsUse = "was asked for its items without await";

const mostUses = 64;
// The list of unfinished promises is cleared of ended ones each time it has doubled; shorter lists
// are not worth it.
const fewestLookedThrough = 64;

/** Notes the uses of promises in one execution. */
export class PromiseWatch {
  #uses: PromiseUse[] = [];
  #unfinished: Unfinished[] = [];
  #mostUnfinished = fewestLookedThrough;
  /** The promises that functions of `Promise.all` and the like settle. */
  readonly #settledBy = new WeakMap<GuestObject, PromiseSlots>();

  /** Forgets what was noted. */
  clear(): void {
    this.#uses = [];
    this.#unfinished = [];
    this.#mostUnfinished = fewestLookedThrough;
  }

  /** Notes a function that waits. */
  noteUnfinished(waiting: Unfinished): void {
    this.#unfinished.push(waiting);
    if (this.#unfinished.length < this.#mostUnfinished) return;
    this.#unfinished = this.#unfinished.filter(isUnfinished);
    this.#mostUnfinished = Math.max(fewestLookedThrough, 2 * this.#unfinished.length);
  }

  /** The functions that still wait. */
  unfinished(): readonly Unfinished[] {
    return this.#unfinished.filter(isUnfinished);
  }

  /** Notes which promise a built-in function settles. */
  noteSettledBy(settle: GuestObject, promise: PromiseSlots): void {
    this.#settledBy.set(settle, promise);
  }

  /** The promise that a built-in function settles, if it was noted. */
  settledBy(settle: unknown): PromiseSlots | undefined {
    return isObject(settle) ? this.#settledBy.get(settle) : undefined;
  }

  /** Notes a value that is a promise; does nothing for other values. */
  note(value: unknown, what: string, position: Position | null = null): void {
    const promise = promiseSlots(value);
    if (promise) this.#add({ promise, what, position, isError: false });
  }

  /**
   * Notes a promise left of `||` or `??`: of that call, or, where `callName` is null, any.
   * The right side is never taken, also where the value of the promise asks for it.
   */
  noteFallback(value: unknown, callName: string | null, fallback: "||" | "??", position: Position): void {
    const promise = promiseSlots(value);
    // A function of the program may keep promises and look them up.
    if (!promise || (callName !== null && promise.callName !== callName)) return;
    this.#add({
      promise,
      what: `was left of ${fallback}, where a promise always counts`,
      position,
      isError: false,
      fallback,
    });
  }

  /** Notes an error that is thrown because of a promise. */
  noteError(promise: PromiseSlots, what: string): void {
    this.#add({ promise, what, position: null, isError: true });
  }

  /** Notes that an async iterator was asked for its items as a plain one, which is an error. */
  noteAsyncItems(): void {
    this.#add({ promise: null, what: asyncItemsUse, position: null, isError: true });
  }

  /**
   * Looks at two values that were found not to be the same. @throws a guest TypeError when a
   * promise was compared with a primitive value
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

  /** @throws a guest TypeError that says what was done with the promise */
  refuse(promise: PromiseSlots, what: string): never {
    this.noteError(promise, what);
    return throwTypeError(`${promiseText(promise)} ${what}`);
  }

  /** @throws a guest TypeError about a property that a promise does not have */
  refuseProperty(promise: PromiseSlots, key: string): never {
    const what = `was asked for "${key}", which promises do not have`;
    this.noteError(promise, what);
    return throwMissing(`${promiseText(promise)} ${what}`, () => promise.self);
  }

  /**
   * Throws when an object is a promise without properties of its own: there is nothing to list or
   * copy.
   */
  refuseKeysOf(object: GuestObject, what: string): void {
    const promise = promiseSlots(object);
    if (promise && !hasManyKeys(object) && Object.keys(object).length === 0) this.refuse(promise, what);
  }

  /**
   * The uses by which a result may be wrong: of promises that nobody ever waited for, and those
   * that were errors.
   */
  suspects(): readonly PromiseUse[] {
    return this.#uses.filter(isSuspect);
  }

  #add(use: PromiseUse): void {
    if (this.#uses.length >= mostUses) this.#uses = this.#uses.filter(isSuspect);
    if (this.#uses.length < mostUses) this.#uses.push(use);
  }
}

/**
 * A promise that is waited for later is used as promises are meant to be: kept in a cache, looked
 * up, and awaited.
 */
const isSuspect = ({ isError, promise, fallback }: PromiseUse): boolean =>
  isError || promise === null || !promise.isHandled || (fallback !== undefined && asksForFallback(promise, fallback));

const asksForFallback = ({ state, result }: PromiseSlots, fallback: "||" | "??"): boolean =>
  state === "fulfilled" && (fallback === "||" ? !result : (result ?? null) === null);

const isUnfinished = ({ promise }: Unfinished): boolean => promise.state === "pending";

/** Whether a callback said yes. One that gave a promise did not mean to: nothing waits for it. */
export function saysYes(realm: Realm, given: unknown, method: string): boolean {
  if (typeof given === "object" && given !== null) noteCallback(realm, given, method);
  return Boolean(given);
}

/** Notes what a callback gave to a method that does not wait for it, if that is a promise. */
export function noteCallback({ promiseWatch }: Realm, given: unknown, method: string): undefined {
  promiseWatch?.note(given, `was returned to ${method}, which does not wait for it`);
}

/** Notes a promise that a built-in only looks at, and returns the value. */
export function lookedAt(realm: Realm, value: unknown, what: string): unknown {
  if (typeof value === "object" && value !== null) realm.promiseWatch?.note(value, what);
  return value;
}

/** A promise in a message. */
export const promiseText = ({ callName }: PromiseSlots): string =>
  callName === null ? "a promise" : `the promise of ${callName}(...)`;
