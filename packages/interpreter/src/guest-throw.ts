// Exceptions. Three things travel through the host's `throw` while guest code runs, and nothing
// else means anything to it:
//
// - GuestThrow: what guest code can catch. It carries a guest value, or an error that is still to
//   be made (name and message), because operations throw without knowing the realm whose TypeError
//   it will be.
// - Breach (limits.ts): ends the execution; no guest handler sees it.
// - ReturnSignal: a generator was closed from outside; runs `finally` blocks, is caught by no
//   `catch`.
//
// Errors of the host itself (a stack overflow, "Invalid array length", a broken proxy invariant)
// become one of the first two where guest code could meet them: in `catch`, `finally` and promise
// rejection, all of which ask `thrownValue`.

import { Breach } from "./limits.ts";
import type { GuestErrorName, Realm } from "./realm/realm.ts";

/** A place in a program. */
export interface Position {
  readonly source: SourceText;
  /** In UTF-16 units from the start of the text. */
  readonly offset: number;
}

/** A program's text and its name in stacks. */
export interface SourceText {
  readonly name: string;
  readonly text: string;
  /** The text to parse: the program with its types blanked, of the same length. */
  readonly parsed?: string;
  /** Whether it is a module and no program. */
  readonly isModule?: boolean;
}

/** Something that guest code can catch. Read its value by {@link thrownValue}. */
export class GuestThrow {
  /** Where it was thrown, as soon as that is known. */
  position: Position | null = null;
  /** The host's error that this stands for; only for people who debug the interpreter. */
  hostError: unknown = undefined;
  /** Gives the value that has no such property; asked when a hint is wanted, and then only. */
  about: (() => unknown) | null = null;
  #value: unknown;
  #pending: { readonly name: GuestErrorName; readonly message: string } | null;

  constructor(value: unknown, pending: { readonly name: GuestErrorName; readonly message: string } | null = null) {
    this.#value = value;
    this.#pending = pending;
  }

  /** The guest value; an error that was only named is made in `realm` now, once. */
  valueIn(realm: Realm): unknown {
    if (this.#pending) {
      this.#value = realm.newError(this.#pending.name, this.#pending.message, this.position);
      if (this.about) realm.missingProperties.add(this.#value, this.about);
      this.#pending = null;
    }
    return this.#value;
  }
}

/** Closes a suspended generator: its `finally` blocks run, then it is done with this value. */
export class ReturnSignal {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** Throws a guest value. */
export function throwValue(value: unknown): never {
  throw new GuestThrow(value);
}

/**
 * Throws a guest error of the language, to be made where it is caught. Lower case, no full stop.
 */
export function throwError(name: GuestErrorName, message: string, position: Position | null = null): never {
  const thrown = new GuestThrow(undefined, { name, message });
  thrown.position = position;
  throw thrown;
}

/** Throws a guest TypeError about a property that a value does not have. */
export function throwMissing(message: string, about: () => unknown): never {
  const thrown = new GuestThrow(undefined, { name: "TypeError", message });
  thrown.about = about;
  throw thrown;
}

/** Throws a guest TypeError. */
export function throwTypeError(message: string, position: Position | null = null): never {
  return throwError("TypeError", message, position);
}

/** Throws a guest RangeError. */
export function throwRangeError(message: string, position: Position | null = null): never {
  return throwError("RangeError", message, position);
}

/**
 * What guest code sees of something the host caught.
 *
 * @throws `caught` itself when guest code must not see it, or the {@link Breach} that it stands for
 */
export function thrownValue(realm: Realm, caught: unknown): unknown {
  return toGuestThrow(realm, caught).valueIn(realm);
}

/**
 * The {@link GuestThrow} for something the host caught.
 *
 * @throws `caught` itself when guest code must not see it, or the {@link Breach} that it stands for
 */
export function toGuestThrow(realm: Realm, caught: unknown): GuestThrow {
  if (caught instanceof GuestThrow) return caught;
  if (caught instanceof Breach || caught instanceof ReturnSignal) throw caught;
  return fromHostError(realm, caught);
}

// Texts of the host's errors differ from engine to engine, and a program must not be able to tell
// engines apart.
function fromHostError(realm: Realm, caught: unknown): GuestThrow {
  if (isStackOverflow(caught)) realm.meter.stop("call-depth");
  if (caught instanceof RangeError) return standFor(caught, "RangeError", "a length or size is out of range");
  if (caught instanceof TypeError) return standFor(caught, "TypeError", "the operation is not allowed on this value");
  if (isBigIntSyntaxError(caught)) return standFor(caught, "SyntaxError", "the text is not a bigint");
  throw caught; // a defect of ours: nothing that a program should be able to catch and go on from
}

function standFor(hostError: Error, name: GuestErrorName, message: string): GuestThrow {
  const thrown = new GuestThrow(undefined, { name, message });
  thrown.hostError = hostError;
  return thrown;
}

/**
 * Whether the host could not read a text as a bigint, as when one is stored into a typed array by
 * way of its heirs.
 */
export function isBigIntSyntaxError(caught: unknown): caught is SyntaxError {
  return caught instanceof SyntaxError && caught.message.toLowerCase().includes("bigint");
}

/**
 * Whether the host ran out of stack. V8 and JavaScriptCore say RangeError, Gecko says
 * InternalError, and V8's regular expressions, which need stack to be read, say SyntaxError. So
 * this uses none.
 */
export function isStackOverflow(caught: unknown): boolean {
  if (!(caught instanceof Error)) return false;
  if (caught.name === "InternalError") return true;
  if (caught instanceof RangeError) return caught.message.includes("call stack");
  return caught instanceof SyntaxError && caught.message.endsWith(": Stack overflow");
}
