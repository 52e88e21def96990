// %TypedArray%, the kinds of typed arrays, and their constructors. A guest typed array is a host
// typed array with a guest prototype, so the host itself reads and stores the elements.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, isObject } from "../../guest-value.ts";
import { pushTo } from "../../long-lists.ts";
import { call, getMethod, getPrototypeFromConstructor, isConstructor, requireCallable } from "../../operations/call.ts";
import { lengthOfArrayLike, toIndex, toObject } from "../../operations/conversion.ts";
import { getIteratorFromMethod, iterationEnd, iteratorStepValue } from "../../operations/iterator.ts";
import { get } from "../../operations/property.ts";
import { storeElement, toElement } from "../../operations/typed-array-element.ts";
import {
  asArrayBuffer,
  bufferByteLength,
  type GuestBuffer,
  guestBuffer,
  isDetached,
  isResizable,
  resizeBuffer,
} from "../../slots/array-buffer.ts";
import {
  elementSize,
  holdsBigInts,
  hostBufferOf,
  hostClasses,
  hostMethods,
  isOutOfBounds,
  maxElements,
  ResizableViewSlots,
  type TypedArray,
  type TypedArrayKind,
  typedArrayByteOffset,
  typedArrayKind,
  typedArrayKinds,
  typedArrayLength,
} from "../../slots/typed-array.ts";
import {
  brief,
  counted,
  defineAccessors,
  defineConstants,
  defineConstructor,
  defineHidden,
  defineMethods,
  withLength,
} from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { typedArrayCallbackMethods } from "./callbacks.ts";
import { typedArrayChangeMethods } from "./change.ts";
import { typedArrayCopyMethods } from "./copy.ts";
import { createTypedArray } from "./create.ts";
import { requireAnyTypedArray } from "./receiver.ts";
import { typedArraySearchMethods } from "./search.ts";

/** The built-in %TypedArray%, and the built-in for each kind of typed array. */
export const typedArrayFamilies: readonly IntrinsicFamily[] = [
  { intrinsics: ["TypedArray", "TypedArrayPrototype"], make: makeTypedArray },
  ...typedArrayKinds.map(kindFamily),
];

/** Creates a typed array of this length, filled with 0. */
function newTypedArray(realm: Realm, kind: TypedArrayKind, length: number): TypedArray {
  return allocate(realm, kind, length, realm.intrinsic(`${kind}Prototype`));
}

/** Creates a Uint8Array with a copy of these bytes. */
export function newUint8Array(realm: Realm, bytes: Uint8Array): TypedArray {
  const array = newTypedArray(realm, "Uint8Array", bytes.length);
  hostMethods.set.call(array, bytes, 0);
  return array;
}

/** Creates a typed array on another buffer, with the same offset and length as `model`. */
export function newTypedArrayOn(realm: Realm, model: TypedArray, buffer: GuestBuffer): TypedArray {
  const kind = typedArrayKind(model) as TypedArrayKind; // `model` is a typed array, so it has a kind
  realm.meter.allocate(200);
  const array = new hostClasses[kind](buffer, typedArrayByteOffset(model), typedArrayLength(model));
  return adopt(array, realm.intrinsic(`${kind}Prototype`));
}

function makeTypedArray(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const typedArray = defineConstructor(realm, {
    name: "TypedArray",
    length: 0,
    cost: "counted",
    prototype,
    construct: () => throwTypeError("TypedArray cannot be constructed; use one of its kinds, such as Uint8Array"),
    statics: {
      from: counted(
        withLength(1, (thisValue, source, mapper, thisArg) => from(realm, thisValue, source, mapper, thisArg)),
      ),
      of: counted(withLength(0, (thisValue, ...items) => of(realm, thisValue, items))),
    },
  });
  defineAccessors(realm, typedArray, { [Symbol.species]: brief((thisValue) => thisValue) });
  definePrototype(realm, prototype);
  return { intrinsics: { TypedArray: typedArray, TypedArrayPrototype: prototype } };
}

