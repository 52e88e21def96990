// Lists all intrinsics (built-in objects), in families: groups that are created together. To add a
// built-in: write its family in a new file, add the names of its intrinsics below, and add the
// family to `families`.

import type { GuestObject } from "../guest-value.ts";
import type { TypedArrayKind } from "../slots/typed-array.ts";
import { arrayFamily } from "./array/array.ts";
import { arrayIteratorFamily } from "./array/iterator.ts";
import { booleanFamily } from "./boolean.ts";
import { mapFamily } from "./collection/map.ts";
import { setFamily } from "./collection/set.ts";
import { weakFamily } from "./collection/weak.ts";
import { dateFamily } from "./date/date.ts";
import { errorFamily } from "./error.ts";
import { functionFamily } from "./function.ts";
import { globalFunctionsFamily } from "./global-functions.ts";
import { intlFamily } from "./intl/intl.ts";
import { generatorFamily } from "./iterator/generator.ts";
import { iteratorFamily } from "./iterator/iterator.ts";
import { jsonFamily } from "./json/json.ts";
import { bigintFamily } from "./number/bigint.ts";
import { mathFamily } from "./number/math.ts";
import { numberFamily } from "./number/number.ts";
import { objectFamily } from "./object/object.ts";
import { proxyFamily } from "./object/proxy.ts";
import { reflectFamily } from "./object/reflect.ts";
import { promiseFamily } from "./promise/promise.ts";
import type { Realm } from "./realm.ts";
import { regexpFamily } from "./regexp/regexp.ts";
import { regexpStringIteratorFamily } from "./regexp/symbols.ts";
import { stringIteratorFamily } from "./string/iterator.ts";
import { stringFamily } from "./string/string.ts";
import { symbolFamily } from "./symbol.ts";
import { arrayBufferFamily } from "./typed-array/array-buffer.ts";
import { dataViewFamily } from "./typed-array/data-view.ts";
import { typedArrayFamilies } from "./typed-array/typed-array.ts";
import { consoleFamily } from "./web/console.ts";
import { cryptoFamily } from "./web/crypto.ts";
import { domExceptionFamily } from "./web/dom-exception.ts";
import { performanceFamily } from "./web/performance.ts";
import { structuredCloneFamily } from "./web/structured-clone.ts";
import { textEncodingFamily } from "./web/text-encoding.ts";
import { timersFamily } from "./web/timers.ts";
import { urlFamily } from "./web/url.ts";

/**
 * The intrinsics that code outside the built-ins needs. Each name is the specification's `%Name%`
 * without dots.
 */
export type IntrinsicName =
  | "ObjectPrototype"
  | "FunctionPrototype"
  | "ArrayPrototype"
  | "ArrayPrototypeValues"
  | "ArrayIteratorPrototype"
  | "ArrayIteratorPrototypeNext"
  | "IteratorPrototype"
  | "AsyncIteratorPrototype"
  | "StringPrototype"
  | "NumberPrototype"
  | "BooleanPrototype"
  | "BigIntPrototype"
  | "SymbolPrototype"
  | "RegExp"
  | "RegExpPrototype"
  | "Promise"
  | "PromisePrototype"
  | "AsyncFunctionPrototype"
  | "GeneratorFunctionPrototype"
  | "GeneratorPrototype"
  | "AsyncGeneratorFunctionPrototype"
  | "AsyncGeneratorPrototype"
  | "AsyncFromSyncIteratorPrototype"
  | `${GuestErrorName}Prototype`
  | GuestErrorName
  | FurtherIntrinsicName;

/** The error classes that the language itself uses. */
export type GuestErrorName =
  | "Error"
  | "EvalError"
  | "RangeError"
  | "ReferenceError"
  | "SyntaxError"
  | "TypeError"
  | "URIError"
  | "AggregateError";

