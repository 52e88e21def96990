// How guest values read: much like Node's `util.inspect`, but without ever running guest code. Getters are shown as [Getter], proxies by
// their targets, and no `toString` or `toJSON` is called. Depth, elements and length are bounded, and what is left out is counted. Each
// visited element is counted as an operation and each text as allocated. The host's own Reflect functions serve here: no proxy gets so
// far, and a function that is not settled is not to be settled by being looked at.

import { functionSlots } from "../function-object.ts";
import { type GuestObject, isObject, slotsOf } from "../guest-value.ts";
import type { Meter } from "../limits.ts";
import { PrimitiveSlots } from "../operations/conversion.ts";
import { errorSlots } from "../operations/error.ts";
import { type PromiseSlots, promiseSlots } from "../operations/promise.ts";
import { getPrototypeOf } from "../operations/property.ts";
import { proxyState } from "../operations/proxy.ts";
import { ArrayBufferSlots, asArrayBuffer, bufferByteLength } from "../realm/array-buffer.ts";
import { DateSlots } from "../realm/date.ts";
import { MapSlots } from "../realm/map.ts";
import type { Realm } from "../realm/realm.ts";
import { RegExpSlots } from "../realm/regexp-slots.ts";
import { SetSlots } from "../realm/set.ts";
import { typedArrayKind, typedArrayLength } from "../realm/typed-array-host.ts";
import { constructorName, dataProperty, nameOfFunction } from "./describe-object.ts";
import { layOut, type Parts } from "./layout.ts";
import { quote, quoteKey, symbolText } from "./quote.ts";

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

