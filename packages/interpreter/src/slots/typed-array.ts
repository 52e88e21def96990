// The host's own view of typed arrays: accessors and methods taken from its prototypes, which no
// guest can reach or change. Guest typed arrays are host typed arrays with a guest prototype. None
// of the methods taken here looks at `constructor` or calls back.

import { type GuestObject, isObject, type Slots, slotsOfKind } from "../guest-value.ts";

/** The kinds of typed arrays, which are also the names of their constructors. */
export const typedArrayKinds = [
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "Float32Array",
  "Float64Array",
  "BigInt64Array",
  "BigUint64Array",
] as const;

/** Elements that a typed array can have at most: the same for every host. */
export const mostElements: number = 2 ** 32;

/** A kind of typed array. */
export type TypedArrayKind = (typeof typedArrayKinds)[number];

/**
 * A guest typed array, as the host sees it: elements by index only, all else by this file's
 * functions.
 */
export interface TypedArray extends GuestObject {
  [index: number]: unknown;
}

/** Marks typed arrays on buffers that can be resized. */
export class ResizableViewSlots implements Slots {
  readonly type = "resizable-view";
  /** In bytes; remembered even while the buffer is too short. */
  readonly byteOffset: number;
  /** Whether it grows and shrinks with its buffer. */
  readonly tracksLength: boolean;

  constructor(byteOffset: number, tracksLength: boolean) {
    this.byteOffset = byteOffset;
    this.tracksLength = tracksLength;
  }
}

/** The name of a typed array's kind; undefined for all other values, proxies included. */
export function typedArrayKind(value: unknown): TypedArrayKind | undefined {
  return isObject(value) ? hostTag.call(value) : undefined;
}

/** Whether the buffer was detached or has become too short for the typed array. */
export function isOutOfBounds(array: TypedArray): boolean {
  if (typedArrayLength(array) > 0) return false;
  try {
    hostAt.call(array, 0); // the host refuses what is out of bounds
    return false;
  } catch {
    // Nothing but that refusal can be thrown.
    return true;
  }
}

/** The number of elements of a typed array; 0 when its buffer is gone. */
export function typedArrayLength(array: object): number {
  return hostLength.call(array);
}

/** Where a typed array starts in its buffer, in bytes. */
export function typedArrayByteOffset(array: object): number {
  return hostByteOffset.call(array);
}

/** Where a typed array was made to start, even when its buffer has become too short. */
export function givenByteOffset(array: TypedArray): number {
  return slotsOfKind(array, ResizableViewSlots)?.byteOffset ?? typedArrayByteOffset(array);
}

/** The host's buffer of a typed array. It has no guest prototype before it passes `guestBuffer`. */
export function hostBufferOf(array: object): ArrayBuffer {
  return hostBuffer.call(array);
}

/** The bytes of a typed array, not copied: not for guests' eyes. */
export function bytesOf(array: object): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hostBuffer.call(array), hostByteOffset.call(array), hostByteLength.call(array));
}

/** Bytes an element takes. */
export function elementSize(kind: TypedArrayKind): number {
  return hostClasses[kind].BYTES_PER_ELEMENT;
}

/** Whether elements are bigints. */
export function holdsBigInts(kind: TypedArrayKind | undefined): boolean {
  return kind === "BigInt64Array" || kind === "BigUint64Array";
}

/** Whether the typed array follows the length of its buffer. */
export function tracksLength(array: TypedArray): boolean {
  return slotsOfKind(array, ResizableViewSlots)?.tracksLength ?? false;
}

/** The host's classes. */
export const hostClasses: {
  readonly Int8Array: Int8ArrayConstructor;
  readonly Uint8Array: Uint8ArrayConstructor;
  readonly Uint8ClampedArray: Uint8ClampedArrayConstructor;
  readonly Int16Array: Int16ArrayConstructor;
  readonly Uint16Array: Uint16ArrayConstructor;
  readonly Int32Array: Int32ArrayConstructor;
  readonly Uint32Array: Uint32ArrayConstructor;
  readonly Float32Array: Float32ArrayConstructor;
  readonly Float64Array: Float64ArrayConstructor;
  readonly BigInt64Array: BigInt64ArrayConstructor;
  readonly BigUint64Array: BigUint64ArrayConstructor;
} = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
};

/**
 * Methods of the host that work on typed arrays alone; whatever else they are given are numbers and
 * bigints.
 */
export const hostMethods: {
  readonly copyWithin: (this: object, target: number, start: number, end: number) => void;
  readonly fill: (this: object, value: number | bigint, start: number, end: number) => void;
  readonly reverse: (this: object) => void;
  readonly set: (this: object, source: object, offset: number) => void;
  readonly sort: (this: object) => void;
} = /* @__PURE__ */ Object.getPrototypeOf(Uint8Array.prototype);

type HostGetter<Value> = (this: object) => Value;

const hostLength = /* @__PURE__ */ hostGetter<number>("length");
const hostByteLength = /* @__PURE__ */ hostGetter<number>("byteLength");
const hostByteOffset = /* @__PURE__ */ hostGetter<number>("byteOffset");
const hostBuffer = /* @__PURE__ */ hostGetter<ArrayBuffer>("buffer");
const hostTag = /* @__PURE__ */ hostGetter<TypedArrayKind | undefined>(Symbol.toStringTag);
const hostAt = Uint8Array.prototype.at as (this: object, index: number) => unknown; // it takes whatever typed array there is

function hostGetter<Value>(key: string | symbol): HostGetter<Value> {
  const descriptor = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), key);
  return descriptor?.get as HostGetter<Value>; // each of these is an accessor
}
