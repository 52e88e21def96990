// What becomes of a program: how it ended, what went wrong besides, and which of it is the result.

import { describeUnendingWait, describeUnhandled, type Scene } from "../diagnostics/errors.ts";
import { type GuestThrow, throwValue } from "../guest-throw.ts";
import { type PromiseSlots, performPromiseThen, promiseSlots } from "../operations/promise.ts";
import type { ProgramEnd } from "../program/program.ts";
import type { Realm } from "../realm/realm.ts";
import { errorResult, type PlainResult, valueResult } from "./execution-result.ts";
import type { PendingCalls } from "./pending-calls.ts";

/** The outcome of one program, as it comes about. */
export class Outcome {
  readonly #realm: Realm;
  readonly #calls: PendingCalls;
  #end: ProgramEnd | null = null;
  /** The program's last value is a promise, and is waited for. */
  #lastPromise: PromiseSlots | null = null;
  /** An error that nobody caught: in a timer. */
  #stray: GuestThrow | null = null;
  #unawaited: readonly number[] = [];

  constructor(realm: Realm, calls: PendingCalls) {
    this.#realm = realm;
    this.#calls = calls;
  }

  /** Whether the program itself is at its end, and what it gave last is there. */
  get hasEnded(): boolean {
    return this.#end !== null;
  }

  /** Calls that were in flight at the program's end. */
  get unawaited(): readonly number[] {
    return this.#unawaited;
  }

  /**
   * The program came to its end. A last value that is a promise is waited for, so that the model
   * sees what it becomes.
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

  /** Nobody caught this. The first one counts. */
  strayed(thrown: GuestThrow): void {
    this.#stray ??= thrown;
  }

  /** The result, once nothing of the program runs. */
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

/** A rejection as if it had been thrown. */
function throwOf(reason: unknown): GuestThrow {
  try {
    return throwValue(reason);
  } catch (thrown) {
    return thrown as GuestThrow; // throwValue throws nothing else
  }
}