function definePrototype(realm: Realm, prototype: GuestObject): void {
  defineAccessors(realm, prototype, {
    buffer: counted((thisValue) => guestBuffer(realm, hostBufferOf(requireAnyTypedArray(thisValue, "buffer")))),
    byteLength: brief((thisValue) => {
      const array = requireAnyTypedArray(thisValue, "byteLength");
      return typedArrayLength(array) * elementSize(typedArrayKind(array) as TypedArrayKind); // `array` is a typed array, so it has a kind
    }),
    byteOffset: counted((thisValue) => typedArrayByteOffset(requireAnyTypedArray(thisValue, "byteOffset"))),
    length: brief((thisValue) => typedArrayLength(requireAnyTypedArray(thisValue, "length"))),
    [Symbol.toStringTag]: brief((thisValue) => typedArrayKind(thisValue)),
  });
  defineMethods(realm, prototype, {
    ...typedArraySearchMethods(realm),
    ...typedArrayCallbackMethods(realm),
    ...typedArrayChangeMethods(realm),
    ...typedArrayCopyMethods(realm),
  });
  defineHidden(prototype, Symbol.iterator, prototype["values"]);
  defineHidden(prototype, "toString", realm.intrinsic("ArrayPrototypeToString"));
}

function kindFamily(kind: TypedArrayKind): IntrinsicFamily {
  return {
    intrinsics: [kind, `${kind}Prototype`],
    globals: [kind],
    make: (realm) => makeKind(realm, kind),
  };
}

function makeKind(realm: Realm, kind: TypedArrayKind): MadeFamily {
  const prototype = realm.newObjectFrom("TypedArrayPrototype");
  const constants = { BYTES_PER_ELEMENT: elementSize(kind) };
  const kindConstructor = defineConstructor(realm, {
    name: kind,
    length: 3,
    cost: "counted",
    prototype,
    parent: realm.intrinsic("TypedArray"),
    construct: (newTarget, ...args) => constructKind(realm, kind, newTarget, args),
    constants,
  });
  defineConstants(prototype, constants);
  return {
    intrinsics: { [kind]: kindConstructor, [`${kind}Prototype`]: prototype },
    globals: { [kind]: kindConstructor },
  };
}

function constructKind(
  realm: Realm,
  kind: TypedArrayKind,
  newTarget: GuestObject,
  [first, byteOffset, length]: readonly unknown[],
): GuestObject {
  if (!isObject(first)) {
    const count = toIndex(first);
    return allocate(realm, kind, count, prototypeFor(realm, kind, newTarget));
  }
  const prototype = prototypeFor(realm, kind, newTarget);
  if (typedArrayKind(first)) return fromTypedArray(realm, kind, prototype, first as TypedArray); // `first` has a kind, so it is a typed array
  const buffer = asArrayBuffer(first);
  if (buffer) return fromBuffer(realm, kind, prototype, buffer, byteOffset, length);
  const method = getMethod(realm, first, Symbol.iterator);
  if (method) return fromList(realm, kind, prototype, listOf(realm, first, method));
  return fromArrayLike(realm, kind, prototype, first);
}

function prototypeFor(realm: Realm, kind: TypedArrayKind, newTarget: GuestObject): GuestObject {
  return getPrototypeFromConstructor(realm, newTarget, `${kind}Prototype`);
}

// The maximum number of bytes of a typed array that V8 stores in its heap. A longer typed array has
// a buffer outside the heap. V8 needs some more bytes for such a buffer, and does not report them.
const maxBytesInHeap = 64;
const bytesOutsideHeap = 240;

function allocate(realm: Realm, kind: TypedArrayKind, length: number, prototype: GuestObject): TypedArray {
  if (length > maxElements) return throwRangeError(`a ${kind} cannot have ${length} elements`);
  const bytes = length * elementSize(kind);
  realm.meter.allocate(280 + bytes);
  if (bytes > maxBytesInHeap) realm.meter.allocateUnreported(bytesOutsideHeap);
  realm.meter.charge(Math.floor(bytes / 1_024));
  try {
    return adopt(new hostClasses[kind](length), prototype);
  } catch {
    // The host's RangeError is replaced, because its message differs between engines.
    return throwRangeError(`a ${kind} of ${length} elements cannot be allocated`);
  }
}

function adopt(array: object, prototype: GuestObject): TypedArray {
  return Object.setPrototypeOf(array, prototype);
}

function fromTypedArray(realm: Realm, kind: TypedArrayKind, prototype: GuestObject, source: TypedArray): TypedArray {
  if (isOutOfBounds(source)) return throwTypeError("the typed array to copy from has lost its buffer");
  const array = allocate(realm, kind, typedArrayLength(source), prototype);
  if (holdsBigInts(kind) !== holdsBigInts(typedArrayKind(source)))
    return throwTypeError(`a ${kind} cannot be made from a ${typedArrayKind(source)}: one of them contains bigints`);
  realm.meter.charge(typedArrayLength(source) >>> 4);
  hostMethods.set.call(array, source, 0);
  return array;
}

