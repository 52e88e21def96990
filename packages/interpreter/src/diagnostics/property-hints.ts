// Hints for properties and methods that a value does not have. They depend on the kind of the
// value, and on similar names.

import { nearestName } from "@smolts/protocol";
import { functionSlots } from "../function-object.ts";
import { type GuestObject, isObject, slotsOf } from "../guest-value.ts";
import { isCallable } from "../operations/call.ts";
import { ownKeysUnlessMany } from "../operations/counted-keys.ts";
import { getOwnProperty } from "../operations/property.ts";
import { constructorName, dataProperty, prototypeChain } from "../print/describe-object.ts";
import { MapSlots } from "../slots/map.ts";
import { proxyState } from "../slots/proxy.ts";
import { SetSlots } from "../slots/set.ts";
import { typedArrayKind } from "../slots/typed-array.ts";
import type { Scene } from "./errors.ts";
import { isPromise, propertyNames, resolve, unknownValue, valueOfPath } from "./known-values.ts";
import { absentNames, otherLanguageMethods, otherLanguageNames } from "./missing-names.ts";

/** Returns the hint for a value that was called but is not a function, such as `rows.mapp`. */
export function hintForCallee(scene: Scene, callee: string): string | undefined {
  const found = resolve(scene, callee);
  if (found.promise !== undefined) return awaitHint(found.promise);
  if (found.object === undefined || found.key === undefined)
    return hintForCalledValue(scene, callee) ?? hintForMethodName(callee);
  const { object, key } = found;
  const absent = object.text === "globalThis" ? absentNames.get(key) : undefined;
  if (absent !== undefined) return absent;
  if (hasValue(object.value, key)) return `${callee} is not a function; write it without ()`;
  if (object.text === "this" && scene.bindings.tool(key)) return `tools are plain functions: write await ${key}(...)`;
  return hintForMethod(scene, object.value, object.text, key);
}

/** Returns the hint for `owner.key` if `owner` is undefined or null. */
export function hintForMissing(scene: Scene, owner: string, key: string, nothing: string): string | undefined {
  if (owner === "this") return hintForThis;
  const found = resolve(scene, owner);
  if (found.promise !== undefined) return awaitHint(found.promise);
  const tool = nothing === "undefined" ? destructuredTool(scene, owner) : undefined;
  if (tool !== undefined) return `${tool} returns a promise; write await ${tool}(...)`;
  const optional = optionalPath(owner, key);
  if (/\.(?:match|exec)\([^()]*\)$/.test(owner)) return `nothing matched: check the result first, or write ${optional}`;
  if (nothing === "null") return `check for null first, or write ${optional}`;
  if (found.object === undefined || found.key === undefined)
    return `print what ${owner} comes from: there may be no such element; ${optional} returns undefined instead of an error`;
  return (
    hintForRead(scene, found.object.value, found.object.text, found.key) ??
    `${optional} returns undefined instead of an error`
  );
}

/**
 * Returns the hint for a path such as `a.b` that is undefined although the program reads from it or
 * calls it.
 */
export function hintForUndefined(scene: Scene, path: string): string | undefined {
  const { object, key, promise } = resolve(scene, path);
  if (promise !== undefined) return awaitHint(promise);
  if (object === undefined || key === undefined) return undefined;
  return hintForRead(scene, object.value, object.text, key);
}

/** Returns the hint for a promise that was used as if it were its value. */
export const awaitHint = (text: string): string =>
  `${text} is a promise; write await before the call that returns it, or (await ${text})`;

const hintForThis =
  "a method that is passed on loses its this: call it on its object, as in () => object.method(), or declare it as an arrow function";

