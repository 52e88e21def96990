import { throwRangeError, throwTypeError } from "../../guest-throw.ts";
import { type GuestObject, isObject } from "../../guest-value.ts";
import { construct, isConstructor } from "../../operations/call.ts";
import { beforeElement, beforeStore } from "../../operations/holes.ts";
import { isArray } from "../../operations/is-array.ts";
import { createDataPropertyOrThrow, get, setOrThrow } from "../../operations/property.ts";
import type { Realm } from "../realm.ts";
import { maxArrayLength, setHostLength } from "./plain-array.ts";

/**
 * The result array of a method such as `map`. If the original is an instance of a guest class, so
 * is the result.
 */
export class ResultArray {
  readonly array: GuestObject;
  readonly #realm: Realm;
  readonly #plain: unknown[] | null;

  /**
   * @param length - the argument for the constructor of a guest class. A plain array gets its
   *   length in {@link finish} instead
   */
  constructor(realm: Realm, original: GuestObject, length: number) {
    this.#realm = realm;
    const species = arraySpecies(realm, original);
    if (species) {
      this.array = construct(species, [length]);
      this.#plain = null;
    } else {
      if (length > maxArrayLength) throwRangeError(`an array cannot have ${length} elements`);
      const plain = realm.newArray();
      this.array = plain;
      this.#plain = plain;
    }
  }

  /** Defines an element. */
  define(index: number, value: unknown): void {
    if (this.#plain && this.#realm.intact && index < maxArrayLength) {
      this.#realm.meter.allocateElement(this.#plain, index);
      if (index > this.#plain.length)
        beforeStore(this.#plain as unknown[] & GuestObject, index, value); // a guest array is a guest object too
      else beforeElement(this.#plain, index, value);
      this.#plain[index] = value;
    } else {
      this.#realm.meter.allocateElement(this.array, index);
      createDataPropertyOrThrow(this.array, index, value);
    }
  }

  /**
   * Returns the array. If it is a plain array, sets its length first, because an array whose last
   * elements are holes would be too short.
   */
  finish(length: number): GuestObject {
    if (this.#plain && this.#plain.length < length) setHostLength(this.#realm, this.#plain, length);
    return this.array;
  }

  /** Sets the length. */
  setLength(length: number): void {
    if (this.#plain && length <= maxArrayLength) {
      if (this.#plain.length !== length) setHostLength(this.#realm, this.#plain, length);
    } else setOrThrow(this.array, "length", length);
  }
}

/** Returns the constructor for arrays derived from this one; undefined for plain arrays. */
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
