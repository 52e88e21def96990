// Formats guest values much like Node's `util.inspect`, but never runs guest code. A getter is
// shown as [Getter]. For a proxy, its target is shown. No `toString` or `toJSON` is called. The
// depth, the number of elements and the length are limited, and the text says how much is left out.
// Each visited element is charged as an operation, and each text as allocated memory.
//
// The code uses the host's Reflect functions. This is safe, because each proxy is replaced by its
// target first. Our own operations would create the properties of functions (function-object.ts),
// but printing must not change any object.
//
// It differs from Node on purpose: four levels are shown instead of two; errors have no stack and
// only one name; `%s`, `%o` and `%j` show data and call nothing; characters that change the
// direction of text are escaped; a table (table.ts) is Markdown; arrays of more than 10,000
// elements are shown without their named properties.

import { type GuestObject, isObject, slotsOf } from "../guest-value.ts";
import type { Meter } from "../limits.ts";
import { bitLength, operationsForDigits } from "../operations/bigint-cost.ts";
import { describedKeys } from "../operations/counted-keys.ts";
import { hasManyKeys } from "../operations/many-keys.ts";
import type { Realm } from "../realm/realm.ts";
import { proxyState } from "../slots/proxy.ts";
import { requireAmpleStack } from "../stack-room.ts";
import { counted } from "./counted.ts";
import { constructorName, countPrototypes } from "./describe-object.ts";
import { layOut, type Parts } from "./layout.ts";
import { isDescribedByHead, partsOf } from "./object-parts.ts";
import { quoteKey, quoteLines, symbolText } from "./quote.ts";

/** The limits of {@link inspect}. */
export interface InspectOptions {
  /** How many levels of objects are shown. */
  readonly depth?: number;
  /** How many elements, entries or properties of one object are shown. */
  readonly maxItems?: number;
  /** How many characters of a string inside an object are shown. */
  readonly maxStringLength?: number;
  /** Whether the lengths of arrays are shown too, as `%o` requires. */
  readonly showsHidden?: boolean;
  /** Counts the work. @defaultValue the realm's meter */
  readonly meter?: Meter;
}

/** Returns the text of a guest value. Strings are in quotes. */
export function inspect(realm: Realm, value: unknown, options: InspectOptions = {}): string {
  requireAmpleStack(realm.meter.depth);
  return new Inspector(realm, options).text(value, 0);
}

/** Returns the text of a guest value for printing. A string is not in quotes. */
export function inspectForPrint(realm: Realm, value: unknown, meter: Meter = realm.meter): string {
  return typeof value === "string" ? value : inspect(realm, value, { meter });
}

// The cost of an object, and of each of its prototypes, in operations.
const operationsOfObject = 20;
const operationsOfPrototype = 2;

// How many elements, and how many characters of strings, one call may show in total. These limits
// are for objects whose parts stay below the other limits but that are huge as a whole.
const maxVisited = 20_000;
const maxCharacters = 1_000_000;

/**
 * Formats a value and everything in it. The `level` of a value is its nesting depth: 0 for the
 * outermost value.
 */
export class Inspector {
  readonly realm: Realm;
  readonly meter: Meter;
  readonly maxItems: number;
  readonly showsHidden: boolean;
  readonly #depth: number;
  readonly #maxStringLength: number;
  /** The objects that contain the object that is being printed. */
  readonly #open: GuestObject[] = [];
  /** The objects that contain themselves, with their numbers in the text, as in `<ref *1>`. */
  readonly #circular = new Map<GuestObject, number>();
  /** The level of the object that was entered last. */
  #lastLevel = 0;
  #visited = 0;
  #characters = 0;

  constructor(
    realm: Realm,
    { depth = 4, maxItems = 100, maxStringLength = 10_000, showsHidden = false, meter = realm.meter }: InspectOptions,
  ) {
    this.realm = realm;
    this.meter = meter;
    this.maxItems = maxItems;
    this.#depth = depth;
    this.#maxStringLength = maxStringLength;
    this.showsHidden = showsHidden;
  }

  /** Returns the text of a value at `level`. */
  text(value: unknown, level: number): string {
    if (isObject(value)) return this.#objectText(value, level);
    switch (typeof value) {
      case "string":
        return this.#stringText(value, level);
      case "number":
        return Object.is(value, -0) ? "-0" : String(value);
      case "bigint":
        return this.#bigintText(value);
      case "symbol":
        this.countText(value.description?.length ?? 0);
        return symbolText(value);
      default:
        return String(value); // undefined, null and booleans
    }
  }

  /**
   * Returns the texts of an object's items, up to the maximum number. `size` is the number of
   * items.
   */
  items<Item>(items: Iterable<Item>, size: number, textOfItem: (item: Item) => string): string[] {
    const texts: string[] = [];
    for (const item of items) {
      if (texts.length >= this.maxItems || !this.mayVisit()) {
        texts.push(`... ${counted(size - texts.length, "more item")}`);
        break;
      }
      texts.push(textOfItem(item));
    }
    return texts;
  }

