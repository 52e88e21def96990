// A realm: the guest's own prototypes and built-ins, its meter and its job queue. Each session has
// one.
//
// Object.prototype, Function.prototype and Array.prototype exist from the start. All other
// intrinsics are created lazily, one family at a time (intrinsics.ts), so that a new session costs
// little.

import type { Frame } from "../frame.ts";
import {
  type FunctionCode,
  type FunctionKind,
  type FunctionSlots,
  type InstanceSite,
  instanceSite,
  type Native,
  type NativeConstruct,
} from "../function-object.ts";
import { GuestThrow, isBigIntSyntaxError, isStackOverflow, type Position } from "../guest-throw.ts";
import { brand, type GuestObject } from "../guest-value.ts";
import { JobQueue } from "../jobs.ts";
import { Meter } from "../limits.ts";
import { keepReferences, longNumberList } from "../long-lists.ts";
import { makeArgumentsSite, makeCalleeDescriptor, makeThrowTypeErrorFunction } from "../operations/arguments-object.ts";
import { getPrototypeFromConstructor } from "../operations/call.ts";
import { PrimitiveSlots } from "../operations/conversion.ts";
import type { PromiseSlots } from "../operations/promise.ts";
import { PromiseWatch } from "../operations/promise-watch.ts";
import { type PropertyKeyValue, RootPrototypeSlots } from "../operations/property.ts";
import { ErrorSlots } from "../slots/error.ts";
import { noSurroundings, type Surroundings } from "../surroundings.ts";
import { defineConstants } from "./define.ts";
import { FunctionFamilies } from "./function-families.ts";
import {
  eagerFamilies,
  familyOfGlobal,
  familyOfIntrinsic,
  type GuestErrorName,
  globalNames,
  globalSelfNames,
  type IntrinsicFamily,
  type IntrinsicName,
} from "./intrinsics.ts";
import { MissingProperties } from "./missing-properties.ts";
import { functionPrototypeSlots, NativeCode } from "./native-code.ts";
import { watchedPrototype } from "./promise/watched-prototype.ts";

export type { GuestErrorName, IntrinsicName } from "./intrinsics.ts";

/** Options of {@link Realm.newNativeFunction}. */
export interface NativeOptions {
  readonly nativeConstruct?: NativeConstruct | null;
  /** Whether a call without `new` throws. */
  readonly isClass?: boolean;
  /** Returns the result of `toString`. Set for built-in functions that wrap guest code. */
  readonly sourceText?: () => string;
  /** For the `next` method of a built-in iterator: see `FunctionCode.step`. */
  readonly step?: FunctionCode["step"];
  /** The guest values that the function keeps in memory: see `Slots.held`. */
  readonly held?: readonly unknown[];
}

/**
 * Identifies one execution. If an execution was stopped, its reactions to promises never run, even
 * if a later execution settles the promises.
 */
export interface ExecutionMark {
  isStopped: boolean;
}

/**
 * The original built-ins that iterate over arrays. Used to find out whether a program has replaced
 * them.
 */
interface ArrayIteration {
  readonly values: GuestObject;
  readonly iteratorPrototype: GuestObject;
  readonly next: GuestObject;
}

/** Creates a realm. */
export function createRealm(meter: Meter = startedMeter()): Realm {
  return new Realm(meter);
}

/** The guest's prototypes, built-ins and state. Made by {@link createRealm}. */
export class Realm {
  readonly meter: Meter;
  readonly jobs: JobQueue;
  /** The clock, random numbers, timers and printing. The session sets it before any code runs. */
  surroundings: Surroundings = noSurroundings;
  /** The current execution. The session sets it. */
  execution: ExecutionMark = { isStopped: false };
  /** The values that recent errors are about, for hints. */
  readonly missingProperties: MissingProperties = new MissingProperties();
  /**
   * Hints to print after the next printed line. A hint is added when a line contains "undefined"
   * because a property is missing. The hint says what to write instead.
   */
  readonly printHints: Set<string> = new Set();
  /**
   * Finds misused promises. Null until {@link watchPromises} is called, which happens for programs
   * with tools.
   */
  promiseWatch: PromiseWatch | null = null;
  /** Whether any promise has been made. */
  hasPromises = false;
  /** Rejected promises that nothing handles, in the order of their rejection. */
  readonly rejections: Set<PromiseSlots> = new Set();
  readonly objectPrototype: GuestObject;
  readonly functionPrototype: GuestObject;
  readonly arrayPrototype: GuestObject;
  /** The host class of guest arrays. Its argument is the length of the array, by default 0. */
  readonly GuestArray: new (
    length?: number,
  ) => unknown[];
  /**
   * False once Object.prototype or Array.prototype has an accessor or a read-only property. Such a
   * property changes the effect of plain assignments to new objects.
   */
  intact = true;

