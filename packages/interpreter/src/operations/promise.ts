// Promises, under the spec's names: what `await`, async functions and the Promise built-in stand on. No host promise is involved.

import { thrownValue, throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOfKind } from "../guest-value.ts";
import type { ExecutionMark, Realm } from "../realm/realm.ts";
import { call, construct, isCallable, isConstructor } from "./call.ts";
import { get } from "./property.ts";

/** What is to happen when a promise settles. Host functions: `onFulfilled` of guests are wrapped by {@link performPromiseThen}. */
export interface PromiseReaction {
  readonly onFulfilled: (value: unknown) => void;
  readonly onRejected: (reason: unknown) => void;
}

/** A reaction of a promise that is pending, and the execution that waits by it. */
interface WaitingReaction {
  readonly reaction: PromiseReaction;
  readonly execution: ExecutionMark;
}

/** The slots of a promise. */
export class PromiseSlots implements Slots {
  readonly type = "promise";
  state: "pending" | "fulfilled" | "rejected" = "pending";
  /** The value or the reason. */
  result: unknown = undefined;
  reactions: WaitingReaction[] = [];
  /** Whether someone looks at a rejection. */
  isHandled = false;
  /** The tool whose call it stands for. */
  callName: string | null = null;
}

/** A promise (or an object of a subclass) with the functions that settle it. */
export interface PromiseCapability {
  readonly promise: GuestObject;
  /** Guest functions, or undefined when the constructor is our own Promise and the three operations below serve. */
  readonly resolve: GuestObject | undefined;
  readonly reject: GuestObject | undefined;
}

/** The slots of a promise, or undefined when the value is none. */
export function promiseSlots(value: unknown): PromiseSlots | undefined {
  return slotsOfKind(value, PromiseSlots);
}

/** A new pending promise. */
export function createPromise(realm: Realm): GuestObject {
  realm.meter.allocate(96);
  return brand(realm.newObjectFrom("PromisePrototype"), new PromiseSlots());
}

/** What a promise's `resolve` function does, without the "already resolved" flag: adopts a thenable, fulfils with anything else. */
export function resolvePromise(realm: Realm, promise: GuestObject, resolution: unknown): void {
  if (resolution === promise)
    return rejectPromise(realm, promise, realm.newError("TypeError", "a promise cannot resolve to itself"));
  if (!isObject(resolution)) return fulfillPromise(realm, promise, resolution);
  let then: unknown;
  try {
    then = get(resolution, "then");
  } catch (caught) {
    return rejectPromise(realm, promise, thrownValue(realm, caught));
  }
  if (!isCallable(then)) return fulfillPromise(realm, promise, resolution);
  realm.jobs.enqueue(() => adoptThenable(realm, promise, resolution, then));
}

/** Fulfils a pending promise. */
export function fulfillPromise(realm: Realm, promise: GuestObject, value: unknown): void {
  settlePromise(realm, promise, "fulfilled", value);
}

/** Rejects a pending promise; tells the realm when nobody looks. */
export function rejectPromise(realm: Realm, promise: GuestObject, reason: unknown): void {
  settlePromise(realm, promise, "rejected", reason);
}

/** Adds a reaction; it runs as a job once the promise is settled. */
export function performPromiseThen(realm: Realm, promise: GuestObject, reaction: PromiseReaction): void {
  const slots = promiseSlots(promise);
  if (!slots) return throwTypeError("the receiver is not a promise");
  if (slots.state === "pending") slots.reactions.push({ reaction, execution: realm.execution });
  else enqueueReaction(realm, slots, reaction);
  if (slots.state === "rejected" && !slots.isHandled) realm.rejections.delete(promise);
  slots.isHandled = true;
}

/** `C.resolve(value)`: a promise of that constructor stays itself. */
export function promiseResolve(realm: Realm, constructorFunction: GuestObject, value: unknown): GuestObject {
  if (promiseSlots(value) && get(value as GuestObject, "constructor") === constructorFunction)
    return value as GuestObject; // it has slots
  const capability = newPromiseCapability(realm, constructorFunction);
  resolveCapability(realm, capability, value);
  return capability.promise;
}

/** Waits for a value as `await` does. The reactions run as jobs. */
export function awaitValue(realm: Realm, value: unknown, reaction: PromiseReaction): void {
  performPromiseThen(realm, promiseResolve(realm, realm.intrinsic("Promise"), value), reaction);
}

/** A capability of the given constructor. */
export function newPromiseCapability(realm: Realm, constructorFunction: unknown): PromiseCapability {
  if (constructorFunction === realm.intrinsic("Promise"))
    return { promise: createPromise(realm), resolve: undefined, reject: undefined };
  if (!isConstructor(constructorFunction)) return throwTypeError("the receiver is not a constructor");
  let resolve: unknown;
  let reject: unknown;
  const executor = realm.newNativeFunction("", 2, (_thisValue, givenResolve, givenReject) => {
    if (resolve !== undefined || reject !== undefined) return throwTypeError("the executor was called twice");
    resolve = givenResolve;
    reject = givenReject;
  });
  const promise = construct(constructorFunction, [executor]);
  if (!isCallable(resolve) || !isCallable(reject)) return throwTypeError("the constructor gave no resolving functions");
  return { promise, resolve, reject };
}

/** Resolves the promise of a capability. To be called once for an own promise. */
export function resolveCapability(realm: Realm, { promise, resolve }: PromiseCapability, value: unknown): void {
  if (resolve) call(resolve, undefined, value);
  else resolvePromise(realm, promise, value);
}

/** Rejects the promise of a capability. To be called once for an own promise. */
export function rejectCapability(realm: Realm, { promise, reject }: PromiseCapability, reason: unknown): void {
  if (reject) call(reject, undefined, reason);
  else rejectPromise(realm, promise, reason);
}

/** The guest functions `resolve` and `reject` of a promise; the first call of either counts. */
export function createResolvingFunctions(
  realm: Realm,
  promise: GuestObject,
): { resolve: GuestObject; reject: GuestObject } {
  let isResolved = false;
  const once = (settle: (realm: Realm, promise: GuestObject, value: unknown) => void) =>
    realm.newNativeFunction("", 1, (_thisValue, value) => {
      if (isResolved) return;
      isResolved = true;
      settle(realm, promise, value);
    });
  return { resolve: once(resolvePromise), reject: once(rejectPromise) };
}

function adoptThenable(realm: Realm, promise: GuestObject, thenable: GuestObject, then: GuestObject): void {
  const { resolve, reject } = createResolvingFunctions(realm, promise);
  try {
    call(then, thenable, resolve, reject);
  } catch (caught) {
    call(reject, undefined, thrownValue(realm, caught));
  }
}

function settlePromise(realm: Realm, promise: GuestObject, state: "fulfilled" | "rejected", result: unknown): void {
  const slots = promiseSlots(promise);
  if (slots?.state !== "pending") return;
  const { reactions } = slots;
  slots.state = state;
  slots.result = result;
  slots.reactions = [];
  if (state === "rejected" && !slots.isHandled) realm.rejections.add(promise);
  for (const { reaction, execution } of reactions) if (!execution.isStopped) enqueueReaction(realm, slots, reaction);
}

function enqueueReaction(
  realm: Realm,
  { state, result }: PromiseSlots,
  { onFulfilled, onRejected }: PromiseReaction,
): void {
  realm.jobs.enqueue(state === "fulfilled" ? () => onFulfilled(result) : () => onRejected(result));
}
