// DataView: a host DataView with a guest prototype.

import { throwRangeError, throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, type Slots, slotsOfKind } from "../guest-value.ts";
import { getPrototypeFromConstructor } from "../operations/call.ts";
import { toBigInt, toIndex, toNumber } from "../operations/conversion.ts";
import { valueText } from "../operations/text.ts";
import {
  asArrayBuffer,
  bufferByteLength,
  type GuestBuffer,
  guestBuffer,
  isDetached,
  isResizable,
} from "./array-buffer.ts";
import {
  defineAccessors,
  defineConstructor,
  defineMethods,
  defineTag,
  type MethodTable,
  withLength,
} from "./define.ts";
import type { IntrinsicFamily, MadeFamily } from "./intrinsics.ts";
import type { Realm } from "./realm.ts";

/** DataView. */
export const dataViewFamily: IntrinsicFamily = {
  intrinsics: ["DataViewPrototype"],
  globals: ["DataView"],
  make: makeDataView,
};

/** The slots of a DataView. */
export class DataViewSlots implements Slots {
  readonly type = "data-view";
  readonly view: DataView;

  constructor(view: DataView) {
    this.view = view;
  }
}

/** The bytes that a view shows, not copied: not for guests' eyes. @throws a guest TypeError when they are gone */
export function dataViewBytes({ view }: DataViewSlots): Uint8Array<ArrayBuffer> {
  const length = boundedLength(view);
  return new Uint8Array(hostBuffer.call(view), hostByteOffset.call(view), length);
}

/** A DataView that shows the same place of another buffer. */
export function newDataViewOn(realm: Realm, model: DataViewSlots, buffer: GuestBuffer): GuestObject {
  const { byteOffset, byteLength } = dataViewBytes(model);
  return adopt(realm, new DataView(buffer, byteOffset, byteLength), realm.intrinsic("DataViewPrototype"));
}

/** The buffer of a DataView. */
export function dataViewBuffer(realm: Realm, { view }: DataViewSlots): GuestBuffer {
  return guestBuffer(realm, hostBuffer.call(view));
}

function makeDataView(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const dataView = defineConstructor(realm, {
    name: "DataView",
    length: 1,
    prototype,
    construct: (newTarget, buffer, byteOffset, byteLength) =>
      constructView(realm, newTarget, buffer, byteOffset, byteLength),
  });
  defineAccessors(realm, prototype, {
    buffer: (thisValue) => guestBuffer(realm, hostBuffer.call(requireView(thisValue, "buffer"))),
    byteLength: (thisValue) => boundedLength(requireView(thisValue, "byteLength")),
    byteOffset(thisValue) {
      const view = requireView(thisValue, "byteOffset");
      boundedLength(view);
      return hostByteOffset.call(view);
    },
  });
  defineMethods(realm, prototype, { ...readingMethods(), ...writingMethods() });
  defineTag(prototype, "DataView");
  return { intrinsics: { DataViewPrototype: prototype }, globals: { DataView: dataView } };
}

function constructView(
  realm: Realm,
  newTarget: GuestObject,
  value: unknown,
  byteOffset: unknown,
  byteLength: unknown,
): GuestObject {
  const buffer = asArrayBuffer(value);
  if (!buffer) return throwTypeError(`a DataView needs an ArrayBuffer, got ${valueText(value)}`);
  const offset = toIndex(byteOffset);
  const requireRoom = (length: number): void => {
    if (isDetached(buffer)) throwTypeError("the buffer has been transferred");
    if (offset + length > bufferByteLength(buffer))
      throwRangeError(`a DataView of ${length} bytes at ${offset} does not fit into its buffer`);
  };
  requireRoom(0);
  const length = byteLength === undefined ? undefined : toIndex(byteLength);
  requireRoom(length ?? 0);
  const fixedLength = isResizable(buffer) ? length : (length ?? bufferByteLength(buffer) - offset);
  const prototype = getPrototypeFromConstructor(realm, newTarget, "DataViewPrototype");
  requireRoom(fixedLength ?? 0);
  return adopt(realm, new DataView(buffer, offset, fixedLength), prototype);
}

function adopt(realm: Realm, view: DataView, prototype: GuestObject): GuestObject {
  realm.meter.allocate(200);
  Object.setPrototypeOf(view, prototype);
  return brand(view, new DataViewSlots(view)) as unknown as GuestObject; // its prototype is the guest's now
}

function requireView(value: unknown, method: string): DataView {
  const slots = slotsOfKind(value, DataViewSlots);
  return slots ? slots.view : throwTypeError(`${method} was called on ${valueText(value)}, which is no DataView`);
}

/** The bytes that a view shows. @throws a guest TypeError when its buffer is gone */
function boundedLength(view: DataView): number {
  try {
    return hostByteLength.call(view);
  } catch {
    // The host's TypeError for a view whose buffer was detached or became too short.
    return throwTypeError("the view's buffer is gone or too short");
  }
}

// Sizes in bytes of what can be read and written.
const numberTypes = {
  Float32: 4,
  Float64: 8,
  Int8: 1,
  Int16: 2,
  Int32: 4,
  Uint8: 1,
  Uint16: 2,
  Uint32: 4,
  BigInt64: 8,
  BigUint64: 8,
} as const;

type NumberType = keyof typeof numberTypes;
type Methods = { [name: string]: MethodTable[string] };

function readingMethods(): Methods {
  const methods: Methods = {};
  for (const [type, size] of Object.entries(numberTypes) as [NumberType, number][]) {
    const name = `get${type}` as const;
    const read = host[name] as (this: DataView, index: number, littleEndian: boolean) => number | bigint;
    methods[name] = withLength(1, (thisValue, position, littleEndian) => {
      const view = requireView(thisValue, name);
      const index = toIndex(position);
      requireInside(view, index, size);
      return read.call(view, index, Boolean(littleEndian));
    });
  }
  return methods;
}

function writingMethods(): Methods {
  const methods: Methods = {};
  for (const [type, size] of Object.entries(numberTypes) as [NumberType, number][]) {
    const name = `set${type}` as const;
    const write = host[name] as (this: DataView, index: number, value: number | bigint, littleEndian: boolean) => void;
    const toElement = type === "BigInt64" || type === "BigUint64" ? toBigInt : toNumber;
    methods[name] = withLength(2, (thisValue, position, value, littleEndian) => {
      const view = requireView(thisValue, name);
      const index = toIndex(position);
      const element = toElement(value);
      requireInside(view, index, size);
      write.call(view, index, element, Boolean(littleEndian));
    });
  }
  return methods;
}

function requireInside(view: DataView, index: number, size: number): void {
  const length = boundedLength(view);
  if (index + size > length) throwRangeError(`${size} bytes at ${index} are outside of the view's ${length} bytes`);
}

const host = DataView.prototype;

const hostByteLength = /* @__PURE__ */ hostGetter("byteLength") as (this: DataView) => number;
const hostByteOffset = /* @__PURE__ */ hostGetter("byteOffset") as (this: DataView) => number;
const hostBuffer = /* @__PURE__ */ hostGetter("buffer") as (this: DataView) => ArrayBuffer;

function hostGetter(key: string): unknown {
  return Object.getOwnPropertyDescriptor(host, key)?.get;
}