// Elements visited and characters of strings in one call, over all levels: bounds on shapes that stay below the others and are huge together.
const mostVisited = 20_000;
const mostCharacters = 1_000_000;

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
        return this.#stringText(value);
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

  #stringText(text: string): string {
    const shown = text.length > this.#maxStringLength ? text.slice(0, this.#maxStringLength) : text;
    this.#meter.charge(1 + (shown.length >>> 4));
    this.#meter.allocate(shown.length * 2);
    this.#characters += shown.length;
    return quote(shown) + more(text.length - shown.length, "character");
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
    const head = number === undefined ? parts.head : `<ref *${number}> ${parts.head}`.trimEnd();
    const text = parts.brackets[0] === "" ? head : layOut({ ...parts, head }, level, this.#lastLevel - level);
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
    if (functionSlots(object) || errorSlots(object)) return this.#parts(object, Number.POSITIVE_INFINITY).head;
    if (Array.isArray(object)) return "[Array]";
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
    const entries = this.#properties(object, level);
    if (slots instanceof ArrayBufferSlots) entries.unshift(`byteLength: ${byteLengthText(object)}`);
    if (slots && /^weak/.test(slots.type)) entries.unshift("<items unknown>");
    return { head: objectHead(object), brackets: ["{", "}"], entries, isList: false };
  }

  #mapParts(object: GuestObject, { entries }: MapSlots, level: number): Parts {
    const texts = this.#collectionTexts(entries, entries.size, ([key, value]) => {
      return `${this.text(key, level + 1)} => ${this.text(value, level + 1)}`;
    });
    const head = `${constructorName(object) ?? "Map"}(${entries.size})`;
    return { head, brackets: ["{", "}"], entries: [...texts, ...this.#properties(object, level)], isList: false };
  }

  #setParts(object: GuestObject, { values }: SetSlots, level: number): Parts {
    const texts = this.#collectionTexts(values, values.size, (value) => this.text(value, level + 1));
    const head = `${constructorName(object) ?? "Set"}(${values.size})`;
    return { head, brackets: ["{", "}"], entries: [...texts, ...this.#properties(object, level)], isList: false };
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
    const head = name === "Array" ? "" : `${name ?? "[Array: null prototype]"}(${array.length})`;
    const entries: string[] = [];
    let index = 0;
    while (index < array.length && entries.length < this.#maxItems && this.#mayVisit()) {
      const holes = holesAt(array, index, this.#meter);
      entries.push(holes > 0 ? `<${counted(holes, "empty item")}>` : this.#propertyValue(array, index, level));
      index += Math.max(holes, 1);
    }
    if (index < array.length) entries.push(`... ${counted(array.length - index, "more item")}`);
    const isNamed = (key: string | symbol): boolean => typeof key === "symbol" || !isIndex(key);
    entries.push(...this.#properties(array, level, isNamed));
    return { head, brackets: ["[", "]"], entries, isList: true };
  }

  #typedArrayParts(array: GuestObject, kind: string): Parts {
    const length = typedArrayLength(array);
    const entries: string[] = [];
    while (entries.length < Math.min(length, this.#maxItems) && this.#mayVisit()) {
      entries.push(this.text(array[entries.length], 0)); // a number or a bigint
    }
    if (entries.length < length) entries.push(`... ${counted(length - entries.length, "more item")}`);
    return { head: `${constructorName(array) ?? kind}(${length})`, brackets: ["[", "]"], entries, isList: true };
  }

  #errorParts(error: GuestObject, level: number): Parts {
    const text = errorText(error);
    const head = level === 0 ? text : `[${text}]`;
    if (level === Number.POSITIVE_INFINITY) return headAlone(head);
    const isOwn = (key: string | symbol): boolean => key !== "name" && key !== "message" && key !== "stack";
    const entries = this.#properties(error, level, isOwn);
    for (const key of ["cause", "errors"]) {
      const hidden = Reflect.getOwnPropertyDescriptor(error, key);
      if (hidden && !hidden.enumerable) entries.push(`[${key}]: ${this.#descriptorText(hidden, level)}`);
    }
    return entries.length === 0 ? headAlone(head) : { head, brackets: ["{", "}"], entries, isList: false };
  }

  #promiseParts(promise: GuestObject, { state, result, callName }: PromiseSlots, level: number): Parts {
    const settled = (): string => `${state === "rejected" ? "<rejected> " : ""}${this.text(result, level + 1)}`;
    const pending = callName === null ? "<pending>" : `<pending: result of ${callName}, write await>`;
    const entries = [state === "pending" ? pending : settled(), ...this.#properties(promise, level)];
    return { head: constructorName(promise) ?? "Promise", brackets: ["{", "}"], entries, isList: false };
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
    return entries.length === 0 ? headAlone(head) : { head, brackets: ["{", "}"], entries, isList: false };
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

const headAlone = (head: string): Parts => ({ head, brackets: ["", ""], entries: [], isList: false });

/** `TypeError: message`, without stack. */
export function errorText(error: GuestObject): string {
  const given = textOf(dataProperty(error, "name")) ?? "Error";
  const name = given === "Error" ? (constructorName(error) ?? given) : given;
  const message = textOf(dataProperty(error, "message")) ?? "";
  return message === "" ? name : `${name}: ${message}`;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

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

const dateText = (time: number): string => (Number.isNaN(time) ? "Invalid Date" : new Date(time).toISOString());

function byteLengthText(object: GuestObject): string {
  const buffer = asArrayBuffer(object);
  return buffer ? String(bufferByteLength(buffer)) : "unknown";
}

/** What stands before the braces of an object: nothing for plain ones. */
function objectHead(object: GuestObject): string {
  const name = constructorName(object);
  const tag = textOf(dataProperty(object, Symbol.toStringTag));
  const head = name ?? "[Object: null prototype]";
  if (tag !== undefined && tag !== name) return `${head} [${tag}]`;
  return head === "Object" ? "" : head;
}

/** How many holes follow one another from an index on. */
function holesAt(array: readonly unknown[], index: number, meter: Meter): number {
  if (Object.hasOwn(array, index)) return 0;
  const next = nextIndex(array, index, meter);
  return next - index;
}

// A sparse array can be long and nearly empty, so its keys are looked at instead of its indices.
function nextIndex(array: readonly unknown[], after: number, meter: Meter): number {
  for (let index = after + 1; index < Math.min(after + 1_000, array.length); index++) {
    if (Object.hasOwn(array, index)) return index;
  }
  const keys = Object.keys(array);
  meter.charge(keys.length);
  const next = keys.find((key) => isIndex(key) && Number(key) > after);
  return next === undefined ? array.length : Number(next);
}

const isIndex = (key: string): boolean => /^(0|[1-9][0-9]{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;

const counted = (count: number, noun: string, one = "", many = "s"): string =>
  `${count} ${noun}${count === 1 ? one : many}`;

const more = (count: number, noun: string): string => (count <= 0 ? "" : `... ${counted(count, `more ${noun}`)}`);
