// Defines guest values.
//
// Primitives are used as they are. A guest object is a host object whose prototype chain consists
// of guest prototypes and ends in null, so everything that the guest reads from it belongs to the
// guest. A host function is never a guest value: guest functions are objects too, recognised by
// their slots. So a value with `typeof value === "function"` that guest code can read is always a
// leak.
//
// The internal slots of functions, maps, promises, errors and others are in one private field.
// Guests can neither see nor forge this field, and reading it never calls a proxy trap.

/** An object of the guest. Only the operations read and write its properties. */
export type GuestObject = { [key: PropertyKey]: unknown };

/**
 * The internal slots of a guest object. `type` is the kind of object. There is a class for each
 * kind. It is defined in the file of the built-in that uses it, or in `slots/` if it is also used
 * for printing, copying or measuring.
 */
export interface Slots {
  readonly type: string;
  /** The bytes of the object outside the host's heap. The host does not report them. */
  readonly hostBytes?: number;
  /** The bytes of the slots in the host's heap, without the values in `held`. */
  readonly heapBytes?: number;
  /**
   * The values that the slots keep alive: guest values, or host arrays and maps that contain guest
   * values. The code that measures a session's memory follows these references.
   */
  readonly held?: readonly unknown[];
}

/**
 * Slots that record whether the guest ever defined or deleted a property of their object. Until
 * then, built-ins may skip checks for changed properties.
 */
export class WatchedSlots {
  isChanged = false;
}

/** Says whether a guest value is an object (functions and proxies included). */
export function isObject(value: unknown): value is GuestObject {
  return typeof value === "object" && value !== null;
}

/** Gives an object its internal slots and returns the object. An object can get slots only once. */
export function brand<T extends object>(object: T, slots: Slots): T {
  new Brand(object, slots);
  return object;
}

/** Returns the internal slots of a value, or undefined if it has none. Never runs a proxy trap. */
export function slotsOf(value: object): Slots | undefined {
  return Brand.slotsOf(value);
}

/**
 * The same as {@link slotsOf}, for a value that is about to be called. It is a separate function so
 * that V8's inline cache here sees only functions.
 */
export function slotsOfCallee(value: object): Slots | undefined {
  return Brand.slotsOfCallee(value);
}

/**
 * The same as {@link slotsOf}, for a value that is awaited: nearly always a promise. Separate for
 * the same reason as {@link slotsOfCallee}.
 */
export function slotsOfAwaited(value: object): Slots | undefined {
  return Brand.slotsOfAwaited(value);
}

/**
 * The same as {@link slotsOf}, for a generator that is resumed. Separate for the same reason as
 * {@link slotsOfCallee}.
 */
export function slotsOfGenerator(value: object): Slots | undefined {
  return Brand.slotsOfGenerator(value);
}

/**
 * Says whether a value is an array and not a proxy of one. Reading the length of such an array
 * never runs guest code.
 */
export function isHostArray(value: unknown): value is unknown[] {
  return Array.isArray(value) && !Brand.isOnArray(value);
}

/** Returns the slots of a value if they are of the given kind. */
export function slotsOfKind<Kind extends Slots>(
  value: unknown,
  kind: abstract new (...args: never[]) => Kind,
): Kind | undefined {
  if (!isObject(value)) return undefined;
  const slots = Brand.slotsOf(value);
  return slots instanceof kind ? slots : undefined;
}

// A constructor that returns its argument. A class that extends it adds its private field to this
// argument instead of to a new object.
const Given = function (this: unknown, object: object) {
  return object;
} as unknown as new (
  object: object,
) => object; // `new` below calls it, and it returns `object`

// The value of the field that is being defined. It is set right before the host reads it.
let valueOfField: unknown;
declare const fieldKey: unique symbol;

/**
 * Returns a function that defines an own property of this name on an object. As in an object
 * literal, this works even if a prototype has a setter of that name. It uses a class field on an
 * existing object, which is ten times as fast as `Object.defineProperty`. The host throws a
 * TypeError if the property cannot be defined.
 */
export function fieldDefiner(name: string): (object: object, value: unknown) => void {
  const key = name as unknown as typeof fieldKey; // TypeScript needs a constant as the key of a field
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
