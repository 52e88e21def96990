// A realm: the guest's own world of prototypes and built-ins, its meter and its job queue. One for
// each session.
//
// Object.prototype, Function.prototype and Array.prototype exist from the start. All other
// intrinsics are made when they are first asked for, a family at a time (intrinsics.ts), so that a
// new session costs little.

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
import { makeCalleeDescriptor, makeThrowTypeErrorFunction } from "../operations/arguments-object.ts";
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
  globalSelves,
  type IntrinsicFamily,
  type IntrinsicName,
} from "./intrinsics.ts";
import { MissingProperties } from "./missing-properties.ts";
import { functionPrototypeSlots, NativeCode } from "./native-code.ts";
import { watchedPrototype } from "./promise/watched-prototype.ts";

export type { GuestErrorName, IntrinsicName } from "./intrinsics.ts";

/** Optional parts of {@link Realm.newNativeFunction}. */
export interface NativeOptions {
  readonly nativeConstruct?: NativeConstruct | null;
  /** Whether calling without `new` is refused. */
  readonly isClass?: boolean;
  /** The text of its `toString`, for functions that stand for guest code. */
  readonly sourceText?: () => string;
  /** See `FunctionCode.step`. */
  readonly step?: FunctionCode["step"];
}

/**
 * Stands for one execution. What a stopped one left waiting for a promise never runs, even if a
 * later one settles that promise.
 */
export interface ExecutionMark {
  isStopped: boolean;
}

/** What iterating over an array consists of. */
interface ArrayIteration {
  readonly values: GuestObject;
  readonly iteratorPrototype: GuestObject;
  readonly next: GuestObject;
}

/** Makes a realm. */
export function createRealm(meter: Meter = startedMeter()): Realm {
  return new Realm(meter);
}

/** A guest's world. Made by {@link createRealm}. */
export class Realm {
  readonly meter: Meter;
  readonly jobs: JobQueue;
  /** Clock, randomness, timers and printing; the session sets it before anything runs. */
  surroundings: Surroundings = noSurroundings;
  /** The execution that is going on; the session sets it. */
  execution: ExecutionMark = { isStopped: false };
  /** For the hints of errors. */
  readonly missingProperties: MissingProperties = new MissingProperties();
  /** Lines that follow the next printed one: what was meant by values that were missing in it. */
  readonly printHints: Set<string> = new Set();
  /**
   * Looks after the uses of promises, in realms whose programs call tools; see
   * {@link watchPromises}.
   */
  promiseWatch: PromiseWatch | null = null;
  /** Whether any promise was made yet. */
  hasPromises = false;
  /** Rejected promises that nobody looks at, in the order of their rejection. */
  readonly rejections: Set<PromiseSlots> = new Set();
  readonly objectPrototype: GuestObject;
  readonly functionPrototype: GuestObject;
  readonly arrayPrototype: GuestObject;
  /** Gives guest arrays: empty ones, or of a length. */
  readonly GuestArray: new (
    length?: number,
  ) => unknown[];
  /**
   * False once Object.prototype or Array.prototype has an accessor or a read-only property that
   * plain stores to new objects would meet.
   */
  intact = true;

  readonly #intrinsics = new Map<IntrinsicName, GuestObject>();
  readonly #global: GuestObject;
  readonly #globalValues = new Map<string, unknown>();
  readonly #pendingGlobals: Set<string>;
  readonly #functions: FunctionFamilies;
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

  /** An intrinsic object, made now if it is the first time. */
  intrinsic(name: IntrinsicName): GuestObject {
    const known = this.#intrinsics.get(name);
    if (known) return known;
    this.#make(familyOfIntrinsic(name));
    const made = this.#intrinsics.get(name);
    if (!made) throw new Error(`intrinsic "${name}" is needed for its own making`);
    return made;
  }

  /** Whether an intrinsic has been made already. */
  hasIntrinsic(name: IntrinsicName): boolean {
    return this.#intrinsics.has(name);
  }

