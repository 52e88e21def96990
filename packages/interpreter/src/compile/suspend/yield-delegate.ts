// `yield*`: passes every resumption on to an inner iterator, until that iterator is done.

import { GuestThrow, ReturnSignal, thrownValue, throwTypeError } from "../../guest-throw.ts";
import { isObject } from "../../guest-value.ts";
import { Request } from "../../operations/async-generator.ts";
import { getAsyncIterator } from "../../operations/async-iterator.ts";
import { call, getMethodOf } from "../../operations/call.ts";
import {
  type Delegation,
  type HostGenerator,
  InnerResult,
  nextWith,
  type Resumption,
} from "../../operations/generator.ts";
import { getIterator, type IteratorRecord, iterationEnd } from "../../operations/iterator.ts";
import { get } from "../../operations/property.ts";
import type { Realm } from "../../realm/realm.ts";
import type { Context } from "../context.ts";

/** Runs `yield* value` and returns the inner iterator's last value. */
export function delegateYield({ realm, functionKind }: Context, value: unknown): HostGenerator {
  return functionKind === "async-generator" ? delegateToAsync(realm, value) : delegateToSync(realm, value);
}

// Sync and async generators have separate loops. Sharing code would add a host generator, and each
// host generator between a value and its consumer makes every resumption slower.
function* delegateToSync(realm: Realm, value: unknown): HostGenerator {
  const record = getIterator(realm, value);
  const step = record.stepper?.step;
  const delegation: Delegation = { received: nextWith(undefined), returned: undefined };
  for (;;) {
    realm.meter.charge(1);
    const { received } = delegation;
    let given: unknown;
    if (step && received.type === "next") {
      given = step(record.iterator, delegation);
      if (given === iterationEnd) return delegation.returned;
    } else {
      const result = forward(record, received);
      if (result === null) return yield* endWithoutMethod(false, record, received);
      if (!isObject(result)) return throwTypeError("the iterator's result is not an object");
      if (get(result, "done")) return finish(received, get(result, "value"));
      given = new InnerResult(result);
    }
    try {
      delegation.received = nextWith(yield given);
    } catch (caught) {
      if (caught instanceof ReturnSignal) delegation.received = { type: "return", value: caught.value };
      else delegation.received = { type: "throw", value: thrownInto(realm, caught) };
    }
  }
}

function* delegateToAsync(realm: Realm, value: unknown): HostGenerator {
  const record = getAsyncIterator(realm, value);
  let received = nextWith(undefined);
  for (;;) {
    realm.meter.charge(1);
    const answer = forward(record, received);
    if (answer === null) return yield* endWithoutMethod(true, record, received);
    const result = yield new Request("await", answer);
    if (!isObject(result)) return throwTypeError("the iterator's result is not an object");
    if (get(result, "done")) return finish(received, get(result, "value"));
    received = yield* receiveAsync(realm, get(result, "value"));
  }
}

/** Calls the inner iterator's method for a resumption; returns null if it has no such method. */
function forward({ iterator, next }: IteratorRecord, { type, value }: Resumption): unknown {
  if (type === "next") return call(next, iterator, value);
  const method = getMethodOf(iterator, type);
  return method ? call(method, iterator, value) : null;
}

function* endWithoutMethod(isAsync: boolean, record: IteratorRecord, { type, value }: Resumption): HostGenerator {
  if (type === "return") throw new ReturnSignal(isAsync ? yield new Request("await", value) : value);
  const close = getMethodOf(record.iterator, "return");
  if (close) {
    const closed = call(close, record.iterator);
    const result = isAsync ? yield new Request("await", closed) : closed;
    if (!isObject(result)) throwTypeError('the iterator\'s "return" did not return an object');
  }
  return throwTypeError('the inner iterator has no "throw"');
}

function finish({ type }: Resumption, value: unknown): unknown {
  if (type === "return") throw new ReturnSignal(value);
  return value;
}

/** Yields a value to the consumer and returns how the generator was resumed. */
function* receiveAsync(realm: Realm, value: unknown): Generator<unknown, Resumption, unknown> {
  try {
    return nextWith(yield new Request("yield", value));
  } catch (caught) {
    if (caught instanceof ReturnSignal) return yield* receiveReturn(realm, caught.value);
    return { type: "throw", value: thrownInto(realm, caught) };
  }
}

/**
 * Returns the value that the consumer passed to `throw`.
 *
 * @throws `caught` if the consumer did not throw it
 */
function thrownInto(realm: Realm, caught: unknown): unknown {
  if (caught instanceof GuestThrow) return thrownValue(realm, caught);
  throw caught;
}

/**
 * Awaits the value of `return(value)`, as async generators must before they pass it to the inner
 * iterator.
 */
function* receiveReturn(realm: Realm, value: unknown): Generator<unknown, Resumption, unknown> {
  try {
    return { type: "return", value: yield new Request("await", value) };
  } catch (caught) {
    return { type: "throw", value: thrownValue(realm, caught) };
  }
}
