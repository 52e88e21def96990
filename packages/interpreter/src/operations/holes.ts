// Checks the clock more often for array changes whose cost grows with the length of the array.
//
// The host stores an array with few holes as a list, and an array with many holes as a hash table.
// A store that leaves a gap may make the host move all elements from one to the other. When an
// array is shortened whose elements are in a hash table, the host visits all entries of the table.
// There is no way to ask how the host stores an array. So arrays that may have holes are recorded
// here, and the clock is checked more often only for them. All other arrays are lists.
//
// When elements fill the holes of a hash table, the host converts the table to a list at some
// point. To do so, it looks up each index. If the table contains only numbers, the list stores them
// unboxed (long-lists.ts). The next element that is not a number then makes the host move all
// elements again. So before such a store into a long array that may be a table, this module makes
// sure that there is enough time and memory for the conversion.

import { type GuestObject, slotsOf } from "../guest-value.ts";
import { chargeGuest, checkClockSooner, currentMeter, requireRoom, requireTime } from "../limits.ts";
import { longNumberList } from "../long-lists.ts";
import { beforeAttributes, beforeElementStore, minMoved, noteEmptied, requireMoves } from "./elements.ts";

// The maximum length of an array that the host stores as a list. Longer arrays are hash tables.
const maxListLength = 2 ** 25;
// The maximum number of entries of a hash table that fits into the memory of a sandbox.
const maxEntries = 2 ** 23;
// How many entries of a hash table the host visits in the time of one operation.
const entriesPerOperation = 2;

const holey = new WeakSet<object>();
/** The known facts about an array that the host may store as a hash table. */
interface Table {
  /** The index at which an element that is not a number was last stored, or -1. */
  otherIndex: number;
  /** How many more holes may be filled before the array is examined again. */
  holesLeft: number;
  /** Whether the array has so few holes that the host will probably convert it to a list soon. */
  isDense: boolean;
}

const tables = new WeakMap<object, Table>();

/** Records that an array may have holes now. */
export function noteHoles(array: readonly unknown[]): void {
  if (array.length >= minMoved) holey.add(array);
}

/** Records that the host may convert an array to a hash table now. */
export function noteTable(array: readonly unknown[]): void {
  if (array.length >= minMoved) addTable(array);
}

function addTable(array: readonly unknown[]): void {
  holey.add(array);
  if (!tables.has(array)) tables.set(array, { otherIndex: -1, holesLeft: 0, isDense: false });
}

/**
 * Says whether the host may store an array as a hash table. Before a store into such an array, call
 * {@link beforeElement}.
 */
export function mayBeTable(array: readonly unknown[]): boolean {
  return array.length >= longNumberList && tables.has(array);
}

/** Records that the host stores an array as a list of references. */
export function noteList(array: readonly unknown[]): void {
  tables.delete(array);
}

/** Does the same as {@link noteTable} if the object is an array; otherwise does nothing. */
export function noteTableOf(object: GuestObject): void {
  if (isOwnArray(object)) noteTable(object);
}

/**
 * Prepares for storing or defining a property. If the property leaves a gap between many elements,
 * makes the next check of the clock happen sooner.
 */
export function beforeStore(object: GuestObject, key: string | symbol | number, value: unknown): void {
  if (mayBeIndex(key) && isOwnArray(object)) beforeElement(object, Number(key), value);
  const index = indexOf(key);
  if (index < minMoved) return;
  if (!isOwnArray(object)) beforeElementStore(object, index);
  else if (index > object.length) beforeGap(object, index);
}

/**
 * Prepares for storing an element of an array. Ends the execution if there is not enough time or
 * memory to move all elements for this store.
 */
export function beforeElement(array: readonly unknown[], index: number, value: unknown): void {
  if (array.length < longNumberList) return;
  const table = tables.get(array);
  if (table === undefined) return;
  if (typeof value !== "number") {
    if (!hasOtherElement(array, table.otherIndex)) requireReferences(array);
    table.otherIndex = index;
  }
  if (!Object.hasOwn(array, index)) beforeHoleIsFilled(array, table);
}

/** Says whether an array has an element at this index that is not a number. */
function hasOtherElement(array: readonly unknown[], index: number): boolean {
  const descriptor = index < 0 ? undefined : Reflect.getOwnPropertyDescriptor(array, index);
  return descriptor !== undefined && typeof descriptor.value !== "number";
}

