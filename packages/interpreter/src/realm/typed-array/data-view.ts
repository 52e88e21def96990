// DataView: the constructor and the prototype.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, slotsOfKind } from "../../guest-value.ts";
import { getPrototypeFromConstructor } from "../../operations/call.ts";
import { toBigInt, toIndex, toNumber } from "../../operations/conversion.ts";
import { valueText } from "../../operations/text.ts";
import {
  asArrayBuffer,
  bufferByteLength,
  type GuestBuffer,
  isDetached,
  isResizable,
} from "../../slots/array-buffer.ts";
import { DataViewSlots, dataViewBuffer, dataViewByteLength, dataViewBytes } from "../../slots/data-view.ts";
import {
  brief,
  counted,
  defineAccessors,
  defineConstructor,
  defineMethods,
  defineTag,
  type MethodTable,
  withLength,
} from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";

/** The built-in DataView. */
export const dataViewFamily: IntrinsicFamily = {
  intrinsics: ["DataViewPrototype"],
  globals: ["DataView"],
  make: makeDataView,
};

/** Creates a DataView of `buffer`, with the same offset and length as `model`. */
export function newDataViewOn(realm: Realm, model: DataViewSlots, buffer: GuestBuffer): GuestObject {
  const { byteOffset, byteLength } = dataViewBytes(model);
  return adopt(realm, new DataView(buffer, byteOffset, byteLength), realm.intrinsic("DataViewPrototype"));
}

function makeDataView(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const dataView = defineConstructor(realm, {
    name: "DataView",
    length: 1,
    cost: "counted",
    prototype,
    construct: (newTarget, buffer, byteOffset, byteLength) =>
      constructView(realm, newTarget, buffer, byteOffset, byteLength),
  });
  defineAccessors(realm, prototype, {
    buffer: counted((thisValue) => dataViewBuffer(realm, requireView(thisValue, "buffer"))),
    byteLength: brief((thisValue) => dataViewByteLength(requireView(thisValue, "byteLength"))),
    byteOffset: brief((thisValue) => dataViewBytes(requireView(thisValue, "byteOffset")).byteOffset),
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
  return brand(view, new DataViewSlots(view)) as unknown as GuestObject; // `view` has a guest prototype now
}

function requireView(value: unknown, method: string): DataViewSlots {
  const slots = slotsOfKind(value, DataViewSlots);
  return slots ?? throwTypeError(`${method} was called on ${valueText(value)}, which is not a DataView`);
}

// The number types that can be read and written, with their sizes in bytes.
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
    methods[name] = brief(
      withLength(1, (thisValue, position, littleEndian) => {
        const slots = requireView(thisValue, name);
        const index = toIndex(position);
        requireInside(slots, index, size);
        return read.call(slots.view, index, Boolean(littleEndian));
      }),
    );
  }
  return methods;
}

function writingMethods(): Methods {
  const methods: Methods = {};
  for (const [type, size] of Object.entries(numberTypes) as [NumberType, number][]) {
    const name = `set${type}` as const;
    const write = host[name] as (this: DataView, index: number, value: number | bigint, littleEndian: boolean) => void;
    const toElement = type === "BigInt64" || type === "BigUint64" ? toBigInt : toNumber;
    methods[name] = brief(
      withLength(2, (thisValue, position, value, littleEndian) => {
        const slots = requireView(thisValue, name);
        const index = toIndex(position);
        const element = toElement(value);
        requireInside(slots, index, size);
        write.call(slots.view, index, element, Boolean(littleEndian));
      }),
    );
  }
  return methods;
}

function requireInside(slots: DataViewSlots, index: number, size: number): void {
  const length = dataViewByteLength(slots);
  if (index + size > length) throwRangeError(`${size} bytes at ${index} are outside of the view's ${length} bytes`);
}

const host = DataView.prototype;
