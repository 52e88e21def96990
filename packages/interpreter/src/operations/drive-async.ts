// Runs code that can await: async functions, programs and modules with `await`, and built-ins such
// as Array.fromAsync. The code is a host generator. Each value that it yields is awaited.

import type { Frame } from "../frame.ts";
import { GuestThrow, thrownValue } from "../guest-throw.ts";
import type { PromiseReaction } from "../jobs.ts";
import { Breach } from "../limits.ts";
import type { Realm } from "../realm/realm.ts";
import { awaitValue, type PromiseSlots } from "./promise.ts";

/**
 * Callbacks that run when code that can await ends. `onThrow` gets the exception that the host
 * caught.
 */
export interface AsyncEnd<Result> {
  onReturn(result: Result): void;
  onThrow(caught: unknown): void;
  /** The promise that settles when the code ends, if there is one. */
  readonly promise?: PromiseSlots;
  /** The variables of the code. */
  readonly frame?: Frame;
}

// The bytes that the host needs for code that is suspended.
const bytesOfSteps = 440;

/** Runs a host generator to its end, and awaits each value that it yields. */
export function driveAsync<Result>(
  realm: Realm,
  host: Generator<unknown, Result, unknown>,
  end: AsyncEnd<Result>,
): void {
  realm.meter.allocate(bytesOfSteps);
  new Driver(realm, host, end).onFulfilled(undefined);
}

/**
 * Runs the code of an async function. When the code awaits a promise, the driver adds itself to the
 * promise as a reaction.
 */
class Driver<Result> implements PromiseReaction {
  readonly realm: Realm;
  readonly host: Generator<unknown, Result, unknown>;
  readonly end: AsyncEnd<Result>;

  constructor(realm: Realm, host: Generator<unknown, Result, unknown>, end: AsyncEnd<Result>) {
    this.realm = realm;
    this.host = host;
    this.end = end;
  }

  get leadsTo(): PromiseSlots | undefined {
    return this.end.promise;
  }

  get held(): readonly unknown[] {
    return [this.end.frame];
  }

  onFulfilled(value: unknown): void {
    const { depth } = this.realm.meter;
    let result: IteratorResult<unknown, Result>;
    try {
      result = this.host.next(value);
    } catch (caught) {
      return this.fail(caught, depth);
    }
    this.goOn(result);
  }

  onRejected(reason: unknown): void {
    const { depth } = this.realm.meter;
    let result: IteratorResult<unknown, Result>;
    try {
      result = this.host.throw(new GuestThrow(reason));
    } catch (caught) {
      return this.fail(caught, depth);
    }
    this.goOn(result);
  }

  goOn(result: IteratorResult<unknown, Result>): void {
    if (result.done) return this.end.onReturn(result.value);
    try {
      awaitValue(this.realm, result.value, this);
    } catch (caught) {
      this.onRejected(thrownValue(this.realm, caught));
    }
  }

  fail(caught: unknown, depth: number): void {
    // A Breach ends the function for good. Its promise must not refer to the function's body any
    // more, because otherwise the function would be reported as code that is still waiting.
    const { promise } = this.end;
    if (caught instanceof Breach && promise?.body) {
      caught.position ??= { source: promise.body.source, offset: promise.body.node.start };
      promise.body = null;
    }
    this.realm.rethrowUnlessCatchable(caught);
    this.realm.meter.depth = depth;
    this.end.onThrow(caught);
  }
}
