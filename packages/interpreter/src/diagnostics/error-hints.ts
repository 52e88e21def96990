// What to do about an error. The hints look at the code and at the values of top-level variables, never running anything of the guest.

import { nearestName } from "@smolts/protocol";
import type { Expression, Super } from "acorn";
import { uninitialized } from "../bindings.ts";
import type { Position, SourceText } from "../guest-throw.ts";
import { isObject } from "../guest-value.ts";
import { isCallable } from "../operations/call.ts";
import { promiseSlots } from "../operations/promise.ts";
import { getOwnProperty, ownKeys, prototypeOfPrimitive } from "../operations/property.ts";
import { type ProgramSyntaxError, parse } from "../parse.ts";
import { dataProperty, prototypeChain } from "../print/describe-object.ts";
import type { Scene } from "./errors.ts";
import { absentNames, otherLanguageMethods, otherLanguageNames } from "./missing-names.ts";

/** What to do about an uncaught error, as far as its text tells. `text`: `name: message`. */
export function hintForError(scene: Scene, text: string, position: Position | null): string | undefined {
  const undefinedName = /^ReferenceError: "([^"]+)" is not defined/.exec(text)?.[1];
  if (undefinedName !== undefined) return hintForName(scene, undefinedName, position);
  const callee = /^TypeError: "?(.+?)"? is not a function/s.exec(text)?.[1];
  if (callee !== undefined) return hintForCallee(scene, callee);
  if (/^TypeError: .+ is not iterable/.test(text) && position) return hintForIterable(scene, position);
  const [, key, owner] =
    /^TypeError: cannot (?:read|set) property "([^"]*)" of undefined(?: \("(.+)" is undefined\))?/s.exec(text) ?? [];
  if (key !== undefined && owner !== undefined) return hintForMissing(scene, owner, key);
  if (/^SyntaxError: .*JSON/s.test(text))
    return "print the text before parsing it; tools may give an object already, which needs no JSON.parse";
  if (/bigint/.test(text) && /^TypeError/.test(text))
    return "mix no BigInt with numbers: convert with BigInt(number) or Number(bigint)";
  return undefined;
}

/** What to do about code that is no program. */
export function hintForSyntaxError(
  source: SourceText,
  { message, offset }: ProgramSyntaxError,
  importable: readonly string[],
): string | undefined {
  const line = lineAt(source.text, offset);
  if (looksLikePython(line)) return "write JavaScript, not Python";
  if (/^\s*import\b/.test(line)) return hintForModules(importable);
  if (/^'return' outside/.test(message))
    return "the value of the last expression is shown; finalAnswer(value) gives the answer";
  if (/[“”‘’]/.test(source.text.slice(offset, offset + 1))) return "write straight quotes: \" or '";
  if (/await/.test(message)) return 'write "async" before the function that contains the "await"';
  if (/Unterminated string/i.test(message)) return "close the string; text of several lines stands in `backticks`";
  if (/already been declared/.test(message))
    return "declare each name once in a block of code, or assign to it without let or const";
  return undefined;
}

function hintForName(scene: Scene, name: string, position: Position | null): string | undefined {
  if (name === "require") return hintForModules(scene.importable);
  const instead = absentNames.get(name) ?? otherLanguageNames.get(name);
  if (instead !== undefined) return instead;
  const known = [...namesInSession(scene), ...wordsOf(position?.source.text ?? "").filter((word) => word !== name)];
  const near = nearestName(name, known);
  return near === undefined
    ? "declare it first; variables of earlier blocks stay, names inside functions do not"
    : `did you mean ${near}?`;
}

/** How modules are loaded here, and which there are. */
function hintForModules(importable: readonly string[]): string | undefined {
  if (importable.length === 0) return absentNames.get("import");
  const list = importable.map((name) => JSON.stringify(name)).join(", ");
  return `write import * as name from "module" or import { name } from "module"; the modules are: ${list}`;
}

