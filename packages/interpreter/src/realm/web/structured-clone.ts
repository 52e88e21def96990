// The functions structuredClone and queueMicrotask.

import { thrownValue, throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOf } from "../../guest-value.ts";
import { call, isCallable } from "../../operations/call.ts";
import { chargeEntryKey, PrimitiveSlots, toObject } from "../../operations/conversion.ts";
import { enumerableOwnKeys } from "../../operations/counted-keys.ts";
import { iterableToList } from "../../operations/iterator.ts";
import { createPromise, rejectPromise } from "../../operations/promise.ts";
import { createDataPropertyOrThrow, get, getOwnProperty } from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import { asArrayBuffer, detachBuffer, type GuestBuffer, guestBuffer, isDetached } from "../../slots/array-buffer.ts";
import { DataViewSlots, dataViewBuffer } from "../../slots/data-view.ts";
import { DateSlots } from "../../slots/date.ts";
import { ErrorSlots } from "../../slots/error.ts";
import { MapSlots } from "../../slots/map.ts";
import { RegExpSlots } from "../../slots/regexp.ts";
import { SetSlots } from "../../slots/set.ts";
import { hostBufferOf, type TypedArray, typedArrayKind } from "../../slots/typed-array.ts";
import { arrayCreate } from "../array/plain-array.ts";
import { defineHidden } from "../define.ts";
import type { IntrinsicFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { regExpCreate } from "../regexp/create.ts";
import { newArrayBufferOf } from "../typed-array/array-buffer.ts";
import { newDataViewOn } from "../typed-array/data-view.ts";
import { requireTypedArray } from "../typed-array/receiver.ts";
import { newTypedArrayOn } from "../typed-array/typed-array.ts";
import { throwDomException } from "./dom-exception.ts";

/** The built-ins structuredClone and queueMicrotask. */
export const structuredCloneFamily: IntrinsicFamily = {
  intrinsics: [],
  globals: ["structuredClone", "queueMicrotask"],
  make: (realm) => ({
    intrinsics: {},
    globals: {
      structuredClone: realm.newNativeFunction("structuredClone", 1, (_thisValue, value, options) =>
        structuredCloneOf(realm, value, options),
      ),
      queueMicrotask: realm.newNativeFunction("queueMicrotask", 1, (_thisValue, callback) =>
        queueMicrotask(realm, callback),
      ),
    },
  }),
};

function structuredCloneOf(realm: Realm, value: unknown, options: unknown): unknown {
  const buffers = transferredBuffers(realm, options);
  const copy = new Cloning(realm).clone(value);
  for (const buffer of buffers) detachBuffer(buffer);
  return copy;
}

/**
 * Returns the buffers in `options.transfer`. The clone takes over their bytes instead of copying
 * them.
 */
function transferredBuffers(realm: Realm, options: unknown): ReadonlySet<GuestBuffer> {
  const given = isObject(options) ? get(options, "transfer") : undefined;
  const buffers = new Set<GuestBuffer>();
  for (const value of given === undefined ? [] : iterableToList(realm, given)) {
    const buffer = asArrayBuffer(value);
    if (!buffer || isDetached(buffer) || buffers.has(buffer))
      return throwDomException(
        realm,
        "DataCloneError",
        `${valueText(value)} cannot be transferred: only buffers can, once`,
      );
    buffers.add(buffer);
  }
  return buffers;
}

function queueMicrotask(realm: Realm, callback: unknown): void {
  if (!isCallable(callback)) return throwTypeError(`queueMicrotask needs a function, got ${valueText(callback)}`);
  realm.jobs.enqueueCall(() => runMicrotask(realm, callback), callback);
}

/** Runs a callback of queueMicrotask. Its exception becomes an unhandled rejection. */
function runMicrotask(realm: Realm, callback: GuestObject): void {
  try {
    call(callback, undefined);
  } catch (caught) {
    rejectPromise(realm, createPromise(realm), thrownValue(realm, caught));
  }
}

// An item takes this many bytes in the list of a collection's items.
const bytesOfListed = 64;
// An entry of the map from originals to copies takes this many bytes.
const bytesOfRemembered = 64;

/** One call of structuredClone. An object that occurs twice is copied only once. */
class Cloning {
  readonly #realm: Realm;
  readonly #copies = new Map<GuestObject, GuestObject>();

  constructor(realm: Realm) {
    this.#realm = realm;
  }

  clone(value: unknown): unknown {
    this.#realm.meter.charge(1);
    if (typeof value === "symbol") return this.#refuse("a symbol cannot be cloned");
    if (!isObject(value)) return value;
    const known = this.#copies.get(value);
    if (known) return known;
    const { meter } = this.#realm;
    if (++meter.depth > meter.maxDepth) meter.stop("call-depth");
    const copy = this.#copyOf(value);
    meter.depth--;
    return copy;
  }

  #copyOf(object: GuestObject): GuestObject {
    if (typedArrayKind(object)) return this.#viewCopy(requireTypedArray(object, "structuredClone"));
    const slots = slotsOf(object);
    if (slots === undefined) return this.#plainCopy(object);
    if (slots instanceof PrimitiveSlots) return this.#remember(object, toObject(this.#realm, slots.value));
    if (slots instanceof DateSlots) return this.#branded(object, "DatePrototype", new DateSlots(slots.time));
    if (slots instanceof RegExpSlots)
      return this.#remember(object, regExpCreate(this.#realm, slots.pattern.source, slots.pattern.flags));
    const buffer = asArrayBuffer(object);
    if (buffer) return this.#bufferCopy(buffer);
    if (slots instanceof DataViewSlots) {
      const copiedBuffer = this.clone(dataViewBuffer(this.#realm, slots)) as GuestBuffer; // the clone of a buffer is a buffer
      return this.#remember(object, newDataViewOn(this.#realm, slots, copiedBuffer));
    }
    if (slots instanceof MapSlots) return this.#mapCopy(object, slots);
    if (slots instanceof SetSlots) return this.#setCopy(object, slots);
    if (slots instanceof ErrorSlots) return this.#errorCopy(object);
    if (slots.type === "root-prototype" || slots.type === "arguments") return this.#plainCopy(object);
    return this.#refuse(`${isCallable(object) ? "a function" : `a ${slots.type}`} cannot be cloned`);
  }

  #refuse(message: string): never {
    return throwDomException(this.#realm, "DataCloneError", message);
  }

  #remember(original: GuestObject, copy: GuestObject): GuestObject {
    this.#realm.meter.allocate(bytesOfRemembered);
    this.#copies.set(original, copy);
    return copy;
  }

  #branded(original: GuestObject, prototype: "DatePrototype" | "MapPrototype" | "SetPrototype", slots: Slots) {
    return this.#remember(original, brand(this.#realm.newObjectFrom(prototype), slots));
  }

  #plainCopy(object: GuestObject): GuestObject {
    if (!Array.isArray(object)) return this.#copyProperties(object, this.#realm.newObject());
    return this.#copyProperties(object, arrayCreate(this.#realm, object.length));
  }

  #copyProperties(from: GuestObject, to: GuestObject): GuestObject {
    this.#remember(from, to);
    for (const key of enumerableOwnKeys(this.#realm, from))
      createDataPropertyOrThrow(to, key, this.clone(get(from, key)));
    return to;
  }

  #bufferCopy(original: GuestBuffer): GuestBuffer {
    if (isDetached(original)) return this.#refuse("a buffer that has been transferred cannot be cloned");
    const copy = newArrayBufferOf(this.#realm, new Uint8Array(original));
    this.#remember(original, copy);
    return copy;
  }

  /** Clones a view. Views of one buffer become views of one copy of that buffer. */
  #viewCopy(view: TypedArray): GuestObject {
    const buffer = guestBuffer(this.#realm, hostBufferOf(view));
    const copy = this.clone(buffer) as GuestBuffer; // the clone of a buffer is a buffer
    return this.#remember(view, newTypedArrayOn(this.#realm, view, copy));
  }

  #mapCopy(original: GuestObject, { entries }: MapSlots): GuestObject {
    const slots = new MapSlots();
    const copy = this.#branded(original, "MapPrototype", slots);
    for (const [key, value] of this.#listOf(entries)) {
      this.#realm.meter.allocate(150);
      chargeEntryKey(key, slots.entries.size);
      slots.entries.set(this.clone(key), this.clone(value));
    }
    return copy;
  }

  /**
   * Returns a list of the current items of a collection. The list is needed because cloning an item
   * may run a getter that changes the collection.
   */
  #listOf<Item>(items: Iterable<Item> & { readonly size: number }): readonly Item[] {
    this.#realm.meter.requireRoom(bytesOfListed * items.size);
    this.#realm.meter.requireTime(items.size);
    return [...items];
  }

  #setCopy(original: GuestObject, { values }: SetSlots): GuestObject {
    const slots = new SetSlots();
    const copy = this.#branded(original, "SetPrototype", slots);
    for (const value of this.#listOf(values)) {
      this.#realm.meter.allocate(100);
      chargeEntryKey(value, slots.values.size);
      slots.values.add(this.clone(value));
    }
    return copy;
  }

  #errorCopy(error: GuestObject): GuestObject {
    const name = get(error, "name");
    const known = errorNames.find((candidate) => candidate === name) ?? "Error";
    const copy = this.#remember(error, this.#realm.newError(known, ""));
    Reflect.deleteProperty(copy, "message");
    for (const key of ["message", "cause"]) {
      const descriptor = getOwnProperty(error, key);
      if (descriptor && "value" in descriptor) defineHidden(copy, key, this.clone(descriptor.value));
    }
    return copy;
  }
}

const errorNames = ["EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"] as const;
