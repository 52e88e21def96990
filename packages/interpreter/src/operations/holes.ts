// Checks the clock more often for changes of arrays whose cost grows with the length of the array.
//
// The host stores an array with few holes as a list, and an array with many holes as a hash table.
// A store that leaves a gap may move all elements from one to the other. Shortening a hash table
// visits all entries. Nothing shows how the host stores an array. So arrays that may have holes are
// recorded here, and the clock is checked more often only for them. All other arrays are lists.

import { type GuestObject, slotsOf } from "../guest-value.ts";
import { chargeGuest, checkClockSooner, requireRoom, requireTime } from "../limits.ts";
import { beforeAttributes, beforeElementStore, minMoved, noteEmptied, requireMoves } from "./elements.ts";

// The maximum number of entries of a hash table that fits into the memory of a sandbox.
const maxEntries = 2 ** 23;
// How many entries of a hash table the host visits in the time of one operation.
const entriesPerOperation = 2;

const holey = new WeakSet<object>();

/** Notes that an array may have holes now, or properties that only a hash table can keep. */
export function noteHoles(array: readonly unknown[]): void {
  if (array.length >= minMoved) holey.add(array);
}

/** The same as {@link noteHoles} for any object. Ignores those that are not arrays. */
export function noteHolesOf(object: GuestObject): void {
  if (isOwnArray(object)) noteHoles(object);
}

/**
 * Prepares for storing or defining a property. Checks the clock sooner if the property leaves a gap
 * between many elements.
 */
export function beforeStore(object: GuestObject, key: string | symbol | number): void {
  const index = indexOf(key);
  if (index < minMoved) return;
  if (!isOwnArray(object)) beforeElementStore(object, index);
  else if (index > object.length) beforeGap(object, index);
}

/** Prepares for defining a property with other attributes than those of an assignment. */
export function beforeUnusual(object: GuestObject, key: string | symbol | number): void {
  if (mayBeIndex(key)) beforeAttributes(object, Number(key));
}

/** Whether a key may be an index. */
export const mayBeIndex = (key: string | symbol | number): key is string | number =>
  typeof key === "number" || (typeof key === "string" && key.charCodeAt(0) <= codeOfNine);

/**
 * Prepares for a change of an array's length. Checks the clock sooner if the host may take long.
 */
export function beforeLengthChange(array: readonly unknown[], length: number): void {
  const before = array.length;
  if (length < before) {
    if (before >= minMoved) beforeShortening(array, length);
  } else if (length > before && length >= minMoved) beforeMove(array);
}

// A program that uses a long array as a stack shortens it very often. Checking for holes would take
// a considerable part of the time of `pop`. So only a random sample of the changes is examined, and
// each is charged for the others too. No program can predict which ones. The choice does not change
// what is counted.
const shorteningsPerSample = 16;
let shorteningsLeft = 0;
// From this length on, every change is examined.
const minAlwaysExamined = 2 ** 17;

function beforeShortening(array: readonly unknown[], length: number): void {
  if (length === 0) noteEmptied(array);
  if (array.length >= minAlwaysExamined) {
    if (holey.has(array)) requireTime(Math.min(array.length, maxEntries) / entriesPerOperation);
  } else if (--shorteningsLeft < 0) {
    shorteningsLeft = Math.floor(2 * shorteningsPerSample * Math.random());
    if (holey.has(array)) checkClockSooner((shorteningsPerSample * array.length) / entriesPerOperation);
  }
}

function beforeGap(array: readonly unknown[], index: number): void {
  if (index < minMoved) return;
  beforeMove(array);
  if (index < longListed || index > maxPlacesPerElement * array.length) return;
  // The host prefers a list that is mostly holes to a hash table.
  const elements = array.length * densityOf(array);
  const places = index <= maxPlacesPerElement * elements ? spareRoom * index : 0;
  requireRoom(bytesOfPlace * places);
  requireTime(places);
}

/** Checks the clock sooner, because the array gets holes and the host may move all elements. */
function beforeMove(array: readonly unknown[]): void {
  holey.add(array);
  if (array.length >= minAlwaysExamined) {
    requireMoves(array);
    chargeGuest(1);
  }
  checkClockSooner(Math.min(array.length, maxEntries));
}

// The host makes a list instead of a hash table if it has at most this many places for each
// element.
const maxPlacesPerElement = 18;
const spareRoom = 1.5;
const bytesOfPlace = 8;
// The minimum length of a list whose places take noticeable memory.
const longListed = 2 ** 20;
const sampledPlaces = 128;

/**
 * Estimates the fraction of an array's places that contain elements. It checks random places, so
 * that no program can fill only those. The estimate decides only whether the execution is stopped;
 * it does not change what is counted.
 */
function densityOf(array: readonly unknown[]): number {
  let found = 1;
  for (let sample = 0; sample < sampledPlaces; sample++) if (Math.floor(Math.random() * array.length) in array) found++;
  return Math.min(1, found / sampledPlaces);
}

/** Returns the index that a key represents; 0 if it is not a large index. */
function indexOf(key: string | symbol | number): number {
  if (typeof key === "number") return key;
  if (typeof key === "symbol") return 0;
  if (key.length < minIndexDigits || key.length > maxIndexDigits || key.charCodeAt(0) > codeOfNine) return 0;
  return Number(key);
}

const codeOfNine = 57;

const minIndexDigits = 4;
const maxIndexDigits = 10;

/**
 * Whether an object is an array. A proxy has slots, so `Array.isArray` is not called with it: the
 * host would follow its whole chain.
 */
const isOwnArray = (object: GuestObject): object is GuestObject & unknown[] =>
  slotsOf(object) === undefined && Array.isArray(object);
