// The function `finalAnswer`: it ends an execution, just as an exceeded limit does. Promises among
// its arguments are awaited first. The first call wins.

import type { EncodedValue } from "@smolts/protocol";
import { copyArgumentsOut } from "../boundary.ts";
import { thrownValue } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import {
  createPromise,
  type PromiseSlots,
  performPromiseThen,
  promiseSlots,
  rejectPromise,
} from "../operations/promise.ts";
import type { Realm } from "../realm/realm.ts";

/** The answer of one execution. */
export class Answer {
  readonly #realm: Realm;
  readonly #maxBytes: number;
  /** The promise that the first call returned; null unless that call awaits an argument. */
  #pending: PromiseSlots | null = null;
  #args: readonly EncodedValue[] = [];

  /** @param maxBytes - the maximum size of the arguments, the same as for a call of a tool */
  constructor(realm: Realm, maxBytes: number) {
    this.#realm = realm;
    this.#maxBytes = maxBytes;
  }

  /** The copied arguments of the answer; empty until there is an answer. */
  get args(): readonly EncodedValue[] {
    return this.#args;
  }

  /** Whether an answer waits for a promise. */
  get isPending(): boolean {
    return this.#pending !== null;
  }

  /**
   * Handles a call of `finalAnswer`. Ends the execution, or returns a promise while an argument is
   * awaited.
   *
   * @throws Breach `final-answer`; a guest TypeError for arguments that cannot be copied
   */
  submit(args: readonly unknown[]): GuestObject {
    if (this.#pending) return this.#pending.self;
    if (!args.some(promiseSlots)) return this.#end(args);
    const pending = createPromise(this.#realm);
    this.#pending = pending;
    this.#awaitArguments([...args], 0, pending);
    return pending.self;
  }

  /** Awaits the promises among the arguments from `start` on, and replaces them by their values. */
  #awaitArguments(args: unknown[], start: number, pending: PromiseSlots): void {
    let index = start;
    while (index < args.length && !promiseSlots(args[index])) index++;
    const awaited = promiseSlots(args[index]);
    if (!awaited) return this.#endOrReject(args, pending);
    performPromiseThen(this.#realm, awaited, {
      onFulfilled: (value) => {
        args[index] = value;
        this.#awaitArguments(args, index + 1, pending);
      },
      onRejected: (reason) => this.#reject(pending, reason),
    });
  }

  #endOrReject(args: readonly unknown[], pending: PromiseSlots): void {
    try {
      this.#end(args);
    } catch (caught) {
      this.#reject(pending, thrownValue(this.#realm, caught));
    }
  }

  #end(args: readonly unknown[]): never {
    const { meter } = this.#realm;
    const bytesBefore = meter.bytes;
    this.#args = copyArgumentsOut(this.#realm, "finalAnswer", args, () => {
      if (meter.bytes - bytesBefore > this.#maxBytes) meter.stop("sent-bytes");
    });
    return meter.stop("final-answer");
  }

  /** Rejects an answer that failed. The program may call `finalAnswer` again. */
  #reject(pending: PromiseSlots, reason: unknown): void {
    this.#pending = null;
    rejectPromise(this.#realm, pending, reason);
  }
}
