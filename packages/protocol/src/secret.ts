// Values that a tool needs and that must not appear anywhere else. A secret exists only in the
// host's memory: in the `metadata` of a run, which the log does not keep. If a tool reports the
// value by mistake, it is removed before anything is recorded.

import { toBase64 } from "./functions/base64.ts";
import { toHex } from "./functions/hex.ts";
import { explainMembers } from "./options/explain-members.ts";
import { invalidOption } from "./options/invalid-option.ts";

const brand: unique symbol = Symbol.for("@smolts/Secret");

/** A wrapped value that prints and copies as `[secret]`. */
export interface Secret {
  /** Distinguishes secrets from other objects, also those of another copy of this package. */
  readonly [brand]: true;
  /** Returns the value itself. Call it inside `execute`, where the value is used. */
  reveal(): string;
  /** Returns `[secret]`. */
  toString(): string;
  /** Returns `[secret]`. */
  toJSON(): string;
}

/** The text that is shown in place of a secret. */
const hidden = "[secret]";

/**
 * The minimum length of a secret, in characters. A shorter value would occur in other texts by
 * chance.
 */
const minLength = 8;

/**
 * Wraps a value for the tools of a run: pass it in `metadata`, and call `reveal()` inside
 * `execute`. The wrapper prints as `[secret]`. If a tool returns, throws or reports the value, the
 * run writes `[secret]` into its log and events instead. The run finds the value as plain text, in
 * JSON, in a URL, in base64 and in hex.
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
  if (typeof value !== "string" || value.length < minLength) {
    const what = typeof value === "string" ? `a string of ${value.length} characters` : typeof value;
    throw invalidOption(`secret() got ${what}; expected a string of at least ${minLength}`, "is a variable not set?");
  }
  const shown = (): string => hidden;
  const methods = explainMembers(
    { reveal: () => value, toString: shown, toJSON: shown, [nodeInspect]: shown },
    "a secret",
    {
      methods: [["get getValue", "write secret.reveal()"]],
      values: [["value", "write secret.reveal()"]],
    },
  );
  // The cast is safe: the object inherits the methods and has the brand.
  return Object.freeze(Object.create(methods, { [brand]: { value: true } })) as Secret;
}

const nodeInspect = Symbol.for("nodejs.util.inspect.custom");

/** Says whether a value is a {@link secret}, of this copy of the package or of another copy. */
export const isSecret = (value: unknown): value is Secret =>
  typeof value === "object" && value !== null && brand in value;

/** Replaces secrets in plain data. Returns the same object when it contains none. */
export type HideSecrets = <Data>(data: Data) => Data;

/**
 * Returns a function that replaces the secrets of `holder`, such as a run's metadata, in plain
 * data. Null when `holder` contains no secrets.
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
  // The longest text comes first, because one text may be part of another.
  const pattern = new RegExp(
    forms
      .toSorted((a, b) => b.length - a.length)
      .map(quoted)
      .join("|"),
    "gi",
  );
  // The cast is safe: hiding changes only strings.
  return (data) => without(data, (text) => text.replaceAll(pattern, hidden)) as typeof data;
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

/**
 * Returns the values inside a plain object or array. Instances of classes are skipped, because they
 * may be anything, such as a connection, and their getters run code.
 */
function plainValues(item: object): readonly unknown[] {
  const prototype: unknown = Object.getPrototypeOf(item);
  if (!Array.isArray(item) && prototype !== Object.prototype && prototype !== null) return [];
  return Object.values(Object.getOwnPropertyDescriptors(item)).map(({ value }) => value as unknown);
}

/** Returns the forms in which servers and programs may write the value. */
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
    toHex(bytes),
  ];
}

/**
 * Returns the base64 digits that depend only on the value, for a text in which `before` other bytes
 * precede it.
 */
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
 * Hides secrets in an encoded value that must stay valid: bytes stay bytes, and a big integer that
 * is a secret becomes a string.
 */
function withoutInTagged(tagged: object & { readonly value: unknown }, hide: (text: string) => string): unknown {
  if (hide(String(tagged.value)) === tagged.value) return tagged;
  const isBytes = (tagged as { readonly $?: unknown }).$ === "bytes";
  return isBytes ? { ...tagged, value: toBase64(new TextEncoder().encode(hidden)) } : hidden;
}
