// Making regular expressions, under the spec's names. The host parses and judges the pattern.

import { isStackOverflow, throwError } from "../../guest-throw.ts";
import { brand, type GuestObject } from "../../guest-value.ts";
import { ordinaryCreateFromConstructor } from "../../operations/call.ts";
import { toStringValue } from "../../operations/conversion.ts";
import { keyText } from "../../operations/text.ts";
import { RegExpSlots, regExpSlots } from "../../slots/regexp.ts";
import type { Realm } from "../realm.ts";
import { longestKnown } from "./matcher-of.ts";
import { setLastIndex } from "./plain-regexp.ts";

/** A regular expression without a pattern yet, whose prototype the new target decides. */
export function regExpAlloc(realm: Realm, newTarget: GuestObject): GuestObject {
  const object = ordinaryCreateFromConstructor(realm, newTarget, "RegExpPrototype");
  return defineLastIndex(brand(object, new RegExpSlots()));
}

/**
 * Gives a regular expression its pattern. @throws a guest SyntaxError when pattern or flags are
 * wrong
 */
export function regExpInitialize(realm: Realm, object: GuestObject, pattern: unknown, flags: unknown): GuestObject {
  const source = pattern === undefined ? "" : toStringValue(pattern);
  const flagText = flags === undefined ? "" : toStringValue(flags);
  checkSyntax(realm, source, flagText);
  regExpSlots(object)?.initialize(source, flagText);
  setLastIndex(object, 0);
  return object;
}

/** A new regular expression of the built-in class. */
export function regExpCreate(realm: Realm, pattern: unknown, flags: unknown): GuestObject {
  return regExpInitialize(realm, newRegExpObject(realm, new RegExpSlots()), pattern, flags);
}

/**
 * Evaluates a literal, mostly again and again: its pattern is judged and compiled once. It costs
 * the same each time.
 */
export function regExpLiteral(realm: Realm, source: string, flags: string): () => GuestObject {
  let last: RegExpSlots | null = null;
  return () => {
    if (last === null || last.source !== source || last.flags !== flags) {
      const made = regExpCreate(realm, source, flags);
      last = regExpSlots(made) ?? null;
      return made;
    }
    chargePattern(realm, source);
    const slots = new RegExpSlots();
    slots.initialize(source, flags);
    slots.matcher = last.matcher;
    last = slots;
    return newRegExpObject(realm, slots);
  };
}

/**
 * An object of the built-in class. It is made of one of the host's, whose pattern means nothing:
 * that has its `lastIndex` already, and to define one takes the host three times as long as all
 * the rest.
 */
function newRegExpObject(realm: Realm, slots: RegExpSlots): GuestObject {
  realm.meter.allocate(112);
  const object = /(?:)/ as unknown as GuestObject; // its prototype is the guest's from here on
  Object.setPrototypeOf(object, realm.intrinsic("RegExpPrototype"));
  return brand(object, slots);
}

function defineLastIndex(object: GuestObject): GuestObject {
  return Object.defineProperty(object, "lastIndex", {
    value: 0,
    writable: true,
    enumerable: false,
    configurable: false,
  });
}

// Patterns are made again and again, by literals in loops above all. What they are charged does not
// depend on whether they are known.
const knownPatterns = new Set<string>();
const mostKnown = 500;
// To read one character of a pattern takes the host some 300 ns and 150 bytes.
const longestPattern = 250_000;

function checkSyntax(realm: Realm, source: string, flags: string): void {
  if (source.length > longestPattern) {
    throwError(
      "SyntaxError",
      `a pattern of ${source.length} characters is too long for a regular expression: at most ${longestPattern} are read`,
    );
  }
  chargePattern(realm, source);
  const key = `${flags}/${source}`;
  if (knownPatterns.has(key)) return;
  if (!areFlags(flags)) {
    throwError("SyntaxError", `the flags of a regular expression cannot be ${keyText(flags)}`);
  }
  try {
    new RegExp(source, flags);
  } catch (error) {
    if (isStackOverflow(error)) throw error;
    // The host's SyntaxError, whose text differs from engine to engine.
    const withFlags = flags === "" ? "" : ` with the flags ${keyText(flags)}`;
    throwError("SyntaxError", `${keyText(source)}${withFlags} is not a regular expression`);
  }
  if (source.length > longestKnown) return;
  if (knownPatterns.size >= mostKnown) knownPatterns.clear();
  knownPatterns.add(key);
}

/**
 * Literals are evaluated in loops, so what is short costs little each time; what is long is read
 * each time.
 */
function chargePattern(realm: Realm, source: string): void {
  const { length } = source;
  realm.meter.charge(10 + (length >>> 2));
  realm.meter.allocate(220 + 8 * length);
  if (length <= longestKnown) return;
  realm.meter.charge(operationsPerCharacter * length);
  realm.meter.allocate(bytesPerCharacter * length);
}

const operationsPerCharacter = 8;
const bytesPerCharacter = 150;

/** Whether a text is of flags, each once. Asked of each literal whenever it is evaluated. */
function areFlags(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const flag = text.charAt(index);
    if (!"dgimsuvy".includes(flag) || text.indexOf(flag) !== index) return false;
  }
  return true;
}
