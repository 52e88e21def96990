// How guest values read: much like Node's `util.inspect`, but without ever running guest code.
// Getters are shown as [Getter], proxies by their targets, and no `toString` or `toJSON` is called.
// Depth, elements and length are bounded, and what is left out is counted. Each visited element is
// counted as an operation and each text as allocated. The host's own Reflect functions serve here:
// no proxy gets so far, and a function that is not settled is not to be settled by being looked at.
//
// On purpose it differs from Node in this: four levels are opened and not two; errors have no stack
// and one name; `%s`, `%o` and `%j` show data and call nothing; what turns the direction of text is
// escaped; a table (table.ts) is Markdown; named properties of an array of more than 10,000
// elements are not looked for.

import { type GuestObject, isObject, slotsOf } from "../guest-value.ts";
import type { Meter } from "../limits.ts";
import { bitLength, operationsForDigits } from "../operations/bigint-cost.ts";
import { describedKeys } from "../operations/counted-keys.ts";
import { hasManyKeys } from "../operations/many-keys.ts";
import { proxyState } from "../operations/proxy.ts";
import type { Realm } from "../realm/realm.ts";
import { requireAmpleStack } from "../stack-room.ts";
import { counted } from "./counted.ts";
import { constructorName, countPrototypes } from "./describe-object.ts";
import { layOut, type Parts } from "./layout.ts";
import { isToldByHead, partsOf } from "./object-parts.ts";
import { quoteKey, quoteLines, symbolText } from "./quote.ts";

/** Bounds of {@link inspect}. */
export interface InspectOptions {
  /** How many levels of objects are opened. */
  readonly depth?: number;
  /** Elements, entries or properties shown of one object. */
  readonly maxItems?: number;
  /** Characters shown of a string that stands inside an object. */
  readonly maxStringLength?: number;
  /** Whether lengths of arrays are shown too, as `%o` does. */
  readonly showsHidden?: boolean;
  /** Counts the work; the realm's own meter by default. */
  readonly meter?: Meter;
}

/** The text of a guest value. Strings are quoted. */
export function inspect(realm: Realm, value: unknown, options: InspectOptions = {}): string {
  requireAmpleStack(realm.meter.depth);
  return new Inspector(realm, options).text(value, 0);
}

/** The text of a guest value as printing shows it: a string stands for itself. */
export function inspectForPrint(realm: Realm, value: unknown, meter: Meter = realm.meter): string {
  return typeof value === "string" ? value : inspect(realm, value, { meter });
}

// How many operations the host could do in the time that it takes to look at an object, and at each
// of its prototypes.
const operationsOfObject = 20;
const operationsOfPrototype = 2;

// Elements visited and characters of strings in one call, over all levels: bounds on shapes that
// stay below the others and are huge together.
const mostVisited = 20_000;
const mostCharacters = 1_000_000;

/** One walk over a value and what is inside of it. `level` is how deep a value stands, 0-based. */
export class Inspector {
  readonly realm: Realm;
  readonly meter: Meter;
  readonly maxItems: number;
  readonly showsHidden: boolean;
  readonly #depth: number;
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
    { depth = 4, maxItems = 100, maxStringLength = 10_000, showsHidden = false, meter = realm.meter }: InspectOptions,
  ) {
    this.realm = realm;
    this.meter = meter;
    this.maxItems = maxItems;
    this.#depth = depth;
    this.#maxStringLength = maxStringLength;
    this.showsHidden = showsHidden;
  }

  /** A value. */
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

  /** Items of an object, as many as may be shown. `size` is how many there are. */
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

  /** Enumerable own properties as `key: value`, as many as may be shown. */
  properties(object: GuestObject, level: number, isShown?: (key: string | symbol) => boolean): string[] {
    const keys = describedKeys(this.meter, object) ?? [];
    const entries: string[] = [];
    let left = 0;
    for (const key of keys) {
      if (isShown && !isShown(key)) continue;
      const descriptor = Reflect.getOwnPropertyDescriptor(object, key);
      if (!descriptor?.enumerable) continue;
      if (entries.length >= this.maxItems || !this.mayVisit()) left++;
      else entries.push(`${this.#keyText(key)}: ${this.descriptorText(descriptor, level)}`);
    }
    if (left > 0) entries.push(`... ${counted(left, "more propert", "y", "ies")}`);
    return entries;
  }

  /** An element of an array at `level`. */
  elementText(array: GuestObject, index: number, level: number): string {
    const descriptor = Reflect.getOwnPropertyDescriptor(array, index);
    return descriptor ? this.descriptorText(descriptor, level) : "undefined";
  }

  /** The value of a property of an object at `level`. */
  descriptorText({ value, get, set }: PropertyDescriptor, level: number): string {
    if (get && set) return "[Getter/Setter]";
    if (get) return "[Getter]";
    if (set) return "[Setter]";
    return this.text(value, level + 1);
  }

  /** Counts one item; false when no more may be shown. */
  mayVisit(): boolean {
    this.meter.charge(1);
    return ++this.#visited <= mostVisited && this.#characters <= mostCharacters;
  }

  /** Counts a text that is shown, before it is made. */
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

  /** An object that stands too deep to be opened. */
  #closedText(object: GuestObject): string {
    if (isToldByHead(object)) return partsOf(this, object, Number.POSITIVE_INFINITY).head;
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
