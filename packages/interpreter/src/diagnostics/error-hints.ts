// Hints for errors. They look at the code and at the values of top-level variables, and never run
// guest code.

import { nearestName } from "@smolts/protocol";
import { answerNames } from "../bindings.ts";
import type { Position } from "../guest-throw.ts";
import { isObject } from "../guest-value.ts";
import { ownKeysUnlessMany } from "../operations/counted-keys.ts";
import type { Scene } from "./errors.ts";
import { isPromise, unknownValue, valueOfPath } from "./known-values.ts";
import { absentNames, hintForModules, libraries, otherLanguageNames } from "./missing-names.ts";
import { awaitHint, hintForCallee, hintForMissing, hintForUndefined } from "./property-hints.ts";

/**
 * Returns a hint for an uncaught error, or undefined if no hint is known. `text` has the form
 * `name: message`.
 */
export function hintForError(scene: Scene, text: string, position: Position | null): string | undefined {
  const undefinedName = /^ReferenceError: "([^"]+)" is not defined/.exec(text)?.[1];
  if (undefinedName !== undefined) return hintForName(scene, undefinedName, position);
  if (/^TypeError: the tag of a template/.test(text) && /^\s*```/.test(scene.source.text))
    return "send only the code, without ``` around it";
  const callee = /^TypeError: "?(.+?)"? is not a (?:function|constructor)/s.exec(text)?.[1];
  if (callee !== undefined) return hintForSemicolon(callee, position) ?? hintForCallee(scene, callee);
  const notIterable = /^TypeError: (.+) is not iterable/.exec(text)?.[1];
  if (notIterable !== undefined && position) return hintForIterable(scene, position, notIterable) ?? hintForText(text);
  const [, key, nothing, owner] =
    /^TypeError: cannot (?:read|set) property "([^"]*)" of (undefined|null)(?: \("(.+)" is (?:undefined|null)\))?/s.exec(
      text,
    ) ?? [];
  if (key !== undefined && nothing !== undefined && owner !== undefined)
    return hintForMissing(scene, owner, key, nothing);
  const early = /^ReferenceError: cannot access "(.+)" before/.exec(text)?.[1];
  if (early !== undefined) return hintForEarlyUse(scene, early, position);
  return hintForText(text);
}

/** Returns the hint for a name that was used before its declaration had run. */
function hintForEarlyUse({ bindings }: Scene, name: string, position: Position | null): string {
  if (bindings.tool(name)) return `${name} is both a tool and a variable here: give the variable another name`;
  const isDeclaredHere = new RegExp(`\\b(?:let|const|class|[{,[])\\s*${escaped(name)}\\b`).test(
    position?.source.text ?? "",
  );
  return isDeclaredHere
    ? "move the declaration up, above its first use"
    : "the earlier block of code failed before it reached the declaration: declare it again";
}

/** Escapes a name for use in a pattern, because it may contain dollar signs. */
const escaped = (name: string): string => name.replaceAll("$", "\\$");

/** Hints that need only the text of an error. */
function hintForText(text: string): string | undefined {
  const constant = /^TypeError: cannot assign to "(.+)": it is a constant/.exec(text)?.[1];
  if (constant !== undefined) return `declare it with let: let ${constant} = ...`;
  const promise = hintForPromise(text);
  if (promise !== undefined) return promise;
  return hintsForTexts.find(([pattern]) => pattern.test(text))?.[1];
}

/** Returns the hint for a promise that was used as if it were its value. */
function hintForPromise(text: string): string | undefined {
  const [isPromise, tool] = /^TypeError: (?:a promise|the promise of (.+?)\(\.\.\.\)) was /.exec(text) ?? [];
  if (isPromise === undefined) return undefined;
  return tool === undefined
    ? "write await before the call that returns the promise, and await Promise.all(list) for a list of promises"
    : `${tool} returns a promise; write await ${tool}(...), and await Promise.all(list) for a list of promises`;
}

