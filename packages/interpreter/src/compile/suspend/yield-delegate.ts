// `yield*`: hands every resumption on to an inner iterator, until that one is done.

import { GuestThrow, ReturnSignal, thrownValue, throwTypeError } from "../../guest-throw.ts";
import { type GuestObject, isObject } from "../../guest-value.ts";
import { Request } from "../../operations/async-generator.ts";
import { getAsyncIterator } from "../../operations/async-iterator.ts";
import { call, getMethodOf } from "../../operations/call.ts";
import { type HostGenerator, InnerResult, type Resumption } from "../../operations/generator.ts";
import { getIterator, type IteratorRecord } from "../../operations/iterator.ts";
import { get } from "../../operations/property.ts";
import type { Context } from "../context.ts";

/** Runs `yield* value` and returns the inner iterator's last value. */
export function* delegateYield(context: Context, value: unknown): HostGenerator {
  const { realm, functionKind } = context;
  const isAsync = functionKind === "async-generator";
  const record = isAsync ? getAsyncIterator(realm, value) : getIterator(realm, value);
  let received: Resumption = { type: "next", value: undefined };
  for (;;) {
    realm.meter.charge(1);
    const answer = passOn(record, received);
    if (answer === null) return yield* endWithoutMethod(isAsync, record, received);
    const result = isAsync ? yield new Request("await", answer) : answer;
    if (!isObject(result)) return throwTypeError("the iterator's result is not an object");
    if (get(result, "done")) return finish(received, get(result, "value"));
    received = yield* receive(context, isAsync, result);
  }
}

/** Calls the inner iterator's method for a resumption; null when it has none. */
function passOn({ iterator, next }: IteratorRecord, { type, value }: Resumption): unknown {
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
    if (!isObject(result)) throwTypeError('the iterator\'s "return" gave no object');
  }
  return throwTypeError('the inner iterator has no "throw"');
}

function finish({ type }: Resumption, value: unknown): unknown {
  if (type === "return") throw new ReturnSignal(value);
  return value;
}

/** Suspends with the inner result and returns how the generator was resumed. */
function* receive({ realm }: Context, isAsync: boolean, result: GuestObject): Generator<unknown, Resumption, unknown> {
  const handed = isAsync ? new Request("yield", get(result, "value")) : new InnerResult(result);
  try {
    return { type: "next", value: yield handed };
  } catch (caught) {
    if (caught instanceof GuestThrow) return { type: "throw", value: thrownValue(realm, caught) };
    if (!(caught instanceof ReturnSignal)) throw caught;
    return yield* receiveReturn(realm, isAsync, caught.value);
  }
}

/** An async generator awaits the value of `return(value)` before it passes it on. */
function* receiveReturn(
  realm: Context["realm"],
  isAsync: boolean,
  value: unknown,
): Generator<unknown, Resumption, unknown> {
  if (!isAsync) return { type: "return", value };
  try {
    return { type: "return", value: yield new Request("await", value) };
  } catch (caught) {
    return { type: "throw", value: thrownValue(realm, caught) };
  }
}
