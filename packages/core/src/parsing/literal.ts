// Reads a literal of JavaScript or Python without running anything: strings in any quotes, numbers,
// lists, objects.

/** A literal, and the index after it in the text. */
export interface FoundLiteral {
  readonly value: unknown;
  readonly end: number;
}

/** Reads the literal at `start`. Null when there is none, for example a variable or a call. */
export function readLiteral(text: string, start: number): FoundLiteral | null {
  const reader = new LiteralReader(text, start);
  const value = reader.value(0);
  return value === notLiteral ? null : { value, end: reader.position };
}

const notLiteral: unique symbol = Symbol("no literal");
const maxDepth = 64;

const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
  ["undefined", undefined],
]);

class LiteralReader {
  readonly #text: string;
  position: number;

  constructor(text: string, start: number) {
    this.#text = text;
    this.position = start;
  }

  value(depth: number): unknown {
    if (depth > maxDepth) return notLiteral;
    this.#skipSpace();
    const first = this.#text[this.position];
    if (first === '"' || first === "'" || first === "`") return this.#string(first);
    if (first === "[" || first === "{") return first === "[" ? this.#list(depth) : this.#object(depth);
    return this.#numberOrWord();
  }

  #skipSpace(): void {
    this.position += this.#match(/(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/y)?.length ?? 0;
  }

  /** Says whether `mark` comes next in the text, and moves past it if so. */
  #takes(mark: string): boolean {
    this.#skipSpace();
    if (!this.#text.startsWith(mark, this.position)) return false;
    this.position += mark.length;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    return pattern.exec(this.#text)?.[0];
  }

  #string(quote: string): unknown {
    const written = this.#match(stringPatterns[quote] as RegExp); // every quote has a pattern
    if (written === undefined || (quote === "`" && written.includes("${"))) return notLiteral;
    this.position += written.length;
    return unescaped(written.slice(1, -1));
  }

  #numberOrWord(): unknown {
    const written = this.#match(/-?(?:\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)|[A-Za-z]+/y);
    if (written === undefined) return notLiteral;
    if (!/\d/.test(written) && !words.has(written)) return notLiteral;
    this.position += written.length;
    return words.has(written) ? words.get(written) : Number(written.replaceAll("_", ""));
  }

  #list(depth: number): unknown {
    this.position++;
    const items: unknown[] = [];
    while (!this.#takes("]")) {
      const item = this.value(depth + 1);
      if (item === notLiteral) return notLiteral;
      items.push(item);
      if (!this.#takes(",") && !this.#isAt("]")) return notLiteral;
    }
    return items;
  }

  #object(depth: number): unknown {
    this.position++;
    const entries: [string, unknown][] = [];
    while (!this.#takes("}")) {
      const key = this.#key();
      if (key === null || !this.#takes(":")) return notLiteral;
      const value = this.value(depth + 1);
      if (value === notLiteral) return notLiteral;
      entries.push([key, value]);
      if (!this.#takes(",") && !this.#isAt("}")) return notLiteral;
    }
    return Object.fromEntries(entries);
  }

  #key(): string | null {
    this.#skipSpace();
    const first = this.#text[this.position];
    if (first === '"' || first === "'") {
      const key = this.#string(first);
      return typeof key === "string" ? key : null;
    }
    const name = this.#match(/[A-Za-z_$][\w$]*|\d+/y);
    if (name === undefined) return null;
    this.position += name.length;
    return name;
  }

  #isAt(mark: string): boolean {
    this.#skipSpace();
    return this.#text.startsWith(mark, this.position);
  }
}

const stringPatterns: { readonly [quote: string]: RegExp } = {
  '"': /"(?:[^"\\\n]|\\[\s\S])*"/y,
  "'": /'(?:[^'\\\n]|\\[\s\S])*'/y,
  "`": /`(?:[^`\\]|\\[\s\S])*`/y,
};

const escapes: { readonly [letter: string]: string } = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  v: "\v",
  0: "\0",
};

function unescaped(written: string): string {
  return written.replace(
    /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\n|[\s\S]))/g,
    (whole, long?: string, short?: string, byte?: string, letter?: string) => {
      const digits = long ?? short ?? byte;
      if (digits !== undefined)
        return Number.parseInt(digits, 16) <= 0x10ffff ? String.fromCodePoint(Number.parseInt(digits, 16)) : whole;
      return letter === "\n" ? "" : (escapes[letter ?? ""] ?? letter ?? "");
    },
  );
}
