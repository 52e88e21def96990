// The host's operations on typed arrays. They are accessors and methods of the host's prototypes,
// which no guest can reach or change. Guest typed arrays are host typed arrays with a guest
// prototype. None of these operations reads `constructor` or calls guest code.

import { type GuestObject, isObject, type Slots, slotsOfKind } from "../guest-value.ts";

/** The kinds of typed arrays. They are also the names of their constructors. */
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

/** The maximum number of elements of a typed array, the same on every host. */
export const maxElements: number = 2 ** 32;

/** A kind of typed array. */
export type TypedArrayKind = (typeof typedArrayKinds)[number];

/**
 * A guest typed array. Host code may access its elements by index. For everything else, host code
 * uses the functions of this file.
 */
export interface TypedArray extends GuestObject {
  [index: number]: unknown;
}

/** Marks typed arrays on buffers that can be resized. */
export class ResizableViewSlots implements Slots {
  readonly type = "resizable-view";
  /** The offset in bytes. It is stored because the host reports 0 while the buffer is too short. */
  readonly byteOffset: number;
  /** Whether the length of the view follows the length of its buffer. */
  readonly tracksLength: boolean;

  constructor(byteOffset: number, tracksLength: boolean) {
    this.byteOffset = byteOffset;
    this.tracksLength = tracksLength;
  }
}

/** Returns the name of a typed array's kind; undefined for all other values, including proxies. */
export function typedArrayKind(value: unknown): TypedArrayKind | undefined {
  return isObject(value) ? hostTag.call(value) : undefined;
}

/** Says whether the buffer was detached or has become too short for the typed array. */
export function isOutOfBounds(array: TypedArray): boolean {
  if (typedArrayLength(array) > 0) return false;
  try {
    hostAt.call(array, 0); // the host throws if the array is out of bounds
    return false;
  } catch {
    // The host's `at` throws only if the typed array is out of bounds.
    return true;
  }
}

/** Returns the number of elements of a typed array; 0 if its buffer is detached or too short. */
export function typedArrayLength(array: object): number {
  return hostLength.call(array);
}

/** Returns the start of a typed array in its buffer, in bytes. */
export function typedArrayByteOffset(array: object): number {
  return hostByteOffset.call(array);
}

/** Returns the original byte offset of a typed array, even if its buffer has become too short. */
export function givenByteOffset(array: TypedArray): number {
  return slotsOfKind(array, ResizableViewSlots)?.byteOffset ?? typedArrayByteOffset(array);
}

/**
 * Returns the host's buffer of a typed array. The buffer has a guest prototype only after a call of
 * `guestBuffer`.
 */
export function hostBufferOf(array: object): ArrayBuffer {
  return hostBuffer.call(array);
}

/**
 * Returns the bytes of a typed array without copying them. The result is an object of the host,
 * which guest code must not see.
 */
export function bytesOf(array: object): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hostBuffer.call(array), hostByteOffset.call(array), hostByteLength.call(array));
}

/** Returns the number of bytes of an element. */
export function elementSize(kind: TypedArrayKind): number {
  return hostClasses[kind].BYTES_PER_ELEMENT;
}

/** Says whether the elements are bigints. */
export function holdsBigInts(kind: TypedArrayKind | undefined): boolean {
  return kind === "BigInt64Array" || kind === "BigUint64Array";
}

/** Says whether the length of the typed array follows the length of its buffer. */
export function tracksLength(array: TypedArray): boolean {
  return slotsOfKind(array, ResizableViewSlots)?.tracksLength ?? false;
}

/** The host's classes of typed arrays. */
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
 * Host methods that run no guest code: they read nothing but the typed array, and their other
 * arguments must be numbers or bigints.
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
const hostAt = Uint8Array.prototype.at as (this: object, index: number) => unknown; // `at` works for every kind of typed array

function hostGetter<Value>(key: string | symbol): HostGetter<Value> {
  const descriptor = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), key);
  return descriptor?.get as HostGetter<Value>; // each of these keys is an accessor
}
