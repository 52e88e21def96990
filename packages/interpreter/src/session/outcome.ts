// Decides the result of a program from how it ended and what else went wrong.

import { describeUnendingWait, describeUnhandled, type Scene } from "../diagnostics/errors.ts";
import { type GuestThrow, throwValue } from "../guest-throw.ts";
import { type PromiseSlots, performPromiseThen, promiseSlots } from "../operations/promise.ts";
import type { ProgramEnd } from "../program/program.ts";
import type { Realm } from "../realm/realm.ts";
import { errorResult, type PlainResult, valueResult } from "./execution-result.ts";
import type { PendingCalls } from "./pending-calls.ts";

/** The outcome of one program. It is filled while the program runs. */
export class Outcome {
  readonly #realm: Realm;
  readonly #calls: PendingCalls;
  #end: ProgramEnd | null = null;
  /** The promise that is the program's last value, while it is awaited. */
  #lastPromise: PromiseSlots | null = null;
  /** The first uncaught exception of a timer. */
  #stray: GuestThrow | null = null;
  #unawaited: readonly number[] = [];

  constructor(realm: Realm, calls: PendingCalls) {
    this.#realm = realm;
    this.#calls = calls;
  }

  /** Whether the program has ended and its last value is known. */
  get hasEnded(): boolean {
    return this.#end !== null;
  }

  /** The calls that were in flight when the program ended. */
  get unawaited(): readonly number[] {
    return this.#unawaited;
  }

  /**
   * Records that the program has ended. If its last value is a promise, the promise is awaited, so
   * that the model sees the settled value.
   */
  programEnded(end: ProgramEnd): void {
    const promise = end.type === "throw" ? undefined : promiseSlots(end.value);
    if (!promise) return this.#endWith(end);
    this.#lastPromise = promise;
    performPromiseThen(this.#realm, promise, {
      onFulfilled: (value) => this.#endWith({ type: "value", value, hasValue: true }),
      onRejected: (reason) => this.#endWith({ type: "throw", thrown: throwOf(reason) }),
    });
  }

  /** Records an exception that nothing caught. Only the first one counts. */
  noteStray(thrown: GuestThrow): void {
    this.#stray ??= thrown;
  }

  /** Returns the result. Called when all code of the program has ended. */
  result(scene: Scene, isAnswerPending: boolean): PlainResult {
    if (this.#end?.type === "throw") return errorResult(scene, this.#end.thrown);
    if (this.#stray) return errorResult(scene, this.#stray);
    const [rejected] = this.#realm.rejections;
    if (rejected) return { type: "error", error: describeUnhandled(scene, rejected) };
    if (this.#end) return valueResult(this.#realm, this.#end.value);
    if (this.#lastPromise && !isAnswerPending) return valueResult(this.#realm, this.#lastPromise.self);
    return { type: "error", error: describeUnendingWait() };
  }

  #endWith(end: ProgramEnd): void {
    this.#end = end;
    this.#unawaited = this.#calls.indexes();
  }
}

/** Creates the exception for the reason of a rejection. */
function throwOf(reason: unknown): GuestThrow {
  try {
    return throwValue(reason);
  } catch (thrown) {
    return thrown as GuestThrow; // throwValue throws only this class
  }
}
