// How much the variables of a session hold, by estimate. Allocation is counted and never given back while a program runs; between
// executions this walk finds out how much of it is still reachable. What hides in suspended generators and in callbacks of pending
// promises is not seen.

import { functionSlots } from "../function-object.ts";
import { slotsOf } from "../guest-value.ts";
import { promiseSlots } from "../operations/promise.ts";
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

// Looking at more takes too long and too much memory of the host's.
const mostObjects = 1_000_000;
const mostListedElements = 1_000;

/** Bytes reachable from the given values; null when that are too many objects to look at. Runs nothing of the guest. */
export function retainedSize(roots: Iterable<unknown>): number | null {
  const walk = new Walk();
  for (const value of roots) walk.add(value);
  return walk.run();
}

class Walk {
  readonly #seen = new Set<object>();
  readonly #waiting: object[] = [];
  #bytes = 0;

  add(value: unknown): void {
    if (typeof value === "string") this.#bytes += value.length * 2;
    else if (typeof value === "bigint") this.#bytes += value.toString(16).length / 2;
    else if (typeof value === "object" && value !== null && !this.#seen.has(value)) {
      this.#seen.add(value);
      this.#waiting.push(value);
    }
  }

  run(): number | null {
    for (let object = this.#waiting.pop(); object; object = this.#waiting.pop()) {
      this.#visit(object);
      if (this.#seen.size > mostObjects) return null;
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
    for (const key of Reflect.ownKeys(object)) {
      this.#bytes += isArray ? bytesOfSlot : bytesOfProperty;
      const descriptor = Reflect.getOwnPropertyDescriptor(object, key);
      if (descriptor && "value" in descriptor) this.add(descriptor.value);
    }
    const prototype = Reflect.getPrototypeOf(object);
    if (prototype !== Array.prototype) this.add(prototype); // frames are the host's arrays
  }

  #visitSlots(object: object): void {
    const slots = slotsOf(object);
    if (slots instanceof ArrayBufferSlots) this.#bytes += bufferByteLength(object as ArrayBuffer); // the slots say so
    if (slots instanceof MapSlots) {
      this.#bytes += slots.entries.size * bytesOfEntry.map;
      for (const [key, value] of slots.entries) this.#addAll([key, value]);
    } else if (slots instanceof SetSlots) {
      this.#bytes += slots.values.size * bytesOfEntry.set;
      for (const value of slots.values) this.add(value);
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
