// The tokens of a text that may be a date: numbers, signs, other symbols, and the words that mean
// something in dates.

/** A word that means something in dates. */
export type DateWord =
  | { readonly type: "month"; readonly month: number }
  | { readonly type: "half-day"; readonly hours: 0 | 12 }
  | { readonly type: "zone"; readonly hours: number; readonly isZ: boolean }
  | { readonly type: "time-mark" }
  | { readonly type: "other-word" };

/** A token. A comment is text in parentheses, which is ignored. */
export type DateToken =
  | { readonly type: "number"; readonly value: number; readonly digits: number }
  | { readonly type: "symbol"; readonly symbol: string }
  | { readonly type: "space" }
  | { readonly type: "comment" }
  | { readonly type: "end" }
  | DateWord;

/** Reads the tokens of a text one after the other. */
export class DateTokens {
  readonly #text: string;
  #position = 0;
  #peeked: DateToken;

  constructor(text: string) {
    this.#text = text;
    this.#peeked = this.#read();
  }

  /** The next token. Does not move past it. */
  get peek(): DateToken {
    return this.#peeked;
  }

  /** Returns the next token and moves past it. */
  next(): DateToken {
    const token = this.#peeked;
    this.#peeked = this.#read();
    return token;
  }

  /** Says whether the next token is this symbol. */
  isAt(symbol: string): boolean {
    return this.#peeked.type === "symbol" && this.#peeked.symbol === symbol;
  }

  /**
   * Moves past this symbol if it is the next token, and returns true. Returns false for any other
   * token.
   */
  skip(symbol: string): boolean {
    const isThere = this.isAt(symbol);
    if (isThere) this.next();
    return isThere;
  }

  #read(): DateToken {
    const rest = this.#text.slice(this.#position);
    if (rest === "") return { type: "end" };
    const [length, token] = tokenAt(rest);
    this.#position += length;
    return token;
  }
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** The names of time zones, with their hours from UTC. */
const zones: ReadonlyMap<string, number> = /* @__PURE__ */ new Map([
  ["z", 0],
  ["ut", 0],
  ["utc", 0],
  ["gmt", 0],
  ["edt", -4],
  ["est", -5],
  ["cdt", -5],
  ["cst", -6],
  ["mdt", -6],
  ["mst", -7],
  ["pdt", -7],
  ["pst", -8],
]);

// The maximum number of digits of a number. Further digits are cut off, as in V8. No valid date
// needs more.
const maxDigits = 9;

function tokenAt(text: string): readonly [length: number, token: DateToken] {
  const digits = /^\d+/.exec(text)?.[0];
  if (digits !== undefined) return [digits.length, { type: "number", value: numberOf(digits), digits: digits.length }];
  const space = /^\s+/.exec(text)?.[0];
  if (space !== undefined) return [space.length, { type: "space" }];
  const word = /^[^\x00-\x40\s]+/.exec(text)?.[0];
  if (word !== undefined) return [word.length, wordToken(word.toLowerCase())];
  if (text.startsWith("(")) return [parenthesesLength(text), { type: "comment" }];
  return [1, { type: "symbol", symbol: text.slice(0, 1) }];
}

const numberOf = (digits: string): number => Number(digits.replace(/^0+/, "").slice(0, maxDigits));

function wordToken(word: string): DateWord {
  const month = months.indexOf(word.slice(0, 3));
  if (month !== -1) return { type: "month", month: month + 1 };
  if (word === "am" || word === "pm") return { type: "half-day", hours: word === "am" ? 0 : 12 };
  const hours = zones.get(word);
  if (hours !== undefined) return { type: "zone", hours, isZ: word === "z" };
  return { type: word === "t" ? "time-mark" : "other-word" };
}

function parenthesesLength(text: string): number {
  let open = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "(") open++;
    if (text[index] === ")" && --open === 0) return index + 1;
  }
  return text.length;
}