  /** The guest's `globalThis`, complete. */
  get globalObject(): GuestObject {
    for (const name of [...this.#pendingGlobals]) this.materializeGlobal(name);
    return this.#global;
  }

  /** `globalThis` with at least the given built-in in it: what an identifier is looked up in. */
  materializeGlobal(name: string): GuestObject {
    if (!this.#pendingGlobals.delete(name)) return this.#global;
    const value = globalSelves.includes(name) ? this.globalObject : this.#globalValue(name);
    if (!Object.hasOwn(this.#global, name)) {
      Object.defineProperty(this.#global, name, { value, writable: true, enumerable: false, configurable: true });
    }
    return this.#global;
  }

  /**
   * Whether iterating over an array whose prototype is Array.prototype meets only the built-in
   * iterator.
   */
  get arraysIteratePlainly(): boolean {
    if (!this.intact) return false;
    this.#arrayIteration ??= this.#builtInArrayIteration();
    const { values, iteratorPrototype, next } = this.#arrayIteration;
    return this.arrayPrototype[Symbol.iterator] === values && iteratorPrototype["next"] === next;
  }

  /** `{}`. */
  newObject(): GuestObject {
    this.meter.allocate(96); // it has places for properties
    return new this.#objectSite();
  }

  /**
   * Makes ordinary objects that will have these properties: one site for each list of keys, so that
   * the host sees them as alike.
   */
  siteOfObjects(keys: readonly string[]): InstanceSite {
    const list = keys.join();
    const known = this.#objectSites.get(list);
    if (known) return known;
    const site = instanceSite(this.objectPrototype);
    this.#objectSites.set(list, site);
    return site;
  }

  /** An ordinary object whose prototype is an intrinsic. */
  newObjectFrom(prototype: IntrinsicName): GuestObject {
    this.meter.allocate(112);
    return Object.create(this.intrinsic(prototype)) as GuestObject;
  }

  /** An object that is to become a promise. To be paid for by the caller. */
  newPromiseObject(): GuestObject {
    this.#promiseSite ??= instanceSite(this.intrinsic("PromisePrototype"));
    return new this.#promiseSite();
  }

  /**
   * From now on, promises that are used in place of their values are errors, or noted. To be called
   * before any code is compiled.
   */
  watchPromises(): void {
    if (this.promiseWatch) return;
    this.promiseWatch = new PromiseWatch();
    const prototype = this.intrinsic("PromisePrototype");
    Object.setPrototypeOf(prototype, watchedPrototype(this.objectPrototype, this.promiseWatch));
  }

  /** The guest's `Promise`, as it was made. */
  get promiseConstructor(): GuestObject {
    this.#promiseConstructor ??= this.intrinsic("Promise");
    return this.#promiseConstructor;
  }

  /** A guest array with these elements, or those from an index on. */
  newArray(elements: readonly unknown[] = [], start = 0): unknown[] & GuestObject {
    this.meter.allocate(72);
    if (elements.length > start) this.meter.allocateElements(elements.length - start);
    const array = new this.GuestArray();
    for (let index = start; index < elements.length; index++) this.appendElement(array, elements[index]);
    return array as unknown[] & GuestObject; // a guest array is a guest object
  }

  /** Adds an element to an array that no guest code has seen. To be paid for by the caller. */
  appendElement(array: unknown[], value: unknown): void {
    if (this.intact) array[array.length] = value;
    else Object.defineProperty(array, array.length, { value, writable: true, enumerable: true, configurable: true });
  }

  /** `{ value, done }`. */
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

  /** A String object. `newTarget` decides the prototype. */
  newStringObject(value: string, newTarget?: GuestObject): GuestObject {
    this.meter.allocate(160);
    const object = new String(value);
    const prototype = newTarget
      ? getPrototypeFromConstructor(this, newTarget, "StringPrototype")
      : this.intrinsic("StringPrototype");
    Object.setPrototypeOf(object, prototype);
    return brand(object as unknown as GuestObject, new PrimitiveSlots(value)); // its prototype is the guest's now
  }

  /** An error of the language. */
  newError(name: GuestErrorName, message: string, position: Position | null = null): GuestObject {
    this.meter.charge(4);
    this.meter.allocate(272);
    const error = this.newObjectFrom(`${name}Prototype`);
    Object.defineProperty(error, "message", { value: message, writable: true, enumerable: false, configurable: true });
    return brand(error, new ErrorSlots(position));
  }

  /**
   * A built-in function. Not a constructor unless `nativeConstruct` is given; without own
   * `prototype` (see define.ts).
   */
  newNativeFunction(
    name: PropertyKeyValue,
    length: number,
    native: Native | null,
    options: NativeOptions = {},
  ): GuestObject {
    this.meter.allocate(320);
    return this.#functions.normal.make(this.nativeCode(name, length, native, options), null).self;
  }

  /** The code of a built-in. */
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

  /** A closure of compiled code. */
  newFunction(code: FunctionCode, environment: Frame, kind: FunctionKind): FunctionSlots {
    this.meter.allocate(240);
    return this.#functions.of(kind).make(code, environment);
  }

  /**
   * Throws what no guest code may catch: breaches, generator closings, defects of ours. A host
   * stack overflow becomes a breach.
   */
  rethrowUnlessCatchable(caught: unknown): void {
    if (caught instanceof GuestThrow) return;
    if (isStackOverflow(caught)) this.meter.stop("call-depth");
    if (caught instanceof TypeError || caught instanceof RangeError || isBigIntSyntaxError(caught)) return;
    throw caught;
  }

  /** `%ThrowTypeError%`: both accessors of `callee` of every arguments object. */
  get throwTypeErrorFunction(): GuestObject {
    this.#throwTypeErrorFunction ??= makeThrowTypeErrorFunction(this);
    return this.#throwTypeErrorFunction;
  }

  /** `callee` of every arguments object, for the host. */
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
   * Built-ins are made when a realm first needs them. What needs them first is chance, so it is not
   * counted.
   */
  #make(family: IntrinsicFamily): void {
    this.meter.withoutCounting(() => {
      const made = family.make(this);
      for (const [name, object] of Object.entries(made.intrinsics)) {
        this.#intrinsics.set(name as IntrinsicName, object); // the record's keys are intrinsic names
      }
      for (const [name, value] of Object.entries(made.globals ?? {})) this.#globalValues.set(name, value);
    });
  }

  #globalValue(name: string): unknown {
    if (!this.#globalValues.has(name)) this.#make(familyOfGlobal(name));
    return this.#globalValues.get(name);
  }
}

/** Host arrays whose prototype is the guest's; `constructor` is for the Array family to define. */
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
