// Promises, for `await`, async functions and the Promise built-in. The functions are named after
// the operations of the specification. Host promises are not involved. The interpreter works with
// the slots of a promise, which refer to the guest's object.

import type { Node } from "acorn";
import { type SourceText, thrownValue, throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOfAwaited } from "../guest-value.ts";
import type { PromiseReaction } from "../jobs.ts";
import type { ExecutionMark, Realm } from "../realm/realm.ts";
import { call, construct, isCallable, isConstructor } from "./call.ts";
import { get } from "./property.ts";

/**
 * A reaction to a pending promise that already has another reaction. `execution` is the execution
 * that added it.
 */
interface WaitingReaction {
  readonly reaction: PromiseReaction;
  readonly execution: ExecutionMark;
}

/** The source and syntax node of an async function. */
export interface AsyncBody {
  readonly source: SourceText;
  readonly node: Node;
}

/** The slots of a promise. */
export class PromiseSlots implements Slots {
  /** The promise as a guest object. */
  readonly self: GuestObject;
  state: "pending" | "fulfilled" | "rejected" = "pending";
  /** The value or the reason of a settled promise. */
  result: unknown = undefined;
  /** The first reaction. Few promises have more than one. */
  reaction: PromiseReaction | null = null;
  /** The execution that added `reaction`. */
  execution: ExecutionMark | null = null;
  otherReactions: WaitingReaction[] | null = null;
  /** Whether some code handles a rejection. */
  isHandled = false;
  /** The name of the tool whose call returned this promise; null for other promises. */
  callName: string | null = null;
  /** The async function whose result this promise is; null for other promises. */
  body: AsyncBody | null = null;

  constructor(self: GuestObject) {
    this.self = self;
  }

  get type(): "promise" {
    return "promise";
  }

  get held(): readonly unknown[] {
    const others = this.otherReactions?.flatMap(({ reaction }) => heldBy(reaction)) ?? [];
    return [this.result, ...heldBy(this.reaction), ...others];
  }
}

const heldBy = (reaction: PromiseReaction | null): readonly unknown[] =>
  reaction ? [reaction.calls, reaction.leadsTo?.self, ...(reaction.held ?? [])] : [];

/** A promise, or an instance of a subclass, and the functions that settle it. */
export type PromiseCapability =
  | {
      readonly type: "own";
      readonly promise: GuestObject;
      /**
       * The slots of a promise that the realm's own constructor made. The operations of this file
       * settle such a promise.
       */
      readonly slots: PromiseSlots;
    }
  | {
      readonly type: "foreign";
      readonly promise: GuestObject;
      readonly resolve: GuestObject;
      readonly reject: GuestObject;
    };

/** Returns the slots of a promise, or undefined if the value is not a promise. */
export function promiseSlots(value: unknown): PromiseSlots | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const slots = slotsOfAwaited(value);
  return slots instanceof PromiseSlots ? slots : undefined;
}

/** Creates a pending promise. */
export function createPromise(realm: Realm): PromiseSlots {
  realm.meter.allocate(128);
  realm.hasPromises = true;
  return brandPromise(realm.newPromiseObject());
}

/** Turns an object into a pending promise. The caller must charge for it. */
export function brandPromise(object: GuestObject): PromiseSlots {
  const slots = new PromiseSlots(object);
  brand(object, slots);
  return slots;
}

/**
 * Resolves a promise. If `resolution` is a thenable, the promise adopts its state; otherwise it is
 * fulfilled with `resolution`. Unlike a guest's `resolve` function, this does not check for a
 * second call.
 */
export function resolvePromise(realm: Realm, promise: PromiseSlots, resolution: unknown): void {
  if (!isObject(resolution)) return fulfillPromise(realm, promise, resolution);
  if (resolution === promise.self)
    return rejectPromise(realm, promise, realm.newError("TypeError", "a promise cannot resolve to itself"));
  const { depth } = realm.meter;
  let then: unknown;
  try {
    then = get(resolution, "then");
  } catch (caught) {
    return rejectPromise(realm, promise, reasonOf(realm, caught, depth));
  }
  if (!isCallable(then)) return fulfillPromise(realm, promise, resolution);
  realm.jobs.enqueueCall(() => adoptThenable(realm, promise, resolution, then));
}

/** Fulfils a pending promise. */
export function fulfillPromise(realm: Realm, promise: PromiseSlots, value: unknown): void {
  if (promise.state !== "pending") return;
  promise.state = "fulfilled";
  promise.result = value;
  if (promise.reaction !== null) enqueueReactions(realm, promise);
}

/** Rejects a pending promise. Records it in the realm if nothing handles the rejection. */
export function rejectPromise(realm: Realm, promise: PromiseSlots, reason: unknown): void {
  if (promise.state !== "pending") return;
  promise.state = "rejected";
  promise.result = reason;
  if (!promise.isHandled) realm.rejections.add(promise);
  if (promise.reaction !== null) enqueueReactions(realm, promise);
}

/** Adds a reaction; it runs as a job once the promise is settled. */
export function performPromiseThen(realm: Realm, promise: PromiseSlots, reaction: PromiseReaction): void {
  if (promise.state === "pending") {
    if (promise.reaction === null) {
      promise.reaction = reaction;
      promise.execution = realm.execution;
    } else addReaction(promise, { reaction, execution: realm.execution });
  } else {
    const isRejection = promise.state === "rejected";
    realm.jobs.enqueue(reaction, isRejection, promise.result);
    if (isRejection && !promise.isHandled) realm.rejections.delete(promise);
  }
  promise.isHandled = true;
}

