// Values that a tool needs and that nothing else may hold. A secret is in the host's memory alone:
// in the `metadata` of a run, which no log keeps. What a tool says of it by mistake is taken out
// before it is recorded.

import { toBase64 } from "./functions/base64.ts";
import { invalidOption } from "./options/invalid-option.ts";

const brand: unique symbol = Symbol.for("@smolts/Secret");

/** A value that prints and copies as `[secret]`. */
export interface Secret {
  /** Tells secrets from other objects, also those of another copy of this package. */
  readonly [brand]: true;
  /** The value itself. Call it inside `execute`, where the value is used. */
  reveal(): string;
  /** Returns `[secret]`. */
  toString(): string;
  /** Returns `[secret]`. */
  toJSON(): string;
}

/** What is shown in place of a secret. */
const hidden = "[secret]";

/** A shorter value would occur in other texts by chance. */
const leastLength = 8;

/**
 * Wraps a value for the tools of a run: pass it in `metadata`, and call `reveal()` inside
 * `execute`. It is printed as `[secret]`. A run whose metadata holds it writes `[secret]` into its
 * log and events wherever a tool returns, throws or reports the value: as it is, in JSON, in a URL,
 * in base64 or in hex.
 *
 * @param value - at least 8 characters
 * @throws AgentError `invalid-option` for anything else
 * @example
 * ```ts
 * import { secret } from "@smolts/protocol";
 *
 * const token = secret("correct horse battery staple");
 * console.log(`${token}`, JSON.stringify({ token }), token.reveal().length); // [secret] {"token":"[secret]"} 28
 * ```
 */
export function secret(value: string): Secret {
  if (typeof value !== "string" || value.length < leastLength) {
    const what = typeof value === "string" ? `a text of ${value.length} characters` : typeof value;
    throw invalidOption(`secret() got ${what}; expected a text of at least ${leastLength}`, "is a variable not set?");
  }
  const shown = (): string => hidden;
  const methods = { reveal: () => value, toString: shown, toJSON: shown, [nodeInspect]: shown };
  return Object.freeze(Object.create(methods, { [brand]: { value: true } })) as Secret; // with the methods and the brand
}

const nodeInspect = Symbol.for("nodejs.util.inspect.custom");

/** Whether a value is a {@link secret}, of this copy of the package or another. */
export const isSecret = (value: unknown): value is Secret =>
  typeof value === "object" && value !== null && brand in value;

/** Takes secrets out of plain data, and returns the same object when it holds none. */
export type HideSecrets = <Data>(data: Data) => Data;

/**
 * Makes a function that takes the secrets within `holder`, such as a run's metadata, out of plain
 * data. Null when there are none.
 *
 * @example
 * ```ts
 * import { hideSecretsOf, secret } from "@smolts/protocol";
 *
 * const hide = hideSecretsOf({ token: secret("correct horse") });
 * console.log(hide?.({ url: "https://example.com/?q=correct%20horse" })); // { url: 'https://example.com/?q=[secret]' }
 * ```
 */
export function hideSecretsOf(holder: unknown): HideSecrets | null {
  const forms = [...new Set(secretsIn(holder).flatMap((found) => formsOf(found.reveal())))];
  if (forms.length === 0) return null;
  // The longest first: a value may be part of another one.
  const pattern = new RegExp(
    forms
      .toSorted((a, b) => b.length - a.length)
      .map(quoted)
      .join("|"),
    "gi",
  );
  return (data) => without(data, (text) => text.replaceAll(pattern, hidden)) as typeof data; // only texts change
}

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

function secretsIn(holder: unknown): readonly Secret[] {
  const found: Secret[] = [];
  const seen = new Set<object>();
  const open: unknown[] = [holder];
  while (open.length > 0) {
    const item = open.pop();
    if (typeof item !== "object" || item === null || seen.has(item)) continue;
    seen.add(item);
    if (isSecret(item)) found.push(item);
    else if (item instanceof Map || item instanceof Set) open.push(...item.keys(), ...item.values());
    else open.push(...plainValues(item));
  }
  return found;
}

/** An object of a class may be anything, a connection or a request, and its getters run code. */
function plainValues(item: object): readonly unknown[] {
  const prototype: unknown = Object.getPrototypeOf(item);
  if (!Array.isArray(item) && prototype !== Object.prototype && prototype !== null) return [];
  return Object.values(Object.getOwnPropertyDescriptors(item)).map(({ value }) => value as unknown);
}

/** The value as servers and programs write it. */
function formsOf(value: string): readonly string[] {
  const bytes = new TextEncoder().encode(value);
  const base64 = [0, 1, 2].map((before) => innerBase64(bytes, before));
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    encodeURIComponent(value).replaceAll("%20", "+"),
    ...base64,
    ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""),
  ];
}

/** The base64 digits that depend on nothing but the value, when so many bytes come before it. */
function innerBase64(value: Uint8Array, before: number): string {
  const bytes = new Uint8Array(before + value.length);
  bytes.set(value, before);
  const firstWhole = Math.ceil((before * 8) / 6);
  const endWhole = Math.floor((bytes.length * 8) / 6);
  return toBase64(bytes).slice(firstWhole, endWhole);
}

function without(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === "string") return hide(value);
  if (typeof value !== "object" || value === null) return value;
  if ("$" in value && "value" in value && typeof value.value === "string") return withoutInTagged(value, hide);
  const entries = Object.entries(value).map(([name, item]) => [hide(name), without(item, hide)] as const);
  const isSame = Object.keys(value).every((name, index) => {
    const [shown, item] = entries[index] ?? [];
    return shown === name && item === (value as Record<string, unknown>)[name];
  });
  if (isSame) return value;
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

/**
 * An encoded value whose text must keep its form: bytes stay bytes, and a big integer that is a
 * secret becomes a text.
 */
function withoutInTagged(tagged: object & { readonly value: unknown }, hide: (text: string) => string): unknown {
  if (hide(String(tagged.value)) === tagged.value) return tagged;
  const isBytes = (tagged as { readonly $?: unknown }).$ === "bytes";
  return isBytes ? { ...tagged, value: toBase64(new TextEncoder().encode(hidden)) } : hidden;
}
