// TextEncoder, TextDecoder, btoa and atob.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOfKind } from "../../guest-value.ts";
import { ordinaryCreateFromConstructor } from "../../operations/call.ts";
import { toStringValue } from "../../operations/conversion.ts";
import { createDataPropertyOrThrow, get } from "../../operations/property.ts";
import { valueText } from "../../operations/text.ts";
import { asArrayBuffer, isDetached } from "../../slots/array-buffer.ts";
import { DataViewSlots, dataViewBytes } from "../../slots/data-view.ts";
import { bytesOf, typedArrayKind } from "../../slots/typed-array.ts";
import { brief, counted, defineAccessors, defineConstructor, defineMethods, defineTag, withLength } from "../define.ts";
import type { IntrinsicFamily, MadeFamily } from "../intrinsics.ts";
import type { Realm } from "../realm.ts";
import { requireTypedArray } from "../typed-array/receiver.ts";
import { newUint8Array } from "../typed-array/typed-array.ts";
import { throwDomException } from "./dom-exception.ts";

/** The built-ins TextEncoder, TextDecoder, btoa and atob. */
export const textEncodingFamily: IntrinsicFamily = {
  intrinsics: ["TextEncoderPrototype", "TextDecoderPrototype"],
  globals: ["TextEncoder", "TextDecoder", "atob", "btoa"],
  make(realm) {
    const encoder = makeEncoder(realm);
    const decoder = makeDecoder(realm);
    return {
      intrinsics: { ...encoder.intrinsics, ...decoder.intrinsics },
      globals: { ...encoder.globals, ...decoder.globals, ...base64Functions(realm) },
    };
  },
};

class TextEncoderSlots implements Slots {
  readonly type = "text-encoder";
}

// A decoder takes this many bytes of the host's memory outside the heap.
const bytesOfDecoder = 500;

class TextDecoderSlots implements Slots {
  readonly type = "text-decoder";
  readonly hostBytes = bytesOfDecoder;
  readonly decoder: TextDecoder;

  constructor(decoder: TextDecoder) {
    this.decoder = decoder;
  }
}

function makeEncoder(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const encoder = defineConstructor(realm, {
    name: "TextEncoder",
    length: 0,
    cost: "counted",
    prototype,
    construct: (newTarget) =>
      brand(ordinaryCreateFromConstructor(realm, newTarget, "TextEncoderPrototype"), new TextEncoderSlots()),
  });
  defineMethods(realm, prototype, {
    encode: counted(
      withLength(0, (_thisValue, value) => encode(realm, value === undefined ? "" : toStringValue(value))),
    ),
    encodeInto: counted((_thisValue, value, target) => encodeInto(realm, toStringValue(value), target)),
  });
  defineAccessors(realm, prototype, { encoding: brief(() => "utf-8") });
  defineTag(prototype, "TextEncoder");
  return { intrinsics: { TextEncoderPrototype: prototype }, globals: { TextEncoder: encoder } };
}

function makeDecoder(realm: Realm): MadeFamily {
  const prototype = realm.newObject();
  const slotsOf = (thisValue: unknown) =>
    slotsOfKind(thisValue, TextDecoderSlots) ??
    throwTypeError(`a method of TextDecoder was called on ${valueText(thisValue)}`);
  const decoder = defineConstructor(realm, {
    name: "TextDecoder",
    length: 0,
    cost: "counted",
    prototype,
    construct: (newTarget, label, options) => {
      realm.meter.allocate(160);
      realm.meter.allocateHostObject(bytesOfDecoder);
      const slots = new TextDecoderSlots(hostDecoder(realm, label, options));
      return brand(ordinaryCreateFromConstructor(realm, newTarget, "TextDecoderPrototype"), slots);
    },
  });
  defineMethods(realm, prototype, {
    decode: counted(
      withLength(0, (thisValue, input, options) => {
        const isStream = isObject(options) && Boolean(get(options, "stream"));
        return decode(realm, slotsOf(thisValue).decoder, input, isStream);
      }),
    ),
  });
  defineAccessors(realm, prototype, {
    encoding: brief((thisValue) => slotsOf(thisValue).decoder.encoding),
    fatal: brief((thisValue) => slotsOf(thisValue).decoder.fatal),
    ignoreBOM: brief((thisValue) => slotsOf(thisValue).decoder.ignoreBOM),
  });
  defineTag(prototype, "TextDecoder");
  return { intrinsics: { TextDecoderPrototype: prototype }, globals: { TextDecoder: decoder } };
}

