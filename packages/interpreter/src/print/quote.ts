// Quotes strings and property keys like Node: with single quotes or, if the text contains those,
// with another kind of quote that it does not contain.

const named = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\\", "\\\\"],
]);

// The characters to escape: control characters, the backslash, characters that change the direction
// of text, and lone surrogates.
const special =
  /[\u0000-\u001f\u007f-\u009f\\\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const identifier = /^[A-Za-z_]\w*$/;

/** Returns a string in quotes. */
export function quote(text: string): string {
  const mark = !text.includes("'") ? "'" : !text.includes('"') ? '"' : !/[`]|\$\{/.test(text) ? "`" : "'";
  const escaped = text.replace(special, escapeCharacter);
  return mark + (mark === "'" ? escaped.replaceAll("'", "\\'") : escaped) + mark;
}

// The maximum length of a string that is printed on one line of 80 characters. Each line of a
// longer string is quoted separately.
const maxOneLineLength = 76;
const maxPieceLength = 16;

/**
 * Puts a string in quotes for printing it inside an object. If the string is too long for one
 * printed line, each line of the string is quoted separately.
 */
export function quoteLines(text: string, level: number): string {
  if (text.length <= maxPieceLength || text.length <= maxOneLineLength - 2 * level) return quote(text);
  const lines = text.split(/(?<=\n)/);
  return lines.map(quote).join(` +\n${"  ".repeat(level + 1)}`);
}

/** Returns a property key as it is printed before a colon. */
export function quoteKey(key: string | symbol): string {
  if (typeof key === "symbol") return `[${symbolText(key)}]`;
  if (key === "__proto__") return "['__proto__']"; // without the brackets, running the printed code would set the prototype
  return identifier.test(key) ? key : quote(key);
}

/** Returns the text of a symbol, such as `Symbol(description)`. */
export function symbolText(symbol: symbol): string {
  return `Symbol(${(symbol.description ?? "").replace(special, escapeCharacter)})`;
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  return named.get(character) ?? (code < 256 ? `\\x${hex(code, 2).toUpperCase()}` : `\\u${hex(code, 4)}`);
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");
