// `for await`: awaits each result, and the closing of the iterator.

import type { ForOfStatement } from "acorn";
import { type Completion, continuesLoop, loopCompletion } from "../../completion.ts";
import { ReturnSignal, throwTypeError } from "../../guest-throw.ts";
import { isObject } from "../../guest-value.ts";
import { getAsyncIterator } from "../../operations/async-iterator.ts";
import { call, getMethodOf } from "../../operations/call.ts";
import type { IteratorRecord } from "../../operations/iterator.ts";
import { get } from "../../operations/property.ts";
import { type Context, inside, positionOf } from "../context.ts";
import { operationsOfLength } from "../long-code.ts";
import { located } from "../operators.ts";
import { rethrowPastFinally } from "../try.ts";
import { partOf, type SuspendExecute } from "./list.ts";
import { waitFor } from "./requests.ts";
import { suspendRoundEntry, suspendSubject } from "./value-loop.ts";

/** Compiles `for await`. */
export function suspendForAwait(context: Context, node: ForOfStatement, labels: readonly string[]): SuspendExecute {
  const subject = suspendSubject(context, node);
  const enter = suspendRoundEntry(context, node);
  const body = partOf(inside(context, node), node.body);
  const { meter } = context;
  const operations = operationsOfLength(node);
  return function* (frame) {
    const record = open(context, node, yield* subject(frame));
    for (;;) {
      const result = yield* waitFor(context, call(record.next, record.iterator));
      if (!isObject(result))
        return throwTypeError("the iterator's result is not an object", positionOf(context, node.right));
      if (get(result, "done")) return undefined;
      const value = get(result, "value");
      meter.charge(1);
      meter.checkClockSooner(operations);
      let completion: Completion | undefined;
      try {
        const own = enter.type === "plain" ? enter.run(frame, value) : yield* enter.run(frame, value);
        completion = body.type === "plain" ? body.run(own) : yield* body.run(own);
      } catch (caught) {
        yield* closeAsyncAfter(context, record, caught);
      }
      if (completion !== undefined && !continuesLoop(completion, labels)) {
        yield* closeAsync(context, record);
        return loopCompletion(completion);
      }
    }
  };
}

function open(context: Context, { right }: ForOfStatement, value: unknown): IteratorRecord {
  try {
    return getAsyncIterator(context.realm, value);
  } catch (caught) {
    throw located(context, caught, right);
  }
}

/** Closes an async iterator and waits for it. */
function* closeAsync(context: Context, { iterator }: IteratorRecord): Generator<unknown, void, unknown> {
  const method = getMethodOf(iterator, "return");
  if (method === undefined) return;
  const result = yield* waitFor(context, call(method, iterator));
  if (!isObject(result)) throwTypeError('the iterator\'s "return" did not return an object');
}

/**
 * Closes an async iterator after an exception. If closing throws too, that exception is ignored.
 */
function* closeAsyncAfter(
  context: Context,
  record: IteratorRecord,
  caught: unknown,
): Generator<unknown, never, unknown> {
  rethrowPastFinally(context, caught);
  if (caught instanceof ReturnSignal) {
    yield* closeAsync(context, record);
    throw caught;
  }
  try {
    const method = getMethodOf(record.iterator, "return");
    if (method !== undefined) yield* waitFor(context, call(method, record.iterator));
  } catch (caughtWhileClosing) {
    context.realm.rethrowUnlessCatchable(caughtWhileClosing);
  }
  throw caught;
}
