// ArrayBuffers as the host sees them: host buffers with a guest prototype. The buffer of a typed
// array that was made without one gets its prototype when a program first asks for it.

import { brand, type GuestObject, type Slots, slotsOf, slotsOfKind } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";

/** Marks a host buffer that has its guest prototype. */
export class ArrayBufferSlots implements Slots {
  readonly type = "array-buffer";
}

/** A guest ArrayBuffer as the host sees it, to be touched by this file's functions only. */
export type GuestBuffer = ArrayBuffer & GuestObject;

/** The value when it is an ArrayBuffer. */
export function asArrayBuffer(value: unknown): GuestBuffer | undefined {
  return slotsOfKind(value, ArrayBufferSlots) && (value as GuestBuffer); // the slots say so
}

/** The guest's view of a host buffer. */
export function guestBuffer(realm: Realm, buffer: ArrayBuffer): GuestBuffer {
  if (slotsOf(buffer)) return buffer as GuestBuffer; // it has been here before
  return adoptBuffer(buffer, realm.intrinsic("ArrayBufferPrototype"));
}

/** Makes a host buffer, which nobody has seen, a guest's. */
export function adoptBuffer(buffer: ArrayBuffer, prototype: GuestObject): GuestBuffer {
  Object.setPrototypeOf(buffer, prototype);
  return brand(buffer, new ArrayBufferSlots()) as GuestBuffer; // its prototype is the guest's now
}

/** Bytes of a buffer; 0 when it is detached. */
export function bufferByteLength(buffer: ArrayBuffer): number {
  return hostByteLength.call(buffer);
}

/** Whether the buffer's bytes are gone. */
export function isDetached(buffer: ArrayBuffer): boolean {
  if (bufferByteLength(buffer) > 0) return false;
  try {
    new Uint8Array(buffer);
    return false;
  } catch {
    // The host refuses to look at a detached buffer; nothing else can be thrown.
    return true;
  }
}

/** Whether the host has buffers that can be resized. */
export const hasResizableBuffers: boolean = "resizable" in ArrayBuffer.prototype;

/** Whether the buffer can be resized. */
export function isResizable(buffer: ArrayBuffer): boolean {
  return hostResizable?.call(buffer) ?? false;
}

/** Makes a buffer that can be resized longer or shorter. */
export function resizeBuffer(buffer: ArrayBuffer, byteLength: number): void {
  hostResize.call(buffer, byteLength);
}

/** Takes a buffer's bytes away. */
export function detachBuffer(buffer: ArrayBuffer): void {
  structuredClone(null, { transfer: [buffer] }); // the way that every host has
}

/** How many bytes a buffer may grow to; 0 when it is detached. */
export function maxByteLengthOf(buffer: GuestBuffer): number {
  if (isDetached(buffer)) return 0;
  return hostMaxByteLength?.call(buffer) ?? bufferByteLength(buffer);
}

type HostGetter<Value> = (this: ArrayBuffer) => Value;

const hostByteLength = /* @__PURE__ */ hostGetter("byteLength") as HostGetter<number>;
const hostMaxByteLength = /* @__PURE__ */ hostGetter("maxByteLength") as HostGetter<number> | undefined;
const hostResizable = /* @__PURE__ */ hostGetter("resizable") as HostGetter<boolean> | undefined;
const { resize: hostResize } = ArrayBuffer.prototype as unknown as {
  resize(this: ArrayBuffer, length: number): void; // there when `resizable` is
};

function hostGetter(key: string): unknown {
  return Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, key)?.get;
}