const hintsForTexts: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [
    /^TypeError: a promise is not iterable/,
    "write await before the call that returns the promise; Promise.all takes one list: Promise.all([a, b])",
  ],
  [/^TypeError: null is not iterable/, "check for null first: match and exec return null when nothing matches"],
  [
    /^TypeError: an object is not iterable/,
    "iterate over Object.entries(object), Object.values(object) or Object.keys(object)",
  ],
  [
    /^TypeError: -?[\d.]+ is not iterable/,
    "write Array.from({ length: n }, (_, index) => index) for a list of numbers",
  ],
  [
    /^TypeError: an empty array needs an initial value/,
    "pass an initial value: array.reduce((total, value) => total + value, 0)",
  ],
  [
    /^SyntaxError: .*JSON.*\[object Promise/s,
    "the parsed value is a promise: write await before the call that returns it",
  ],
  [/^SyntaxError: .*JSON.*`\[object /s, "the value is already an object: use it without JSON.parse"],
  [/^SyntaxError: .*JSON.* column 1, near `undefined`/s, "the value to parse is undefined: print where it comes from"],
  [
    /^SyntaxError: .*JSON.*unexpected "<"/s,
    "the text is HTML or XML, not JSON: print its start, and search it as text",
  ],
  [
    /^SyntaxError: .*JSON.*unexpected "'"/s,
    "JSON does not allow single quotes: write names and strings in double quotes",
  ],
  [
    /^SyntaxError: .*JSON.*unexpected "[}\],]"/s,
    "JSON does not allow a comma before a closing bracket, or a missing value",
  ],
  [/^SyntaxError: .*JSON.*unexpected "`"/s, "the text has a fence around it: take only the part between ``` and ```"],
  [/^SyntaxError: .*JSON.*unexpected end/s, "the text is empty or was cut: print its length and its end"],
  [/^SyntaxError: .*JSON.*unexpected "\/"/s, "JSON does not allow comments: remove them first"],
  [/^SyntaxError: .*JSON.*unexpected "\\[nrt]"/s, "a line break or tab inside a string is written \\n or \\t in JSON"],
  [/^SyntaxError: .*JSON.*unexpected "\\""/s, "a comma or a colon is missing before it"],
  [
    /^SyntaxError: .*JSON.*unexpected "[NTFIu]".*(?:NaN|None|True|False|Infinity|undefined)/s,
    "JSON has only numbers, true, false and null: not NaN, None, True or undefined",
  ],
  [
    /^SyntaxError: .*JSON.*unexpected "[A-Za-z_$]".*[{,]\s*\\?n?\s*[\w$]+\s*:/s,
    'JSON needs names in double quotes: { "name": 1 }',
  ],
  [
    /^SyntaxError: .*JSON.*unexpected "[A-Z]" at line 1, column 1,/s,
    'there are words before the JSON, or there is no JSON: print the text; text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1) extracts it',
  ],
  [
    /^SyntaxError: .*JSON/s,
    "print the text before parsing it; a tool may already return an object, which needs no JSON.parse",
  ],
  [/^TypeError: .*bigint/s, "do not mix BigInt and numbers: convert with BigInt(number) or Number(bigint)"],
  [
    /^TypeError: cannot destructure/,
    "check the value before you destructure it, or write a default: ({ a } = {}) => ...",
  ],
  [/^TypeError: a structure that contains itself/, "print(value) shows it; for JSON, remove the circular references"],
  [
    /^TypeError: cannot (?:assign to|delete) property .*/,
    "copy a frozen or read-only value first: { ...object } or [...array]",
  ],
  [
    /^RangeError: the date is not valid/,
    "the text is not a date: pass one like 2026-01-31T12:00:00Z, not day/month/year, or check Number.isNaN(date.getTime())",
  ],
  [/^RangeError: an option of DateTimeFormat .*timeZone/, 'a time zone is a name like "Europe/Paris" or "UTC"'],
  [
    /^TypeError: an option of NumberFormat is missing: .*currency/,
    'name the currency: { style: "currency", currency: "EUR" }',
  ],
  [
    /^SyntaxError: .* is not a regular expression/,
    "to find a text literally, write RegExp.escape(text); a backslash in a string is written \\\\",
  ],
  [
    /^SyntaxError: the flags of a regular expression/,
    "use only the flags d, g, i, m, s, u, v and y, each at most once",
  ],
  [/must be called with new$/, "write new before it"],
  [/^TypeError: cannot redefine the tool/, "give the variable another name"],
  [/^RangeError: .* is not a whole number and cannot become a bigint/, "round it first: BigInt(Math.trunc(number))"],
  [/^TypeError: argument \d+ of .* is an instance of /, "pass a plain object with its content: { ...value }"],
  [/^TypeError: cannot look for a property in /, "write text.includes(part), or Object.hasOwn(object, key)"],
  [
    /^TypeError: cannot set property ".*" of a string/,
    "a string cannot be changed in place: make a new one with slice or replace",
  ],
];

function hintForName(scene: Scene, name: string, position: Position | null): string | undefined {
  if (name === "require" || (libraries.has(name) && scene.importable.length > 0))
    return hintForModules(scene.importable);
  if (answerNames.has(name)) return "no agent is running this code: the value of the last expression is the result";
  const instead = absentNames.get(name) ?? otherLanguageNames.get(name);
  if (instead !== undefined) return instead;
  const known = [...namesInSession(scene), ...wordsOf(position?.source.text ?? "").filter((word) => word !== name)];
  const near = nearestName(name, known);
  return near === undefined
    ? "declare it first; variables of earlier blocks stay, names inside functions do not"
    : `did you mean ${near}?`;
}

/**
 * Returns the hint for a missing semicolon. Without the semicolon, a line that begins with a
 * parenthesis is read as a call of the value at the end of the previous line.
 */
function hintForSemicolon(callee: string, position: Position | null): string | undefined {
  if (!position?.source.text.startsWith(callee, position.offset)) return undefined;
  const rest = position.source.text.slice(position.offset + callee.length);
  return /^[ \t]*\r?\n\s*[(`]/.test(rest)
    ? "a semicolon is missing at the end of that line: the next line is read as a call of its value"
    : undefined;
}

/**
 * Returns the hint for a value that is not iterable. `what` describes the value. The expression for
 * the value begins at the position or a few characters later: in `[...list]`, the position is that
 * of the bracket.
 */
function hintForIterable(scene: Scene, { source, offset }: Position, what: string): string | undefined {
  const text = source.text.slice(offset, offset + 200);
  const tool = /^[[(.]*([A-Za-z_$][\w$]*)\(/.exec(text)?.[1];
  if (tool !== undefined && scene.bindings.tool(tool)) return `${tool} returns a promise; write await ${tool}(...)`;
  const path = /^[[(.]*([A-Za-z_$][\w$.]*)(?!\s*[\w$.([?!`])/.exec(text)?.[1];
  if (path === undefined || path === "undefined") return undefined;
  return hintForIterablePath(scene, path, what);
}

/**
 * Returns the hint for an expression such as `a.b` whose value is not iterable. The expression is
 * looked up in the variables of the session. But a parameter may have hidden such a variable when
 * the error occurred. So there is a hint only if the value found matches `what`, the description in
 * the error.
 */
function hintForIterablePath(scene: Scene, path: string, what: string): string | undefined {
  const value = valueOfPath(scene, path);
  switch (what) {
    case "undefined":
      if (!mayBeUndefined(value, path)) return undefined;
      return hintForUndefined(scene, path) ?? `${path} is undefined`;
    case "a promise":
      return isPromise(value) ? awaitHint(path) : undefined;
    case "an object":
      return isObject(value) && !Array.isArray(value) && !isPromise(value)
        ? `${path} is an object; iterate over Object.entries(${path})`
        : undefined;
    default:
      return typeof value === "number" && what === String(value)
        ? `${path} is a number; write for (let index = 0; index < ${path}; index++)`
        : undefined;
  }
}

/**
 * Says whether the value of a path can be undefined. A property of a promise can be undefined, too.
 */
const mayBeUndefined = (value: unknown, path: string): boolean =>
  value === undefined || value === unknownValue || (isPromise(value) && path.includes("."));

function namesInSession({ realm, bindings }: Scene): string[] {
  const variables = [...bindings.variables()].map(({ name }) => name);
  return [
    ...variables,
    ...bindings.toolNames(),
    ...(ownKeysUnlessMany(realm.globalObject) ?? []).filter((key) => typeof key === "string"),
  ];
}

const maxWords = 2_000;

/** Returns the words of the code. Among them are the names of functions and their variables. */
function wordsOf(text: string): string[] {
  const words = new Map<string, number>();
  for (const [word] of text.slice(0, 100_000).matchAll(/[A-Za-z_$][\w$]*/g))
    words.set(word, (words.get(word) ?? 0) + 1);
  return [...words.keys()].filter((word) => word.length > 2).slice(0, maxWords);
}
