// The printed parts of an object: the head before its brackets, the brackets, and the texts inside
// the brackets. They depend on the kind of object.

import { functionSlots } from "../function-object.ts";
import { type GuestObject, type Slots, slotsOf } from "../guest-value.ts";
import type { Meter } from "../limits.ts";
import { PrimitiveSlots } from "../operations/conversion.ts";
import { requireListing } from "../operations/counted-keys.ts";
import { expectedKeys } from "../operations/many-keys.ts";
import { type PromiseSlots, promiseSlots } from "../operations/promise.ts";
import { getOwnProperty, getPrototypeOf } from "../operations/property.ts";
import type { Realm } from "../realm/realm.ts";
import { ArrayBufferSlots, asArrayBuffer, bufferByteLength, isDetached } from "../slots/array-buffer.ts";
import { CollectionIteratorSlots, remainingEntries } from "../slots/collection-iterator.ts";
import { DataViewSlots, dataViewBuffer, dataViewBytes } from "../slots/data-view.ts";
import { DateSlots } from "../slots/date.ts";
import { errorSlots } from "../slots/error.ts";
import { MapSlots } from "../slots/map.ts";
import { RegExpSlots } from "../slots/regexp.ts";
import { SetSlots } from "../slots/set.ts";
import { typedArrayKind, typedArrayLength } from "../slots/typed-array.ts";
import { SearchParamsSlots, UrlSlots } from "../slots/url.ts";
import { counted } from "./counted.ts";
import { constructorName, errorText, nameOfFunction, textProperty } from "./describe-object.ts";
import type { Inspector } from "./inspect.ts";
import type { Parts } from "./layout.ts";
import { quote } from "./quote.ts";

/** An object to print, its depth, and the inspector that prints it. */
interface PrintedObject {
  readonly inspector: Inspector;
  readonly object: GuestObject;
  /** How deep the object is nested, 0-based. Infinite if only its head is needed. */
  readonly level: number;
}

/**
 * Returns the parts of an object that is not a proxy. `level` is its depth, 0-based; infinite if
 * only its head is needed.
 */
export function partsOf(inspector: Inspector, object: GuestObject, level: number): Parts {
  const printed: PrintedObject = { inspector, object, level };
  if (functionSlots(object)) return headWithProperties(functionHead(inspector.realm, object), printed);
  if (Array.isArray(object)) return arrayParts(printed, object);
  if (errorSlots(object)) return errorParts(printed);
  const kind = typedArrayKind(object);
  if (kind !== undefined) return typedArrayParts(printed, kind);
  const promise = promiseSlots(object);
  if (promise) return promiseParts(printed, promise);
  const slots = slotsOf(object);
  if (slots instanceof PrimitiveSlots) return primitiveParts(printed, slots);
  if (slots instanceof MapSlots) return mapParts(printed, slots);
  if (slots instanceof SetSlots) return setParts(printed, slots);
  if (slots instanceof DateSlots) return headWithProperties(dateText(slots.time), printed);
  if (slots instanceof RegExpSlots)
    return headWithProperties(`/${slots.pattern.source}/${slots.pattern.flags}`, printed);
  if (slots instanceof CollectionIteratorSlots) return iteratorParts(printed, slots);
  const entries = [...contentOf(printed, slots), ...inspector.properties(object, level)];
  const head = slots?.type === "arguments" ? "[Arguments]" : objectHead(object);
  return { head, brackets: ["{", "}"], entries };
}

/** Says whether the head describes the object completely. Then the object is shown at any depth. */
export function isDescribedByHead(object: GuestObject): boolean {
  const slots = slotsOf(object);
  return (
    Boolean(functionSlots(object) || errorSlots(object)) || slots instanceof DateSlots || slots instanceof RegExpSlots
  );
}

function headWithProperties(
  head: string,
  { inspector, object, level }: PrintedObject,
  isShown?: (key: string | symbol) => boolean,
): Parts {
  return headWith(head, level === Number.POSITIVE_INFINITY ? [] : inspector.properties(object, level, isShown));
}

