// Hints about what was read or called of a value that does not have it: by the kind of the value, and by names that are near.

import { nearestName } from "@smolts/protocol";
import { functionSlots } from "../function-object.ts";
import { type GuestObject, isObject, slotsOf } from "../guest-value.ts";
import { isCallable } from "../operations/call.ts";
import { getOwnProperty, ownKeys } from "../operations/property.ts";
import { constructorName, dataProperty } from "../print/describe-object.ts";
import { MapSlots } from "../slots/map.ts";
import { SetSlots } from "../slots/set.ts";
import type { Scene } from "./errors.ts";
import { propertyNames, resolve } from "./known-values.ts";
import { otherLanguageMethods, otherLanguageNames } from "./missing-names.ts";

/** Something that was called and is no function: `rows.mapp`. */
export function hintForCallee(scene: Scene, callee: string): string | undefined {
  const found = resolve(scene, callee);
  if (found.promise !== undefined) return awaitHint(found.promise);
  if (found.object === undefined || found.key === undefined) return hintForMethodName(callee);
  const { object, key } = found;
  if (hasValue(object.value, key)) return `${callee} is no function; write it without ()`;
  return hintForProperty(scene, object.value, object.text, key);
}

/** `owner.key` could not be read, because `owner` is undefined or null. */
export function hintForMissing(scene: Scene, owner: string, key: string, nothing: string): string | undefined {
  const found = resolve(scene, owner);
  if (found.promise !== undefined) return awaitHint(found.promise);
  const tool = nothing === "undefined" ? toolTakenApart(scene, owner) : undefined;
  if (tool !== undefined) return `${tool} gives a promise; write await ${tool}(...)`;
  const optional = optionalPath(owner, key);
  if (/\.(?:match|exec)\([^()]*\)$/.test(owner)) return `nothing matched: check the result first, or write ${optional}`;
  if (nothing === "null") return `check for null first, or write ${optional}`;
  if (found.object === undefined || found.key === undefined)
    return `print what ${owner} comes from: there may be no such element; ${optional} gives undefined instead of an error`;
  return (
    hintForProperty(scene, found.object.value, found.object.text, found.key) ??
    `${optional} gives undefined instead of an error`
  );
}

/** What to write where a promise was used as if it were its value. */
export const awaitHint = (text: string): string =>
  `${text} is a promise; write await before the call that gives it, or (await ${text})`;

const optionalPath = (owner: string, key: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(key) ? `${owner}?.${key}` : `${owner}?.[${/^\d+$/.test(key) ? key : JSON.stringify(key)}]`;

function hintForProperty(scene: Scene, value: unknown, text: string, key: string): string | undefined {
  const near = nearestName(
    key,
    propertyNames(scene, value).filter((name) => name !== key),
  );
  const other = otherLanguageMethods.get(key);
  if (near === undefined && other !== undefined) return other;
  if (near !== undefined) return `did you mean ${text}.${near}?`;
  return hintForKind(value, text, key);
}

/** Whether there is such a property, though none that can be called. */
function hasValue(value: unknown, key: string): boolean {
  if (typeof value === "string") return key === "length";
  const known = isObject(value) ? dataProperty(value, key) : undefined;
  return known !== undefined && known !== null && !isCallable(known);
}

/** A method of something that cannot be looked at, such as a parameter. */
function hintForMethodName(callee: string): string | undefined {
  const key = /\.([A-Za-z_$][\w$]*)$/.exec(callee)?.[1];
  if (key === undefined) return otherLanguageNames.get(callee);
  return otherLanguageMethods.get(key);
}

function hintForKind(value: unknown, text: string, key: string): string | undefined {
  if (!isObject(value)) return value === undefined || value === null ? undefined : `${text} is a ${typeof value}`;
  if (Array.isArray(value)) return hintForArray(value, text, key);
  const slots = slotsOf(value);
  if (slots instanceof MapSlots) return hintForCollection(text, key, "Map", `${text}.get(${JSON.stringify(key)})`);
  if (slots instanceof SetSlots) return hintForCollection(text, key, "Set", `[...${text}]`);
  if (functionSlots(value)) return undefined;
  if (slots === undefined && arrayMethods.has(key))
    return `${text} is an object, no array; write Object.entries(${text}).${key}(...)`;
  return listOfProperties(value, text);
}

function hintForArray(array: GuestObject & readonly unknown[], text: string, key: string): string {
  const first = getOwnProperty(array, "0")?.value;
  const isOfElement = isObject(first) && dataProperty(first, key) !== undefined;
  return `${text} is an array of ${array.length}${isOfElement ? `; its elements have ${key}: write ${text}[0].${key}` : ""}`;
}

function hintForCollection(text: string, key: string, kind: "Map" | "Set", instead: string): string {
  if (key === "length") return `${text} is a ${kind}; write ${text}.size`;
  return `${text} is a ${kind}; write ${arrayMethods.has(key) ? `[...${text}].${key}(...)` : instead}`;
}

const arrayMethods: ReadonlySet<string> = /* @__PURE__ */ new Set(
  "at concat every filter find findIndex flatMap forEach includes indexOf join map pop push reduce reverse slice some sort splice toSorted".split(
    " ",
  ),
);

function listOfProperties(object: GuestObject, text: string): string | undefined {
  const keys = ownKeys(object).filter((name) => typeof name === "string");
  if (keys.length > 0) return namespaces.has(text) ? undefined : `${text} has ${keys.slice(0, 10).join(", ")}`;
  return constructorName(object) === "Object" ? `${text} has no properties` : undefined;
}

const namespaces: ReadonlySet<string> = /* @__PURE__ */ new Set(["Math", "Reflect", "Atomics", "Intl"]);

/** The tool whose promise was taken apart to give a variable: `const { title } = search(...)`. */
function toolTakenApart({ source, bindings }: Scene, variable: string): string | undefined {
  for (const [, names = "", tool = ""] of source.text.matchAll(
    /[{[]([^{}[\]]{1,200})[}\]]\s*=\s*([A-Za-z_$][\w$]*)\(/g,
  )) {
    if (names.split(/[^\w$]+/).includes(variable) && bindings.tool(tool)) return tool;
  }
  return undefined;
}
