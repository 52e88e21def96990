// Async generator objects. Calls of `next` and similar methods wait in a queue, and the body runs
// for one call after another.

import { type Completion, returnedValue } from "../completion.ts";
import type { Frame } from "../frame.ts";
import { ReturnSignal, thrownValue } from "../guest-throw.ts";
import { brand, type GuestObject, type Slots, slotsOfKind } from "../guest-value.ts";
import type { PromiseReaction } from "../jobs.ts";
import type { ExecutionMark, Realm } from "../realm/realm.ts";
import { ordinaryCreateFromConstructor } from "./call.ts";
import { type HostBody, type Resumption, resumeHost } from "./generator.ts";
import { awaitValue, createPromise, type PromiseSlots, rejectPromise, resolvePromise } from "./promise.ts";

/**
 * A value that the compiled body of an async generator yields to the interpreter. With the type
 * `await`, the interpreter awaits it. With the type `yield`, it passes the value to the consumer.
 */
export class Request {
  readonly type: "await" | "yield";
  readonly value: unknown;

  constructor(type: "await" | "yield", value: unknown) {
    this.type = type;
    this.value = value;
  }
}

interface QueuedResumption {
  readonly resumption: Resumption;
  readonly promise: PromiseSlots;
}

/** The slots of an async generator. */
class AsyncGeneratorSlots implements Slots {
  readonly type = "async-generator";
  /** Runs when a promise that the body awaits is settled, and resumes the body. */
  readonly onward: PromiseReaction;
  readonly frame: Frame;
  readonly host: HostBody;
  state: "start" | "suspended" | "running" | "awaiting-return" | "done" = "start";
  readonly queue: QueuedResumption[] = [];
  /**
   * The execution that last resumed the generator. If that execution was stopped, the generator
   * cannot resume.
   */
  execution: ExecutionMark;

  constructor(realm: Realm, frame: Frame, host: HostBody) {
    this.frame = frame;
    this.host = host;
    this.execution = realm.execution;
    this.onward = {
      onFulfilled: (value) => runBody(realm, this, { type: "next", value }),
      onRejected: (reason) => runBody(realm, this, { type: "throw", value: reason }),
      held: [frame],
    };
  }

  get held(): readonly unknown[] {
    const waiting = this.queue.flatMap(({ resumption, promise }) => [promise.self, resumption.value]);
    return this.state === "done" ? waiting : [this.frame, ...waiting];
  }

  /**
   * Ends the generator after its execution was stopped. The callers in the queue belong to that
   * execution, so they get no result.
   */
  end(): void {
    this.state = "done";
    this.queue.length = 0;
  }
}

/** Creates the object that a call of an async generator function returns. */
export function startAsyncGenerator(
  realm: Realm,
  generatorFunction: GuestObject,
  frame: Frame,
  host: unknown,
): GuestObject {
  realm.meter.allocate(712);
  const object = ordinaryCreateFromConstructor(realm, generatorFunction, "AsyncGeneratorPrototype");
  return brand(object, new AsyncGeneratorSlots(realm, frame, host as HostBody)); // suspendBody returns only this type
}

/**
 * Implements `generator.next(value)`, `return` and `throw`. Returns a promise of the result object.
 */
export function enqueueAsyncGenerator(realm: Realm, thisValue: unknown, resumption: Resumption): GuestObject {
  const promise = createPromise(realm);
  const slots = slotsOfKind(thisValue, AsyncGeneratorSlots);
  if (!slots) {
    rejectPromise(realm, promise, realm.newError("TypeError", "the receiver is not an async generator"));
    return promise.self;
  }
  if (slots.execution.isStopped && slots.state !== "done") slots.end();
  realm.meter.allocate(64);
  slots.queue.push({ resumption, promise });
  if (slots.state !== "running" && slots.state !== "awaiting-return") resumeNext(realm, slots);
  return promise.self;
}

/** Handles the waiting calls one after the other, until the body awaits something. */
function resumeNext(realm: Realm, slots: AsyncGeneratorSlots): void {
  for (let [first] = slots.queue; first; [first] = slots.queue) {
    const { resumption } = first;
    if (slots.state === "start" && resumption.type !== "next") slots.state = "done";
    if (slots.state !== "done") return runBody(realm, slots, resumption);
    if (resumption.type === "return") return awaitReturn(realm, slots, resumption.value);
    if (resumption.type === "next") settleFirst(realm, slots, { value: undefined, done: true });
    else rejectFirst(realm, slots, resumption.value);
  }
}

/** Awaits the argument of `generator.return(value)` after the generator has finished. */
function awaitReturn(realm: Realm, slots: AsyncGeneratorSlots, value: unknown): void {
  slots.state = "awaiting-return";
  const goOn = (settle: () => void): void => {
    slots.state = "done";
    settle();
    resumeNext(realm, slots);
  };
  const onRejected = (reason: unknown): void => goOn(() => rejectFirst(realm, slots, reason));
  try {
    awaitValue(realm, value, {
      onFulfilled: (result) => goOn(() => settleFirst(realm, slots, { value: result, done: true })),
      onRejected,
    });
  } catch (caught) {
    onRejected(thrownValue(realm, caught));
  }
}

function runBody(realm: Realm, slots: AsyncGeneratorSlots, resumption: Resumption): void {
  slots.state = "running";
  slots.execution = realm.execution;
  const { depth } = realm.meter;
  let result: IteratorResult<unknown, Completion | undefined>;
  try {
    result = resumeHost(slots.host, resumption);
  } catch (caught) {
    slots.state = "done";
    if (caught instanceof ReturnSignal) settleFirst(realm, slots, { value: caught.value, done: true });
    else {
      const reason = thrownValue(realm, caught);
      realm.meter.depth = depth;
      rejectFirst(realm, slots, reason);
    }
    return resumeNext(realm, slots);
  }
  if (result.done) {
    slots.state = "done";
    settleFirst(realm, slots, { value: returnedValue(result.value), done: true });
    return resumeNext(realm, slots);
  }
  serve(realm, slots, result.value as Request); // bodies of async generators yield only requests
}

function serve(realm: Realm, slots: AsyncGeneratorSlots, { type, value }: Request): void {
  if (type === "yield") {
    slots.state = "suspended";
    settleFirst(realm, slots, { value, done: false });
    return resumeNext(realm, slots);
  }
  try {
    awaitValue(realm, value, slots.onward);
  } catch (caught) {
    slots.onward.onRejected(thrownValue(realm, caught));
  }
}

function settleFirst(
  realm: Realm,
  { queue }: AsyncGeneratorSlots,
  { value, done }: { value: unknown; done: boolean },
): void {
  const first = queue.shift();
  if (first) resolvePromise(realm, first.promise, realm.newIterResult(value, done));
}

function rejectFirst(realm: Realm, { queue }: AsyncGeneratorSlots, reason: unknown): void {
  const first = queue.shift();
  if (first) rejectPromise(realm, first.promise, reason);
}
