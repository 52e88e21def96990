// How guest values read: much like Node's `util.inspect`, but without ever running guest code. Getters are shown as [Getter], proxies by
// their targets, and no `toString` or `toJSON` is called. Depth, elements and length are bounded, and what is left out is counted. Each
// visited element is counted as an operation and each text as allocated. The host's own Reflect functions serve here: no proxy gets so
// far, and a function that is not settled is not to be settled by being looked at.
//
// On purpose it differs from Node in this: four levels are opened and not two; errors have no stack and one name; `%s`, `%o` and `%j` show
// data and call nothing; what turns the direction of text is escaped; a table (table.ts) is Markdown.

import { functionSlots } from "../function-object.ts";
import { type GuestObject, isObject, type Slots, slotsOf } from "../guest-value.ts";
import type { Meter } from "../limits.ts";
import { PrimitiveSlots } from "../operations/conversion.ts";
import { type PromiseSlots, promiseSlots } from "../operations/promise.ts";
import { proxyState } from "../operations/proxy.ts";
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
import { constructorName, dataProperty } from "./describe-object.ts";
import { functionHead } from "./function-head.ts";
import { holesAt, isIndex } from "./holes.ts";
import { layOut, type Parts } from "./layout.ts";
import { quote, quoteKey, quoteLines, symbolText } from "./quote.ts";

/** Bounds of {@link inspect}. */
export interface InspectOptions {
  /** How many levels of objects are opened. */
  readonly depth?: number;
  /** Elements, entries or properties shown of one object. */
  readonly maxItems?: number;
  /** Characters shown of a string that stands inside an object. */
  readonly maxStringLength?: number;
  /** What the work is counted by; the realm's own when absent. */
  readonly meter?: Meter;
}

/** The text of a guest value. Strings are quoted. */
export function inspect(realm: Realm, value: unknown, options: InspectOptions = {}): string {
  return new Inspector(realm, options).text(value, 0);
}

