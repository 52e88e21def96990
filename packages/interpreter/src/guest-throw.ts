// Exceptions. While guest code runs, the host's `throw` carries only three kinds of things:
//
// - GuestThrow: guest code can catch it. It contains a guest value, or only the name and message of
//   an error. An operation that throws a TypeError, for example, does not know the realm, so the
//   error object is created later.
// - Breach (limits.ts): ends the execution. No guest handler sees it.
// - ReturnSignal: closes a generator from outside. It runs `finally` blocks; no `catch` sees it.
//
// Errors of the host itself (a stack overflow, "Invalid array length", a broken proxy invariant)
// become a GuestThrow or a Breach where guest code could catch them: in `catch`, in `finally` and
// in promise rejections. All of these call `thrownValue`.

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
  /**
   * The text to parse if it is not `text`: a TypeScript program with its types replaced by blanks,
   * of the same length.
   */
  readonly parsed?: string;
  /** Whether the text is a module instead of a program. */
  readonly isModule?: boolean;
}

/** An exception that guest code can catch. Use {@link thrownValue} to read its value. */
export class GuestThrow {
  /** The position in the source where it was thrown; null until it is known. */
  position: Position | null = null;
  /** The host error behind this exception. Only for people who debug the interpreter. */
  hostError: unknown = undefined;
  /**
   * For an error about a missing property: returns the value that lacks the property. Called only
   * to make a hint.
   */
  about: (() => unknown) | null = null;
  #value: unknown;
  #pending: { readonly name: GuestErrorName; readonly message: string } | null;

  constructor(value: unknown, pending: { readonly name: GuestErrorName; readonly message: string } | null = null) {
    this.#value = value;
    this.#pending = pending;
  }

  /**
   * Returns the guest value. If only a name and a message are known, creates the error in `realm`
   * at the first call.
   */
  valueIn(realm: Realm): unknown {
    if (this.#pending) {
      this.#value = realm.newError(this.#pending.name, this.#pending.message, this.position);
      if (this.about) realm.missingProperties.add(this.#value, this.about);
      this.#pending = null;
    }
    return this.#value;
  }
}

/** Closes a suspended generator: its `finally` blocks run, then it ends with this value. */
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
 * Throws a built-in guest error. The error object is created where the exception is caught.
 * Messages are in lower case and have no full stop.
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
 * Returns the guest value for an exception that the interpreter caught.
 *
 * @throws `caught` itself if guest code must not see it; a {@link Breach} for a stack overflow of
 * the host
 */
export function thrownValue(realm: Realm, caught: unknown): unknown {
  return toGuestThrow(realm, caught).valueIn(realm);
}

/**
 * Returns the {@link GuestThrow} for an exception that the interpreter caught.
 *
 * @throws `caught` itself if guest code must not see it; a {@link Breach} for a stack overflow of
 * the host
 */
export function toGuestThrow(realm: Realm, caught: unknown): GuestThrow {
  if (caught instanceof GuestThrow) return caught;
  if (caught instanceof Breach || caught instanceof ReturnSignal) throw caught;
  return fromHostError(realm, caught);
}

// Replaces the messages of host errors, which differ between engines. A program must not be able to
// distinguish engines.
function fromHostError(realm: Realm, caught: unknown): GuestThrow {
  if (isStackOverflow(caught)) realm.meter.stop("call-depth");
  if (caught instanceof RangeError) return guestErrorFor(caught, "RangeError", "a length or size is out of range");
  if (caught instanceof TypeError)
    return guestErrorFor(caught, "TypeError", "the operation is not allowed on this value");
  if (isBigIntSyntaxError(caught)) return guestErrorFor(caught, "SyntaxError", "the text is not a bigint");
  throw caught; // a defect of the interpreter, which a program must not catch
}

function guestErrorFor(hostError: Error, name: GuestErrorName, message: string): GuestThrow {
  const thrown = new GuestThrow(undefined, { name, message });
  thrown.hostError = hostError;
  return thrown;
}

/**
 * Says whether the host failed to parse a string as a bigint. That happens, for example, when a
 * program stores a string into an object that inherits from a typed array.
 */
export function isBigIntSyntaxError(caught: unknown): caught is SyntaxError {
  return caught instanceof SyntaxError && caught.message.toLowerCase().includes("bigint");
}

/**
 * Says whether the host ran out of stack. V8 and JavaScriptCore throw a RangeError, Gecko an
 * InternalError. If the stack runs out while V8 parses a regular expression, V8 throws a
 * SyntaxError. This check may run when the stack is nearly full, so it must not use a regular
 * expression itself.
 */
export function isStackOverflow(caught: unknown): boolean {
  if (!(caught instanceof Error)) return false;
  if (caught.name === "InternalError") return true;
  if (caught instanceof RangeError) return caught.message.includes("call stack");
  return caught instanceof SyntaxError && caught.message.endsWith(": Stack overflow");
}
