// Private names: `#x`. Each evaluation of a class creates a PrivateName for each of its names, and
// stores it in a variable of the class scope. So private names are resolved like variables. Their
// values are in private fields of the host, which proxies and reflection cannot see.

import type { Expression, MemberExpression, Node, PrivateIdentifier } from "acorn";
import type { Frame } from "../frame.ts";
import { isStackOverflow, throwTypeError } from "../guest-throw.ts";
import { type GuestObject, isObject } from "../guest-value.ts";
import { call } from "../operations/call.ts";
import { valueText } from "../operations/text.ts";
import { SideTable } from "../slots/side-table.ts";
import { type Context, type Evaluate, positionOf, referenceOf } from "./context.ts";
import { compileExpression } from "./expression.ts";
import type { Slow } from "./generated/operators.gen.ts";
import { located } from "./operators.ts";
import { readReference } from "./variable.ts";

/** A private name that one evaluation of a class has created. */
export class PrivateName extends SideTable {
  /** The name, including its `#`. */
  readonly description: string;
  readonly #storage: PrivateStorage = privateStorage();
  /** The kind of member. Methods cannot be assigned. Accessors can, if they have a setter. */
  kind: "field" | "method" | "accessor" = "field";
  getter: GuestObject | null = null;
  setter: GuestObject | null = null;

  constructor(description: string) {
    super();
    this.description = description;
  }

  /**
   * Adds the name to an object. For an accessor, the value is ignored.
   *
   * @throws a guest TypeError if the object has the name already
   */
  add(object: GuestObject, value: unknown): void {
    if (this.#storage.has(object)) throwTypeError(`the object has "${this.description}" already`);
    this.#storage.add(object, value);
  }

  /** Says whether an object has this name. */
  isIn(object: GuestObject): boolean {
    return this.#storage.has(object);
  }

  override valueFor(object: object): unknown {
    return this.#storage.has(object) ? this.#storage.get(object) : undefined;
  }

  /** Reads `value.#x`. */
  get(value: unknown): unknown {
    let stored: unknown;
    try {
      stored = this.#storage.get(value as object); // if it is not an object, the host throws
    } catch (caught) {
      return this.#refuse(caught, value, "read");
    }
    if (this.kind !== "accessor") return stored;
    return this.getter ? call(this.getter, value) : throwTypeError(`"${this.description}" has no getter`);
  }

  /** Assigns `value.#x = stored`. */
  set(value: unknown, stored: unknown): void {
    try {
      if (this.kind === "field") return this.#storage.set(value as object, stored); // if it is not an object, the host throws
      this.#storage.get(value as object);
    } catch (caught) {
      this.#refuse(caught, value, "write");
    }
    if (this.setter) call(this.setter, value, stored);
    else throwTypeError(`"${this.description}" cannot be assigned`);
  }

  /** Replaces the host's error about an object without this name. */
  #refuse(caught: unknown, value: unknown, act: string): never {
    if (isStackOverflow(caught)) throw caught;
    throwTypeError(
      `cannot ${act} private "${this.description}" of ${valueText(value)}, whose class did not declare it`,
    );
  }
}

/** Compiles a read of a private name of a value. */
export function readPrivate(context: Context, node: PrivateIdentifier): (frame: Frame, value: unknown) => unknown {
  const name = readName(context, node);
  return (frame, value) => {
    try {
      return name(frame).get(value);
    } catch (caught) {
      throw located(context, caught, node);
    }
  };
}

/** Compiles an assignment to a private name of a value. */
export function assignPrivate(
  context: Context,
  node: PrivateIdentifier,
): (frame: Frame, value: unknown, stored: unknown) => void {
  const name = readName(context, node);
  return (frame, value, stored) => {
    try {
      name(frame).set(value, stored);
    } catch (caught) {
      throw located(context, caught, node);
    }
  };
}

/** A private member of a value: `object.#x`. */
export type PrivateMember = MemberExpression & { readonly object: Expression; readonly property: PrivateIdentifier };

/** Says whether a node is a private member of a value. */
export function isPrivateMember(node: Node): node is PrivateMember {
  return node.type === "MemberExpression" && (node as MemberExpression).property.type === "PrivateIdentifier";
}

/** Compiles `object.#x = value`. */
export function storePrivate(context: Context, node: PrivateMember, value: Evaluate): Evaluate {
  const base = compileExpression(context, node.object);
  const write = assignPrivate(context, node.property);
  return (frame) => {
    const object = base(frame);
    const assigned = value(frame);
    write(frame, object, assigned);
    return assigned;
  };
}

/** Compiles `object.#x = apply(object.#x, value)`. */
export function changePrivate(context: Context, node: PrivateMember, apply: Slow, value: Evaluate): Evaluate {
  const base = compileExpression(context, node.object);
  const read = readPrivate(context, node.property);
  const write = assignPrivate(context, node.property);
  return (frame) => {
    const object = base(frame);
    const after = apply(read(frame, object), value(frame));
    write(frame, object, after);
    return after;
  };
}

/** Compiles `#x in value`. */
export function compilePrivateIn(context: Context, left: PrivateIdentifier, right: Expression): Evaluate {
  const name = readName(context, left);
  const value = compileExpression(context, right);
  const position = positionOf(context, left);
  return (frame) => {
    const object = value(frame);
    if (!isObject(object))
      return throwTypeError(`cannot look for "#${left.name}" in ${valueText(object)}: it is not an object`, position);
    return name(frame).isIn(object);
  };
}

function readName(context: Context, node: PrivateIdentifier): (frame: Frame) => PrivateName {
  const read = readReference(context, referenceOf(context, node), positionOf(context, node));
  return read as (frame: Frame) => PrivateName; // variables whose name begins with "#" contain only private names
}

interface PrivateStorage {
  add(object: object, value: unknown): void;
  has(object: object): boolean;
  /** Returns the value. The host throws a TypeError if the object does not have the name. */
  get(object: object): unknown;
  /** Stores a value. The host throws a TypeError if the object does not have the name. */
  set(object: object, value: unknown): void;
}

const Given = function (this: unknown, object: object) {
  return object;
} as unknown as new (
  object: object,
) => object; // the function returns its argument; see guest-value.ts

/**
 * Creates a host class with a private field. Each private name has its own host class. The field of
 * that class stores the values of the name.
 */
function privateStorage(): PrivateStorage {
  return class Storage extends Given {
    #value: unknown;

    constructor(object: object, value: unknown) {
      super(object);
      this.#value = value;
    }

    static add(object: object, value: unknown): void {
      new Storage(object, value);
    }

    static has(object: object): boolean {
      return #value in object;
    }

    static get(object: Storage): unknown {
      return object.#value;
    }

    static set(object: Storage, value: unknown): void {
      object.#value = value;
    }
  };
}