/** Returns the code that reads a property. */
const pathTo = (text: string, key: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(key) ? `${text}.${key}` : `${text}[${isIndex(key) ? key : JSON.stringify(key)}]`;

const isIndex = (key: string): boolean => /^\d+$/.test(key);

const optionalPath = (owner: string, key: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(key) ? `${owner}?.${key}` : `${owner}?.[${isIndex(key) ? key : JSON.stringify(key)}]`;

/** Returns the hint for a method that a value does not have. */
function hintForMethod(scene: Scene, value: unknown, text: string, key: string): string | undefined {
  if (hasMember(value, key)) return `${pathTo(text, key)} exists, but is not a function`;
  const near = nearProperty(scene, value, key);
  if (near !== undefined) return `did you mean ${pathTo(text, near)}?`;
  return (
    hintForText(value, text) ??
    hintForCollection(value, text, key) ??
    otherLanguageMethods.get(key) ??
    hintForConversion(value, text, key) ??
    hintForKind(value, text, key)
  );
}

/** Returns the hint for a property that is undefined although the program reads from it. */
function hintForRead(scene: Scene, value: unknown, text: string, key: string): string | undefined {
  if (hasMember(value, key)) return `${pathTo(text, key)} exists, but has no value`;
  const near = nearProperty(scene, value, key);
  return near === undefined
    ? (hintForText(value, text) ?? hintForKind(value, text, key))
    : `did you mean ${pathTo(text, near)}?`;
}

/**
 * Says whether an object or its prototypes have a property of this name, regardless of its value.
 */
const hasMember = (value: unknown, key: string): boolean =>
  isObject(value) && [...prototypeChain(value)].some((holder) => getOwnProperty(holder, key) !== undefined);

function nearProperty(scene: Scene, value: unknown, key: string): string | undefined {
  const names = propertyNames(scene, value).filter((name) => name !== key);
  return nearestName(key, names);
}

/** Returns the hint for a string of JSON that was used as if it were parsed. */
function hintForText(value: unknown, text: string): string | undefined {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value) || !isJson(value)) return undefined;
  return `${text} is a JSON string: write JSON.parse(${text}) first`;
}

// The longest text that is parsed to find out whether it is JSON. Longer texts would take too long.
const maxJsonLength = 1_000_000;

