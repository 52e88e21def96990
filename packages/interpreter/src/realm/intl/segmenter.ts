// Intl.Segmenter. The host finds the ends of characters, words and sentences one after another.

import { throwTypeError } from "../../guest-throw.ts";
import { brand, type GuestObject, type Slots, slotsOfKind } from "../../guest-value.ts";
import { toIntegerOrInfinity, toStringValue } from "../../operations/conversion.ts";
import { iterationEnd } from "../../operations/iterator.ts";
import { valueText } from "../../operations/text.ts";
import { counted, defineMethods, defineTag, type MethodTable, nextMethod } from "../define.ts";
import type { Realm } from "../realm.ts";
import { formatterOf, plainObject } from "./formatter.ts";

// The bytes that the host needs outside its heap for the segments of a text, or for an iterator
// over them. The host's copy of the text is not included.
const bytesOfSegments = 2_500;
const hostBytesFor = (text: string): number => bytesOfSegments + 2 * text.length;

class SegmentsSlots implements Slots {
  readonly type = "segments";
  readonly hostBytes: number;
  readonly text: string;
  readonly segments: Intl.Segments;

  constructor(text: string, segments: Intl.Segments) {
    this.hostBytes = hostBytesFor(text);
    this.text = text;
    this.segments = segments;
  }
}

class SegmentIteratorSlots implements Slots {
  readonly type = "segment-iterator";
  readonly hostBytes: number;
  readonly text: string;
  readonly segments: Iterator<Intl.SegmentData>;

  constructor(text: string, segments: Iterator<Intl.SegmentData>) {
    this.hostBytes = hostBytesFor(text);
    this.text = text;
    this.segments = segments;
  }
}

// How many characters V8 copies in the time of one operation. V8 copies the whole text for each
// segment, to set the segment's property `input`.
const copiedCharactersPerOperation = 256;

/** Creates the methods of Segmenter.prototype. */
export function segmenterMethods(realm: Realm): MethodTable {
  return {
    segment: counted((thisValue, value) => {
      const segmenter = formatterOf<Intl.Segmenter>(thisValue, "Segmenter");
      const text = toStringValue(value);
      chargeText(realm, text);
      return brand(realm.newObjectFrom("SegmentsPrototype"), new SegmentsSlots(text, segmenter.segment(text)));
    }),
  };
}

/** Creates two prototypes: of the objects that `segment` returns, and of their iterators. */
export function makeSegmentPrototypes(realm: Realm): { [name: string]: GuestObject } {
  const segments = defineMethods(realm, realm.newObject(), {
    containing: counted((thisValue, value) => {
      const slots = segmentsOf(thisValue);
      const index = toIntegerOrInfinity(value);
      realm.meter.charge(20 + (slots.text.length >>> 2));
      realm.meter.allocate(200);
      if (index < 0 || index >= slots.text.length) return undefined;
      const found = slots.segments.containing(index);
      return found && segmentObject(realm, found, slots.text);
    }),
    [Symbol.iterator]: counted((thisValue) => {
      const { text, segments: host } = segmentsOf(thisValue);
      chargeText(realm, text);
      const slots = new SegmentIteratorSlots(text, host[Symbol.iterator]());
      return brand(realm.newObjectFrom("SegmentIteratorPrototype"), slots);
    }),
  });
  const iterator = defineMethods(realm, realm.newObjectFrom("IteratorPrototype"), {
    next: counted(nextMethod(realm, (thisValue) => nextSegment(realm, thisValue))),
  });
  defineTag(iterator, "Segmenter String Iterator");
  return { SegmentsPrototype: segments, SegmentIteratorPrototype: iterator };
}

function nextSegment(realm: Realm, thisValue: unknown): unknown {
  const slots = slotsOfKind(thisValue, SegmentIteratorSlots);
  if (!slots) return throwTypeError("next was called on something that is not an iterator of segments");
  realm.meter.charge(10 + Math.floor(slots.text.length / copiedCharactersPerOperation));
  realm.meter.allocate(200);
  const step = slots.segments.next();
  return step.done ? iterationEnd : segmentObject(realm, step.value, slots.text);
}

/**
 * Creates a guest object for a segment. All segments share one string for `input`, so the host's
 * copies can be freed.
 */
function segmentObject(realm: Realm, segment: Intl.SegmentData, input: string): GuestObject {
  return plainObject(realm, { ...segment, input });
}

function segmentsOf(thisValue: unknown): SegmentsSlots {
  const slots = slotsOfKind(thisValue, SegmentsSlots);
  return slots ?? throwTypeError(`a method of segments was called on ${valueText(thisValue)}`);
}

/** Charges for one pass of the host over a text, and for the copy that the host keeps. */
function chargeText(realm: Realm, text: string): void {
  realm.meter.charge(20 + (text.length >>> 2));
  realm.meter.allocate(300);
  realm.meter.allocateHostObject(hostBytesFor(text));
}