  readonly #intrinsics = new Map<IntrinsicName, GuestObject>();
  readonly #global: GuestObject;
  readonly #globalValues = new Map<string, unknown>();
  readonly #pendingGlobals: Set<string>;
  readonly #functions: FunctionFamilies;
  /** The host constructor that makes the guest's `arguments` objects. */
  readonly ArgumentsSite: InstanceSite;
  readonly #objectSite: InstanceSite;
  readonly #iterResultSite: InstanceSite;
  readonly #objectSites = new Map<string, InstanceSite>();

  constructor(meter: Meter) {
    this.meter = meter;
    this.jobs = new JobQueue(this);
    this.objectPrototype = brand(Object.create(null), new RootPrototypeSlots(this));
    this.functionPrototype = Object.create(this.objectPrototype);
    brand(this.functionPrototype, functionPrototypeSlots(this.functionPrototype, meter));
    this.GuestArray = guestArrayClass(this.objectPrototype);
    this.arrayPrototype = brand(this.GuestArray.prototype, new RootPrototypeSlots(this));
    this.ArgumentsSite = makeArgumentsSite(this.objectPrototype);
    this.#objectSite = instanceSite(this.objectPrototype);
    this.#iterResultSite = instanceSite(this.objectPrototype);
    this.#functions = new FunctionFamilies(this);
    this.#global = this.newObject();
    this.#pendingGlobals = new Set(globalNames());
    defineConstants(this.#global, { NaN: Number.NaN, Infinity: Number.POSITIVE_INFINITY, undefined: undefined });
    this.#intrinsics.set("ObjectPrototype", this.objectPrototype);
    this.#intrinsics.set("FunctionPrototype", this.functionPrototype);
    this.#intrinsics.set("ArrayPrototype", this.arrayPrototype);
    for (const family of eagerFamilies) this.#make(family);
  }

  /** Returns an intrinsic object. Creates it at the first call. */
  intrinsic(name: IntrinsicName): GuestObject {
    const known = this.#intrinsics.get(name);
    if (known) return known;
    this.#make(familyOfIntrinsic(name));
    const made = this.#intrinsics.get(name);
    if (!made) throw new Error(`intrinsic "${name}" is needed for its own making`);
    return made;
  }

  /** Says whether an intrinsic exists already. */
  hasIntrinsic(name: IntrinsicName): boolean {
    return this.#intrinsics.has(name);
  }

  /** The guest's `globalThis`. It may lack built-in properties that have not been used yet. */
  get usedGlobals(): GuestObject {
    return this.#global;
  }

  /** The guest's `globalThis` with all its properties. */
  get globalObject(): GuestObject {
    for (const name of [...this.#pendingGlobals]) this.materializeGlobal(name);
    return this.#global;
  }

  /**
   * Defines the built-in with this name on `globalThis` and returns `globalThis`. Used when an
   * identifier is looked up.
   */
  materializeGlobal(name: string): GuestObject {
    if (!this.#pendingGlobals.delete(name)) return this.#global;
    const value = globalSelfNames.includes(name) ? this.globalObject : this.#globalValue(name);
    if (!Object.hasOwn(this.#global, name)) {
      Object.defineProperty(this.#global, name, { value, writable: true, enumerable: false, configurable: true });
    }
    return this.#global;
  }

  /**
   * Whether iterating over an array whose prototype is Array.prototype runs only the built-in
   * iterator.
   */
  get arraysIteratePlainly(): boolean {
    if (!this.intact) return false;
    this.#arrayIteration ??= this.#builtInArrayIteration();
    const { values, iteratorPrototype, next } = this.#arrayIteration;
    return this.arrayPrototype[Symbol.iterator] === values && iteratorPrototype["next"] === next;
  }

  /** Creates an ordinary object without properties, like `{}`. */
  newObject(): GuestObject {
    this.meter.allocate(96); // this includes spare room for properties
    return new this.#objectSite();
  }

  /**
   * Returns a constructor for ordinary objects with these properties. Each list of keys has its own
   * constructor, so that all objects with these keys share one hidden class of the host.
   */
  siteOfObjects(keys: readonly string[]): InstanceSite {
    const list = keys.join();
    const known = this.#objectSites.get(list);
    if (known) return known;
    const site = instanceSite(this.objectPrototype);
    this.#objectSites.set(list, site);
    return site;
  }

  /** Creates an ordinary object whose prototype is an intrinsic. */
  newObjectFrom(prototype: IntrinsicName): GuestObject {
    this.meter.allocate(112);
    return Object.create(this.intrinsic(prototype)) as GuestObject;
  }

  /** Creates an object that will become a promise. The caller must charge for it. */
  newPromiseObject(): GuestObject {
    this.#promiseSite ??= instanceSite(this.intrinsic("PromisePrototype"));
    return new this.#promiseSite();
  }

  /**
   * Starts to watch for promises that are used as if they were their values. Each such use then
   * throws or is recorded. Must be called before any code is compiled.
   */
  watchPromises(): void {
    if (this.promiseWatch) return;
    this.promiseWatch = new PromiseWatch();
    const prototype = this.intrinsic("PromisePrototype");
    Object.setPrototypeOf(prototype, watchedPrototype(this.objectPrototype, this.promiseWatch));
  }

  /** The original `Promise` of the guest. */
  get promiseConstructor(): GuestObject {
    this.#promiseConstructor ??= this.intrinsic("Promise");
    return this.#promiseConstructor;
  }

  /** Creates a guest array with these elements, or with those from `start` on. */
  newArray(elements: readonly unknown[] = [], start = 0): unknown[] & GuestObject {
    this.meter.allocate(72);
    if (elements.length > start) this.meter.allocateElements(elements.length - start);
    const array = new this.GuestArray();
    if (elements.length - start >= longNumberList) keepReferences(array);
    for (let index = start; index < elements.length; index++) this.appendElement(array, elements[index]);
    return array as unknown[] & GuestObject; // a guest array is a guest object too
  }

  /**
   * Adds an element to an array that guest code has not seen yet. The caller must charge for it.
   */
  appendElement(array: unknown[], value: unknown): void {
    if (this.intact) array[array.length] = value;
    else Object.defineProperty(array, array.length, { value, writable: true, enumerable: true, configurable: true });
  }

  /** Creates a result object of an iterator: `{ value, done }`. */
  newIterResult(value: unknown, done: boolean): GuestObject {
    this.meter.allocate(40);
    const result = new this.#iterResultSite();
    if (this.intact) {
      result["value"] = value;
      result["done"] = done;
    } else {
      Object.defineProperty(result, "value", { value, writable: true, enumerable: true, configurable: true });
      Object.defineProperty(result, "done", { value: done, writable: true, enumerable: true, configurable: true });
    }
    return result;
  }

  /** Creates a String object. Its prototype is the `prototype` of `newTarget`. */
  newStringObject(value: string, newTarget?: GuestObject): GuestObject {
    this.meter.allocate(160);
    const object = new String(value);
    const prototype = newTarget
      ? getPrototypeFromConstructor(this, newTarget, "StringPrototype")
      : this.intrinsic("StringPrototype");
    Object.setPrototypeOf(object, prototype);
    return brand(object as unknown as GuestObject, new PrimitiveSlots(value)); // it now has a guest prototype
  }

  /** Creates a built-in error. */
  newError(name: GuestErrorName, message: string, position: Position | null = null): GuestObject {
    this.meter.charge(4);
    this.meter.allocate(272);
    const error = this.newObjectFrom(`${name}Prototype`);
    Object.defineProperty(error, "message", { value: message, writable: true, enumerable: false, configurable: true });
    return brand(error, new ErrorSlots(position));
  }

  /**
   * Creates a built-in function. It can be called with `new` only if `nativeConstruct` is set. It
   * has no own property `prototype`, which define.ts adds for constructors.
   */
  newNativeFunction(
    name: PropertyKeyValue,
    length: number,
    native: Native | null,
    options: NativeOptions = {},
  ): GuestObject {
    this.meter.allocate(320);
    return this.#functions.normal.make(
      this.nativeCode(name, length, native, options),
      options.held ? [...options.held] : null,
    ).self;
  }

  /** Creates the code of a built-in function. */
  nativeCode(name: PropertyKeyValue, length: number, native: Native | null, options: NativeOptions = {}): FunctionCode {
    return new NativeCode(
      this.meter,
      name,
      length,
      native,
      options.nativeConstruct ?? null,
      options.isClass ?? false,
      options.sourceText,
      options.step,
    );
  }

  /** Creates a closure of compiled code. */
  newFunction(code: FunctionCode, environment: Frame, kind: FunctionKind): FunctionSlots {
    this.meter.allocate(240);
    return this.#functions.of(kind).make(code, environment);
  }

  /**
   * Rethrows exceptions that guest code must not catch: a {@link Breach}, a signal that closes a
   * generator, or a defect of the interpreter. Turns a host stack overflow into a {@link Breach}.
   */
  rethrowUnlessCatchable(caught: unknown): void {
    if (caught instanceof GuestThrow) return;
    if (isStackOverflow(caught)) this.meter.stop("call-depth");
    if (caught instanceof TypeError || caught instanceof RangeError || isBigIntSyntaxError(caught)) return;
    throw caught;
  }

  /** Returns `%ThrowTypeError%`: the getter and the setter of `callee` on arguments objects. */
  get throwTypeErrorFunction(): GuestObject {
    this.#throwTypeErrorFunction ??= makeThrowTypeErrorFunction(this);
    return this.#throwTypeErrorFunction;
  }

  /** Returns the host's descriptor of `callee` on arguments objects. */
  get calleeDescriptor(): PropertyDescriptor {
    this.#calleeDescriptor ??= makeCalleeDescriptor(this);
    return this.#calleeDescriptor;
  }

  #throwTypeErrorFunction: GuestObject | null = null;
  #calleeDescriptor: PropertyDescriptor | null = null;
  #arrayIteration: ArrayIteration | null = null;
  #promiseSite: InstanceSite | null = null;
  #promiseConstructor: GuestObject | null = null;

  #builtInArrayIteration(): ArrayIteration {
    return {
      values: this.intrinsic("ArrayPrototypeValues"),
      iteratorPrototype: this.intrinsic("ArrayIteratorPrototype"),
      next: this.intrinsic("ArrayIteratorPrototypeNext"),
    };
  }

  /**
   * Creates a family of built-ins. This work is not charged, because the charge for a program must
   * not depend on whether an earlier program has already created the family.
   */
  #make(family: IntrinsicFamily): void {
    this.meter.withoutCounting(() => {
      const made = family.make(this);
      for (const [name, object] of Object.entries(made.intrinsics)) {
        this.#intrinsics.set(name as IntrinsicName, object); // the keys of the record are names of intrinsics
      }
      for (const [name, value] of Object.entries(made.globals ?? {})) this.#globalValues.set(name, value);
    });
  }

  #globalValue(name: string): unknown {
    if (!this.#globalValues.has(name)) this.#make(familyOfGlobal(name));
    return this.#globalValues.get(name);
  }
}

/**
 * Creates the class of host arrays that have the guest's Array.prototype. This prototype has no
 * property `constructor` yet; it is defined together with the other built-ins of arrays.
 */
function guestArrayClass(objectPrototype: GuestObject): new (length?: number) => unknown[] {
  const GuestArray = class extends Array<unknown> {};
  const prototype = GuestArray.prototype as unknown as { constructor?: unknown };
  Reflect.deleteProperty(prototype, "constructor");
  Object.setPrototypeOf(prototype, objectPrototype);
  Object.defineProperty(prototype, "length", { value: 0, writable: true, enumerable: false, configurable: false });
  return GuestArray;
}

function startedMeter(): Meter {
  const meter = new Meter();
  meter.start();
  return meter;
}
