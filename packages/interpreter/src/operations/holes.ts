// Announces changes of arrays that take the host as long as the array is long.
//
// The host keeps an array with few holes as a list, and one with many holes as a hash table. When a
// store leaves a gap, it may move all elements from one to the other. When it shortens a table, it
// visits all entries. Nothing shows which of the two an array is. So arrays that may have holes are
// noted here, and only they make the clock be checked more often. Other arrays are always lists.

import { type GuestObject, slotsOf } from "../guest-value.ts";
import { foreseeTurn, hastenTurn, requireRoomOfTurn } from "../limits.ts";

// The shortest array whose elements take the host long to move or to visit.
const fewestMoved = 2_048;
// The most entries of one table that fit into the memory of a sandbox.
const mostEntries = 2 ** 23;
// How many entries of a table the host visits in the time of one operation.
const entriesPerOperation = 2;

const holey = new WeakSet<object>();

/** Notes that an array may have holes now, or properties that only a hash table can keep. */
export function noteHoles(array: readonly unknown[]): void {
  if (array.length >= fewestMoved) holey.add(array);
}

/** The same as {@link noteHoles} for any object. Ignores those that are not arrays. */
export function noteHolesOf(object: GuestObject): void {
  if (isOwnArray(object)) noteHoles(object);
}

/**
 * Announces a store or definition of a property. It takes long if it leaves a gap at the end of a
 * long array.
 */
export function foreseeGap(object: GuestObject, key: string | symbol | number): void {
  if (isOwnArray(object)) foreseeGapIn(object, key);
}

/** {@link foreseeGap} for an array that is not a proxy. */
export function foreseeGapIn(array: readonly unknown[], key: string | symbol | number): void {
  if (typeof key === "symbol") return;
  const index = typeof key === "number" ? key : indexOf(key);
  if (index > array.length) foreseeGapBefore(array, index);
}

/** Announces that an array's length is about to change. */
export function foreseeLength(array: readonly unknown[], length: number): void {
  const before = array.length;
  if (length < before) {
    if (before >= fewestMoved) foreseeShortening(array);
  } else if (length > before && length >= fewestMoved) foreseeMove(array);
}

// Programs that use a long array as a stack shorten it very often, and to find out whether it has
// holes takes a good part of the time of `pop`. So only one in a few changes is examined, and
// stands for the others. It is chosen by chance, so that no program can prepare for it. The choice
// does not change what is counted.
const shorteningsOfSample = 16;
let shorteningsLeft = 0;
// The length from which every change is examined.
const fewestAlwaysExamined = 2 ** 17;

function foreseeShortening(array: readonly unknown[]): void {
  if (array.length >= fewestAlwaysExamined) {
    if (holey.has(array)) foreseeTurn(Math.min(array.length, mostEntries) / entriesPerOperation);
  } else if (--shorteningsLeft < 0) {
    shorteningsLeft = Math.floor(2 * shorteningsOfSample * Math.random());
    if (holey.has(array)) hastenTurn((shorteningsOfSample * array.length) / entriesPerOperation);
  }
}

function foreseeGapBefore(array: readonly unknown[], index: number): void {
  if (index < fewestMoved) return;
  foreseeMove(array);
  if (index < longListed || index > mostPlacesPerElement * array.length) return;
  // The host would rather make a list that is mostly holes than a table.
  const elements = array.length * densityOf(array);
  const places = index <= mostPlacesPerElement * elements ? spareRoom * index : 0;
  requireRoomOfTurn(bytesOfPlace * places);
  foreseeTurn(places);
}

/** Announces that the host may move all elements, because the array gets holes. */
function foreseeMove(array: readonly unknown[]): void {
  holey.add(array);
  hastenTurn(Math.min(array.length, mostEntries));
}

// The host makes a list instead of a table if it has at most this many places for each element.
const mostPlacesPerElement = 18;
const spareRoom = 1.5;
const bytesOfPlace = 8;
// The shortest list whose places take noticeable memory.
const longListed = 2 ** 20;
const sampledPlaces = 128;

/**
 * Estimates which part of an array's places have elements. The places are chosen by chance, so that
 * no program can fill just these. The estimate decides only whether the execution is stopped; it
 * does not change what is counted.
 */
function densityOf(array: readonly unknown[]): number {
  let found = 1;
  for (let sample = 0; sample < sampledPlaces; sample++) if (Math.floor(Math.random() * array.length) in array) found++;
  return Math.min(1, found / sampledPlaces);
}

/** Returns the index that a string key may stand for, or 0 if the key is not a large index. */
function indexOf(key: string): number {
  if (key.length < shortestIndex || key.length > longestIndex || key.charCodeAt(0) > codeOfNine) return 0;
  return Number(key);
}

const codeOfNine = 57;

const shortestIndex = 4;
const longestIndex = 10;

/** Whether an object is an array. A proxy has slots; the host would go through its whole chain. */
const isOwnArray = (object: GuestObject): object is GuestObject & unknown[] =>
  slotsOf(object) === undefined && Array.isArray(object);
