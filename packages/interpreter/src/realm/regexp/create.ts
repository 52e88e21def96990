// Creates regular expressions. The functions are named after the operations of the specification.
// The host checks the syntax of patterns.

import { isStackOverflow, throwError } from "../../guest-throw.ts";
import { brand, type GuestObject, slotsOf } from "../../guest-value.ts";
import { requireTime } from "../../limits.ts";
import { getPrototypeFromConstructor } from "../../operations/call.ts";
import { toStringValue } from "../../operations/conversion.ts";
import { keyText } from "../../operations/text.ts";
import { RegExpPattern, type RegExpPrototypeSlots, RegExpSlots, regExpSlots } from "../../slots/regexp.ts";
import type { Realm } from "../realm.ts";
import { countPropertySets, maxKnownLength } from "./matcher-of.ts";
import { setLastIndex } from "./plain-regexp.ts";

/**
 * Creates a regular expression that has no pattern yet. Its prototype is the `prototype` of
 * `newTarget`.
 */
export function regExpAlloc(realm: Realm, newTarget: GuestObject): GuestObject {
  const prototype = getPrototypeFromConstructor(realm, newTarget, "RegExpPrototype");
  return newRegExpObject(realm, emptyPattern, homeOf(realm), prototype);
}

const emptyPattern = /* @__PURE__ */ new RegExpPattern("", "");

/**
 * Sets the pattern of a regular expression. @throws a guest SyntaxError when the pattern or the
 * flags are not valid
 */
export function regExpInitialize(realm: Realm, object: GuestObject, pattern: unknown, flags: unknown): GuestObject {
  const source = pattern === undefined ? "" : toStringValue(pattern);
  const flagText = flags === undefined ? "" : toStringValue(flags);
  checkSyntax(realm, source, flagText);
  const slots = regExpSlots(object);
  if (slots) slots.pattern = new RegExpPattern(source, flagText);
  setLastIndex(object, 0);
  return object;
}

/** Creates a regular expression of the built-in class. */
export function regExpCreate(realm: Realm, pattern: unknown, flags: unknown): GuestObject {
  return regExpInitialize(realm, newRegExpObject(realm, emptyPattern), pattern, flags);
}

/**
 * Returns a function that evaluates a literal. The pattern is checked and compiled only once, but
 * each evaluation is charged the same.
 */
export function regExpLiteral(realm: Realm, source: string, flags: string): () => GuestObject {
  let known: { readonly pattern: RegExpPattern; readonly home: RegExpPrototypeSlots } | null = null;
  return () => {
    if (known) chargePattern(realm, source);
    else {
      checkSyntax(realm, source, flags);
      known = { pattern: new RegExpPattern(source, flags), home: homeOf(realm) };
    }
    return newRegExpObject(realm, known.pattern, known.home);
  };
}

/**
 * Creates an object with a pattern. It is a RegExp object of the host, because that already has the
 * property `lastIndex`. Defining this property on another object would take the host three times as
 * long as everything else. The host's pattern is not used.
 */
export function newRegExpObject(
  realm: Realm,
  pattern: RegExpPattern,
  home: RegExpPrototypeSlots = homeOf(realm),
  prototype: GuestObject = home.prototype,
): GuestObject {
  realm.meter.allocate(112);
  const object = /(?:)/ as unknown as GuestObject; // the next line replaces its prototype with the guest's
  Object.setPrototypeOf(object, prototype);
  return brand(object, new RegExpSlots(home, pattern));
}

function homeOf(realm: Realm): RegExpPrototypeSlots {
  return slotsOf(realm.intrinsic("RegExpPrototype")) as RegExpPrototypeSlots; // regexp.ts brands it with these
}

// The patterns whose syntax was checked. They are stored because programs often create the same
// pattern many times, mostly with literals in loops. Whether a pattern is stored does not change
// the charge for it.
const knownPatterns = new Set<string>();
const maxKnown = 500;
// The maximum length of a pattern. It is limited because the host needs about 300 ns and 150 bytes
// to read each character of a pattern.
const maxPatternLength = 250_000;

function checkSyntax(realm: Realm, source: string, flags: string): void {
  if (source.length > maxPatternLength) {
    throwError(
      "SyntaxError",
      `a pattern of ${source.length} characters is too long for a regular expression: at most ${maxPatternLength} are read`,
    );
  }
  chargePattern(realm, source);
  const operations = operationsOfSets(source, flags);
  if (source.length > maxKnownLength) requireTime(operations);
  else if (operations > 0) realm.meter.checkClockSooner(timesForCompiling * operations);
  const key = `${flags}/${source}`;
  if (knownPatterns.has(key)) return;
  if (!areFlags(flags)) {
    throwError("SyntaxError", `the flags of a regular expression cannot be ${keyText(flags)}`);
  }
  try {
    new RegExp(source, flags);
  } catch (error) {
    if (isStackOverflow(error)) throw error;
    // Replace the host's SyntaxError, because its message differs between engines.
    const withFlags = flags === "" ? "" : ` with the flags ${keyText(flags)}`;
    throwError("SyntaxError", `${keyText(source)}${withFlags} is not a regular expression`);
  }
  if (source.length > maxKnownLength) return;
  if (knownPatterns.size >= maxKnown) knownPatterns.clear();
  knownPatterns.add(key);
}

/**
 * Charges for creating a regular expression from a pattern:
 *
 * - A short pattern is cached, so it costs little. This matters because literals are evaluated in
 *   loops.
 * - A long pattern is not cached, so each evaluation is charged for reading the pattern.
 */
function chargePattern(realm: Realm, source: string): void {
  const { length } = source;
  realm.meter.charge(10 + (length >>> 2));
  realm.meter.allocate(220 + 8 * length);
  if (length <= maxKnownLength) return;
  realm.meter.charge(operationsPerCharacter * length);
  realm.meter.allocate(bytesPerCharacter * length);
}

/**
 * Returns how long the host takes to read the sets in a pattern (such as `\p{L}`), in operations.
 */
function operationsOfSets(source: string, flags: string): number {
  const isFolded = flags.includes("i") || flags.includes("v");
  return countPropertySets(source) * (isFolded ? operationsPerFoldedSet : operationsPerSet);
}

const operationsPerSet = 800;
// The host also compiles short patterns. Compiling a pattern takes this many times as long as
// reading it.
const timesForCompiling = 20;
// The time that the host needs to read a set such as `\p{L}` if the pattern has the flag "i" or
// "v", in operations. It is long because the host adds the upper-case and lower-case forms of each
// character.
const operationsPerFoldedSet = 4_000;

const operationsPerCharacter = 8;
const bytesPerCharacter = 150;

/**
 * Says whether a text consists of valid flags, each at most once. Must be fast, because it is
 * called at each evaluation of a literal.
 */
function areFlags(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const flag = text.charAt(index);
    if (!"dgimsuvy".includes(flag) || text.indexOf(flag) !== index) return false;
  }
  return true;
}
