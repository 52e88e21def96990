// Reads JSON as models write it: with trailing commas, comments, other quotes, keys without quotes,
// line breaks in strings, and literals of JavaScript or Python. A text that is ambiguous is not
// read as a value, because a call with guessed arguments is worse than no call.

/** A value, and the end of its text. */
export interface LooseValue {
  readonly value: unknown;
  /** The index after the last character of the value. */
  readonly end: number;
}

/** Reads the value that begins at `at`, after spaces and comments. Null when there is no value. */
export function readLooseValue(text: string, at: number): LooseValue | null {
  return readValue(text, at, 0);
}

/** Parses the whole text as one value; undefined when it is not one. */
export function parseLooseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const read = readLooseValue(text, 0);
    return read !== null && skipSpace(text, read.end) === text.length ? read.value : undefined;
  }
}

/** Returns the index of the next character that is not part of a space or a comment. */
export function skipSpace(text: string, from: number): number {
  const space = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*)*/y;
  space.lastIndex = from;
  return from + (space.exec(text)?.[0].length ?? 0);
}

const maxDepth = 200;

function readValue(text: string, from: number, depth: number): LooseValue | null {
  if (depth > maxDepth) return null;
  const at = skipSpace(text, from);
  switch (text.charAt(at)) {
    case "{":
      return readObject(text, at, depth);
    case "[":
      return readList(text, at, "]", depth);
    case "(":
      return readList(text, at, ")", depth);
    case '"':
    case "'":
    case "`":
    case "“":
      return readText(text, at);
    default:
      return readWord(text, at);
  }
}

function readObject(text: string, from: number, depth: number): LooseValue | null {
  const entries: [string, unknown][] = [];
  let at = skipSpace(text, from + 1);
  while (text.charAt(at) !== "}") {
    const key = readKey(text, at);
    if (key === null) return null;
    at = skipSpace(text, key.end);
    if (text.charAt(at) !== ":") return null;
    const value = readValue(text, at + 1, depth + 1);
    if (value === null) return null;
    entries.push([String(key.value), value.value]);
    at = skipSpace(text, value.end);
    if (text.charAt(at) === ",") at = skipSpace(text, at + 1);
    else if (text.charAt(at) !== "}") return null;
  }
  // With `Object.fromEntries`, "__proto__" is an ordinary key. A later check refuses this key.
  return { value: Object.fromEntries(entries), end: at + 1 };
}

function readKey(text: string, at: number): LooseValue | null {
  if (/["'“]/.test(text.charAt(at))) return readText(text, at);
  const key = /[A-Za-z_$][\w$-]*|\d+/y;
  key.lastIndex = at;
  const name = key.exec(text)?.[0];
  return name === undefined ? null : { value: name, end: at + name.length };
}

function readList(text: string, from: number, close: string, depth: number): LooseValue | null {
  const items: unknown[] = [];
  let at = skipSpace(text, from + 1);
  while (text.charAt(at) !== close) {
    const item = readValue(text, at, depth + 1);
    if (item === null) return null;
    items.push(item.value);
    at = skipSpace(text, item.end);
    if (text.charAt(at) === ",") at = skipSpace(text, at + 1);
    else if (text.charAt(at) !== close) return null;
  }
  return { value: items, end: at + 1 };
}

const closings: { readonly [open: string]: string } = { "“": "”" };

const escapes: { readonly [letter: string]: string } = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  "0": "\0",
  // An escaped line break is not part of the string.
  "\n": "",
};

/** Matches `x41`, `u0041` and `u{1f600}` after a backslash. */
const characterCode = /^(?:[ux]([\da-f]{4}|(?<=x)[\da-f]{2})|u\{((?:10|0?[\da-f])?[\da-f]{1,4})\})/i;

function readText(text: string, from: number): LooseValue | null {
  const open = text.charAt(from);
  const close = closings[open] ?? open;
  if (text.startsWith(open.repeat(3), from)) return readLongText(text, from, open.repeat(3));
  let value = "";
  for (let at = from + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === close) return endsText(text, at + 1) ? { value, end: at + 1 } : null;
    // A template with a variable is not a literal.
    if (open === "`" && text.startsWith("${", at)) return null;
    if (character !== "\\") {
      value += character;
      continue;
    }
    const next = text.charAt(++at);
    const code = characterCode.exec(text.slice(at, at + 9));
    const digits = code?.[1] ?? code?.[2];
    value += digits === undefined ? (escapes[next] ?? next) : String.fromCodePoint(Number.parseInt(digits, 16));
    at += (code?.[0].length ?? 1) - 1;
  }
  return null;
}

/** Reads a Python string with triple quotes. */
function readLongText(text: string, from: number, quotes: string): LooseValue | null {
  const end = text.indexOf(quotes, from + 3);
  return end === -1 ? null : { value: text.slice(from + 3, end), end: end + 3 };
}

/**
 * Says whether a quote certainly ends its string, because the text after the quote can follow a
 * value. In all other cases, the quote may be a part of the string.
 */
const endsText = (text: string, end: number): boolean =>
  /[,:\]})]|^$/.test(text.charAt(skipSpace(text, end))) || /^\s*(?:<|\[|$|\n)/.test(text.slice(end, end + 20));

const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
]);

function readWord(text: string, at: number): LooseValue | null {
  const pattern = /-?(?:0|[1-9][\d_]*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|[A-Za-z]+(?![\w.(])/y;
  pattern.lastIndex = at;
  const word = pattern.exec(text)?.[0];
  if (word === undefined) return null;
  const end = at + word.length;
  if (/^[-\d]/.test(word)) return { value: Number(word.replaceAll("_", "")), end };
  return words.has(word) ? { value: words.get(word), end } : null;
}
