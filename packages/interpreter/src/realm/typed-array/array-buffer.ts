// ArrayBuffer. Buffers can be resized if the host supports it.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { type GuestObject, isObject } from "../../guest-value.ts";
import { construct, getPrototypeFromConstructor, speciesConstructor } from "../../operations/call.ts";
import { relativeIndex, toIndex } from "../../operations/conversion.ts";
import { get } from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import {
  adoptBuffer,
  asArrayBuffer,
  bufferByteLength,
  detachBuffer,
  type GuestBuffer,
  hasResizableBuffers,
  isDetached,
  isResizable,
  maxByteLengthOf,
  resizeBuffer,
} from "../../slots/array-buffer.ts";
import {
  type AccessorTable,
  brief,
  counted,
  defineAccessors,
  defineConstructor,
  defineMethods,
  defineTag,
  withLength,
} from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";

// The maximum number of bytes of a buffer, the same on every host.
const maxBytes = 2 ** 32;
// The bytes that V8 needs for each buffer in addition to the buffer's content. V8 does not report
// them.
const bytesOutsideHeap = 300;

/** The built-in ArrayBuffer. */
export const arrayBufferFamily: IntrinsicFamily = {
  intrinsics: ["ArrayBuffer", "ArrayBufferPrototype"],
  globals: ["ArrayBuffer"],
  make: makeArrayBuffer,
};

/** Creates a buffer filled with zeros. @throws a guest RangeError if the host cannot allocate it */
function newArrayBuffer(realm: Realm, length: number): GuestBuffer {
  return allocateBuffer(realm, length, undefined, () => realm.intrinsic("ArrayBufferPrototype"));
}

