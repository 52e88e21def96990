// Operations on DataViews, which are host views with a guest prototype.

import { throwTypeError } from "../guest-throw.ts";
import type { Slots } from "../guest-value.ts";
import type { Realm } from "../realm/realm.ts";
import { type GuestBuffer, guestBuffer } from "./array-buffer.ts";

/** The slots of a DataView. */
export class DataViewSlots implements Slots {
  readonly type = "data-view";
  readonly view: DataView;

  constructor(view: DataView) {
    this.view = view;
  }
}

/**
 * Returns the bytes of a view without copying them. The result is an object of the host, which
 * guest code must not see.
 *
 * @throws a guest TypeError when its buffer is detached or too short
 */
export function dataViewBytes(slots: DataViewSlots): Uint8Array<ArrayBuffer> {
  const length = dataViewByteLength(slots);
  return new Uint8Array(hostBuffer.call(slots.view), hostByteOffset.call(slots.view), length);
}

/**
 * Returns the buffer of a DataView. The result may be an object of the host, which guest code must
 * not see.
 */
export function hostBufferOfView({ view }: DataViewSlots): ArrayBuffer {
  return hostBuffer.call(view);
}

/** Returns the buffer of a DataView. */
export function dataViewBuffer(realm: Realm, { view }: DataViewSlots): GuestBuffer {
  return guestBuffer(realm, hostBuffer.call(view));
}

/**
 * Returns the number of bytes of a view.
 *
 * @throws a guest TypeError when its buffer is detached or too short
 */
export function dataViewByteLength({ view }: DataViewSlots): number {
  try {
    return hostByteLength.call(view);
  } catch {
    // The buffer was detached or became too short, so the host threw a TypeError. Throw a guest
    // TypeError instead.
    return throwTypeError("the view's buffer is gone or too short");
  }
}

const hostByteLength = /* @__PURE__ */ hostGetter("byteLength") as (this: DataView) => number;
const hostByteOffset = /* @__PURE__ */ hostGetter("byteOffset") as (this: DataView) => number;
const hostBuffer = /* @__PURE__ */ hostGetter("buffer") as (this: DataView) => ArrayBuffer;

function hostGetter(key: string): unknown {
  return Object.getOwnPropertyDescriptor(DataView.prototype, key)?.get;
}
