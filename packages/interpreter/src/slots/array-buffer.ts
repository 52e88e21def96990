// Operations on ArrayBuffers, which are host buffers with a guest prototype. A typed array that is
// created with a length has a plain host buffer at first. The buffer gets its guest prototype when
// a program first reads the property `buffer`.

import { brand, type GuestObject, type Slots, slotsOf, slotsOfKind } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";

/** Marks a host buffer that has a guest prototype. */
export class ArrayBufferSlots implements Slots {
  readonly type = "array-buffer";
}

/** A guest ArrayBuffer. Only the functions of this file should use it as a host buffer. */
export type GuestBuffer = ArrayBuffer & GuestObject;

/** Returns the value if it is an ArrayBuffer. */
export function asArrayBuffer(value: unknown): GuestBuffer | undefined {
  return slotsOfKind(value, ArrayBufferSlots) && (value as GuestBuffer); // only ArrayBuffers have such slots
}

/** Returns a host buffer as a guest object. Sets the guest prototype if the buffer has none yet. */
export function guestBuffer(realm: Realm, buffer: ArrayBuffer): GuestBuffer {
  if (slotsOf(buffer)) return buffer as GuestBuffer; // it already has a guest prototype
  return adoptBuffer(buffer, realm.intrinsic("ArrayBufferPrototype"));
}

/** Gives a guest prototype to a new host buffer. */
export function adoptBuffer(buffer: ArrayBuffer, prototype: GuestObject): GuestBuffer {
  Object.setPrototypeOf(buffer, prototype);
  return brand(buffer, new ArrayBufferSlots()) as GuestBuffer; // the buffer has a guest prototype now
}

/** Returns the number of bytes of a buffer; 0 if it is detached. */
export function bufferByteLength(buffer: ArrayBuffer): number {
  return hostByteLength.call(buffer);
}

/** Says whether the buffer is detached. */
export function isDetached(buffer: ArrayBuffer): boolean {
  if (bufferByteLength(buffer) > 0) return false;
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    // `new Uint8Array` throws only if the buffer is detached.
    return true;
  }
}

/** Whether the host has buffers that can be resized. */
export const hasResizableBuffers: boolean = "resizable" in ArrayBuffer.prototype;

/** Says whether the buffer can be resized. */
export function isResizable(buffer: ArrayBuffer): boolean {
  return hostResizable?.call(buffer) ?? false;
}

/** Changes the length of a resizable buffer. */
export function resizeBuffer(buffer: ArrayBuffer, byteLength: number): void {
  hostResize.call(buffer, byteLength);
}

/** Detaches a buffer from its bytes. */
export function detachBuffer(buffer: ArrayBuffer): void {
  structuredClone(null, { transfer: [buffer] }); // transferring a buffer detaches it, on every host
}

/** Returns the maximum length of a buffer, in bytes; 0 if it is detached. */
export function maxByteLengthOf(buffer: GuestBuffer): number {
  if (isDetached(buffer)) return 0;
  return hostMaxByteLength?.call(buffer) ?? bufferByteLength(buffer);
}

type HostGetter<Value> = (this: ArrayBuffer) => Value;

const hostByteLength = /* @__PURE__ */ hostGetter("byteLength") as HostGetter<number>;
const hostMaxByteLength = /* @__PURE__ */ hostGetter("maxByteLength") as HostGetter<number> | undefined;
const hostResizable = /* @__PURE__ */ hostGetter("resizable") as HostGetter<boolean> | undefined;
const { resize: hostResize } = ArrayBuffer.prototype as unknown as {
  resize(this: ArrayBuffer, length: number): void; // every host with `resizable` has this method
};

function hostGetter(key: string): unknown {
  return Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, key)?.get;
}
