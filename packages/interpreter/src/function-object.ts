// Guest functions: objects with FunctionSlots. All closures of one function literal share one
// FunctionCode; the slots hold the data that differs between closures. Each built-in has its own
// FunctionCode with a `native`.
//
// FunctionCode also keeps two layers apart that need each other: operations call guest functions,
// and guest functions are compiled to closures that call operations. Operations see only the code
// of a function. So they need not import the layers above them, which make functions
// (compile/function.ts and realm/native-code.ts).
//
// Making a closure must be cheap, and its three own properties (`length`, `name`, `prototype`) are
// expensive. So a new function has none of them. Instead, its host prototype is a stand-in that
// only this file knows. The stand-in has accessors that define the three properties at their first
// use and then set the real prototype. This is called "settling". An operation settles a function
// before it uses own properties of the function, or sets the function as the prototype of an
// object. So only a plain read of a property of the function itself ever reaches the stand-in.

import type { Node } from "acorn";
import type { Frame } from "./frame.ts";
import type { Position } from "./guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOf, slotsOfCallee } from "./guest-value.ts";
import type { Meter } from "./limits.ts";
import type { Delegation } from "./operations/generator.ts";
import type { PropertyKeyValue } from "./operations/property.ts";

/** The kinds of functions. They differ in their prototype and in their own `prototype` property. */
export type FunctionKind = "normal" | "async" | "generator" | "async-generator";

/**
 * The behaviour of a built-in when it is called. Absent arguments are undefined. A native that must
 * count its arguments takes a rest parameter.
 */
export type Native = (thisValue: unknown, ...args: unknown[]) => unknown;

/** The behaviour of a built-in when it is called with `new`. */
export type NativeConstruct = (newTarget: GuestObject, ...args: unknown[]) => GuestObject;

/** The data that all closures of one function literal, or one built-in, share. */
export interface FunctionCode {
  readonly name: PropertyKeyValue;
  /**
   * The number of parameters before the first one that is a rest parameter or has a default value.
   */
  readonly length: number;
  /**
   * How `new` treats the function: `none` if `new` cannot call it, `derived` for a class that
   * extends another, `base` for all other constructors.
   */
  readonly construct: "none" | "base" | "derived";
  readonly isClass: boolean;
  /**
   * Which kind of own `prototype` property the functions have. Code can assign to this property,
   * except in classes. The prototype object of a generator has no `constructor`.
   */
  readonly prototypeProperty: "none" | "constructor" | "class" | "generator" | "async-generator";
  readonly native: Native | null;
  readonly nativeConstruct: NativeConstruct | null;
  /**
   * For the `next` method of a built-in iterator: returns the next value, or `iterationEnd`,
   * without making a result object.
   */
  readonly step: ((iterator: unknown, delegation?: Delegation) => unknown) | null;
  /**
   * Returns the result of `Function.prototype.toString`: the guest's source, or for a built-in a
   * text such as `function map() { [native code] }`.
   */
  readonly sourceText: () => string;
  /** The position of the definition in the guest's source; null for built-ins. */
  readonly definedAt: Position | null;
  /** The syntax node of the guest's function; null for built-ins. */
  readonly node: Node | null;
  /** The meter of the realm. It counts operations and memory. */
  readonly meter: Meter;