/** The intrinsics that only built-ins need. */
export type FurtherIntrinsicName =
  | "CollatorPrototype"
  | "DateTimeFormatPrototype"
  | "ListFormatPrototype"
  | "NumberFormatPrototype"
  | "DisplayNamesPrototype"
  | "SegmenterPrototype"
  | "SegmentsPrototype"
  | "SegmentIteratorPrototype"
  | "LocalePrototype"
  | "PluralRulesPrototype"
  | "RelativeTimeFormatPrototype"
  | "TextDecoderPrototype"
  | "TextEncoderPrototype"
  | "URLPrototype"
  | "URLSearchParamsIteratorPrototype"
  | "URLSearchParamsPrototype"
  | "Array"
  | "ArrayBuffer"
  | "ArrayBufferPrototype"
  | "ArrayPrototypeToString"
  | "DOMException"
  | "DOMExceptionPrototype"
  | "DataViewPrototype"
  | "DatePrototype"
  | "Function"
  | "Iterator"
  | "MapIteratorPrototype"
  | "MapPrototype"
  | "RegExpPrototypeExec"
  | "RegExpStringIteratorPrototype"
  | "SetIteratorPrototype"
  | "SetPrototype"
  | "StringIteratorPrototype"
  | "TypedArray"
  | "TypedArrayPrototype"
  | TypedArrayKind
  | `${TypedArrayKind}Prototype`
  | "WeakMapPrototype"
  | "WeakRefPrototype"
  | "WeakSetPrototype"
  | "WrapForValidIteratorPrototype";

/** A group of intrinsics that are created together. */
export interface IntrinsicFamily {
  readonly intrinsics: readonly IntrinsicName[];
  /** The names of the properties that the family adds to the global object. */
  readonly globals?: readonly string[];
  /**
   * Whether the family is created together with the realm, instead of at its first use. Such a
   * family fills prototypes that exist from the start.
   */
  readonly eager?: boolean;
  make(realm: Realm): MadeFamily;
}

/**
 * The result of {@link IntrinsicFamily.make}. It contains an object for each name in the family's
 * `intrinsics` and `globals`.
 */
export interface MadeFamily {
  readonly intrinsics: { readonly [Name in IntrinsicName]?: GuestObject };
  readonly globals?: { readonly [name: string]: unknown };
}

const families: readonly IntrinsicFamily[] = [
  objectFamily,
  functionFamily,
  arrayFamily,
  arrayBufferFamily,
  arrayIteratorFamily,
  bigintFamily,
  booleanFamily,
  consoleFamily,
  dataViewFamily,
  dateFamily,
  errorFamily,
  domExceptionFamily,
  generatorFamily,
  globalFunctionsFamily,
  iteratorFamily,
  jsonFamily,
  mapFamily,
  mathFamily,
  numberFamily,
  promiseFamily,
  proxyFamily,
  reflectFamily,
  regexpFamily,
  regexpStringIteratorFamily,
  setFamily,
  stringFamily,
  stringIteratorFamily,
  symbolFamily,
  timersFamily,
  textEncodingFamily,
  urlFamily,
  cryptoFamily,
  performanceFamily,
  structuredCloneFamily,
  intlFamily,
  ...typedArrayFamilies,
  weakFamily,
];

/** The families that are created together with a realm. */
export const eagerFamilies: readonly IntrinsicFamily[] = /* @__PURE__ */ families.filter(({ eager }) => eager);

const byIntrinsic = /* @__PURE__ */ new Map(
  families.flatMap((family) => family.intrinsics.map((name) => [name, family])),
);
const byGlobal = /* @__PURE__ */ new Map(
  families.flatMap((family) => (family.globals ?? []).map((name) => [name, family])),
);

/** Returns the family that makes an intrinsic. */
export function familyOfIntrinsic(name: IntrinsicName): IntrinsicFamily {
  const family = byIntrinsic.get(name);
  if (!family) throw new Error(`no family makes the intrinsic "${name}"`);
  return family;
}

/** Returns the family that defines a global. */
export function familyOfGlobal(name: string): IntrinsicFamily {
  const family = byGlobal.get(name);
  if (!family) throw new Error(`no family defines the global "${name}"`);
  return family;
}

/** The names of the global object itself. Code for Node uses `global`. */
export const globalSelfNames: readonly string[] = ["globalThis", "global"];

/** Returns the names of all built-in properties of the global object. */
export function globalNames(): readonly string[] {
  return [...globalSelfNames, ...byGlobal.keys()];
}
