// Guest functions: objects with FunctionSlots.
//
// All closures of one function literal share one FunctionCode; a built-in has a FunctionCode of its
// own with a `native`. The slots hold what differs from closure to closure. FunctionCode is also
// where the layers meet that need each other: operations call guest functions, which are compiled
// to closures that call operations. The operations know a function by its code alone; what made it,
// compile/function.ts or realm/native-code.ts, lies above them.
//
// Making a closure must be cheap, and three own properties (`length`, `name`, `prototype`) are
// dear. So a new function has none: its host prototype is a stand-in that only this file knows,
// whose accessors make the properties at the first touch ("settling") and then give way to the true
// prototype. Every operation that looks at own properties settles first, and so does whatever turns
// a function into a prototype; so only a plain read of the function itself ever meets the stand-in.

import type { Node } from "acorn";
import type { Frame } from "./frame.ts";
import type { Position } from "./guest-throw.ts";
import { brand, type GuestObject, isObject, type Slots, slotsOf, slotsOfCallee } from "./guest-value.ts";
import type { Meter } from "./limits.ts";
import type { PropertyKeyValue } from "./operations/property.ts";

/**
 * The kinds of functions, which differ in their prototype and in their own `prototype` property.
 */
export type FunctionKind = "normal" | "async" | "generator" | "async-generator";

/**
 * A built-in's behaviour when called. Absent arguments are undefined; a rest parameter tells their
 * number.
 */
export type Native = (thisValue: unknown, ...args: unknown[]) => unknown;

/** A built-in's behaviour with `new`. */
export type NativeConstruct = (newTarget: GuestObject, ...args: unknown[]) => GuestObject;

/** What all closures of one function literal, or one built-in, share. */
export interface FunctionCode {
  readonly name: PropertyKeyValue;
  /** Parameters before the first with a default or rest. */
  readonly length: number;
  /** `base` and `derived` may be called with `new`; `class` constructors only so. */
  readonly construct: "none" | "base" | "derived";
  readonly isClass: boolean;
  /**
   * Which `prototype` property its functions have: of constructors writable, of classes not, of
   * generators without `constructor`.
   */
  readonly prototypeProperty: "none" | "constructor" | "class" | "generator" | "async-generator";
  readonly native: Native | null;
  readonly nativeConstruct: NativeConstruct | null;
  /**
   * For the `next` of a built-in iterator: returns the next value, or `iterationEnd`, without a
   * result object.
   */
  readonly step: ((iterator: unknown) => unknown) | null;
  /** `Function.prototype.toString`'s text: the guest's own source, or the native form. */
  readonly sourceText: () => string;
  /** Where the guest defined it; null for built-ins. */
  readonly definedAt: Position | null;
  /** The guest's own code; null for built-ins. */
  readonly node: Node | null;
  /** The realm's meter. */
  readonly meter: Meter;

  /** Slots of its frame, slot 0 included. */
  size: number;
  /** Parameters that a simple call stores into slots 1, 2, ... */
  parameterCount: number;
  /**
   * A call only opens a frame, stores arguments and runs: no `arguments`, defaults, patterns or
   * rest, not async, no generator.
   */
  simple: boolean;
  /** The same for a call with `new`. */
  simpleConstruct: boolean;
  /** Where a frame keeps `this`; 0 when it is not used, here and below. */
  thisSlot: number;
  /** Whether it keeps any of the following two. */
  knowsItself: boolean;
  /** Where it keeps the object whose prototype `super` starts from. */
  homeSlot: number;
  /** Where it keeps the function itself. */
  selfSlot: number;
  /** Where it keeps `new.target`. */
  newTargetSlot: number;
  /** Runs the body on a frame whose parameters are stored; for a native it is never called. */
  run: (frame: Frame) => unknown;
  /** Takes notice that so many operations ended with a call of it. */
  warm: (operations: number) => void;
  /** The general call: makes the frame, binds everything, runs. */
  enter: (
    slots: FunctionSlots,
    thisValue: unknown,
    args: readonly unknown[],
    newTarget: GuestObject | undefined,
  ) => unknown;
}

