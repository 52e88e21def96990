// Generator objects: a guest object around the host generator that the function's body was compiled
// to. The host generator yields the values; only `yield*` hands on the result objects of an inner
// iterator.

import { type Completion, returnedValue } from "../completion.ts";
import { GuestThrow, ReturnSignal, throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOfGenerator } from "../guest-value.ts";
import type { ExecutionMark, Realm } from "../realm/realm.ts";
import { ordinaryCreateFromConstructor } from "./call.ts";
import { iterationEnd } from "./iterator.ts";
import { get } from "./property.ts";

/** The host generator that something suspending is compiled to. */
export type HostGenerator = Generator<unknown, unknown, unknown>;

/** The host generator of a function's body. */
export type HostBody = Generator<unknown, Completion | undefined, unknown>;

/** The slots of a generator. */
export class GeneratorSlots implements Slots {
  readonly type = "generator";
  readonly host: HostBody;
  state: "start" | "suspended" | "running" | "done" = "start";
  /** The execution that ran it last. What a stopped one left suspended never goes on. */
  execution: ExecutionMark;

  constructor(host: HostBody, execution: ExecutionMark) {
    this.host = host;
    this.execution = execution;
  }
}

/** How a generator is resumed. */
export type Resumption =
  | { readonly type: "next"; readonly value: unknown }
  | { readonly type: "throw"; readonly value: unknown }
  | { readonly type: "return"; readonly value: unknown };

const plainNext: Resumption = { type: "next", value: undefined };

/** How `next(value)` resumes. */
export function nextWith(value: unknown): Resumption {
  return value === undefined ? plainNext : { type: "next", value };
}

/** The object that a call of a generator function gives. */
export function startGenerator(realm: Realm, generatorFunction: GuestObject, host: unknown): GuestObject {
  realm.meter.allocate(672);
  const object = ordinaryCreateFromConstructor(realm, generatorFunction, "GeneratorPrototype");
  return brand(object, new GeneratorSlots(host as HostBody, realm.execution)); // suspendBody gives nothing else
}

/**
 * The result object of an inner iterator that `yield*` passes on untouched: what the host generator
 * yields in place of a value.
 */
export class InnerResult {
  readonly object: GuestObject;

  constructor(object: GuestObject) {
    this.object = object;
  }
}

/** `generator.next(value)` and its like: returns a result object. */
export function resumeGenerator(realm: Realm, thisValue: unknown, resumption: Resumption): GuestObject {
  const slots = requireGenerator(thisValue);
  if (slots.state === "start" && resumption.type !== "next") slots.state = "done";
  if (slots.state === "done") return resumeDone(realm, resumption);
  const { value, done } = runGenerator(realm, slots, resumption);
  if (done) return realm.newIterResult(value, true);
  return value instanceof InnerResult ? value.object : realm.newIterResult(value, false);
}

/** The next value of a generator, or {@link iterationEnd}: `next` for loops. */
export function stepGenerator(realm: Realm, thisValue: unknown): unknown {
  const slots = requireGenerator(thisValue);
  if (slots.state === "done") return iterationEnd;
  const { value, done } = runGenerator(realm, slots, plainNext);
  if (done) return iterationEnd;
  if (!(value instanceof InnerResult)) return value;
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

/** Runs up to the next `yield` or to the end. */
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
