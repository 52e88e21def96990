// The `arguments` object, and rest parameters. In strict code, `arguments` is an ordinary object
// whose properties "0", "1", ... are the arguments. Assigning to a parameter does not change it.

import { defineHidden, type InstanceSite, instanceSite, LateSlots, settle, takeStored } from "../function-object.ts";
import { throwTypeError } from "../guest-throw.ts";
import { brand, type GuestObject, slotsOf } from "../guest-value.ts";
import { pushTo } from "../long-lists.ts";
import type { Realm } from "../realm/realm.ts";
import { toHostDescriptor } from "./property.ts";

/**
 * The slots of an arguments object. Because of them, Object.prototype.toString returns "[object
 * Arguments]".
 */
class ArgumentsSlots extends LateSlots {
  readonly type = "arguments";
  readonly length: number;
  readonly #realm: Realm;

  constructor(realm: Realm, length: number) {
    super();
    this.#realm = realm;
    this.length = length;
  }

  get values(): GuestObject {
    return this.#realm.intrinsic("ArrayPrototypeValues");
  }

  settle(self: GuestObject): void {
    if (this.settled) return;
    this.settled = true;
    const stored = takeStored(self);
    Object.setPrototypeOf(self, this.#realm.objectPrototype);
    defineHidden(self, "length", this.length, true);
    defineHidden(self, Symbol.iterator, this.values, true);
    Object.defineProperty(self, "callee", this.#realm.calleeDescriptor);
    if (stored) Object.defineProperties(self, stored);
  }
}

/** Creates the arguments object of a call. */
export function argumentsObject(realm: Realm, args: readonly unknown[]): GuestObject {
  realm.meter.allocate(160 + 8 * args.length);
  realm.meter.allocate(96);
  const object = new realm.ArgumentsSite();
  for (let index = 0; index < args.length; index++) {
    if (realm.intact) object[index] = args[index];
    else
      Object.defineProperty(object, index, {
        value: args[index],
        writable: true,
        enumerable: true,
        configurable: true,
      });
  }
  return brand(object, new ArgumentsSlots(realm, args.length));
}

/**
 * Creates the host constructor of arguments objects. Own properties are expensive to create, and
 * most programs never change the properties of `arguments`. So the prototype has accessors instead.
 * The first change of a property creates the own properties, as with functions
 * (function-object.ts).
 */
export function makeArgumentsSite(objectPrototype: GuestObject): InstanceSite {
  const standIn = Object.create(objectPrototype) as GuestObject;
  const stand = (key: string | symbol, read: (slots: ArgumentsSlots, self: GuestObject) => unknown): void => {
    Object.defineProperty(standIn, key, {
      get(this: GuestObject) {
        return read(slotsOf(this) as ArgumentsSlots, this); // only arguments objects inherit this accessor
      },
      set(this: GuestObject, value: unknown) {
        settle(this);
        if (!Reflect.set(this, key, value)) throw new TypeError(`"${String(key)}" cannot be assigned`);
      },
    });
  };
  stand("length", ({ length }) => length);
  stand(Symbol.iterator, ({ values }) => values);
  stand("callee", (slots, self) => {
    slots.settle(self);
    return self["callee"];
  });
  return instanceSite(standIn);
}

/** Creates the array of a rest parameter. */
export function remainingArguments(realm: Realm, args: readonly unknown[], start: number): GuestObject {
  const list: unknown[] = [];
  for (let index = start; index < args.length; index++) pushTo(list, args[index]);
  return realm.newArray(list);
}

/** Returns the host's descriptor of the property `callee`, which all arguments objects have. */
export function makeCalleeDescriptor({ throwTypeErrorFunction: thrower }: Realm): PropertyDescriptor {
  return toHostDescriptor({ get: thrower, set: thrower, enumerable: false, configurable: false });
}

/** Creates the function `%ThrowTypeError%`. */
export function makeThrowTypeErrorFunction(realm: Realm): GuestObject {
  const thrower = realm.newNativeFunction("", 0, () =>
    throwTypeError('"callee", "caller" and "arguments" of functions are not available'),
  );
  settle(thrower);
  return Object.freeze(thrower);
}