/**
 * Implements `C.resolve(value)`. If the value is already a promise made by C, returns it as it is.
 */
export function promiseResolve(realm: Realm, constructorFunction: GuestObject, value: unknown): GuestObject {
  const slots = promiseSlots(value);
  if (slots && get(slots.self, "constructor") === constructorFunction) return slots.self;
  const capability = newPromiseCapability(realm, constructorFunction);
  resolveCapability(realm, capability, value);
  return capability.promise;
}

/**
 * The same as {@link promiseResolve} for the realm's own Promise constructor. Returns the slots.
 */
export function ownPromiseOf(realm: Realm, value: unknown): PromiseSlots {
  const slots = promiseSlots(value);
  if (slots && get(slots.self, "constructor") === realm.promiseConstructor) return slots;
  const promise = createPromise(realm);
  resolvePromise(realm, promise, value);
  return promise;
}

/** Awaits a value: runs `reaction` as a job once the value is settled. */
export function awaitValue(realm: Realm, value: unknown, reaction: PromiseReaction): void {
  if (isObject(value)) return performPromiseThen(realm, ownPromiseOf(realm, value), reaction);
  // Creates no promise for this value, because no code could see it. Charges for the memory of one
  // nevertheless.
  realm.meter.allocate(128);
  realm.jobs.enqueue(reaction, false, value);
}

/**
 * Returns the rejection reason for an exception that the host caught and does not throw again.
 * `depth` is the call depth from before the call that threw.
 */
export function reasonOf(realm: Realm, caught: unknown, depth: number): unknown {
  const reason = thrownValue(realm, caught);
  realm.meter.depth = depth;
  return reason;
}

/** Creates a promise with the given constructor, and the functions that settle it. */
export function newPromiseCapability(realm: Realm, constructorFunction: unknown): PromiseCapability {
  if (constructorFunction === realm.promiseConstructor) {
    const slots = createPromise(realm);
    return { type: "own", promise: slots.self, slots };
  }
  if (!isConstructor(constructorFunction)) return throwTypeError("the receiver is not a constructor");
  let resolve: unknown;
  let reject: unknown;
  const executor = realm.newNativeFunction("", 2, (_thisValue, givenResolve, givenReject) => {
    if (resolve !== undefined || reject !== undefined) return throwTypeError("the executor was called twice");
    resolve = givenResolve;
    reject = givenReject;
  });
  const promise = construct(constructorFunction, [executor]);
  if (!isCallable(resolve) || !isCallable(reject))
    return throwTypeError("the constructor did not pass on the resolving functions");
  return { type: "foreign", promise, resolve, reject };
}

/** Resolves the promise of a capability. For a capability of type `own`, call this only once. */
export function resolveCapability(realm: Realm, capability: PromiseCapability, value: unknown): void {
  if (capability.type === "own") resolvePromise(realm, capability.slots, value);
  else call(capability.resolve, undefined, value);
}

/** Rejects the promise of a capability. For a capability of type `own`, call this only once. */
export function rejectCapability(realm: Realm, capability: PromiseCapability, reason: unknown): void {
  if (capability.type === "own") rejectPromise(realm, capability.slots, reason);
  else call(capability.reject, undefined, reason);
}

/**
 * Creates the guest functions `resolve` and `reject` of a promise. Only the first call of either
 * has an effect.
 */
export function createResolvingFunctions(
  realm: Realm,
  promise: PromiseSlots,
): { resolve: GuestObject; reject: GuestObject } {
  let isResolved = false;
  const once = (settle: (realm: Realm, promise: PromiseSlots, value: unknown) => void) =>
    realm.newNativeFunction(
      "",
      1,
      (_thisValue, value) => {
        if (isResolved) return;
        isResolved = true;
        settle(realm, promise, value);
      },
      { held: [promise.self] },
    );
  return { resolve: once(resolvePromise), reject: once(rejectPromise) };
}

function adoptThenable(realm: Realm, promise: PromiseSlots, thenable: GuestObject, then: GuestObject): void {
  const { resolve, reject } = createResolvingFunctions(realm, promise);
  const { depth } = realm.meter;
  try {
    call(then, thenable, resolve, reject);
  } catch (caught) {
    call(reject, undefined, reasonOf(realm, caught, depth));
  }
}

function addReaction(promise: PromiseSlots, waiting: WaitingReaction): void {
  promise.otherReactions ??= [];
  promise.otherReactions.push(waiting);
}

/** Enqueues a job for each reaction to a promise that was just settled. */
function enqueueReactions(realm: Realm, promise: PromiseSlots): void {
  const { reaction, execution, otherReactions, result } = promise;
  const isRejection = promise.state === "rejected";
  promise.reaction = null;
  promise.execution = null;
  promise.otherReactions = null;
  if (reaction && !execution?.isStopped) realm.jobs.enqueue(reaction, isRejection, result);
  if (!otherReactions) return;
  for (const other of otherReactions) {
    if (!other.execution.isStopped) realm.jobs.enqueue(other.reaction, isRejection, result);
  }
}
