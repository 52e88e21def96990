// Async functions: a driver around the host generator that the body was compiled to. What the host generator yields is awaited.

import { GuestThrow, thrownValue } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import {
  awaitValue,
  createPromise,
  type PromiseReaction,
  rejectPromise,
  resolvePromise,
} from "../operations/promise.ts";
import type { Realm } from "../realm/realm.ts";
import { returnedValue } from "./completion.ts";
import type { HostBody } from "./generator.ts";

/** Starts an async function; gives its promise. `start` binds the arguments and makes the body's host generator. */
export function startAsync(realm: Realm, start: () => unknown): GuestObject {
  const promise = createPromise(realm);
  const { depth } = realm.meter;
  try {
    const host = start() as HostBody; // suspendBody gives nothing else
    driveAsync(realm, host, {
      onReturn: (completion) => resolvePromise(realm, promise, returnedValue(completion)),
      onThrow: (caught) => rejectPromise(realm, promise, thrownValue(realm, caught)),
    });
  } catch (caught) {
    rejectPromise(realm, promise, thrownValue(realm, caught));
    realm.meter.depth = depth;
  }
  return promise;
}

/** What becomes of a driven body. `onThrow` gets what the host caught. */
export interface AsyncEnd<Result> {
  readonly onReturn: (result: Result) => void;
  readonly onThrow: (caught: unknown) => void;
}

/** Runs a body until it ends, waiting where it yields. */
export function driveAsync<Result>(
  realm: Realm,
  host: Generator<unknown, Result, unknown>,
  { onReturn, onThrow }: AsyncEnd<Result>,
): void {
  const resume = (value: unknown, isRejection: boolean): void => {
    const { depth } = realm.meter;
    let result: IteratorResult<unknown, Result>;
    try {
      result = isRejection ? host.throw(new GuestThrow(value)) : host.next(value);
    } catch (caught) {
      realm.rethrowUnlessCatchable(caught);
      realm.meter.depth = depth;
      return onThrow(caught);
    }
    if (result.done) return onReturn(result.value);
    waitFor(result.value);
  };
  // One for all that the body waits for.
  const reaction: PromiseReaction = {
    onFulfilled: (value) => resume(value, false),
    onRejected: (reason) => resume(reason, true),
  };
  const waitFor = (value: unknown): void => {
    try {
      awaitValue(realm, value, reaction);
    } catch (caught) {
      resume(thrownValue(realm, caught), true);
    }
  };
  resume(undefined, false);
}
