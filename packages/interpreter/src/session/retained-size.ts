// Estimates how much memory the variables of a session hold. While a program runs, the meter only
// counts allocations. So between executions, this file walks through all reachable objects and adds
// up their sizes. The walk does not see the temporary values of suspended functions, or named
// properties of long lists. The walk blocks the process, and no limit of a program applies to it.
// Therefore, it has a limit on its number of steps.

import { type GuestObject, slotsOf } from "../guest-value.ts";
import { bitLength } from "../operations/bigint-cost.ts";
import { PrimitiveSlots } from "../operations/conversion.ts";
import { expectedKeys } from "../operations/many-keys.ts";
import { accessorFound, fromHostDescriptor, withoutGetters } from "../operations/property.ts";
import { ArrayBufferSlots, bufferByteLength, isResizable } from "../slots/array-buffer.ts";
import { DataViewSlots, hostBufferOfView } from "../slots/data-view.ts";
import { proxyState } from "../slots/proxy.ts";
import { isSideTable, type SideTable } from "../slots/side-table.ts";
import { hostBufferOf, typedArrayKind, typedArrayLength } from "../slots/typed-array.ts";

// The sizes of objects and properties, in bytes. The meter uses the same sizes.
const bytesOfObject = 32;
const bytesOfSlot = 8;
const bytesOfProperty = 16;
const bytesOfEntry = { map: 72, set: 32 };

// The maximum number of steps of a walk. This many steps take about 50 ms.
const maxSteps = 150_000;
// How many elements or entries count as one step. They are cheap to read, because no list of keys
// is needed.
const elementsPerStep = 32;
const stepsPerKey = 2;
// One step can look up this many objects in a side table, such as a WeakMap.
const lookupsPerStep = 8;
const maxListedElements = 1_000;
// The longest array that the host does not store as a hash table.
const maxDenseLength = 2 ** 25;

/** The amount of memory that is reachable from some values. */
export interface RetainedSize {
  readonly bytes: number;
  /** How many of the `bytes` are in objects of the host, outside its heap. */
  readonly hostBytes: number;
}

/**
 * A Map or Set of the host. A guest's Map or Set is an object whose slots contain a Map or Set of
 * the host.
 */