/** The text of a guest value as printing shows it: a string stands for itself. */
export function inspectForPrint(realm: Realm, value: unknown, meter: Meter = realm.meter): string {
  return typeof value === "string" ? value : inspect(realm, value, { meter });
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

// Elements visited and characters of strings in one call, over all levels: bounds on shapes that stay below the others and are huge together.
const mostVisited = 20_000;
const mostCharacters = 1_000_000;
const mostBytes = 100;

class Inspector {
  readonly #realm: Realm;
  readonly #meter: Meter;
  readonly #depth: number;
  readonly #maxItems: number;
  readonly #maxStringLength: number;
  /** The objects around the one that is printed now. */
  readonly #open: GuestObject[] = [];
  /** Objects that were met inside themselves, with their numbers. */
  readonly #circular = new Map<GuestObject, number>();
  /** The level of the object entered last. */
  #lastLevel = 0;
  #visited = 0;
  #characters = 0;

  constructor(
    realm: Realm,
    { depth = 4, maxItems = 100, maxStringLength = 10_000, meter = realm.meter }: InspectOptions,
  ) {
    this.#realm = realm;
    this.#meter = meter;
    this.#depth = depth;
    this.#maxItems = maxItems;
    this.#maxStringLength = maxStringLength;
  }

  text(value: unknown, level: number): string {
    if (isObject(value)) return this.#objectText(value, level);
    switch (typeof value) {
      case "string":
        return this.#stringText(value, level);
      case "number":
        return Object.is(value, -0) ? "-0" : String(value);
      case "bigint":
        this.#meter.allocate(value.toString(16).length * 2);
        return `${value}n`;
      case "symbol":
        return symbolText(value);
      default:
        return String(value); // undefined, null and booleans
    }
  }

  #stringText(text: string, level: number): string {
    const shown = text.length > this.#maxStringLength ? text.slice(0, this.#maxStringLength) : text;
    this.#meter.charge(1 + (shown.length >>> 4));
    this.#meter.allocate(shown.length * 2);
    this.#characters += shown.length;
    return quoteLines(shown, level) + more(text.length - shown.length, "character");
  }

  #objectText(object: GuestObject, level: number): string {
    const proxy = proxyState(object);
    if (proxy) return proxy.target ? this.#objectText(proxy.target, level) : "<revoked proxy>";
    if (this.#open.includes(object)) return `[Circular *${this.#numberOf(object)}]`;
    if (level > this.#depth) return this.#closedText(object);
    const levelBefore = this.#lastLevel;
    this.#lastLevel = level;
    this.#open.push(object);
    const parts = this.#parts(object, level);
    this.#open.pop();
    if (parts.entries.length === 0) this.#lastLevel = levelBefore;
    const number = this.#circular.get(object);
    const referred = number === undefined ? parts : withReference(parts, number);
    const text = parts.brackets[0] === "" ? referred.head : layOut(referred, level, this.#lastLevel - level);
    this.#meter.allocate(text.length);
    return text;
  }

  #numberOf(object: GuestObject): number {
    const number = this.#circular.get(object) ?? this.#circular.size + 1;
    this.#circular.set(object, number);
    return number;
  }

  /** An object that stands too deep to be opened. */
  #closedText(object: GuestObject): string {
    if (isToldByHead(object)) return this.#parts(object, Number.POSITIVE_INFINITY).head;
    if (Array.isArray(object)) return object.length === 0 ? "[]" : "[Array]";
    if (slotsOf(object) === undefined && constructorName(object) === "Object" && Reflect.ownKeys(object).length === 0)
      return "{}";
    return `[${constructorName(object) ?? "Object: null prototype"}]`;
  }

  #parts(object: GuestObject, level: number): Parts {
    if (functionSlots(object)) return this.#headWithProperties(functionHead(this.#realm, object), object, level);
    if (Array.isArray(object)) return this.#arrayParts(object, level);
    if (errorSlots(object)) return this.#errorParts(object, level);
    const kind = typedArrayKind(object);
    if (kind !== undefined) return this.#typedArrayParts(object, kind);
    const promise = promiseSlots(object);
    if (promise) return this.#promiseParts(object, promise, level);
    const slots = slotsOf(object);
    if (slots instanceof PrimitiveSlots) return this.#primitiveParts(object, slots, level);
    if (slots instanceof MapSlots) return this.#mapParts(object, slots, level);
    if (slots instanceof SetSlots) return this.#setParts(object, slots, level);
    if (slots instanceof DateSlots) return this.#headWithProperties(dateText(slots.time), object, level);
    if (slots instanceof RegExpSlots) return this.#headWithProperties(`/${slots.source}/${slots.flags}`, object, level);
    if (slots instanceof CollectionIteratorSlots) return this.#iteratorParts(slots, level);
    const entries = [...this.#inside(object, slots, level), ...this.#properties(object, level)];
    const head = slots?.type === "arguments" ? "[Arguments]" : objectHead(object);
    return { head, brackets: ["{", "}"], entries };
  }

  /** What an object holds besides its properties. */
  #inside(object: GuestObject, slots: Slots | undefined, level: number): readonly string[] {
    if (slots instanceof ArrayBufferSlots) return bufferFields(object);
    if (slots instanceof DataViewSlots) return this.#dataViewFields(slots, level);
    if (slots instanceof UrlSlots) return this.#urlFields(slots, level);
    if (slots instanceof SearchParamsSlots) return this.#searchParamsFields(slots);
    return slots && /^weak/.test(slots.type) ? ["<items unknown>"] : [];
  }

  #dataViewFields(slots: DataViewSlots, level: number): readonly string[] {
    const buffer = dataViewBuffer(this.#realm, slots);
    if (isDetached(buffer)) return [];
    const { byteLength, byteOffset } = dataViewBytes(slots);
    return [`byteLength: ${byteLength}`, `byteOffset: ${byteOffset}`, `buffer: ${this.text(buffer, level + 1)}`];
  }

  #urlFields({ url, searchParams }: UrlSlots, level: number): readonly string[] {
    return urlParts.map((part) => {
      return `${part}: ${part === "searchParams" ? this.text(searchParams, level + 1) : this.#stringText(url[part], level + 1)}`;
    });
  }

  #searchParamsFields({ params }: SearchParamsSlots): readonly string[] {
    return this.#collectionTexts(params, params.size, ([name, value]) => `${quote(name)} => ${quote(value)}`);
  }

  #iteratorParts(slots: CollectionIteratorSlots, level: number): Parts {
    const ofMap = slots.type === "map-iterator";
    this.#meter.charge(slots.given); // they are passed over
    const left = Math.max(0, slots.collection.size - slots.given);
    const entries = this.#collectionTexts(remainingEntries(slots), left, ([key, value]) => {
      if (slots.kind === "entries") return `[ ${this.text(key, level + 2)}, ${this.text(value, level + 2)} ]`;
      return this.text(slots.kind === "keys" ? key : value, level + 1);
    });
    const kind = slots.kind === "entries" ? "Entries" : "Iterator";
    return { head: `[${ofMap ? "Map" : "Set"} ${kind}]`, brackets: ["{", "}"], entries };
  }

  #mapParts(object: GuestObject, { entries }: MapSlots, level: number): Parts {
    const texts = this.#collectionTexts(entries, entries.size, ([key, value]) => {
      return `${this.text(key, level + 1)} => ${this.text(value, level + 1)}`;
    });
    const head = collectionHead(object, "Map", entries.size);
    return { head, brackets: ["{", "}"], entries: [...texts, ...this.#properties(object, level)] };
  }

  #setParts(object: GuestObject, { values }: SetSlots, level: number): Parts {
    const texts = this.#collectionTexts(values, values.size, (value) => this.text(value, level + 1));
    const head = collectionHead(object, "Set", values.size);
    return { head, brackets: ["{", "}"], entries: [...texts, ...this.#properties(object, level)] };
  }

  #collectionTexts<Item>(items: Iterable<Item>, size: number, textOfItem: (item: Item) => string): string[] {
    const texts: string[] = [];
    for (const item of items) {
      if (texts.length >= this.#maxItems || !this.#mayVisit()) {
        texts.push(`... ${counted(size - texts.length, "more item")}`);
        break;
      }
      texts.push(textOfItem(item));
    }
    return texts;
  }

  #arrayParts(array: GuestObject & readonly unknown[], level: number): Parts {
    const name = constructorName(array);
    const head = name === "Array" ? "" : name ? `${name}(${array.length})` : `[Array(${array.length}): null prototype]`;
    const entries: string[] = [];
    let index = 0;
    while (index < array.length && entries.length < this.#maxItems && this.#mayVisit()) {
      const holes = holesAt(array, index, this.#meter);
      entries.push(holes > 0 ? `<${counted(holes, "empty item")}>` : this.#propertyValue(array, index, level));
      index += Math.max(holes, 1);
    }
    const isCut = index < array.length;
    if (isCut) entries.push(`... ${counted(array.length - index, "more item")}`);
    const isNamed = (key: string | symbol): boolean => typeof key === "symbol" || !isIndex(key);
    const named = this.#properties(array, level, isNamed);
    const isNumeric = named.length === 0 && entries.every((_entry, place) => isNumber(elementAt(array, place)));
    return { head, brackets: ["[", "]"], entries: [...entries, ...named], list: { isCut, isNumeric } };
  }

  #typedArrayParts(array: GuestObject, kind: string): Parts {
    const length = typedArrayLength(array);
    const entries: string[] = [];
    while (entries.length < Math.min(length, this.#maxItems) && this.#mayVisit()) {
      entries.push(this.text(array[entries.length], 0)); // a number or a bigint
    }
    const isCut = entries.length < length;
    if (isCut) entries.push(`... ${counted(length - entries.length, "more item")}`);
    const head = `${constructorName(array) ?? kind}(${length})`;
    return { head, brackets: ["[", "]"], entries, list: { isCut, isNumeric: true } };
  }

  #errorParts(error: GuestObject, level: number): Parts {
    const text = errorText(error);
    const head = level === 0 ? text : `[${text}]`;
    if (level === Number.POSITIVE_INFINITY) return headWith(head, []);
    const isOwn = (key: string | symbol): boolean => key !== "name" && key !== "message" && key !== "stack";
    const entries = this.#properties(error, level, isOwn);
    for (const key of ["cause", "errors"]) {
      const hidden = Reflect.getOwnPropertyDescriptor(error, key);
      if (hidden && !hidden.enumerable) entries.push(`[${key}]: ${this.#descriptorText(hidden, level)}`);
    }
    return headWith(head, entries);
  }

  #promiseParts(promise: GuestObject, { state, result, callName }: PromiseSlots, level: number): Parts {
    const settled = (): string => `${state === "rejected" ? "<rejected> " : ""}${this.text(result, level + 1)}`;
    const pending = callName === null ? "<pending>" : `<pending: result of ${callName}, write await>`;
    const entries = [state === "pending" ? pending : settled(), ...this.#properties(promise, level)];
    return { head: constructorName(promise) ?? "Promise", brackets: ["{", "}"], entries };
  }

  #primitiveParts(object: GuestObject, { value }: PrimitiveSlots, level: number): Parts {
    const type = typeof value === "bigint" ? "BigInt" : `${(typeof value)[0]?.toUpperCase()}${(typeof value).slice(1)}`;
    const isNamed = (key: string | symbol): boolean =>
      typeof value !== "string" || typeof key === "symbol" || !isIndex(key);
    return this.#headWithProperties(`[${type}: ${this.text(value, level + 1)}]`, object, level, isNamed);
  }

  #headWithProperties(
    head: string,
    object: GuestObject,
    level: number,
    isShown?: (key: string | symbol) => boolean,
  ): Parts {
    const entries = level === Number.POSITIVE_INFINITY ? [] : this.#properties(object, level, isShown);
    return headWith(head, entries);
  }

  /** Enumerable own properties as `key: value`. */
  #properties(object: GuestObject, level: number, isShown?: (key: string | symbol) => boolean): string[] {
    const keys = Reflect.ownKeys(object);
    this.#meter.charge(keys.length);
    const entries: string[] = [];
    let left = 0;
    for (const key of keys) {
      if (isShown && !isShown(key)) continue;
      const descriptor = Reflect.getOwnPropertyDescriptor(object, key);
      if (!descriptor?.enumerable) continue;
      if (entries.length >= this.#maxItems || !this.#mayVisit()) left++;
      else entries.push(`${this.#keyText(key)}: ${this.#descriptorText(descriptor, level)}`);
    }
    if (left > 0) entries.push(`... ${counted(left, "more propert", "y", "ies")}`);
    return entries;
  }

  #keyText(key: string | symbol): string {
    if (typeof key === "symbol" || key.length <= this.#maxStringLength) return quoteKey(key);
    return `${quoteKey(key.slice(0, this.#maxStringLength))}...`;
  }

  #propertyValue(object: GuestObject, key: number, level: number): string {
    const descriptor = Reflect.getOwnPropertyDescriptor(object, key);
    return descriptor ? this.#descriptorText(descriptor, level) : "undefined";
  }

  #descriptorText({ value, get, set }: PropertyDescriptor, level: number): string {
    if (get && set) return "[Getter/Setter]";
    if (get) return "[Getter]";
    if (set) return "[Setter]";
    return this.text(value, level + 1);
  }

  #mayVisit(): boolean {
    this.#meter.charge(1);
    return ++this.#visited <= mostVisited && this.#characters <= mostCharacters;
  }
}