/** What was to be iterated over begins at the position, or after a bracket and dots. */
function hintForIterable(scene: Scene, { source, offset }: Position): string | undefined {
  const path = /^[[(.]*([A-Za-z_$][\w$.]*)/.exec(source.text.slice(offset, offset + 200))?.[1];
  if (path === undefined) return undefined;
  if (scene.bindings.tool(path)) return `${path} gives a promise; write await ${path}(...)`;
  const expression = parseExpression(path);
  const value = expression ? valueOf(scene, expression) : unknownValue;
  if (promiseSlots(value)) return awaitHint(path);
  return isObject(value) && !Array.isArray(value)
    ? `${path} is an object; iterate over Object.entries(${path})`
    : undefined;
}

/** Something that was called: `rows.mapp`. */
function hintForCallee(scene: Scene, callee: string): string | undefined {
  const found = resolve(scene, callee);
  if (found.promise !== undefined) return awaitHint(found.promise);
  if (found.object === undefined || found.key === undefined) return hintForMethodName(callee);
  return hintForProperty(scene, found.object.value, found.object.text, found.key);
}

function hintForProperty(scene: Scene, object: unknown, text: string, key: string): string | undefined {
  const names = propertyNames(scene, object);
  const near = nearestName(
    key,
    names.filter((name) => name !== key),
  );
  const other = otherLanguageMethods.get(key);
  if (near === undefined && other !== undefined) return other;
  if (near !== undefined) return `did you mean ${text}.${near}?`;
  const shown = isObject(object)
    ? ownKeys(object)
        .filter((name) => typeof name === "string")
        .slice(0, 10)
    : [];
  if (Array.isArray(object)) return `${text} is an array of ${object.length}`;
  return shown.length === 0 ? undefined : `${text} has ${shown.join(", ")}`;
}

/** A method of something that cannot be looked at, such as a parameter. */
function hintForMethodName(callee: string): string | undefined {
  const key = /\.([A-Za-z_$][\w$]*)$/.exec(callee)?.[1];
  if (key === undefined) return otherLanguageNames.get(callee);
  return otherLanguageMethods.get(key);
}

/** `data.results` is undefined: because `data` is a promise, or has other properties. */
function hintForMissing(scene: Scene, owner: string, key: string): string | undefined {
  const found = resolve(scene, owner);
  if (found.promise !== undefined) return awaitHint(found.promise);
  if (found.object === undefined || found.key === undefined)
    return `print what ${owner} comes from: there may be no such element; ${owner}?.${key} gives undefined instead of an error`;
  return hintForProperty(scene, found.object.value, found.object.text, found.key);
}

const awaitHint = (text: string): string =>
  `${text} is a promise; write await before the call that gives it, or (await ${text})`;

/** What a path such as `a.b.c` leads to: the object before the last key, or the first promise on the way. */
interface Found {
  readonly object?: { readonly value: unknown; readonly text: string };
  readonly key?: string;
  readonly promise?: string;
}

function resolve(scene: Scene, text: string): Found {
  const expression = parseExpression(text);
  if (!expression) return {};
  if (expression.type !== "MemberExpression") {
    const value = valueOf(scene, expression);
    return value !== unknownValue && promiseSlots(value) ? { promise: text } : {};
  }
  const key = keyOf(expression);
  const value = valueOf(scene, expression.object);
  const objectText = text.slice(expression.object.start, expression.object.end);
  if (value === unknownValue) return {};
  if (promiseSlots(value)) return { promise: objectText };
  return key === undefined ? {} : { object: { value, text: objectText }, key };
}

function parseExpression(text: string): Expression | undefined {
  try {
    const [statement] = parse({ name: "", text }).body;
    return statement?.type === "ExpressionStatement" ? statement.expression : undefined;
  } catch {
    // A text that was cut short is no expression, and there is no hint then.
    return undefined;
  }
}

const unknownValue: unique symbol = Symbol("unknown");

/** The value of a name or a path of data properties; the first promise on the way stands for what comes after it. */
function valueOf(scene: Scene, node: Expression | Super): unknown {
  if (node.type === "Identifier") return valueOfName(scene, node.name);
  if (node.type !== "MemberExpression") return unknownValue;
  const object = valueOf(scene, node.object);
  const key = keyOf(node);
  if (object === unknownValue || key === undefined) return unknownValue;
  if (!isObject(object) || promiseSlots(object)) return promiseSlots(object) ? object : unknownValue;
  return dataProperty(object, key);
}

function keyOf(node: Extract<Expression, { type: "MemberExpression" }>): string | undefined {
  const { property } = node;
  if (!node.computed && property.type === "Identifier") return property.name;
  return property.type === "Literal" ? String(property.value) : undefined;
}

function valueOfName({ realm, bindings }: Scene, name: string): unknown {
  const binding = bindings.get(name);
  if (binding) return binding.value === uninitialized ? unknownValue : binding.value;
  const global = realm.materializeGlobal(name);
  return getOwnProperty(global, name) ? dataProperty(global, name) : unknownValue;
}

const mostNames = 2_000;

function propertyNames({ realm }: Scene, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const holder = isObject(value) ? value : prototypeOfPrimitive(realm, value);
  const names: string[] = [];
  for (const object of prototypeChain(holder)) {
    if (Array.isArray(object) && object.length > mostNames) continue;
    for (const key of ownKeys(object).slice(0, mostNames)) if (typeof key === "string") names.push(key);
  }
  return isCallable(value) ? names.filter((name) => !/^(caller|arguments)$/.test(name)) : names;
}

function namesInSession({ realm, bindings }: Scene): string[] {
  const variables = [...bindings.variables()].map(({ name }) => name);
  return [
    ...variables,
    ...bindings.toolNames(),
    ...ownKeys(realm.globalObject).filter((key) => typeof key === "string"),
  ];
}

/** Words that the code has: names of its functions and of their variables are among them. */
function wordsOf(text: string): string[] {
  const words = new Map<string, number>();
  for (const [word] of text.slice(0, 100_000).matchAll(/[A-Za-z_$][\w$]*/g))
    words.set(word, (words.get(word) ?? 0) + 1);
  return [...words.keys()].filter((word) => word.length > 2).slice(0, mostNames);
}

const longestLine = 1_000;

function lineAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  return text.slice(start, Math.min(end === -1 ? text.length : end, start + longestLine));
}

const looksLikePython = (line: string): boolean =>
  /^\s*(def |elif |else:|from \S+ import |for \w+ in .*:\s*$|(if|while|try|except|with)\b[^{(]*:\s*$|print\s+["'\w])/.test(
    line,
  ) || /\bnot \w|\b(None|True|False)\b|\bf["']|^\s*#/.test(line);
