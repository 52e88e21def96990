// What waits while it runs: async functions, programs and modules with `await`, built-ins such as
// Array.fromAsync. Its steps are a host generator; what that yields is awaited.

import { GuestThrow, thrownValue } from "../guest-throw.ts";
import type { PromiseReaction } from "../jobs.ts";
import { Breach } from "../limits.ts";
import type { Realm } from "../realm/realm.ts";
import { awaitValue, type PromiseSlots } from "./promise.ts";

/** What becomes of driven steps. `onThrow` gets what the host caught. */
export interface AsyncEnd<Result> {
  onReturn(result: Result): void;
  onThrow(caught: unknown): void;
  /** The promise of the end, where there is one. */
  readonly promise?: PromiseSlots;
}

// What the host keeps of steps that wait.
const bytesOfSteps = 440;

/** Runs steps until they end, waiting where they yield. */
export function driveAsync<Result>(
  realm: Realm,
  host: Generator<unknown, Result, unknown>,
  end: AsyncEnd<Result>,
): void {
  realm.meter.allocate(bytesOfSteps);
  new Driver(realm, host, end).onFulfilled(undefined);
}

/** Runs the steps of an async function. It is itself the reaction to each promise they wait for. */
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
    // The function gave the answer or reached a limit. It has ended, so it is not waiting code.
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