  /** The number of slots in a frame of this function, slot 0 included. */
  size: number;
  /** The number of parameters that a simple call (see `simple`) stores into slots 1, 2, ... */
  parameterCount: number;
  /**
   * Whether a call only makes a frame, stores the arguments and runs the body. False for classes,
   * and for functions with `arguments` or a rest parameter, for example.
   */
  simple: boolean;
  /** The same as `simple`, for a call with `new`. */
  simpleConstruct: boolean;
  /**
   * The frame slot of `this`; 0 when neither the function nor an arrow function in it uses `this`.
   */
  thisSlot: number;
  /** Whether the frame stores the function itself or its home object. */
  storesSelfOrHome: boolean;
  /** The frame slot of the home object, in whose prototype `super.x` looks up `x`. */
  homeSlot: number;
  /** The frame slot of the function itself. */
  selfSlot: number;
  /** The frame slot of `new.target`. */
  newTargetSlot: number;
  /** Runs the body on a frame that already contains the parameters. Never called for natives. */
  run: (frame: Frame) => unknown;
  /**
   * Called when a call of this function uses up the meter's current chunk of operations.
   * `operations` is the size of that chunk. A function for which this happens often is optimised
   * (hot-spot.ts).
   */
  warm: (operations: number) => void;
  /** Runs a call of any form: makes the frame, binds all parameters and runs the body. */
  enter: (
    slots: FunctionSlots,
    thisValue: unknown,
    args: readonly unknown[],
    newTarget: GuestObject | undefined,
  ) => unknown;
}

/** The slots of one function. Each closure has its own, so they are kept small. */
export class FunctionSlots implements Slots {
  readonly code: FunctionCode;
  readonly environment: Frame | null;
  /** The function itself. */
  self: GuestObject;
  /** The object in whose prototype `super.x` looks up `x`; null outside methods. */
  homeObject: GuestObject | null = null;
  /**
   * A name that replaces the name in the code. Used for methods with computed keys, and for
   * anonymous functions that get a name when they are assigned.
   */
  givenName: PropertyKeyValue | null = null;
  /** The data that `new` uses; null until the first `new`. */
  instances: InstanceMaking | null = null;
  /** The host functions that call this function as an accessor; null until it is one. */
  accessors: HostAccessors | null = null;
  /** False until `length`, `name` and `prototype` have been created. */
  settled = false;

  constructor(code: FunctionCode, environment: Frame | null, self: GuestObject) {
    this.code = code;
    this.environment = environment;
    this.self = self;
  }

  get type(): "function" {
    return "function";
  }

  get held(): readonly unknown[] {
    return [this.environment, this.homeObject];
  }
}

/**
 * The host's getter and setter for one guest function. There is only one of each, so that the host
 * can compare them.
 */
export interface HostAccessors {
  get?: () => unknown;
  set?: (value: unknown) => void;
}

/** The data with which a constructor makes instances. */
export interface InstanceMaking {
  /** Runs the field initialisers of a class on a new instance. */
  initializeFields: ((instance: GuestObject) => void) | null;
  /** The host constructor for instances, made for the value of `prototype` below. */
  site: InstanceSite | null;
  prototype: GuestObject | null;
}

/**
 * A host constructor with an empty body. All its instances have the same prototype, and share one
 * hidden class.
 */
export type InstanceSite = { new (): GuestObject; prototype: GuestObject };

/** Creates an {@link InstanceSite}. */
export function instanceSite(prototype: GuestObject | null): InstanceSite {
  const site = function () {} as unknown as InstanceSite; // an ordinary function called with `new` returns an object
  site.prototype = prototype as GuestObject; // callers use `Object.create` instead of this constructor if the prototype is null
  return site;
}

/** Returns the slots of a function, or undefined if the value is not a function. */
export function functionSlots(value: unknown): FunctionSlots | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const slots = slotsOf(value);
  return slots instanceof FunctionSlots ? slots : undefined;
}

/**
 * The same as {@link functionSlots}, for a value that is about to be called. This is a separate
 * function, because V8 optimises each function for the values that it gets.
 */
export function calleeSlots(value: unknown): FunctionSlots | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const slots = slotsOfCallee(value);
  return slots instanceof FunctionSlots ? slots : undefined;
}

/** Creates the functions of one kind (normal, async, generator, ...) in one realm. */
export class FunctionFamily {
  readonly prototype: GuestObject;
  readonly #site: InstanceSite;
  readonly #makePrototypeProperty: (slots: FunctionSlots) => GuestObject;