function fromBuffer(
  realm: Realm,
  kind: TypedArrayKind,
  prototype: GuestObject,
  buffer: GuestBuffer,
  byteOffset: unknown,
  length: unknown,
): TypedArray {
  const size = elementSize(kind);
  const offset = toIndex(byteOffset);
  if (offset % size !== 0) return throwRangeError(`the byte offset of a ${kind} must be a multiple of ${size}`);
  const count = length === undefined ? undefined : toIndex(length);
  if (isDetached(buffer)) return throwTypeError("the buffer has been transferred");
  const room = bufferByteLength(buffer) - offset;
  const isTracking = count === undefined && isResizable(buffer);
  if (count === undefined && !isTracking && room % size !== 0)
    return throwRangeError(`the byte length of the buffer of a ${kind} must be a multiple of ${size}`);
  if ((count ?? 0) * size > room || room < 0)
    return throwRangeError(`a ${kind} at byte offset ${offset} does not fit into its buffer`);
  realm.meter.allocate(200);
  const view = isTracking ? trackingView(kind, buffer, offset) : new hostClasses[kind](buffer, offset, count);
  const array = adopt(view, prototype);
  return isResizable(buffer) ? brand(array, new ResizableViewSlots(offset, isTracking)) : array;
}

/**
 * Creates a view whose length follows the length of its buffer. Some hosts refuse to create such a
 * view if the buffer does not contain a whole number of elements, so the buffer is shortened
 * temporarily.
 */
function trackingView(kind: TypedArrayKind, buffer: GuestBuffer, offset: number): object {
  const length = bufferByteLength(buffer);
  const beyond = (length - offset) % elementSize(kind);
  if (beyond === 0) return new hostClasses[kind](buffer, offset);
  const lastBytes = new Uint8Array(buffer, length - beyond).slice();
  resizeBuffer(buffer, length - beyond);
  const view = new hostClasses[kind](buffer, offset);
  resizeBuffer(buffer, length);
  new Uint8Array(buffer, length - beyond).set(lastBytes);
  return view;
}

function listOf(realm: Realm, iterable: GuestObject, method: GuestObject): unknown[] {
  const record = getIteratorFromMethod(iterable, method);
  const list: unknown[] = [];
  for (let value = iteratorStepValue(record); value !== iterationEnd; value = iteratorStepValue(record)) {
    realm.meter.charge(1);
    realm.meter.allocate(8);
    pushTo(list, value);
  }
  return list;
}

function fromList(realm: Realm, kind: TypedArrayKind, prototype: GuestObject, list: readonly unknown[]): TypedArray {
  const array = allocate(realm, kind, list.length, prototype);
  for (let index = 0; index < list.length; index++) {
    realm.meter.charge(1);
    storeElement(array, index, toElement(kind, list[index]));
  }
  return array;
}

function fromArrayLike(realm: Realm, kind: TypedArrayKind, prototype: GuestObject, source: GuestObject): TypedArray {
  const length = lengthOfArrayLike(source);
  const array = allocate(realm, kind, length, prototype);
  for (let index = 0; index < length; index++) {
    realm.meter.charge(1);
    storeElement(array, index, toElement(kind, get(source, index)));
  }
  return array;
}

function from(realm: Realm, constructor: unknown, source: unknown, mapper: unknown, thisArg: unknown): GuestObject {
  const target = requireConstructor(constructor, "from");
  const map = mapper === undefined ? undefined : requireCallable(mapper, "from");
  const method = getMethod(realm, source, Symbol.iterator);
  const items = method && listOf(realm, source as GuestObject, method);
  const arrayLike = items ? undefined : toObject(realm, source);
  const length = items ? items.length : lengthOfArrayLike(arrayLike as GuestObject); // `items` or `arrayLike` is not null
  const array = createTypedArray(target, [length]);
  const kind = typedArrayKind(array);
  for (let index = 0; index < length; index++) {
    realm.meter.charge(1);
    const value = items ? items[index] : get(arrayLike as GuestObject, index);
    storeElement(array, index, toElement(kind, map ? call(map, thisArg, value, index) : value));
  }
  return array;
}

function of(realm: Realm, constructor: unknown, items: readonly unknown[]): GuestObject {
  const array = createTypedArray(requireConstructor(constructor, "of"), [items.length]);
  const kind = typedArrayKind(array);
  realm.meter.charge(items.length);
  for (const [index, item] of items.entries()) storeElement(array, index, toElement(kind, item));
  return array;
}

function requireConstructor(value: unknown, method: string): GuestObject {
  return isConstructor(value) ? value : throwTypeError(`${method} was called on something that is not a constructor`);
}