const headWith = (head: string, entries: readonly string[]): Parts => ({
  head,
  isHeadAlone: true,
  brackets: entries.length === 0 ? ["", ""] : ["{", "}"],
  entries,
});

const withReference = (parts: Parts, number: number): Parts => ({
  ...parts,
  head: `<ref *${number}> ${parts.head}`.trimEnd(),
  isHeadAlone: true,
});

/** Whether the head says what there is to say, so that it is shown at any depth. */
function isToldByHead(object: GuestObject): boolean {
  const slots = slotsOf(object);
  return (
    Boolean(functionSlots(object) || errorSlots(object)) || slots instanceof DateSlots || slots instanceof RegExpSlots
  );
}

const isNumber = (value: unknown): boolean => typeof value === "number" || typeof value === "bigint";

/** An element that is no accessor. */
const elementAt = (array: GuestObject, index: number): unknown => Reflect.getOwnPropertyDescriptor(array, index)?.value;

/** `TypeError: message`, without stack. */
export function errorText(error: GuestObject): string {
  const given = textOf(dataProperty(error, "name")) ?? "Error";
  const name = given === "Error" ? (constructorName(error) ?? given) : given;
  const message = textOf(dataProperty(error, "message")) ?? "";
  return message === "" ? name : `${name}: ${message}`;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const dateText = (time: number): string => (Number.isNaN(time) ? "Invalid Date" : new Date(time).toISOString());

/** The bytes in hexadecimal, and how many they are. */
function bufferFields(object: GuestObject): readonly string[] {
  const buffer = asArrayBuffer(object);
  if (!buffer) return [];
  if (isDetached(buffer)) return ["(detached)", "byteLength: 0"];
  const byteLength = bufferByteLength(buffer);
  const bytes = new Uint8Array(buffer, 0, Math.min(byteLength, mostBytes));
  const shown = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const rest = byteLength > mostBytes ? ` ... ${counted(byteLength - mostBytes, "more byte")}` : "";
  return [`[Uint8Contents]: <${shown}${rest}>`, `byteLength: ${byteLength}`];
}

/** What stands before the braces of an object: nothing for plain ones. */
function objectHead(object: GuestObject): string {
  const name = constructorName(object);
  const tag = textOf(dataProperty(object, Symbol.toStringTag));
  const head = name ?? "[Object: null prototype]";
  if (tag !== undefined && tag !== name) return `${head} [${tag}]`;
  return head === "Object" ? "" : head;
}

/** What stands before the braces of a collection; that of a class of the program says what it is. */
function collectionHead(object: GuestObject, kind: "Map" | "Set", size: number): string {
  const name = constructorName(object) ?? kind;
  return name === kind ? `${kind}(${size})` : `${name}(${size}) [${kind}]`;
}

const counted = (count: number, noun: string, one = "", many = "s"): string =>
  `${count} ${noun}${count === 1 ? one : many}`;

const more = (count: number, noun: string): string => (count <= 0 ? "" : `... ${counted(count, `more ${noun}`)}`);
