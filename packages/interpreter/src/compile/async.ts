// Async functions: a driver around the host generator that the body was compiled to. What the host generator yields is awaited.

import { GuestThrow, thrownValue } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import { awaitValue, createPromise, rejectPromise, resolvePromise } from "../operations/promise.ts";
import type { Realm } from "../realm/realm.ts";
import type { HostGenerator } from "./generator.ts";

/** Starts an async function; gives its promise. `start` binds the arguments and makes the body's host generator. */
export function startAsync(realm: Realm, start: () => unknown): GuestObject {
  const promise = createPromise(realm);
  const { depth } = realm.meter;
  try {
    const host = start() as HostGenerator; // suspendBody gives nothing else
    driveAsync(realm, host, {
      onReturn: (value) => resolvePromise(realm, promise, value),
      onThrow: (caught) => rejectPromise(realm, promise, thrownValue(realm, caught)),
    });
  } catch (caught) {
    rejectPromise(realm, promise, thrownValue(realm, caught));
    realm.meter.depth = depth;
  }
  return promise;
}

/** What becomes of a driven body. `onThrow` gets what the host caught. */
export interface AsyncEnd {
  readonly onReturn: (value: unknown) => void;
  readonly onThrow: (caught: unknown) => void;
}

/** Runs a body until it ends, waiting where it yields. */
export function driveAsync(realm: Realm, host: HostGenerator, { onReturn, onThrow }: AsyncEnd): void {
  const onFulfilled = (value: unknown): void => step(() => host.next(value));
  const onRejected = (reason: unknown): void => step(() => host.throw(new GuestThrow(reason)));
  const step = (resume: () => IteratorResult<unknown, unknown>): void => {
    const { depth } = realm.meter;
    let result: IteratorResult<unknown, unknown>;
    try {
      result = resume();
    } catch (caught) {
      realm.rethrowUnlessCatchable(caught);
      realm.meter.depth = depth;
      return onThrow(caught);
    }
    if (result.done) return onReturn(result.value);
    waitFor(result.value);
  };
  const waitFor = (value: unknown): void => {
    try {
      awaitValue(realm, value, { onFulfilled, onRejected });
    } catch (caught) {
      const reason = thrownValue(realm, caught);
      onRejected(reason);
    }
  };
  step(() => host.next());
}