const headWith = (head: string, entries: readonly string[]): Parts => ({
  head,
  isHeadAlone: true,
  brackets: entries.length === 0 ? ["", ""] : ["{", "}"],
  entries,
});

function arrayParts({ inspector, level }: PrintedObject, array: GuestObject & readonly unknown[]): Parts {
  const name = constructorName(array);
  const head = name === "Array" ? "" : name ? `${name}(${array.length})` : `[Array(${array.length}): null prototype]`;
  const entries: string[] = [];
  let index = 0;
  while (index < array.length && entries.length < inspector.maxItems && inspector.mayVisit()) {
    const holes = holesAt(array, index, inspector.meter);
    entries.push(holes > 0 ? `<${counted(holes, "empty item")}>` : inspector.elementText(array, index, level));
    index += Math.max(holes, 1);
  }
  const isCut = index < array.length;
  if (isCut) entries.push(`... ${counted(array.length - index, "more item")}`);
  const isNamed = (key: string | symbol): boolean => typeof key === "symbol" || !isIndex(key);
  const named = inspector.properties(array, level, isNamed);
  const isNumeric = named.length === 0 && entries.every((_entry, place) => isNumber(elementAt(array, place)));
  const hidden = inspector.showsHidden ? [`[length]: ${array.length}`] : [];
  return { head, brackets: ["[", "]"], entries: [...entries, ...named, ...hidden], list: { isCut, isNumeric } };
}

const isNumber = (value: unknown): boolean => typeof value === "number" || typeof value === "bigint";

/** Returns the element at an index; undefined if the element is an accessor. */
const elementAt = (array: GuestObject, index: number): unknown => Reflect.getOwnPropertyDescriptor(array, index)?.value;

function errorParts({ inspector, object, level }: PrintedObject): Parts {
  const text = errorText(object);
  const head = level === 0 ? text : `[${text}]`;
  if (level === Number.POSITIVE_INFINITY) return headWith(head, []);
  const isOwn = (key: string | symbol): boolean => key !== "name" && key !== "message" && key !== "stack";
  const entries = inspector.properties(object, level, isOwn);
  for (const key of ["cause", "errors"]) {
    const hidden = Reflect.getOwnPropertyDescriptor(object, key);
    if (hidden && !hidden.enumerable) entries.push(`[${key}]: ${inspector.descriptorText(hidden, level)}`);
  }
  return headWith(head, entries);
}

function typedArrayParts({ inspector, object }: PrintedObject, kind: string): Parts {
  const length = typedArrayLength(object);
  const entries: string[] = [];
  while (entries.length < Math.min(length, inspector.maxItems) && inspector.mayVisit()) {
    entries.push(inspector.text(object[entries.length], 0)); // the elements of a typed array are numbers or bigints
  }
  const isCut = entries.length < length;
  if (isCut) entries.push(`... ${counted(length - entries.length, "more item")}`);
  const head = `${constructorName(object) ?? kind}(${length})`;
  return { head, brackets: ["[", "]"], entries, list: { isCut, isNumeric: true } };
}

function promiseParts({ inspector, object, level }: PrintedObject, { state, result, callName }: PromiseSlots): Parts {
  const settled = (): string => `${state === "rejected" ? "<rejected> " : ""}${inspector.text(result, level + 1)}`;
  const pending = callName === null ? "<pending>" : `<pending: result of ${callName}, write await>`;
  const entries = [state === "pending" ? pending : settled(), ...inspector.properties(object, level)];
  return { head: constructorName(object) ?? "Promise", brackets: ["{", "}"], entries };
}

