// Estimates how much memory the variables of a session hold. While a program runs, the meter only
// counts allocations. Between executions this walk finds out how much of the allocated memory is
// still reachable. The walk does not see the data of suspended generators, the callbacks of pending
// promises, or named properties of long lists. The number of steps is limited, because the walk
// blocks the process and no program is charged for it.

import { functionSlots } from "../function-object.ts";
import { type GuestObject, slotsOf } from "../guest-value.ts";
import { bitLength } from "../operations/bigint-cost.ts";
import { PrimitiveSlots } from "../operations/conversion.ts";
import { expectedKeys } from "../operations/many-keys.ts";
import { promiseSlots } from "../operations/promise.ts";
import { withoutGetters } from "../operations/property.ts";
import { ArrayBufferSlots, bufferByteLength, isResizable } from "../slots/array-buffer.ts";
import { MapSlots } from "../slots/map.ts";
import { proxyState } from "../slots/proxy.ts";
import { SetSlots } from "../slots/set.ts";
import { hostBufferOf, typedArrayKind, typedArrayLength } from "../slots/typed-array.ts";

// The sizes of objects and properties. The meter uses the same sizes.
const bytesOfObject = 32;
const bytesOfSlot = 8;
const bytesOfProperty = 16;
const bytesOfEntry = { map: 72, set: 32 };

// The maximum number of steps of a walk, which takes about 50 ms.
const maxSteps = 150_000;
// How many elements or entries count as one step. They are cheap to read, because no list of keys
// is needed.
const elementsPerStep = 32;
const stepsPerKey = 2;
const maxListedElements = 1_000;
// The longest array that the host does not store as a hash table.
const maxDenseLength = 2 ** 25;

/** The amount of memory that is reachable from some values. */
export interface RetainedSize {
  readonly bytes: number;
  /** The part of these bytes that is in objects of the host, outside its heap. */
  readonly hostBytes: number;
}

/**
 * Returns how much memory is reachable from the given values; null when there is too much to walk
 * through. Runs no guest code.
 */
export function retainedSize(roots: Iterable<unknown>): RetainedSize | null {
  const walk = new Walk();
  return withoutGetters(() => {
    for (const value of roots) walk.add(value);
    return walk.run();
  });
}

class Walk {
  readonly #seen = new Set<object>();
  readonly #buffers = new Set<ArrayBuffer>();
  readonly #waiting: object[] = [];
  #bytes = 0;
  #hostBytes = 0;
  #steps = 0;

  add(value: unknown): void {
    if (typeof value === "string") this.#bytes += value.length * 2;
    else if (typeof value === "bigint") this.#bytes += bitLength(value) / 8;
    else if (typeof value === "object" && value !== null && !this.#seen.has(value)) {
      // The step is counted when an object is found, and not when it is visited. This also limits
      // the list of objects that wait for a visit.
      this.#steps++;
      this.#seen.add(value);
      this.#waiting.push(value);
    }
  }

  run(): RetainedSize | null {
    for (let object = this.#waiting.pop(); object; object = this.#waiting.pop()) {
      this.#visit(object);
      if (this.#steps > maxSteps) return null;
    }
    const hostBytes = this.#hostBytes;
    return { bytes: Math.ceil(this.#bytes) + hostBytes, hostBytes };
  }

  #visit(object: object): void {
    this.#bytes += bytesOfObject;
    const proxy = proxyState(object);
    if (proxy) return this.#addAll([proxy.target, proxy.handler]);
    this.#visitSlots(object);
    if (typedArrayKind(object)) this.#addBuffer(hostBufferOf(object));
    // Do not list the keys of a long typed array or String object: the list would contain a string
    // for each element.
    if (sharedElements(object) > maxListedElements) return;
    const isArray = Array.isArray(object);
    if (isArray && object.length > maxListedElements && object.length <= maxDenseLength)
      return this.#visitElements(object);
    this.#steps += stepsPerKey * expectedKeys(object);
    if (this.#steps > maxSteps) return;
    for (const key of Object.keys(object)) {
      this.#steps += stepsPerKey;
      this.#bytes += isArray ? bytesOfSlot : bytesOfProperty;
      this.add((object as GuestObject)[key]); // guest objects refer only to guest objects
    }
    const prototype = Reflect.getPrototypeOf(object);
    if (prototype !== Array.prototype) this.add(prototype); // frames are the host's arrays
  }

  /**
   * Visits the elements of a long array. The walk runs inside `withoutGetters`, so reading an
   * element runs no guest code.
   */
  #visitElements(array: readonly unknown[]): void {
    this.#bytes += bytesOfSlot * array.length;
    for (let start = 0; start < array.length && this.#steps <= maxSteps; start += elementsPerStep) {
      this.#steps++;
      const end = Math.min(start + elementsPerStep, array.length);
      for (let index = start; index < end; index++) {
        const value = array[index];
        if (typeof value !== "number") this.add(value);
      }
    }
  }

  #visitSlots(object: object): void {
    const slots = slotsOf(object);
    this.#hostBytes += slots?.hostBytes ?? 0;
    if (slots instanceof PrimitiveSlots) this.add(slots.value);
    if (slots instanceof ArrayBufferSlots) this.#addBuffer(object as ArrayBuffer); // such slots belong to ArrayBuffers
    if (slots instanceof MapSlots) {
      this.#bytes += slots.entries.size * bytesOfEntry.map;
      for (const [key, value] of slots.entries) {
        if (++this.#steps > maxSteps) break;
        this.add(key);
        this.add(value);
      }
    } else if (slots instanceof SetSlots) {
      this.#bytes += slots.values.size * bytesOfEntry.set;
      for (const value of slots.values) {
        if (++this.#steps > maxSteps) break;
        this.add(value);
      }
    }
    this.add(promiseSlots(object)?.result);
    const code = functionSlots(object);
    if (code) this.#addAll([code.environment, code.homeObject]);
  }

  /** Adds the size of a buffer, once for all views that share it. */
  #addBuffer(buffer: ArrayBuffer): void {
    if (this.#buffers.has(buffer)) return;
    this.#buffers.add(buffer);
    if (isResizable(buffer)) this.#hostBytes += bufferByteLength(buffer);
    else this.#bytes += bufferByteLength(buffer);
  }

  #addAll(values: readonly unknown[]): void {
    for (const value of values) this.add(value);
  }
}

/**
 * Returns how many elements of an object are stored outside the object: in the buffer of a typed
 * array, or in the text of a String object.
 */
function sharedElements(object: object): number {
  const slots = slotsOf(object);
  if (slots instanceof PrimitiveSlots) return typeof slots.value === "string" ? slots.value.length : 0;
  return typedArrayKind(object) ? typedArrayLength(object) : 0;
}