  /** Returns the enumerable own properties as `key: value`, up to the maximum number. */
  properties(object: GuestObject, level: number, isShown?: (key: string | symbol) => boolean): string[] {
    const all = describedKeys(this.meter, object) ?? [];
    const keys = isShown ? all.filter(isShown) : all;
    const entries: string[] = [];
    for (const key of keys) {
      if (entries.length >= this.maxItems || !this.mayVisit()) break;
      const descriptor = Reflect.getOwnPropertyDescriptor(object, key);
      if (descriptor) entries.push(`${this.#keyText(key)}: ${this.descriptorText(descriptor, level)}`);
    }
    const left = keys.length - entries.length;
    if (left > 0) entries.push(`... ${counted(left, "more propert", "y", "ies")}`);
    return entries;
  }

  /** Returns the text of an array's element. `level` is the nesting depth of the array. */
  elementText(array: GuestObject, index: number, level: number): string {
    const descriptor = Reflect.getOwnPropertyDescriptor(array, index);
    return descriptor ? this.descriptorText(descriptor, level) : "undefined";
  }

  /** Returns the text of a property's value. `level` is the nesting depth of the object. */
  descriptorText({ value, get, set }: PropertyDescriptor, level: number): string {
    if (get && set) return "[Getter/Setter]";
    if (get) return "[Getter]";
    if (set) return "[Setter]";
    return this.text(value, level + 1);
  }

  /** Counts one item. Returns false if no more may be shown. */
  mayVisit(): boolean {
    this.meter.charge(1);
    return ++this.#visited <= maxVisited && this.#characters <= maxCharacters;
  }

  /** Counts the length of a text that will be created, so that a limit can stop it before. */
  countText(length: number): void {
    this.meter.charge(1 + (length >>> 4));
    this.meter.allocate(length * 2);
    this.#characters += length;
  }

  #bigintText(value: bigint): string {
    const digits = Math.ceil(bitLength(value) / 3);
    this.meter.charge(operationsForDigits(digits));
    this.countText(digits);
    return `${value}n`;
  }

  #stringText(text: string, level: number): string {
    const shown = text.length > this.#maxStringLength ? text.slice(0, this.#maxStringLength) : text;
    this.countText(shown.length);
    const hidden = text.length - shown.length;
    return quoteLines(shown, level) + (hidden === 0 ? "" : `... ${counted(hidden, "more character")}`);
  }

  #keyText(key: string | symbol): string {
    const length = (typeof key === "symbol" ? key.description?.length : key.length) ?? 0;
    this.countText(typeof key === "symbol" ? length : Math.min(length, this.#maxStringLength));
    if (typeof key === "symbol" || length <= this.#maxStringLength) return quoteKey(key);
    return `${quoteKey(key.slice(0, this.#maxStringLength))}...`;
  }

  #objectText(object: GuestObject, level: number): string {
    const proxy = proxyState(object);
    if (proxy) return proxy.target ? this.#objectText(proxy.target, level) : "<revoked proxy>";
    this.meter.charge(operationsOfObject + operationsOfPrototype * countPrototypes(object));
    if (this.#open.includes(object)) return `[Circular *${this.#numberOf(object)}]`;
    if (level > this.#depth) return this.#closedText(object);
    const levelBefore = this.#lastLevel;
    this.#lastLevel = level;
    this.#open.push(object);
    const parts = partsOf(this, object, level);
    this.#open.pop();
    if (parts.entries.length === 0) this.#lastLevel = levelBefore;
    const number = this.#circular.get(object);
    const referred = number === undefined ? parts : withReference(parts, number);
    const text = parts.brackets[0] === "" ? referred.head : layOut(referred, level, this.#lastLevel - level);
    this.meter.charge(text.length >>> 4);
    this.meter.allocate(text.length);
    return text;
  }

  #isEmpty(object: GuestObject): boolean {
    return !hasManyKeys(object) && Reflect.ownKeys(object).length === 0;
  }

  #numberOf(object: GuestObject): number {
    const number = this.#circular.get(object) ?? this.#circular.size + 1;
    this.#circular.set(object, number);
    return number;
  }

  /** Returns the short text for an object that is nested too deep to be shown. */
  #closedText(object: GuestObject): string {
    if (isDescribedByHead(object)) return partsOf(this, object, Number.POSITIVE_INFINITY).head;
    if (Array.isArray(object)) return object.length === 0 ? "[]" : "[Array]";
    if (slotsOf(object) === undefined && constructorName(object) === "Object" && this.#isEmpty(object)) return "{}";
    return `[${constructorName(object) ?? "Object: null prototype"}]`;
  }
}

const withReference = (parts: Parts, number: number): Parts => ({
  ...parts,
  head: `<ref *${number}> ${parts.head}`.trimEnd(),
  isHeadAlone: true,
});
