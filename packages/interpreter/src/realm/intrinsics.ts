// Which intrinsics there are, and which family makes them. To add a built-in: write its family in a
// file of its own, name its intrinsics below, and add it to `families`.

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
 * The intrinsics that anything asks for by name; their `%Names%` of the spec with dots left out.
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

/** The classes of errors that the language itself throws. */
export type GuestErrorName =
  | "Error"
  | "EvalError"
  | "RangeError"
  | "ReferenceError"
  | "SyntaxError"
  | "TypeError"
  | "URIError"
  | "AggregateError";

/** Intrinsics that only built-ins ask for. */
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

/** Intrinsics that are made together. */
export interface IntrinsicFamily {
  readonly intrinsics: readonly IntrinsicName[];
  /** Names of the global object's properties that it gives. */
  readonly globals?: readonly string[];
  /**
   * Made with the realm instead of at first use: fills the prototypes that exist from the start.
   */
  readonly eager?: boolean;
  make(realm: Realm): MadeFamily;
}

/** What {@link IntrinsicFamily.make} gives: the objects under the promised names. */
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

/** Families to make with a realm. */
export const eagerFamilies: readonly IntrinsicFamily[] = /* @__PURE__ */ families.filter(({ eager }) => eager);

const byIntrinsic = /* @__PURE__ */ new Map(
  families.flatMap((family) => family.intrinsics.map((name) => [name, family])),
);
const byGlobal = /* @__PURE__ */ new Map(
  families.flatMap((family) => (family.globals ?? []).map((name) => [name, family])),
);

/** The family that makes an intrinsic. */
export function familyOfIntrinsic(name: IntrinsicName): IntrinsicFamily {
  const family = byIntrinsic.get(name);
  if (!family) throw new Error(`no family makes the intrinsic "${name}"`);
  return family;
}

/** The family that defines a global. */
export function familyOfGlobal(name: string): IntrinsicFamily {
  const family = byGlobal.get(name);
  if (!family) throw new Error(`no family defines the global "${name}"`);
  return family;
}

/** Names of the global object itself; `global` is what code written for Node looks for. */
export const globalSelves: readonly string[] = ["globalThis", "global"];

/** Names of all built-in properties of the global object. */
export function globalNames(): readonly string[] {
  return [...globalSelves, ...byGlobal.keys()];
}