// The host converts a hash table to a list when at least one of every 18 indexes has an element.
// Sometimes it waits until one of every 9 indexes has one.
const minDensityOfList = 1 / 18;
// Estimated densities are imprecise, so they are compared with half of the minimum density.
const minDenseEstimate = minDensityOfList / 2;
const fillsOfDenseTable = 1_024;
// The time and memory that the host needs for each index of a new list.
const operationsPerPlace = 2;
const bytesPerPlace = 12;

function beforeHoleIsFilled(array: readonly unknown[], table: Table): void {
  if (array.length > maxListLength) return;
  if (--table.holesLeft < 0) {
    const density = densityOf(array, placesOfTable);
    table.isDense = density >= minDenseEstimate;
    table.holesLeft = table.isDense ? fillsOfDenseTable : (minDensityOfList / 2 - density / 2) * array.length;
  }
  if (table.isDense) currentMeter()?.require(operationsPerPlace * array.length, bytesPerPlace * array.length);
  chargeGuest(1);
}

/**
 * Call it before an array becomes inextensible, because the host then creates an object for each
 * unboxed number (see long-lists.ts). That can take long, so the execution ends here if there is
 * not enough time or memory.
 */
export function beforeLock(object: GuestObject): void {
  if (isOwnArray(object) && mayBeTable(object)) requireReferences(object);
}

// The time and memory that the host needs to create an object for an unboxed number.
const operationsPerReference = 3;
const bytesPerReference = 24;

function requireReferences(array: readonly unknown[]): void {
  requireMoves(array, operationsPerReference, bytesPerReference);
  chargeGuest(1);
}

/**
 * Call it before a property is defined with unusual attributes (for example, as read-only), because
 * the host may then convert an array to a hash table.
 */
export function beforeUnusual(object: GuestObject, key: string | symbol | number): void {
  if (mayBeIndex(key)) beforeAttributes(object, Number(key));
}

/** Says whether a key may be an index. */
export const mayBeIndex = (key: string | symbol | number): key is string | number =>
  typeof key === "number" || (typeof key === "string" && key.charCodeAt(0) <= codeOfNine);

/**
 * Prepares for a change of an array's length. If the change may take the host long, makes the next
 * check of the clock happen sooner.
 */
export function beforeLengthChange(array: readonly unknown[], length: number): void {
  const before = array.length;
  if (length < before) {
    if (before >= minMoved) beforeShortening(array, length);
  } else if (length > before && length >= minMoved) beforeMove(array);
}

// A program that uses a long array as a stack shortens it very often. If each change were checked
// for holes, `pop` would become much slower. So only a random sample of the changes is examined,
// and each examined change is charged for the skipped ones, too. No program can predict which
// changes are examined. The choice does not change what is counted.
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
  // The host may use a list instead of a hash table even if most of the list consists of holes.
  // Such a list needs memory for each hole.
  const elements = array.length * densityOf(array, sampledPlaces);
  const places = index <= maxPlacesPerElement * elements ? spareRoom * index : 0;
  requireRoom(bytesOfPlace * places);
  requireTime(places);
}

/**
 * Makes the next check of the clock happen sooner. Call it before an array gets holes, because the
 * host may then move all elements, which takes long.
 */
function beforeMove(array: readonly unknown[]): void {
  addTable(array);
  if (array.length >= minAlwaysExamined) {
    requireMoves(array);
    chargeGuest(1);
  }
  checkClockSooner(Math.min(array.length, maxEntries));
}

// The host stores an array as a list instead of a hash table if the list's length is at most this
// many times the number of elements.
const maxPlacesPerElement = 18;
const spareRoom = 1.5;
const bytesOfPlace = 8;
// The minimum length of a list whose holes take noticeable memory.
const longListed = 2 ** 20;
const sampledPlaces = 128;
const placesOfTable = 512;

/**
 * Estimates the fraction of an array's indexes that have elements. It checks random indexes,
 * because a program that knew them could fill only those. The estimate decides only whether the
 * execution is stopped; it does not change what is counted.
 */
function densityOf(array: readonly unknown[], places: number): number {
  let found = 1;
  for (let sample = 0; sample < places; sample++)
    if (Object.hasOwn(array, Math.floor(Math.random() * array.length))) found++;
  return Math.min(1, found / places);
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
 * Says whether an object is itself an array, not a proxy of one. Excludes proxies first (they have
 * slots), because `Array.isArray` would follow a whole chain of proxies.
 */
const isOwnArray = (object: GuestObject): object is GuestObject & unknown[] =>
  slotsOf(object) === undefined && Array.isArray(object);