  /**
   * @param prototype - the result of `Object.getPrototypeOf` for functions of this kind
   * @param makePrototypeProperty - makes the initial value of a function's own `prototype` property
   */
  constructor(prototype: GuestObject, makePrototypeProperty: (slots: FunctionSlots) => GuestObject) {
    this.prototype = prototype;
    this.#makePrototypeProperty = makePrototypeProperty;
    this.#site = instanceSite(makeStandIn(prototype, this));
  }

  /** Returns a new function whose own properties do not exist yet. */
  make(code: FunctionCode, environment: Frame | null): FunctionSlots {
    const self = new this.#site();
    const slots = new FunctionSlots(code, environment, self);
    brand(self, slots);
    return slots;
  }

  /** Creates the own properties that every function of this kind has. */
  settle(slots: FunctionSlots): void {
    if (slots.settled) return;
    slots.settled = true;
    const { self, code } = slots;
    const stored = takeStored(self);
    Object.setPrototypeOf(self, this.prototype);
    defineHidden(self, "length", code.length, false);
    defineHidden(self, "name", functionName(slots.givenName ?? code.name), false);
    if (code.prototypeProperty !== "none") {
      const value = this.#makePrototypeProperty(slots);
      const writable = code.prototypeProperty !== "class";
      Object.defineProperty(self, "prototype", { value, writable, enumerable: false, configurable: false });
    }
    if (stored) Object.defineProperties(self, stored);
  }
}

/**
 * Removes and returns the properties that code stored in an object before the object was settled.
 * The caller adds them again after the built-in properties, which must come first in the order of
 * keys.
 */
export function takeStored(self: GuestObject): PropertyDescriptorMap | null {
  const keys = Reflect.ownKeys(self);
  if (keys.length === 0) return null;
  const stored = Object.getOwnPropertyDescriptors(self);
  for (const key of keys) Reflect.deleteProperty(self, key);
  return stored;
}

/**
 * Creates the own properties of a function or of `arguments` if they do not exist yet. Ignores
 * other objects.
 */
export function settle(object: object): void {
  const slots = slotsOf(object);
  if (slots instanceof FunctionSlots) {
    if (!slots.settled) standIns.get(Object.getPrototypeOf(object))?.settle(slots);
  } else if (slots instanceof LateSlots && !slots.settled) slots.settle(object as GuestObject); // it has slots
}

/**
 * The slots of objects that are not functions but, like functions, create their own properties
 * lazily: see {@link settle}.
 */
export abstract class LateSlots implements Slots {
  abstract readonly type: string;
  settled = false;

  /** Creates the own properties if they do not exist yet. */
  abstract settle(self: GuestObject): void;
}

/**
 * Returns the text of a function's `name` property. The description of a symbol is put in brackets.
 */
export function functionName(key: PropertyKeyValue, prefix = ""): string {
  const name = typeof key === "symbol" ? (key.description === undefined ? "" : `[${key.description}]`) : String(key);
  return prefix === "" ? name : `${prefix} ${name}`;
}

const standIns = new WeakMap<object, FunctionFamily>();

/** Creates the object that is the prototype of functions until their own properties exist. */
function makeStandIn(prototype: GuestObject, family: FunctionFamily): GuestObject {
  const standIn = Object.create(prototype) as GuestObject;
  for (const key of ["length", "name", "prototype"]) {
    Object.defineProperty(standIn, key, {
      get(this: unknown) {
        return Reflect.get(settled(this, family), key, this);
      },
      set(this: unknown, value: unknown) {
        if (!Reflect.set(settled(this, family), key, value, this)) throw new TypeError(`"${key}" cannot be assigned`);
      },
    });
  }
  standIns.set(standIn, family);
  return standIn;
}

function settled(receiver: unknown, family: FunctionFamily): object {
  if (!isObject(receiver)) throw new TypeError("the receiver is not a function");
  family.settle(slotsOf(receiver) as FunctionSlots); // only functions that are not settled inherit these accessors
  return receiver;
}

/** Defines a configurable property that is not enumerable. */
export function defineHidden(object: object, key: string | symbol, value: unknown, writable: boolean): void {
  Object.defineProperty(object, key, { value, writable, enumerable: false, configurable: true });
}
