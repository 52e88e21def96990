// How much the variables of a session hold, by estimate. Allocation is counted and never given back
// while a program runs; between executions this walk finds out how much of it is still reachable.
// What hides in suspended generators and in callbacks of pending promises is not seen, nor what
// hangs on a long list by a name. The walk is bounded: nobody waits for it gladly, and no program
// pays for it.

import { functionSlots } from "../function-object.ts";
import { type GuestObject, slotsOf } from "../guest-value.ts";
import { bitLength } from "../operations/bigint-cost.ts";
import { expectedKeys } from "../operations/many-keys.ts";
import { promiseSlots } from "../operations/promise.ts";
import { withoutGetters } from "../operations/property.ts";
import { proxyState } from "../operations/proxy.ts";
import { ArrayBufferSlots, bufferByteLength } from "../slots/array-buffer.ts";
import { MapSlots } from "../slots/map.ts";
import { SetSlots } from "../slots/set.ts";
import { hostBufferOf, typedArrayKind, typedArrayLength } from "../slots/typed-array.ts";

// As the meter counts them.
const bytesOfObject = 32;
const bytesOfSlot = 8;
const bytesOfProperty = 16;
const bytesOfEntry = { map: 72, set: 32 };

// To look at more takes too long: this is some 50 ms.
const mostSteps = 150_000;
// Elements and entries are looked at without being listed by their keys.
const elementsPerStep = 32;
const stepsPerKey = 2;
const mostListedElements = 1_000;
// The host keeps longer arrays as tables.
const longestDense = 2 ** 25;

/**
 * Bytes reachable from the given values; null when there is too much to look at. Runs nothing of
 * the guest.
 */
export function retainedSize(roots: Iterable<unknown>): number | null {
  const walk = new Walk();
  return withoutGetters(() => {
    for (const value of roots) walk.add(value);
    return walk.run();
  });
}

class Walk {
  readonly #seen = new Set<object>();
  readonly #waiting: object[] = [];
  #bytes = 0;
  #steps = 0;

  add(value: unknown): void {
    if (typeof value === "string") this.#bytes += value.length * 2;
    else if (typeof value === "bigint") this.#bytes += bitLength(value) / 8;
    else if (typeof value === "object" && value !== null && !this.#seen.has(value)) {
      // Counted here, so that the lists of this walk stay short too.
      this.#steps++;
      this.#seen.add(value);
      this.#waiting.push(value);
    }
  }

  run(): number | null {
    for (let object = this.#waiting.pop(); object; object = this.#waiting.pop()) {
      this.#visit(object);
      if (this.#steps > mostSteps) return null;
    }
    return Math.ceil(this.#bytes);
  }

  #visit(object: object): void {
    this.#bytes += bytesOfObject;
    const proxy = proxyState(object);
    if (proxy) return this.#addAll([proxy.target, proxy.handler]);
    this.#visitSlots(object);
    if (typedArrayKind(object)) {
      this.#addBuffer(hostBufferOf(object));
      // Its elements are the buffer's, and listing them makes a text of each.
      if (typedArrayLength(object) > mostListedElements) return;
    }
    const isArray = Array.isArray(object);
    if (isArray && object.length > mostListedElements && object.length <= longestDense)
      return this.#visitElements(object);
    this.#steps += stepsPerKey * expectedKeys(object);
    if (this.#steps > mostSteps) return;
    for (const key of Object.keys(object)) {
      this.#steps += stepsPerKey;
      this.#bytes += isArray ? bytesOfSlot : bytesOfProperty;
      this.add((object as GuestObject)[key]); // only guest objects are reached
    }
    const prototype = Reflect.getPrototypeOf(object);
    if (prototype !== Array.prototype) this.add(prototype); // frames are the host's arrays
  }

  /** The elements of a long array: plain reads, which run no getters here. */
  #visitElements(array: readonly unknown[]): void {
    this.#bytes += bytesOfSlot * array.length;
    for (let start = 0; start < array.length && this.#steps <= mostSteps; start += elementsPerStep) {
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
    if (slots instanceof ArrayBufferSlots) this.#bytes += bufferByteLength(object as ArrayBuffer); // the slots say so
    if (slots instanceof MapSlots) {
      this.#bytes += slots.entries.size * bytesOfEntry.map;
      for (const [key, value] of slots.entries) {
        if (++this.#steps > mostSteps) break;
        this.add(key);
        this.add(value);
      }
    } else if (slots instanceof SetSlots) {
      this.#bytes += slots.values.size * bytesOfEntry.set;
      for (const value of slots.values) {
        if (++this.#steps > mostSteps) break;
        this.add(value);
      }
    }
    this.add(promiseSlots(object)?.result);
    const code = functionSlots(object);
    if (code) this.#addAll([code.environment, code.homeObject]);
  }

  /** Views share buffers, each of which counts once. */
  #addBuffer(buffer: ArrayBuffer): void {
    if (this.#seen.has(buffer)) return;
    this.#seen.add(buffer);
    this.#bytes += bufferByteLength(buffer);
  }

  #addAll(values: readonly unknown[]): void {
    for (const value of values) this.add(value);
  }
}