/** Creates a buffer with a copy of these bytes. */
export function newArrayBufferOf(realm: Realm, bytes: Uint8Array): GuestBuffer {
  const buffer = newArrayBuffer(realm, bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

function makeArrayBuffer(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const arrayBuffer = defineConstructor(realm, {
    name: "ArrayBuffer",
    length: 1,
    cost: "counted",
    prototype,
    construct(newTarget, length, options) {
      const byteLength = toIndex(length);
      const maxByteLength = givenMaxByteLength(options);
      if (maxByteLength !== undefined && byteLength > maxByteLength)
        return throwRangeError(`a buffer of ${byteLength} bytes cannot have maxByteLength ${maxByteLength}`);
      const prototypeOf = () => getPrototypeFromConstructor(realm, newTarget, "ArrayBufferPrototype");
      return allocateBuffer(realm, byteLength, maxByteLength, prototypeOf);
    },
    statics: { isView: brief((_thisValue, value) => ArrayBuffer.isView(value)) },
  });
  defineAccessors(realm, arrayBuffer, { [Symbol.species]: brief((thisValue) => thisValue) });
  defineAccessors(realm, prototype, bufferAccessors());
  defineMethods(realm, prototype, {
    slice: counted((thisValue, start, end) => slice(realm, requireBuffer(thisValue, "slice"), start, end)),
    ...(hasResizableBuffers && {
      resize: counted((thisValue, length) => resize(realm, requireBuffer(thisValue, "resize"), length)),
    }),
    transfer: counted(
      withLength(0, (thisValue, length) => transfer(realm, requireBuffer(thisValue, "transfer"), length, true)),
    ),
    transferToFixedLength: counted(
      withLength(0, (thisValue, length) =>
        transfer(realm, requireBuffer(thisValue, "transferToFixedLength"), length, false),
      ),
    ),
  });
  defineTag(prototype, "ArrayBuffer");
  return {
    intrinsics: { ArrayBuffer: arrayBuffer, ArrayBufferPrototype: prototype },
    globals: { ArrayBuffer: arrayBuffer },
  };
}

function bufferAccessors(): AccessorTable {
  return {
    byteLength: brief((thisValue) => bufferByteLength(requireBuffer(thisValue, "byteLength"))),
    detached: brief((thisValue) => isDetached(requireBuffer(thisValue, "detached"))),
    maxByteLength: brief((thisValue) => maxByteLengthOf(requireBuffer(thisValue, "maxByteLength"))),
    resizable: brief((thisValue) => isResizable(requireBuffer(thisValue, "resizable"))),
  };
}

function requireBuffer(value: unknown, method: string): GuestBuffer {
  return (
    asArrayBuffer(value) ?? throwTypeError(`${method} was called on ${valueText(value)}, which is not an ArrayBuffer`)
  );
}

function requireAttached(buffer: GuestBuffer, method: string): GuestBuffer {
  return isDetached(buffer) ? throwTypeError(`${method} was called on a buffer that has been transferred`) : buffer;
}

function givenMaxByteLength(options: unknown): number | undefined {
  if (!hasResizableBuffers || !isObject(options)) return undefined;
  const given = get(options, "maxByteLength");
  return given === undefined ? undefined : toIndex(given);
}

function allocateBuffer(
  realm: Realm,
  byteLength: number,
  maxByteLength: number | undefined,
  prototypeOf: () => GuestObject,
): GuestBuffer {
  const prototype = prototypeOf();
  const size = maxByteLength ?? byteLength;
  if (size > maxBytes) return throwRangeError(`a buffer cannot have ${size} bytes`);
  realm.meter.allocate(140 + byteLength);
  realm.meter.allocateUnreported(bytesOutsideHeap);
  realm.meter.allocateHostObject(size - byteLength); // Node 20 does not report the growth of a buffer
  realm.meter.charge(size >>> 10);
  try {
    return adoptBuffer(
      maxByteLength === undefined ? new ArrayBuffer(byteLength) : newResizable(byteLength, size),
      prototype,
    );
  } catch {
    // The host's RangeError is replaced, because its message differs between engines.
    return throwRangeError(`a buffer of ${size} bytes cannot be allocated`);
  }
}

function newResizable(byteLength: number, maxByteLength: number): ArrayBuffer {
  const HostBuffer = ArrayBuffer as new (length: number, options: { maxByteLength: number }) => ArrayBuffer; // newer hosts have the second parameter
  return new HostBuffer(byteLength, { maxByteLength });
}

function slice(realm: Realm, buffer: GuestBuffer, start: unknown, end: unknown): GuestObject {
  requireAttached(buffer, "slice");
  const length = bufferByteLength(buffer);
  const first = relativeIndex(start, length, 0);
  const final = relativeIndex(end, length, length);
  const wanted = Math.max(final - first, 0);
  const made = construct(speciesConstructor(buffer, realm.intrinsic("ArrayBuffer")), [wanted]);
  const target = requireAttached(requireBuffer(made, "slice"), "slice");
  if (target === buffer) return throwTypeError("the species of a buffer returned the buffer itself");
  if (bufferByteLength(target) < wanted)
    return throwTypeError("the species of a buffer returned one that is too short");
  requireAttached(buffer, "slice");
  const count = Math.min(wanted, Math.max(bufferByteLength(buffer) - first, 0));
  realm.meter.charge(count >>> 10);
  if (count > 0) new Uint8Array(target).set(new Uint8Array(buffer, first, count));
  return target;
}

function resize(realm: Realm, buffer: GuestBuffer, length: unknown): void {
  if (!isResizable(buffer)) throwTypeError("the buffer cannot be resized; make it with a maxByteLength");
  const byteLength = toIndex(length);
  requireAttached(buffer, "resize");
  if (byteLength > maxByteLengthOf(buffer))
    throwRangeError(`the buffer cannot have ${byteLength} bytes: see maxByteLength`);
  realm.meter.charge(byteLength >>> 5);
  resizeBuffer(buffer, byteLength);
}

function transfer(realm: Realm, buffer: GuestBuffer, length: unknown, keepsResizable: boolean): GuestObject {
  const byteLength = length === undefined ? bufferByteLength(buffer) : toIndex(length);
  requireAttached(buffer, "transfer");
  const maxByteLength = keepsResizable && isResizable(buffer) ? maxByteLengthOf(buffer) : undefined;
  if (maxByteLength !== undefined && byteLength > maxByteLength)
    return throwRangeError(`the buffer cannot have ${byteLength} bytes: see maxByteLength`);
  const made = allocateBuffer(realm, byteLength, maxByteLength, () => realm.intrinsic("ArrayBufferPrototype"));
  const kept = Math.min(byteLength, bufferByteLength(buffer));
  new Uint8Array(made).set(new Uint8Array(buffer, 0, kept));
  detachBuffer(buffer);
  return made;
}
