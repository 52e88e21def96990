// The web's BufferSource: an ArrayBuffer, a typed array or a DataView.

import { throwTypeError } from "../../guest-throw.ts";
import { slotsOfKind } from "../../guest-value.ts";
import { valueText } from "../../operations/text.ts";
import { asArrayBuffer, isDetached } from "../../slots/array-buffer.ts";
import { DataViewSlots, dataViewBytes } from "../../slots/data-view.ts";
import { bytesOf, typedArrayKind } from "../../slots/typed-array.ts";
import { requireTypedArray } from "./receiver.ts";

/**
 * The bytes behind a value, not copied: not for guests' eyes.
 *
 * @throws a guest TypeError for anything that has no bytes, or has lost them
 */
export function bufferSourceBytes(value: unknown, method: string): Uint8Array<ArrayBuffer> {
  if (typedArrayKind(value)) return bytesOf(requireTypedArray(value, method));
  const view = slotsOfKind(value, DataViewSlots);
  if (view) return dataViewBytes(view);
  const buffer = asArrayBuffer(value);
  if (buffer && !isDetached(buffer)) return new Uint8Array(buffer);
  return throwTypeError(`${method} needs a Uint8Array or another view of bytes, got ${valueText(value)}`);
}