function primitiveParts(printed: PrintedObject, { value }: PrimitiveSlots): Parts {
  const type = typeof value === "bigint" ? "BigInt" : `${(typeof value)[0]?.toUpperCase()}${(typeof value).slice(1)}`;
  const isNamed = (key: string | symbol): boolean =>
    typeof value !== "string" || typeof key === "symbol" || !isIndex(key);
  return headWithProperties(`[${type}: ${printed.inspector.text(value, printed.level + 1)}]`, printed, isNamed);
}

function mapParts({ inspector, object, level }: PrintedObject, { entries }: MapSlots): Parts {
  const texts = inspector.items(entries, entries.size, ([key, value]) => {
    return `${inspector.text(key, level + 1)} => ${inspector.text(value, level + 1)}`;
  });
  const head = collectionHead(object, "Map", entries.size);
  return { head, brackets: ["{", "}"], entries: [...texts, ...inspector.properties(object, level)] };
}

function setParts({ inspector, object, level }: PrintedObject, { values }: SetSlots): Parts {
  const texts = inspector.items(values, values.size, (value) => inspector.text(value, level + 1));
  const head = collectionHead(object, "Set", values.size);
  return { head, brackets: ["{", "}"], entries: [...texts, ...inspector.properties(object, level)] };
}

/**
 * Returns the text before the braces of a Map or Set. If the object is an instance of a class of
 * the program, the text contains the name of that class.
 */
function collectionHead(object: GuestObject, kind: "Map" | "Set", size: number): string {
  const name = constructorName(object) ?? kind;
  return name === kind ? `${kind}(${size})` : `${name}(${size}) [${kind}]`;
}

const dateText = (time: number): string => (Number.isNaN(time) ? "Invalid Date" : new Date(time).toISOString());

function iteratorParts({ inspector, level }: PrintedObject, slots: CollectionIteratorSlots): Parts {
  const ofMap = slots.type === "map-iterator";
  inspector.meter.charge(slots.given); // the entries before the iterator's position are skipped
  const left = Math.max(0, slots.collection.size - slots.given);
  const entries = inspector.items(remainingEntries(slots), left, ([key, value]) => {
    if (slots.kind === "entries") return `[ ${inspector.text(key, level + 2)}, ${inspector.text(value, level + 2)} ]`;
    return inspector.text(slots.kind === "keys" ? key : value, level + 1);
  });
  const kind = slots.kind === "entries" ? "Entries" : "Iterator";
  return { head: `[${ofMap ? "Map" : "Set"} ${kind}]`, brackets: ["{", "}"], entries };
}

/**
 * Returns the texts for the content of a buffer, a URL or a similar object, without its properties.
 */
function contentOf(printed: PrintedObject, slots: Slots | undefined): readonly string[] {
  if (slots instanceof ArrayBufferSlots) return bufferFields(printed);
  if (slots instanceof DataViewSlots) return dataViewFields(printed, slots);
  if (slots instanceof UrlSlots) return urlFields(printed, slots);
  if (slots instanceof SearchParamsSlots) return searchParamsFields(printed, slots);
  return slots && /^weak/.test(slots.type) ? ["<items unknown>"] : [];
}

const maxBytes = 100;

/** Returns the bytes of a buffer in hexadecimal, and their number. */
function bufferFields({ object }: PrintedObject): readonly string[] {
  const buffer = asArrayBuffer(object);
  if (!buffer) return [];
  if (isDetached(buffer)) return ["(detached)", "byteLength: 0"];
  const byteLength = bufferByteLength(buffer);
  const bytes = new Uint8Array(buffer, 0, Math.min(byteLength, maxBytes));
  const shown = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const rest = byteLength > maxBytes ? ` ... ${counted(byteLength - maxBytes, "more byte")}` : "";
  return [`[Uint8Contents]: <${shown}${rest}>`, `byteLength: ${byteLength}`];
}

function dataViewFields({ inspector, level }: PrintedObject, slots: DataViewSlots): readonly string[] {
  const buffer = dataViewBuffer(inspector.realm, slots);
  if (isDetached(buffer)) return [];
  const { byteLength, byteOffset } = dataViewBytes(slots);
  return [`byteLength: ${byteLength}`, `byteOffset: ${byteOffset}`, `buffer: ${inspector.text(buffer, level + 1)}`];
}

