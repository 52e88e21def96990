// How strings and property keys are quoted, as in Node: single quotes unless the text has some and
// another kind has not.

const named = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\\", "\\\\"],
]);

// Control characters, the backslash, what turns the direction of text, and halves of surrogate
// pairs.
const special =
  /[\u0000-\u001f\u007f-\u009f\\\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const identifier = /^[A-Za-z_]\w*$/;

/** A string in quotes. */
export function quote(text: string): string {
  const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !/[`]|\$\{/.test(text) ? "`" : "'";
  const escaped = text.replace(special, escapeCharacter);
  return mark + (mark === "'" ? escaped.replaceAll("'", "\\'") : escaped) + mark;
}

// A text that is longer than what is left of a line of 80 characters stands line by line.
const longestOnOneLine = 76;
const longestPiece = 16;

/**
 * A string in quotes inside of an object; each of its lines in quotes of its own when they are too
 * long for one.
 */
export function quoteLines(text: string, level: number): string {
  if (text.length <= longestPiece || text.length <= longestOnOneLine - 2 * level) return quote(text);
  const lines = text.split(/(?<=\n)/);
  return lines.map(quote).join(` +\n${"  ".repeat(level + 1)}`);
}

/** A property key as printed before a colon. */
export function quoteKey(key: string | symbol): string {
  if (typeof key === "symbol") return `[${symbolText(key)}]`;
  if (key === "__proto__") return "['__proto__']"; // as it must be written to be a key
  return identifier.test(key) ? key : quote(key);
}

/** `Symbol(description)`. */
export function symbolText(symbol: symbol): string {
  return `Symbol(${(symbol.description ?? "").replace(special, escapeCharacter)})`;
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  return named.get(character) ?? (code < 256 ? `\\x${hex(code, 2).toUpperCase()}` : `\\u${hex(code, 4)}`);
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");
