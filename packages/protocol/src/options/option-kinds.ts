// Checks the kind of an option's value, and describes kinds in error messages. Without these checks
// a string in the place of a number would act as no limit, and a promise in the place of a store
// would store nothing.

import type { AgentError } from "../error.ts";
import { likelyName } from "../functions/nearest-name.ts";
import { invalidOption } from "./invalid-option.ts";

/** The kinds of values, and how an error names them. */
const kindNames = {
  text: "a string",
  texts: "a list of strings",
  number: "a number",
  numbers: "a list of numbers",
  flag: "true or false",
  function: "a function",
  list: "a list",
  object: "an object",
  signal: "an AbortSignal",
  null: "null",
};

type Kind = keyof typeof kindNames;

type KindOf<Value> = unknown extends Value
  ? never
  : Value extends null
    ? "null"
    : Value extends string
      ? "text"
      : Value extends number
        ? "number"
        : Value extends boolean
          ? "flag"
          : Value extends AbortSignal
            ? "signal"
            : Value extends ((...given: never[]) => unknown) | (abstract new (...given: never[]) => unknown)
              ? "function"
              : Value extends readonly string[]
                ? "texts"
                : Value extends readonly number[]
                  ? "numbers"
                  : Value extends readonly unknown[]
                    ? "list"
                    : Value extends object
                      ? "object"
                      : never;

/**
 * All of the words, joined by ` | ` in any order. The type makes sure that no kind of an option is
 * left out.
 */
type Joined<Words extends string, Each extends string = Words> = [Words] extends [never]
  ? never
  : Each extends Words
    ? [Exclude<Words, Each>] extends [never]
      ? Each
      : `${Each} | ${Joined<Exclude<Words, Each>>}`
    : never;

/** The kinds that values of a type can have, as a string: `"text"`, or `"text | function"`. */
export type Kinds<Value> = Joined<KindOf<Value>>;

/**
 * Describes an option for error messages: the function or object it belongs to, and its name with
 * the path to it.
 */
export interface OptionPlace {
  readonly whose: string;
  readonly option: string;
}

/**
 * Refuses a value that has none of the given kinds, or that is not one of the given words.
 *
 * @param kinds - such as `"text | function"`, or a list of the words that the option may be
 */
export function checkKind(value: unknown, kinds: string | readonly string[], { whose, option }: OptionPlace): void {
  if (typeof kinds !== "string") return checkWord(value, kinds, { whose, option });
  const allowed = kinds.split(" | ") as readonly Kind[];
  if (allowed.some((kind) => isKind(value, kind))) return;
  const strange = strangeItem(value, allowed);
  const [found, wrong] = strange === undefined ? [option, value] : [`${option}[${strange.index}]`, strange.item];
  const wanted = strange === undefined ? allowed.map((kind) => kindNames[kind]).join(" or ") : strange.wanted;
  throw invalidOption(
    `the option "${found}" of ${whose} is ${kindOf(wrong)}; expected ${wanted}`,
    hintFor(value, allowed, option),
  );
}

/**
 * Checks that the value of an option is one of the allowed words. If it is not, the error quotes
 * the value. This is safe, because an option with a few allowed words never contains a secret.
 */
function checkWord(value: unknown, words: readonly string[], { whose, option }: OptionPlace): void {
  if (typeof value === "string" && words.includes(value)) return;
  const found = typeof value === "string" ? `"${value.slice(0, 40)}"` : kindOf(value);
  const quoted = words.map((word) => `"${word}"`);
  throw invalidOption(
    `the option "${option}" of ${whose} is ${found}; expected ${quoted.join(" or ")}`,
    `write ${option}: "${(typeof value === "string" && likelyName(value, words)) || words[0]}"`,
  );
}

function isKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "texts":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "number":
      return typeof value === "number" && !Number.isNaN(value);
    case "numbers":
      return Array.isArray(value) && value.every((item) => isKind(item, "number"));
    case "flag":
      return typeof value === "boolean";
    case "function":
      return typeof value === "function";
    case "list":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value) && !isPromise(value);
    case "signal":
      return isSignal(value);
    case "null":
      return value === null;
  }
}

/** Returns the first item that has the wrong type for a list of strings or of numbers. */
function strangeItem(
  value: unknown,
  allowed: readonly Kind[],
): { readonly index: number; readonly item: unknown; readonly wanted: string } | undefined {
  const item = allowed.includes("texts") ? "text" : allowed.includes("numbers") ? "number" : undefined;
  if (item === undefined || !Array.isArray(value)) return undefined;
  const index = value.findIndex((one) => !isKind(one, item));
  return { index, item: value[index], wanted: kindNames[item] };
}

/**
 * Returns what kind of value this is, for an error message. The value itself is not shown because
 * it may be a key.
 */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined || Number.isNaN(value)) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "function") return isClass(value) ? "a class" : "a function";
  if (typeof value === "string") return "a string";
  if (isPromise(value)) return "a promise";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/**
 * Returns the error about an argument of the wrong kind. The value is not shown because it may be a
 * key.
 *
 * @param whose - the function's name in the error: `"foldSteps()"`
 * @param expected - what the function expects: `"the events of a run"`
 */
export function wrongArgument(whose: string, value: unknown, expected: string, hint: string): AgentError {
  return invalidOption(
    `${whose} got ${kindOf(value)}; expected ${expected}`,
    isPromise(value) ? "write await before the call that returns the promise" : hint,
  );
}

function hintFor(value: unknown, allowed: readonly Kind[], option: string): string {
  if (value === null) return "leave it out for the default";
  if (typeof value === "function" && value.name !== "" && value.name !== option.split(".").at(-1)) {
    return isClass(value) ? `write ${option}: new ${value.name}(...)` : `call it: write ${option}: ${value.name}(...)`;
  }
  if (allowed.includes("text") && value instanceof URL) {
    return `write ${option}: ${value.protocol === "file:" ? "fileURLToPath(url)" : "url.href"}`;
  }
  if (allowed.includes("number") && typeof value === "string" && isNumeral(value)) return `write ${option}: ${value}`;
  const [first = "object"] = allowed;
  return `write ${option}: ${example(first, value)}`;
}

function example(kind: Kind, value: unknown): string {
  switch (kind) {
    case "text":
      return '"..."';
    case "texts":
      return '["..."]';
    case "number":
      return "10";
    case "numbers":
      return "[1, 2]";
    case "flag":
      return "true";
    case "function":
      return "() => ...";
    case "list":
      return "[...]";
    case "object":
      return "{ ... }";
    case "signal":
      return isSignal((value as { readonly signal?: unknown } | null)?.signal)
        ? "controller.signal"
        : "AbortSignal.timeout(60_000)";
    case "null":
      return "null";
  }
}

const isNumeral = (text: string): boolean => /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text);

/** Says whether a value is a promise. A run is not a promise, although it can be awaited. */
export const isPromise = (value: unknown): boolean => Object.prototype.toString.call(value) === "[object Promise]";

const isSignal = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as AbortSignal).aborted === "boolean" &&
  typeof (value as AbortSignal).addEventListener === "function";

/** Says whether a value is a class, as opposed to another function. */
export const isClass = (value: unknown): boolean =>
  typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));