const urlParts = [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "searchParams",
  "hash",
] as const;

function urlFields({ inspector, level }: PrintedObject, { url, searchParams }: UrlSlots): readonly string[] {
  return urlParts.map((part) => {
    return `${part}: ${inspector.text(part === "searchParams" ? searchParams : url[part], level + 1)}`;
  });
}

function searchParamsFields({ inspector }: PrintedObject, { params }: SearchParamsSlots): readonly string[] {
  return inspector.items(params, params.size, ([name, value]) => `${quote(name)} => ${quote(value)}`);
}

/** Returns the head before the braces of an object; empty for plain objects. */
function objectHead(object: GuestObject): string {
  const name = constructorName(object);
  // If the object has its own enumerable tag, the tag is shown among the properties instead.
  const own = getOwnProperty(object, Symbol.toStringTag);
  const tag = own?.enumerable === true ? undefined : textProperty(object, Symbol.toStringTag);
  const head = name ?? "[Object: null prototype]";
  if (tag !== undefined && tag !== name) return `${head} [${tag}]`;
  return head === "Object" ? "" : head;
}

/** Returns a text such as `[Function: name]` or `[class A extends B]`. */
function functionHead(realm: Realm, object: GuestObject): string {
  const name = nameOfFunction(object);
  const code = functionSlots(object)?.code;
  if (code?.isClass && /^class\b/.test(code.sourceText())) return classHead(object, name);
  const kind = functionKind(realm, object);
  return name === "" ? `[${kind} (anonymous)]` : `[${kind}: ${name}]`;
}

function classHead(object: GuestObject, name: string): string {
  const parent = getPrototypeOf(object);
  const parentName = parent ? nameOfFunction(parent) : "";
  return `[class ${name === "" ? "(anonymous)" : name}${parentName === "" ? "" : ` extends ${parentName}`}]`;
}

function functionKind(realm: Realm, object: GuestObject): string {
  switch (functionSlots(object)?.code.prototypeProperty) {
    case "generator":
      return "GeneratorFunction";
    case "async-generator":
      return "AsyncGeneratorFunction";
    default: {
      const isAsync =
        realm.hasIntrinsic("AsyncFunctionPrototype") &&
        getPrototypeOf(object) === realm.intrinsic("AsyncFunctionPrototype");
      return isAsync ? "AsyncFunction" : "Function";
    }
  }
}

/** Returns the number of consecutive holes from this index on. */
function holesAt(array: readonly unknown[], index: number, meter: Meter): number {
  if (Object.hasOwn(array, index)) return 0;
  const next = array.length > maxListLength ? nextKey(array, index, meter) : nextElement(array, index, meter);
  return next - index;
}

// The maximum length of an array that the host stores as a list. Longer arrays are hash tables.
const maxListLength = 2 ** 25;
const indicesPerCharge = 1 << 10;
const operationsPerCharge = 128;

function nextElement(array: readonly unknown[], after: number, meter: Meter): number {
  for (let index = after + 1; index < array.length; index++) {
    if (index % indicesPerCharge === 0) meter.charge(operationsPerCharge);
    if (Object.hasOwn(array, index)) return index;
  }
  return array.length;
}

// For arrays that the host stores as hash tables. Such an array can be long and nearly empty, so
// this searches its keys instead of trying each index.
function nextKey(array: readonly unknown[], after: number, meter: Meter): number {
  requireListing(meter, expectedKeys(array));
  const keys = Object.keys(array);
  meter.charge(keys.length);
  const next = keys.find((key) => isIndex(key) && Number(key) > after);
  return next === undefined ? array.length : Number(next);
}

/** Says whether a key is the index of an element. */
const isIndex = (key: string): boolean => /^(0|[1-9][0-9]{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;
