// Methods of typed arrays that call a function for each element.

import { throwTypeError } from "../../guest-throw.ts";
import type { GuestObject } from "../../guest-value.ts";
import { pushTo } from "../../long-lists.ts";
import { call, requireCallable } from "../../operations/call.ts";
import { storeElement, toElement } from "../../operations/typed-array-element.ts";
import { type TypedArray, typedArrayKind, typedArrayLength } from "../../slots/typed-array.ts";
import { counted, type MethodTable, withLength } from "../define.ts";
import type { Realm } from "../realm.ts";
import { createFromSpecies } from "./create.ts";
import { requireTypedArray } from "./receiver.ts";

/** Creates the methods that take a callback. */
export function typedArrayCallbackMethods(realm: Realm): MethodTable {
  return {
    every: counted(
      withLength(1, (thisValue, callback, thisArg) => {
        const { array, length, fn } = receiver(thisValue, callback, "every");
        for (let index = 0; index < length; index++) {
          realm.meter.charge(1);
          if (!call(fn, thisArg, array[index], index, array)) return false;
        }
        return true;
      }),
    ),
    filter: counted(
      withLength(1, (thisValue, callback, thisArg) => {
        const { array, length, fn } = receiver(thisValue, callback, "filter");
        const kept: unknown[] = [];
        for (let index = 0; index < length; index++) {
          realm.meter.charge(1);
          const value = array[index];
          if (call(fn, thisArg, value, index, array)) pushTo(kept, value);
        }
        realm.meter.allocate(8 * kept.length);
        const result = createFromSpecies(realm, array, [kept.length]);
        const kind = typedArrayKind(result);
        for (const [index, value] of kept.entries()) storeElement(result, index, toElement(kind, value));
        return result;
      }),
    ),
    forEach: counted(
      withLength(1, (thisValue, callback, thisArg) => {
        const { array, length, fn } = receiver(thisValue, callback, "forEach");
        for (let index = 0; index < length; index++) {
          realm.meter.charge(1);
          call(fn, thisArg, array[index], index, array);
        }
      }),
    ),
    map: counted(
      withLength(1, (thisValue, callback, thisArg) => {
        const { array, length, fn } = receiver(thisValue, callback, "map");
        const result = createFromSpecies(realm, array, [length]);
        const kind = typedArrayKind(result);
        for (let index = 0; index < length; index++) {
          realm.meter.charge(1);
          storeElement(result, index, toElement(kind, call(fn, thisArg, array[index], index, array)));
        }
        return result;
      }),
    ),
    reduce: counted(reducing(realm, "reduce")),
    reduceRight: counted(reducing(realm, "reduceRight")),
    some: counted(
      withLength(1, (thisValue, callback, thisArg) => {
        const { array, length, fn } = receiver(thisValue, callback, "some");
        for (let index = 0; index < length; index++) {
          realm.meter.charge(1);
          if (call(fn, thisArg, array[index], index, array)) return true;
        }
        return false;
      }),
    ),
  };
}

interface Receiver {
  readonly array: TypedArray;
  readonly length: number;
  readonly fn: GuestObject;
}

function receiver(thisValue: unknown, callback: unknown, method: string): Receiver {
  const array = requireTypedArray(thisValue, method);
  return { array, length: typedArrayLength(array), fn: requireCallable(callback, method) };
}

function reducing(realm: Realm, method: "reduce" | "reduceRight") {
  return withLength(1, (thisValue, callback, ...initial) => {
    const { array, length, fn } = receiver(thisValue, callback, method);
    const isRight = method === "reduceRight";
    const indexOf = (count: number): number => (isRight ? length - 1 - count : count);
    if (initial.length === 0 && length === 0)
      return throwTypeError("an empty typed array needs an initial value to be reduced");
    let accumulator: unknown = initial.length > 0 ? initial[0] : array[indexOf(0)];
    for (let count = initial.length > 0 ? 0 : 1; count < length; count++) {
      realm.meter.charge(1);
      const index = indexOf(count);
      accumulator = call(fn, undefined, accumulator, array[index], index, array);
    }
    return accumulator;
  });
}