type HostTable = ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>;

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
  /** Lists the objects in `#seen`. The objects from index `#next` on are not visited yet. */
  readonly #found: object[] = [];
  #next = 0;
  readonly #buffers = new Set<ArrayBuffer>();
  /**
   * The side tables (such as WeakMaps) that the walk has found. For each, the number of objects
   * that were already looked up in it.
   */
  readonly #sideTables = new Map<SideTable, number>();
  #bytes = 0;
  #hostBytes = 0;
  #steps = 0;

  add(value: unknown): void {
    if (typeof value === "string") this.#bytes += value.length * 2;
    else if (typeof value === "bigint") this.#bytes += bitLength(value) / 8;
    else if (typeof value === "symbol") this.#bytes += (value.description?.length ?? 0) * 2;
    else if (typeof value === "object" && value !== null && !this.#seen.has(value)) {
      // Count the step when the object is found, and not when it is visited. The limit on steps
      // then also limits the length of the list of found objects.
      this.#steps++;
      this.#seen.add(value);
      this.#found.push(value);
    }
  }

  run(): RetainedSize | null {
    while (this.#next < this.#found.length) {
      for (; this.#next < this.#found.length; this.#next++) {
        this.#visit(this.#found[this.#next] as object); // the index is below the length
        if (this.#steps > maxSteps) return null;
      }
      this.#visitSideTables();
    }
    if (this.#steps > maxSteps) return null;
    const hostBytes = this.#hostBytes;
    return { bytes: Math.ceil(this.#bytes) + hostBytes, hostBytes };
  }

  #visit(object: object): void {
    this.#bytes += bytesOfObject;
    // No `instanceof` here: it would call the traps of a proxy among the prototypes.
    const proxy = proxyState(object);
    if (proxy) return this.#addAll([proxy.target, proxy.handler]);
    if (isSideTable(object)) return this.#addSideTable(object);
    const prototype = Reflect.getPrototypeOf(object);
    if (prototype === Map.prototype || prototype === Set.prototype) return this.#visitEntries(object as HostTable);
    this.#visitSlots(object);
    if (typedArrayKind(object)) this.#addBuffer(hostBufferOf(object));
    if (prototype !== Array.prototype) this.add(prototype); // frames are the host's arrays
    // Do not list the keys of a long typed array or String object: the list would contain a string
    // for each element.
    if (sharedElements(object) > maxListedElements) return;
    if (Array.isArray(object) && object.length > maxListedElements && object.length <= maxDenseLength)
      return this.#visitElements(object);
    this.#visitProperties(object);
  }

  /**
   * Visits the elements of a long array. The walk runs inside `withoutGetters`, so reading an
   * element runs no getter.
   */
  #visitElements(array: readonly unknown[]): void {
    this.#bytes += bytesOfSlot * array.length;
    const readsHoles = !hasProxyAbove(array);
    for (let start = 0; start < array.length && this.#steps <= maxSteps; start += elementsPerStep) {
      this.#steps++;
      const end = Math.min(start + elementsPerStep, array.length);
      for (let index = start; index < end; index++) {
        if (!readsHoles && !Object.hasOwn(array, index)) continue;
        const value = array[index];
        if (value === accessorFound) this.#visitDescriptor(array, String(index));
        else if (typeof value !== "number") this.add(value);
      }
    }
  }

  #visitProperties(object: object): void {
    this.#steps += stepsPerKey * expectedKeys(object);
    if (this.#steps > maxSteps) return;
    const isArray = Array.isArray(object);
    const keys = Object.keys(object);
    for (const key of keys) {
      this.#countProperty(isArray);
      const value = (object as GuestObject)[key]; // guest objects refer only to guest objects
      if (value === accessorFound) this.#visitDescriptor(object, key);
      else this.add(value);
    }
    const all = Reflect.ownKeys(object);
    if (all.length === keys.length + (isArray ? 1 : 0)) return;
    let next = 0;
    for (const key of all) {
      if (key === keys[next]) next++;
      else {
        this.#countProperty(isArray);
        this.#visitDescriptor(object, key);
      }
    }
  }

  #countProperty(isOfArray: boolean): void {
    this.#steps += stepsPerKey;
    this.#bytes += isOfArray ? bytesOfSlot : bytesOfProperty;
  }

  /**
   * Visits a property by its descriptor, so that no getter runs. Adds the value, or the getter and
   * setter.
   */
  #visitDescriptor(object: object, key: PropertyKey): void {
    const host = Reflect.getOwnPropertyDescriptor(object, key);
    if (!host) return;
    this.#steps++;
    const { value, get, set } = fromHostDescriptor(host);
    this.#addAll([value, get, set]);
  }

  #visitSlots(object: object): void {
    const slots = slotsOf(object);
    if (!slots) return;
    this.#hostBytes += slots.hostBytes ?? 0;
    this.#bytes += slots.heapBytes ?? 0;
    if (slots.held) this.#addAll(slots.held);
    if (slots instanceof ArrayBufferSlots) this.#addBuffer(object as ArrayBuffer); // such slots belong to ArrayBuffers
    if (slots instanceof DataViewSlots) this.#addBuffer(hostBufferOfView(slots));
    if (isSideTable(slots)) this.#addSideTable(slots);
  }

  #addSideTable(table: SideTable): void {
    if (!this.#sideTables.has(table)) this.#sideTables.set(table, 0);
  }

  /** Adds the size of a buffer, once for all views that share it. */
  #addBuffer(buffer: ArrayBuffer): void {
    if (this.#buffers.has(buffer)) return;
    this.#buffers.add(buffer);
    if (isResizable(buffer)) this.#hostBytes += bufferByteLength(buffer);
    else this.#bytes += bufferByteLength(buffer);
  }

  /** Visits the entries of a Map or Set of the host. */
  #visitEntries(table: HostTable): void {
    this.#bytes += table.size * ("get" in table ? bytesOfEntry.map : bytesOfEntry.set);
    for (const [key, value] of table.entries()) {
      if (++this.#steps > maxSteps) return;
      this.add(key);
      if (value !== key) this.add(value);
    }
  }

  /** Looks up the objects in the side tables, and adds the values. */
  #visitSideTables(): void {
    const end = this.#found.length;
    for (const [table, start] of this.#sideTables) {
      this.#steps += Math.ceil((end - start) / lookupsPerStep);
      if (this.#steps > maxSteps) return;
      for (let index = start; index < end; index++) this.add(table.valueFor(this.#found[index] as object)); // below the length
      this.#sideTables.set(table, end);
    }
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

/**
 * Says whether the prototypes of an object end in a proxy. Its traps would run when a missing
 * property is read.
 */
function hasProxyAbove(object: object): boolean {
  let above = Reflect.getPrototypeOf(object);
  while (above && !proxyState(above)) above = Reflect.getPrototypeOf(above);
  return above !== null;
}
