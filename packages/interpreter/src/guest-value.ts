// Defines guest values.
//
// Primitives stand for themselves. A guest object is a host object whose prototype chain consists
// of guest prototypes and ends in null, so whatever the guest reads from it is the guest's own. No
// host function is ever a guest value: guest functions are objects too, recognised by their slots.
// A read that gives `typeof value === "function"` is therefore always a leak.
//
// Internal slots (of functions, maps, promises, errors, ...) are kept in one private field, which
// guests can neither see nor forge, and which passes through no proxy trap.

/** An object of the guest; properties are read and written by the operations only. */
export type GuestObject = { [key: PropertyKey]: unknown };

/**
 * The internal slots of a guest object. `type` tells the kind. Each kind is a class, in the file of
 * the one built-in that looks into it, or in `slots/` when printing, copying or measuring look into
 * it as well.
 */
export interface Slots {
  readonly type: string;
}

/**
 * Slots that know whether the guest ever defined or deleted a property of their object. As long as
 * it did not, built-ins may leave out what they need not ask.
 */
export class WatchedSlots {
  isChanged = false;
}

/** Whether a guest value is an object (functions and proxies included). */
export function isObject(value: unknown): value is GuestObject {
  return typeof value === "object" && value !== null;
}

/** Gives an object its internal slots, once; returns the object. */
export function brand<T extends object>(object: T, slots: Slots): T {
  new Brand(object, slots);
  return object;
}

/** The internal slots of a value, or undefined when it has none. Never calls a trap. */
export function slotsOf(value: object): Slots | undefined {
  return Brand.slotsOf(value);
}

/**
 * The same, for what is about to be called: kept apart so that the host's cache at this place sees
 * functions only.
 */
export function slotsOfCallee(value: object): Slots | undefined {
  return Brand.slotsOfCallee(value);
}

/** The same, for what is waited for: nearly always a promise. */
export function slotsOfAwaited(value: object): Slots | undefined {
  return Brand.slotsOfAwaited(value);
}

/** The same, for what is resumed. */
export function slotsOfGenerator(value: object): Slots | undefined {
  return Brand.slotsOfGenerator(value);
}

/**
 * Whether a value is an array that no proxy stands for: its length can be read without anybody
 * hearing of it.
 */
export function isHostArray(value: unknown): value is unknown[] {
  return Array.isArray(value) && !Brand.isOnArray(value);
}

/** The slots of a value when they are of the given kind. */
export function slotsOfKind<Kind extends Slots>(
  value: unknown,
  kind: abstract new (...args: never[]) => Kind,
): Kind | undefined {
  if (!isObject(value)) return undefined;
  const slots = Brand.slotsOf(value);
  return slots instanceof kind ? slots : undefined;
}

// A base constructor that returns its argument makes the derived class add its private field to
// that object.
const Given = function (this: unknown, object: object) {
  return object;
} as unknown as new (
  object: object,
) => object; // called with `new` below, where it returns `object`

// The first value of a field that is being defined: written right before the host reads it.
let valueOfField: unknown;
declare const fieldKey: unique symbol;

/**
 * Makes a function that gives objects an own property of this name, as literals do, whatever their
 * prototypes have. A class whose field is put on objects that exist does it ten times as fast as
 * `Object.defineProperty`. The host throws a TypeError when it cannot be done.
 */
export function fieldDefiner(name: string): (object: object, value: unknown) => void {
  const key = name as unknown as typeof fieldKey; // the key of a field must be a constant to the compiler
  const Field = class extends Given {
    [key] = valueOfField;
  };
  return (object, value) => {
    valueOfField = value;
    new Field(object);
    valueOfField = undefined;
  };
}

class Brand extends Given {
  #slots: Slots;

  constructor(object: object, slots: Slots) {
    super(object);
    this.#slots = slots;
  }

  static slotsOfCallee(value: object): Slots | undefined {
    return #slots in value ? value.#slots : undefined;
  }

  static slotsOfAwaited(value: object): Slots | undefined {
    return #slots in value ? value.#slots : undefined;
  }

  static slotsOfGenerator(value: object): Slots | undefined {
    return #slots in value ? value.#slots : undefined;
  }

  static isOnArray(value: readonly unknown[]): boolean {
    return #slots in value;
  }

  static slotsOf(value: object): Slots | undefined {
    return #slots in value ? value.#slots : undefined;
  }
}
