// Generator objects. The function's body is compiled to a host generator, which the generator
// object wraps. The host generator yields plain values, not result objects. Only `yield*` yields
// result objects, which come from an inner iterator.

import { type Completion, returnedValue } from "../completion.ts";
import type { Frame } from "../frame.ts";
import { GuestThrow, ReturnSignal, throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOfGenerator } from "../guest-value.ts";
import type { ExecutionMark, Realm } from "../realm/realm.ts";
import { ordinaryCreateFromConstructor } from "./call.ts";
import { iterationEnd } from "./iterator.ts";
import { get } from "./property.ts";

/** A host generator, compiled from guest code that can suspend. */
export type HostGenerator = Generator<unknown, unknown, unknown>;

/** The host generator of a function's body. */
export type HostBody = Generator<unknown, Completion | undefined, unknown>;

/** The slots of a generator. */
class GeneratorSlots implements Slots {
  readonly type = "generator";
  readonly frame: Frame;
  readonly host: HostBody;
  state: "start" | "suspended" | "running" | "done" = "start";
  /**
   * The execution that last resumed the generator. If that execution was stopped, the generator
   * cannot resume.
   */
  execution: ExecutionMark;

  constructor(frame: Frame, host: HostBody, execution: ExecutionMark) {
    this.frame = frame;
    this.host = host;
    this.execution = execution;
  }

  get held(): readonly unknown[] {
    return this.state === "done" ? [] : [this.frame];
  }
}

/** How a generator is resumed: by `next`, `return` or `throw`. */
export type Resumption =
  | { readonly type: "next"; readonly value: unknown }
  | { readonly type: "throw"; readonly value: unknown }
  | { readonly type: "return"; readonly value: unknown };

const plainNext: Resumption = { type: "next", value: undefined };

/** Creates the resumption for `next(value)`. */
export function nextWith(value: unknown): Resumption {
  return value === undefined ? plainNext : { type: "next", value };
}

/** Creates the object that a call of a generator function returns. */
export function startGenerator(realm: Realm, generatorFunction: GuestObject, frame: Frame, host: unknown): GuestObject {
  realm.meter.allocate(672);
  const object = ordinaryCreateFromConstructor(realm, generatorFunction, "GeneratorPrototype");
  return brand(object, new GeneratorSlots(frame, host as HostBody, realm.execution)); // suspendBody returns only this type
}

/**
 * A result object of an inner iterator, which `yield*` must pass on unchanged. The host generator
 * yields it instead of a value.
 */
export class InnerResult {
  readonly object: GuestObject;

  constructor(object: GuestObject) {
    this.object = object;
  }
}

/** Implements `generator.next(value)`, `return` and `throw`. Returns a result object. */
export function resumeGenerator(realm: Realm, thisValue: unknown, resumption: Resumption): GuestObject {
  const slots = requireGenerator(thisValue);
  if (slots.state === "start" && resumption.type !== "next") slots.state = "done";
  if (slots.state === "done") return resumeDone(realm, resumption);
  const { value, done } = runGenerator(realm, slots, resumption);
  if (done) return realm.newIterResult(value, true);
  return value instanceof InnerResult ? value.object : realm.newIterResult(value, false);
}

/** What `yield*` passes to an inner generator, and what it gets back. */
export interface Delegation {
  received: Resumption;
  /** The value that the inner generator returned. */
  returned: unknown;
}

/**
 * Returns the next value of a generator, or {@link iterationEnd}. Loops use it because they need no
 * result object. `yield*` uses it, too, and passes on an {@link InnerResult} unchanged.
 */
export function stepGenerator(realm: Realm, thisValue: unknown, delegation?: Delegation): unknown {
  const slots = requireGenerator(thisValue);
  if (slots.state === "done") return iterationEnd;
  const { value, done } = runGenerator(realm, slots, delegation ? delegation.received : plainNext);
  if (done) {
    if (delegation) delegation.returned = value;
    return iterationEnd;
  }
  if (delegation || !(value instanceof InnerResult)) return value;
  return get(value.object, "done") ? iterationEnd : get(value.object, "value");
}

function requireGenerator(value: unknown): GeneratorSlots {
  const slots = isObject(value) ? slotsOfGenerator(value) : undefined;
  if (!(slots instanceof GeneratorSlots)) return throwTypeError("the receiver is not a generator");
  if (slots.execution.isStopped && slots.state === "suspended") slots.state = "done";
  return slots.state === "running" ? throwTypeError("the generator is running already") : slots;
}

function resumeDone(realm: Realm, { type, value }: Resumption): GuestObject {
  if (type === "throw") throw new GuestThrow(value);
  return realm.newIterResult(type === "return" ? value : undefined, true);
}

/** Runs the generator to its next `yield`, or to its end. */
function runGenerator(
  { meter, execution }: Realm,
  slots: GeneratorSlots,
  resumption: Resumption,
): IteratorResult<unknown, unknown> {
  if (--meter.left < 0) meter.refill();
  if (++meter.depth > meter.maxDepth) meter.stop("call-depth");
  slots.state = "running";
  slots.execution = execution;
  try {
    const result = resumeHost(slots.host, resumption);
    meter.depth--;
    slots.state = result.done ? "done" : "suspended";
    return result.done ? { value: returnedValue(result.value), done: true } : result;
  } catch (caught) {
    slots.state = "done";
    if (!(caught instanceof ReturnSignal)) throw caught;
    meter.depth--;
    return { value: caught.value, done: true };
  }
}

/** Resumes a host generator. */
export function resumeHost(
  host: HostBody,
  { type, value }: Resumption,
): IteratorResult<unknown, Completion | undefined> {
  switch (type) {
    case "next":
      return host.next(value);
    case "throw":
      return host.throw(new GuestThrow(value));
    case "return":
      return host.throw(new ReturnSignal(value));
    default:
      return type satisfies never;
  }
}