// The encodings that all hosts support.
const encodings = new Set(["utf-8", "utf8", "unicode-1-1-utf-8", "utf-16le", "utf-16"]);

const maxNameLength = 20;

function hostDecoder(realm: Realm, label: unknown, options: unknown): TextDecoder {
  const name = label === undefined ? "utf-8" : encodingName(realm, toStringValue(label));
  if (!encodings.has(name)) return throwRangeError(`the encoding ${valueText(name)} is not supported; use "utf-8"`);
  const flag = (key: string) => isObject(options) && Boolean(get(options, key));
  return new TextDecoder(name, { fatal: flag("fatal"), ignoreBOM: flag("ignoreBOM") });
}

/**
 * Returns the name of an encoding in lower case. If the text is too long for a name, it stays as it
 * is, because the conversion would take long.
 */
function encodingName(realm: Realm, label: string): string {
  realm.meter.charge(label.length >>> 4);
  const name = label.trim();
  return name.length > maxNameLength ? name : name.toLowerCase();
}

function encode(realm: Realm, text: string): GuestObject {
  realm.meter.charge(text.length >>> 4);
  realm.meter.allocate(3 * text.length);
  return newUint8Array(realm, new TextEncoder().encode(text));
}

function encodeInto(realm: Realm, text: string, target: unknown): GuestObject {
  const array = requireTypedArray(target, "encodeInto");
  if (typedArrayKind(array) !== "Uint8Array") return throwTypeError("encodeInto writes into a Uint8Array");
  realm.meter.charge(text.length >>> 4);
  const { read, written } = new TextEncoder().encodeInto(text, bytesOf(array));
  const result = realm.newObject();
  createDataPropertyOrThrow(result, "read", read);
  createDataPropertyOrThrow(result, "written", written);
  return result;
}

function decode(realm: Realm, decoder: TextDecoder, input: unknown, stream: boolean): string {
  const bytes = input === undefined ? new Uint8Array() : bufferSourceBytes(input, "decode");
  realm.meter.charge(bytes.length >>> 4);
  realm.meter.allocate(2 * bytes.length);
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    // The decoder is "fatal", so the host threw a TypeError. Throw a guest TypeError
    // instead.
    return throwTypeError("the bytes are not valid text in this encoding");
  }
}

function base64Functions(realm: Realm): { readonly [name: string]: GuestObject } {
  const convert = (name: string, act: (text: string) => string, problem: string) =>
    realm.newNativeFunction(name, 1, (_thisValue, value) => {
      const text = toStringValue(value);
      realm.meter.charge(text.length >>> 4);
      realm.meter.allocate(4 * text.length);
      try {
        return act(text);
      } catch {
        // The host threw its own DOMException. Throw a guest DOMException instead.
        return throwDomException(realm, "InvalidCharacterError", problem);
      }
    });
  return {
    atob: convert("atob", atob, "the text is not valid base64"),
    btoa: convert("btoa", btoa, "btoa takes characters up to U+00FF only; encode the text with TextEncoder first"),
  };
}

/**
 * Returns the bytes of a buffer or view without copying them. The result is an object of the host,
 * which guest code must not see.
 *
 * @throws a guest TypeError for anything that has no bytes, or whose buffer is detached
 */
function bufferSourceBytes(value: unknown, method: string): Uint8Array<ArrayBuffer> {
  if (typedArrayKind(value)) return bytesOf(requireTypedArray(value, method));
  const view = slotsOfKind(value, DataViewSlots);
  if (view) return dataViewBytes(view);
  const buffer = asArrayBuffer(value);
  if (buffer && !isDetached(buffer)) return new Uint8Array(buffer);
  return throwTypeError(`${method} needs a Uint8Array or another view of bytes, got ${valueText(value)}`);
}
