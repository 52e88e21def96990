// What the methods of arrays have in common: their receivers, callbacks, positions, and the arrays that they make.

import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { type GuestObject, isObject, slotsOf, slotsOfKind } from "../../guest-value.ts";
import { construct, isCallable, isConstructor } from "../../operations/call.ts";
import { toIntegerOrInfinity } from "../../operations/conversion.ts";
import { createDataPropertyOrThrow, get, RootPrototypeSlots, setOrThrow } from "../../operations/property.ts";
import { proxyState } from "../../operations/proxy.ts";
import { valueText } from "../../operations/text.ts";
import type { Realm } from "../realm.ts";

/** The longest array that the language allows. */
export const longestArray: number = 2 ** 32 - 1;

/** Whether a value is an array, or a proxy of one. @throws a guest TypeError for a revoked proxy */
export function isArray(value: unknown): value is GuestObject {
  const state = isObject(value) ? proxyState(value) : undefined;
  if (!state) return Array.isArray(value) || isArrayPrototype(value);
  if (!state.target) return throwTypeError("the proxy has been revoked");
  return isArray(state.target);
}

/** The language's Array.prototype is an array; the guest's is an object that is taken for one. */
function isArrayPrototype(value: unknown): boolean {
  const slots = slotsOfKind(value, RootPrototypeSlots);
  return slots !== undefined && slots.realm.arrayPrototype === value;
}

/** The value itself. @throws a guest TypeError when it cannot be called */
export function requireCallable(value: unknown, method: string): GuestObject {
  if (isCallable(value)) return value;
  return throwTypeError(`"${method}" needs a function, got ${valueText(value)}`);
}

/** Whether an array-like object has an element. Looking for one that is not there takes the host several times as long. */
export function hasElement(realm: Realm, object: GuestObject, index: number): boolean {
  if (index in object) return true;
  realm.meter.charge(index < longestArray ? 4 : 12);
  return false;
}

/** A position counted from the end when negative, held between 0 and `length`. */
export function relativeIndex(value: unknown, length: number, absent: number): number {
  if (value === undefined) return absent;
  const index = toIntegerOrInfinity(value);
  return index < 0 ? Math.max(length + index, 0) : Math.min(index, length);
}

/** A new array of a length. @throws a guest RangeError when it is too long */
export function arrayCreate(realm: Realm, length: number): unknown[] & GuestObject {
  if (length > longestArray) return throwRangeError(`an array cannot have ${length} elements`);
  const array = realm.newArray();
  if (length > 0) setHostLength(realm, array, length);
  return array;
}

/** Sets the length of a host array whose length is writable, and counts the room that it takes. */
export function setHostLength(realm: Realm, array: unknown[], length: number): void {
  // The host keeps longer arrays as tables, which take no room for holes.
  if (length > array.length && length <= 2 ** 25) realm.meter.allocate(8 * (length - array.length));
  array.length = length;
}

/** Whether plain stores do what the language asks for when elements are added to or changed in an array. */
export function isPlainArray(realm: Realm, object: unknown): object is unknown[] {
  if (!realm.intact || !Array.isArray(object) || slotsOf(object) !== undefined) return false;
  return Object.getPrototypeOf(object) === realm.arrayPrototype;
}

/** The array that a method such as `map` makes out of another: of the same class when that is a class of the guest's. */
export class ResultArray {
  readonly array: GuestObject;
  readonly #realm: Realm;
  readonly #plain: unknown[] | null;

  /** @param length - what the constructor of the class is called with; a plain array gets it by {@link finish} */
  constructor(realm: Realm, original: GuestObject, length: number) {
    this.#realm = realm;
    const species = arraySpecies(realm, original);
    if (species) {
      this.array = construct(species, [length]);
      this.#plain = null;
    } else {
      if (length > longestArray) throwRangeError(`an array cannot have ${length} elements`);
      const plain = realm.newArray();
      this.array = plain;
      this.#plain = plain;
    }
  }

  /** Defines an element. */
  define(index: number, value: unknown): void {
    if (this.#plain && this.#realm.intact && index < longestArray) {
      this.#realm.meter.allocateElement(index);
      this.#plain[index] = value;
    } else {
      this.#realm.meter.allocateElement(index);
      createDataPropertyOrThrow(this.array, index, value);
    }
  }

  /** Gives a plain array the length that it was to have: holes at its end have not been defined. */
  finish(length: number): GuestObject {
    if (this.#plain && this.#plain.length < length) setHostLength(this.#realm, this.#plain, length);
    return this.array;
  }

  /** Sets the length. */
  setLength(length: number): void {
    if (this.#plain && length <= longestArray) {
      if (this.#plain.length !== length) setHostLength(this.#realm, this.#plain, length);
    } else setOrThrow(this.array, "length", length);
  }
}

/** The constructor that arrays derived from this one are made with; undefined for plain arrays. */
function arraySpecies(realm: Realm, original: GuestObject): GuestObject | undefined {
  if (!isArray(original)) return undefined;
  let species = get(original, "constructor");
  if (isObject(species)) {
    species = get(species, Symbol.species);
    if (species === null) return undefined;
  }
  if (species === undefined || species === realm.intrinsic("Array")) return undefined;
  if (!isConstructor(species)) return throwTypeError("the array's species is not a constructor");
  return species;
}
