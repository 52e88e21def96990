// Generator objects: a guest object around the host generator that the function's body was compiled to. The host generator yields the
// result objects that `next` returns, so that `yield*` can pass on those of an inner iterator untouched.

import { GuestThrow, ReturnSignal, throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOfKind } from "../guest-value.ts";
import { get } from "../operations/property.ts";
import type { Realm } from "../realm/realm.ts";

/** The host generator that a suspending body is compiled to. */
export type HostGenerator = Generator<unknown, unknown, unknown>;

/** The slots of a generator. */
export class GeneratorSlots implements Slots {
  readonly type = "generator";
  readonly host: HostGenerator;
  state: "start" | "suspended" | "running" | "done" = "start";

  constructor(host: HostGenerator) {
    this.host = host;
  }
}

/** How a generator is resumed. */
export type Resumption =
  | { readonly type: "next"; readonly value: unknown }
  | { readonly type: "throw"; readonly value: unknown }
  | { readonly type: "return"; readonly value: unknown };

/** The object that a call of a generator function gives. */
export function startGenerator(realm: Realm, generatorFunction: GuestObject, host: unknown): GuestObject {
  realm.meter.allocate(200);
  const prototype = get(generatorFunction, "prototype");
  const object = Object.create(isObject(prototype) ? prototype : realm.intrinsic("GeneratorPrototype")) as GuestObject;
  return brand(object, new GeneratorSlots(host as HostGenerator)); // suspendBody gives nothing else
}

/** `generator.next(value)` and its like. */
export function resumeGenerator(realm: Realm, thisValue: unknown, resumption: Resumption): unknown {
  const slots = slotsOfKind(thisValue, GeneratorSlots);
  if (!slots) return throwTypeError("the receiver is not a generator");
  if (slots.state === "running") return throwTypeError("the generator is running already");
  if (slots.state === "start" && resumption.type !== "next") slots.state = "done";
  if (slots.state === "done") return resumeDone(realm, resumption);
  return runGenerator(realm, slots, resumption);
}

function resumeDone(realm: Realm, { type, value }: Resumption): unknown {
  if (type === "throw") throw new GuestThrow(value);
  return realm.newIterResult(type === "return" ? value : undefined, true);
}

function runGenerator(realm: Realm, slots: GeneratorSlots, resumption: Resumption): unknown {
  const { meter } = realm;
  if (--meter.left < 0) meter.refill();
  if (++meter.depth > meter.maxDepth) meter.stop("call-depth");
  slots.state = "running";
  try {
    const result = resumeHost(slots.host, resumption);
    meter.depth--;
    slots.state = result.done ? "done" : "suspended";
    return result.done ? realm.newIterResult(result.value, true) : result.value;
  } catch (caught) {
    slots.state = "done";
    if (caught instanceof ReturnSignal) {
      meter.depth--;
      return realm.newIterResult(caught.value, true);
    }
    throw caught;
  }
}

/** Resumes a host generator. */
export function resumeHost(host: HostGenerator, { type, value }: Resumption): IteratorResult<unknown, unknown> {
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