/** The slots of one function. Kept small: one is made for each closure. */
export class FunctionSlots implements Slots {
  readonly code: FunctionCode;
  readonly environment: Frame | null;
  /** The function itself. */
  self: GuestObject;
  /** Whose prototype `super` starts from; null outside methods. */
  homeObject: GuestObject | null = null;
  /**
   * Replaces the code's name, for methods with computed keys and for anonymous functions that get a
   * name.
   */
  givenName: PropertyKeyValue | null = null;
  /** What `new` needs; null before the first. */
  instances: InstanceMaking | null = null;
  /** False until `length`, `name` and `prototype` have been made. */
  settled = false;

  constructor(code: FunctionCode, environment: Frame | null, self: GuestObject) {
    this.code = code;
    this.environment = environment;
    this.self = self;
  }

  get type(): "function" {
    return "function";
  }
}

/** How a constructor makes instances. */
export interface InstanceMaking {
  /** Runs the field initialisers of a class on a new instance. */
  initializeFields: ((instance: GuestObject) => void) | null;
  /** The host's templates, and the function's `prototype` that they were made for. */
  site: InstanceSite | null;
  prototype: GuestObject | null;
}

/**
 * A host constructor without behaviour: gives objects with a certain prototype and a hidden class
 * of their own.
 */
export type InstanceSite = { new (): GuestObject; prototype: GuestObject };

/** Makes an {@link InstanceSite}. */
export function instanceSite(prototype: GuestObject | null): InstanceSite {
  const site = function () {} as unknown as InstanceSite; // any function without return makes objects
  site.prototype = prototype as GuestObject; // null is given to objects only through `Object.create` by callers that may
  return site;
}

/** The slots of a function, or undefined when the value is none. */
export function functionSlots(value: unknown): FunctionSlots | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const slots = slotsOf(value);
  return slots instanceof FunctionSlots ? slots : undefined;
}

/** {@link functionSlots} for what is about to be called. */
export function calleeSlots(value: unknown): FunctionSlots | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const slots = slotsOfCallee(value);
  return slots instanceof FunctionSlots ? slots : undefined;
}

/** The templates for functions of one kind (normal, async, generator, ...) in one realm. */
export class FunctionFamily {
  readonly prototype: GuestObject;
  readonly #site: InstanceSite;
  readonly #makePrototypeProperty: (slots: FunctionSlots) => GuestObject;

  /**
   * @param prototype - what `Object.getPrototypeOf` of such a function gives
   * @param makePrototypeProperty - makes the object that a function's own `prototype` property
   *   starts with
   */
  constructor(prototype: GuestObject, makePrototypeProperty: (slots: FunctionSlots) => GuestObject) {
    this.prototype = prototype;
    this.#makePrototypeProperty = makePrototypeProperty;
    this.#site = instanceSite(makeStandIn(prototype, this));
  }

  /** A new function, not settled yet. */
  make(code: FunctionCode, environment: Frame | null): FunctionSlots {
    const self = new this.#site();
    const slots = new FunctionSlots(code, environment, self);
    brand(self, slots);
    return slots;
  }

  /** Makes the own properties that every function of its kind has. */
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
 * Takes away what was stored into a function before it was settled: its own properties come first.
 */
function takeStored(self: GuestObject): PropertyDescriptorMap | null {
  const keys = Reflect.ownKeys(self);
  if (keys.length === 0) return null;
  const stored = Object.getOwnPropertyDescriptors(self);
  for (const key of keys) Reflect.deleteProperty(self, key);
  return stored;
}

/** Settles the function when `object` is one that is not settled yet. */
export function settle(object: object): void {
  const slots = slotsOf(object);
  if (slots instanceof FunctionSlots && !slots.settled) standIns.get(Object.getPrototypeOf(object))?.settle(slots);
}

/** The text of a `name` property: a symbol's description is in brackets. */
export function functionName(key: PropertyKeyValue, prefix = ""): string {
  const name = typeof key === "symbol" ? (key.description === undefined ? "" : `[${key.description}]`) : String(key);
  return prefix === "" ? name : `${prefix} ${name}`;
}

const standIns = new WeakMap<object, FunctionFamily>();

/** An object between unsettled functions and their prototype. */
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
  family.settle(slotsOf(receiver) as FunctionSlots); // see the opening comment: only the function itself meets the stand-in
  return receiver;
}

function defineHidden(object: object, key: string, value: unknown, writable: boolean): void {
  Object.defineProperty(object, key, { value, writable, enumerable: false, configurable: true });
}