function isJson(text: string): boolean {
  if (text.length > maxJsonLength) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the hint for a method that the value has in another form: after a conversion, or under
 * another name.
 */
function hintForConversion(value: unknown, text: string, key: string): string | undefined {
  if (typeof value === "string") {
    if (key in Number.prototype) return `${text} is a string: write Number(${text}).${key}(...)`;
    if (key in Date.prototype) return `${text} is a string: write new Date(${text}).${key}(...)`;
    if (addingMethods.has(key)) return `${text} is a string: write ${text} + more`;
    return key in Array.prototype ? `${text} is a string: write ${text}.split(separator).${key}(...)` : undefined;
  }
  if (typeof value !== "number") return undefined;
  if (key in String.prototype) return `${text} is already a number; for its digits, write String(${text}).${key}(...)`;
  return key in Date.prototype ? `${text} is a number: write new Date(${text}).${key}(...)` : undefined;
}

/** Says whether the value has a property of this name that is not a function. */
function hasValue(value: unknown, key: string): boolean {
  if (typeof value === "string") return key === "length";
  const known = isObject(value) ? dataProperty(value, key) : undefined;
  return known !== undefined && known !== null && !isCallable(known);
}

/** Returns the hint for a method of a value that is not known, such as a parameter. */
function hintForMethodName(callee: string): string | undefined {
  const key = /\.([A-Za-z_$][\w$]*)$/.exec(callee)?.[1];
  if (key === undefined) return otherLanguageNames.get(callee);
  return otherLanguageMethods.get(key);
}

/** Returns the hint for a variable that was called but does not contain a function. */
function hintForCalledValue(scene: Scene, callee: string): string | undefined {
  const value = /^[A-Za-z_$][\w$]*$/.test(callee) ? valueOfPath(scene, callee) : unknownValue;
  if (value === unknownValue) return undefined;
  if (Array.isArray(value)) return `${callee} is an array: write ${callee}[index]`;
  if (functionSlots(value)) return `${callee} cannot be called with new: write ${callee}(...)`;
  if (isObject(value)) return `${callee} is an object: write ${callee}.name or ${callee}[key]`;
  return value === undefined || value === null
    ? `${callee} is ${value}: no function was assigned to it`
    : `${callee} is a ${typeof value}: use it without (), or give the function another name`;
}

function hintForKind(value: unknown, text: string, key: string): string | undefined {
  if (!isObject(value)) return value === undefined || value === null ? undefined : `${text} is a ${typeof value}`;
  // Reading from a proxy would run guest code.
  if (proxyState(value)) return undefined;
  if (Array.isArray(value)) return hintForArray(value, text, key);
  const collection = hintForCollection(value, text, key);
  if (collection !== undefined) return collection;
  if (functionSlots(value)) return undefined;
  if (arrayMethods.has(key) && isArrayLike(value)) return hintForArrayLike(text, key);
  if (slotsOf(value) === undefined && arrayMethods.has(key)) return hintForListMethod(value, text, key);
  return listOfProperties(value, text);
}

/** Says whether a value is array-like: `arguments`, a typed array, or an object with a length. */
const isArrayLike = (value: GuestObject): boolean =>
  typedArrayKind(value) !== undefined || typeof dataProperty(value, "length") === "number";

const hintForArrayLike = (text: string, key: string): string =>
  addingMethods.has(key)
    ? `${text} is not an array and cannot grow: write [...Array.from(${text}), value]`
    : `${text} is not an array: write Array.from(${text}).${key}(...)`;

/**
 * Returns the hint for an array method that was called on another object. The object may contain an
 * array.
 */
function hintForListMethod(object: GuestObject, text: string, key: string): string {
  const lists = (ownKeysUnlessMany(object) ?? []).filter((name) => Array.isArray(dataProperty(object, name)));
  const [list] = lists;
  if (lists.length === 1 && typeof list === "string")
    return `${text} is an object, and its array is ${text}.${list}: write ${text}.${list}.${key}(...)`;
  return addingMethods.has(key)
    ? `${text} is an object, not an array; write ${text}[key] = value`
    : `${text} is an object, not an array; write Object.entries(${text}).${key}(...)`;
}

function hintForArray(array: GuestObject & readonly unknown[], text: string, key: string): string {
  const first = getOwnProperty(array, "0")?.value;
  const kind = `${text} is an array of ${array.length}`;
  if (isIndex(key)) return `${kind}: it has no element ${key}`;
  if (isPromise(first)) return `${kind} promises; write await Promise.all(${text})`;
  if (!isObject(first) || Array.isArray(first) || proxyState(first)) return kind;
  if (dataProperty(first, key) !== undefined) return `${kind}; its elements have ${key}: write ${text}[0].${key}`;
  const names = shownKeys(first);
  return names === "" ? kind : `${kind}: use the element itself; its elements have ${names}`;
}

function hintForCollection(value: unknown, text: string, key: string): string | undefined {
  if (!isObject(value) || proxyState(value)) return undefined;
  const slots = slotsOf(value);
  if (slots instanceof MapSlots) return `${text} is a Map; write ${mapAlternative(text, key)}`;
  if (slots instanceof SetSlots) return `${text} is a Set; write ${setAlternative(text, key)}`;
  return undefined;
}

function mapAlternative(text: string, key: string): string {
  if (key === "length") return `${text}.size`;
  if (addingMethods.has(key)) return `${text}.set(key, value)`;
  return arrayMethods.has(key) ? `[...${text}].${key}(...)` : `${text}.get(${JSON.stringify(key)})`;
}

function setAlternative(text: string, key: string): string {
  if (key === "length") return `${text}.size`;
  if (addingMethods.has(key)) return `${text}.add(value)`;
  if (key === "get" || key === "contains" || key === "includes") return `${text}.has(value)`;
  if (isIndex(key)) return `[...${text}][${key}]`;
  return arrayMethods.has(key) ? `[...${text}].${key}(...)` : `[...${text}]`;
}

const addingMethods: ReadonlySet<string> = /* @__PURE__ */ new Set("add append extend push put set unshift".split(" "));

const arrayMethods: ReadonlySet<string> = /* @__PURE__ */ new Set(
  "at concat every filter find findIndex flatMap forEach includes indexOf join map pop push reduce reverse slice some sort splice toSorted".split(
    " ",
  ),
);

function listOfProperties(object: GuestObject, text: string): string | undefined {
  if (isPromise(object)) return awaitHint(text);
  const names = shownKeys(object);
  if (names !== "") return namespaces.has(text) ? undefined : `${text} has ${names}`;
  const isEmpty = constructorName(object) === "Object" && ownKeysUnlessMany(object)?.length === 0;
  return isEmpty ? `${text} has no properties` : undefined;
}

const shownKeys = (object: GuestObject): string =>
  (ownKeysUnlessMany(object) ?? [])
    .filter((name) => typeof name === "string")
    .slice(0, 10)
    .join(", ");

const namespaces: ReadonlySet<string> = /* @__PURE__ */ new Set(["Math", "Reflect", "Atomics", "Intl", "globalThis"]);

/**
 * Returns the tool whose promise was destructured into this variable, as in
 * `const { title } = search(...)`.
 */
function destructuredTool({ source, bindings }: Scene, variable: string): string | undefined {
  for (const [, names = "", tool = ""] of source.text.matchAll(
    /[{[]([^{}[\]]{1,200})[}\]]\s*=\s*([A-Za-z_$][\w$]*)\(/g,
  )) {
    if (names.split(/[^\w$]+/).includes(variable) && bindings.tool(tool)) return tool;
  }
  return undefined;
}
