// Some stores make the host move all elements of an object. This module makes sure that there is
// enough time and memory for such a move. Elements are the properties whose keys are whole numbers.
//
// The host keeps elements as a list or as a hash table. A store that leaves a gap may move all
// elements to a hash table, and the next store may move them back to a list. Arrays with gaps are
// handled in holes.ts. For any other object with many elements, the first store that leaves a gap
// makes the host use a hash table permanently, so the elements are moved only once. V8 also needs a
// hash table for an element that is an accessor or read-only.
//
// There is no way to ask how many elements an object has. So this module estimates it: it checks at
// some indexes whether there is an element. The indexes are random, so that no program can prepare
// for the choice. The estimate only decides whether the execution is stopped or the clock is
// checked. It does not change what is counted.

import type { GuestObject } from "../guest-value.ts";
import { currentMeter } from "../limits.ts";
import { proxyState } from "../slots/proxy.ts";

/** The minimum number of elements that take the host noticeable time to move. */
export const minMoved = 2_048;
// The time and memory that the host needs to move one element into a hash table.
const operationsPerMove = 8;
const bytesPerMove = 64;

// The objects whose elements are permanently in a hash table.
const tables = new WeakSet<object>();

/** Prepares for a store of an element of an object that is not an array. */
export function beforeElementStore(object: GuestObject, index: number): void {
  if (index < minMoved || ArrayBuffer.isView(object) || proxyState(object)) return;
  if (Object.hasOwn(object, index) || Object.hasOwn(object, index - 1)) return;
  if (!tables.has(object) && mayHaveElements(object, index) && requireMoves(object)) makeTable(object);
  currentMeter()?.charge(1);
}

/** Prepares for an element whose attributes only a hash table can store. */
export function beforeAttributes(object: GuestObject, index: number): void {
  if (index >= maxListLength || ArrayBuffer.isView(object) || proxyState(object)) return;
  if (Array.isArray(object) && object.length < minMoved) return;
  if (!tables.has(object) && requireMoves(object)) tables.add(object);
  currentMeter()?.charge(1);
}

/** Records that an array became empty, because the host may store its next elements as a list. */
export function noteEmptied(array: object): void {
  tables.delete(array);
}

/**
 * Ends the execution if there is not enough time or memory to move all elements of an object.
 * Returns true if there are many elements.
 */
export function requireMoves(
  object: object,
  operationsEach: number = operationsPerMove,
  bytesEach: number = bytesPerMove,
): boolean {
  const count = elementCount(object);
  if (count < minMoved) return false;
  currentMeter()?.require(operationsEach * count, bytesEach * count);
  return true;
}

// Once an object has had an element at this index, V8 keeps the object's elements in a hash table
// until all of them are deleted.
const indexOfTables = 2 ** 31;

function makeTable(object: GuestObject): void {
  tables.add(object);
  if (!Object.isExtensible(object) || Object.hasOwn(object, indexOfTables)) return;
  const descriptor = { value: 0, writable: true, enumerable: false, configurable: true };
  Reflect.defineProperty(object, indexOfTables, descriptor);
  Reflect.deleteProperty(object, indexOfTables);
}

// How many indexes are examined to find out whether an object has elements at all.
const fewPlaces = 3;

/** Says whether there are probably many elements before an index. */
function mayHaveElements(object: GuestObject, index: number): boolean {
  const range = Math.log2(index / firstOctave);
  for (let place = 0; place < fewPlaces; place++)
    if (Object.hasOwn(object, Math.floor(firstOctave * 2 ** (range * Math.random())))) return true;
  return false;
}

const firstOctave = 1_024;
// The longest list that fits into the memory of a sandbox.
const maxListLength = 2 ** 26;
// How many indexes are examined in each octave (the range from an index to its double). If one of
// the examined indexes has an element, `morePlaces` more are examined.
const placesOfOctave = 8;
const morePlaces = 24;
// If the fraction of the indexes that have elements is smaller than this, the host uses a hash
// table.
const minDensity = 1 / 36;

/**
 * Estimates how many elements an object has in ranges of indexes that the host may store as a list.
 */
function elementCount(object: object): number {
  let count = 0;
  for (let start = firstOctave; start < maxListLength; start *= 2) {
    const found = elementsAmong(object, start, placesOfOctave);
    if (found === 0) continue;
    const density = (found + elementsAmong(object, start, morePlaces)) / (placesOfOctave + morePlaces);
    if (density >= minDensity) count += density * start;
  }
  return count;
}

/** Examines random indexes in an octave. Returns how many of them have elements. */
function elementsAmong(object: object, start: number, places: number): number {
  let found = 0;
  for (let place = 0; place < places; place++)
    if (Object.hasOwn(object, start + Math.floor(start * Math.random()))) found++;
  return found;
}
