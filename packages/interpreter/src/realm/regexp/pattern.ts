// Parses patterns of regular expressions to syntax trees. The host has already accepted a pattern,
// so this parser need not check the syntax. It refuses syntax that it does not know, which is newer
// than ES2024.

import { throwError } from "../../guest-throw.ts";
import { requireStack } from "../../stack-room.ts";
import { isSupportedLength, maxTextLengthOf } from "./text-set.ts";

/**
 * A part of a pattern. A `set` matches one character. Its source is stored, so that the host can
 * test whether a character belongs to it. `texts` is a set that also contains strings of several
 * characters. The longest of these has `longest` UTF-16 units.
 */
export type PatternNode =
  | { readonly type: "empty" | "start" | "end" }
  | { readonly type: "boundary"; readonly isNegated: boolean }
  | { readonly type: "character"; readonly point: number }
  | { readonly type: "set"; readonly source: string }
  | { readonly type: "texts"; readonly source: string; readonly longest: number }
  | { readonly type: "sequence" | "choice"; readonly parts: readonly PatternNode[] }
  | { readonly type: "group"; readonly index: number; readonly body: PatternNode }
  | { readonly type: "look"; readonly isBehind: boolean; readonly isNegated: boolean; readonly body: PatternNode }
  | { readonly type: "reference"; readonly index: number }
  | RepeatNode;

/** A part with a quantifier. */
export interface RepeatNode {
  readonly type: "repeat";
  readonly body: PatternNode;
  readonly min: number;
  readonly max: number;
  readonly isGreedy: boolean;
  /** The index of the first group inside. At each iteration, the groups inside are reset. */
  readonly firstGroup: number;
  readonly groupCount: number;
}

/** A pattern as a tree, with facts about its groups. */
export interface Pattern {
  readonly body: PatternNode;
  /** The number of capturing groups, without the whole match. */
  readonly groupCount: number;
  /** The index of each named group. Most patterns have no named groups. */
  readonly names: ReadonlyMap<string, number>;
  /** The maximum nesting depth of its parentheses. */
  readonly depth: number;
}

/** Parses a pattern that the host has accepted with these flags. */
export function parsePattern(source: string, flags: string): Pattern {
  return new PatternParser(source, flags).parse();
}

const maxDepth = 500;

class PatternParser {
  readonly #source: string;
  readonly #isUnicode: boolean;
  readonly #hasNestedSets: boolean;
  readonly #names: ReadonlyMap<string, number>;
  readonly #allGroups: number;
  #position = 0;
  #groups = 0;
  #depth = 0;
  #deepest = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#hasNestedSets = flags.includes("v");
    this.#isUnicode = flags.includes("u") || this.#hasNestedSets;
    const { count, names } = countGroups(source, this.#hasNestedSets);
    this.#allGroups = count;
    this.#names = names;
  }

  parse(): Pattern {
    const body = this.#choice();
    return { body, groupCount: this.#allGroups, names: this.#names, depth: this.#deepest - 1 };
  }

  #choice(): PatternNode {
    if (++this.#depth > maxDepth) return unsupported("it is nested too deeply");
    requireStack();
    this.#deepest = Math.max(this.#deepest, this.#depth);
    const parts = [this.#sequence()];
    while (this.#take("|")) parts.push(this.#sequence());
    this.#depth--;
    return parts.length === 1 ? (parts[0] as PatternNode) : { type: "choice", parts }; // there is exactly one part
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#position < this.#source.length && !this.#sees("|") && !this.#sees(")")) parts.push(this.#term());
    if (parts.length === 1) return parts[0] as PatternNode; // there is exactly one part
    return parts.length === 0 ? { type: "empty" } : { type: "sequence", parts };
  }

  #term(): PatternNode {
    const groupsBefore = this.#groups;
    const body = this.#atom();
    const quantifier = this.#quantifier();
    if (!quantifier) return body;
    const groupCount = this.#groups - groupsBefore;
    return { type: "repeat", body, ...quantifier, firstGroup: groupsBefore + 1, groupCount };
  }

  #atom(): PatternNode {
    if (this.#take("^")) return { type: "start" };
    if (this.#take("$")) return { type: "end" };
    if (this.#take("(")) return this.#parenthesis();
    if (this.#take(".")) return { type: "set", source: "." };
    if (this.#sees("[")) return this.#set();
    if (this.#take("\\")) return this.#escape();
    return this.#character();
  }

  #character(): PatternNode {
    const point = this.#isUnicode
      ? (this.#source.codePointAt(this.#position) ?? 0)
      : this.#source.charCodeAt(this.#position);
    this.#position += point > 0xffff ? 2 : 1;
    return { type: "character", point };
  }

  #parenthesis(): PatternNode {
    if (this.#take("?:")) return this.#closed(this.#choice());
    if (this.#take("?=")) return this.#look(false, false);
    if (this.#take("?!")) return this.#look(false, true);
    if (this.#take("?<=")) return this.#look(true, false);
    if (this.#take("?<!")) return this.#look(true, true);
    if (this.#take("?<")) this.#position = this.#source.indexOf(">", this.#position) + 1;
    else if (this.#sees("?")) return unsupported("it changes flags within the pattern");
    const index = ++this.#groups;
    return { type: "group", index, body: this.#closed(this.#choice()) };
  }

  #look(isBehind: boolean, isNegated: boolean): PatternNode {
    return { type: "look", isBehind, isNegated, body: this.#closed(this.#choice()) };
  }

  #closed(body: PatternNode): PatternNode {
    this.#take(")");
    return body;
  }

  #set(): PatternNode {
    const start = this.#position;
    this.#position = endOfSet(this.#source, start, this.#hasNestedSets);
    const source = this.#source.slice(start, this.#position);
    return this.#setOf(source);
  }

  #setOf(source: string): PatternNode {
    const longest = this.#hasNestedSets ? maxTextLengthOf(source) : undefined;
    if (longest === undefined) return { type: "set", source };
    return isSupportedLength(longest)
      ? { type: "texts", source, longest }
      : unsupported("one of its sets contains a string that is too long");
  }

  #escape(): PatternNode {
    const start = this.#position - 1;
    const letter = this.#source[this.#position++] ?? "";
    if (letter === "b" || letter === "B") return { type: "boundary", isNegated: letter === "B" };
    if (letter >= "1" && letter <= "9") return this.#reference(start);
    if (letter === "k" && (this.#isUnicode || this.#names.size > 0)) return this.#namedReference();
    if (letter === "c" && !/^[A-Za-z]/.test(this.#source.slice(this.#position, this.#position + 1))) {
      this.#position = start + 1;
      return { type: "character", point: 0x5c };
    }
    this.#position = start + this.#escapeLength(start);
    return this.#setOf(this.#source.slice(start, this.#position));
  }

  #reference(start: number): PatternNode {
    const digits = /^\d+/.exec(this.#source.slice(start + 1))?.[0] ?? "";
    if (this.#isUnicode || Number(digits) <= this.#allGroups) {
      this.#position = start + 1 + digits.length;
      return { type: "reference", index: Number(digits) };
    }
    this.#position = start + this.#escapeLength(start);
    return { type: "set", source: this.#source.slice(start, this.#position) };
  }

  #namedReference(): PatternNode {
    const end = this.#source.indexOf(">", this.#position);
    const name = groupName(this.#source.slice(this.#position + 1, end));
    this.#position = end + 1;
    return { type: "reference", index: this.#names.get(name) ?? 0 };
  }

  /** Returns the length of an escape for one character, including its backslash. */
  #escapeLength(start: number): number {
    const shape = this.#isUnicode ? unicodeEscape : plainEscape;
    shape.lastIndex = start;
    return shape.exec(this.#source)?.[0].length ?? 2;
  }

  #quantifier(): { min: number; max: number; isGreedy: boolean } | null {
    const shape = /[*+?]|\{(\d+)(,(\d*))?\}/y;
    shape.lastIndex = this.#position;
    const match = shape.exec(this.#source);
    if (!match) return null;
    this.#position = shape.lastIndex;
    const [text, least, comma, most] = match;
    const isGreedy = !this.#take("?");
    if (least === undefined) {
      return { min: text === "+" ? 1 : 0, max: text === "?" ? 1 : Number.POSITIVE_INFINITY, isGreedy };
    }
    const min = Number(least);
    const max = comma === undefined ? min : most ? Number(most) : Number.POSITIVE_INFINITY;
    return { min, max, isGreedy };
  }

  #sees(text: string): boolean {
    return this.#source.startsWith(text, this.#position);
  }

  #take(text: string): boolean {
    if (!this.#sees(text)) return false;
    this.#position += text.length;
    return true;
  }
}

const unicodeEscape =
  /\\(?:u\{[0-9a-fA-F]+\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|c[A-Za-z]|[\s\S])/uy;
const plainEscape = /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[0-3][0-7]{0,2}|[4-7][0-7]?|[\s\S])/y;

/** Returns the end of the set that starts at `start`. */
function endOfSet(source: string, start: number, isNested: boolean): number {
  let depth = 0;
  for (let position = start; position < source.length; position++) {
    const letter = source[position];
    if (letter === "\\") position++;
    else if (letter === "[" && (isNested || depth === 0)) depth++;
    else if (letter === "]" && --depth === 0) return position + 1;
  }
  return source.length;
}

/**
 * Counts the capturing groups of a pattern. This is done before parsing, because the meaning of
 * `\1` depends on how many groups the whole pattern has.
 */
function countGroups(source: string, hasNestedSets: boolean): { count: number; names: Map<string, number> } {
  const names = new Map<string, number>();
  let count = 0;
  for (let position = 0; position < source.length; position++) {
    const letter = source[position];
    if (letter === "\\") position++;
    else if (letter === "[") position = endOfSet(source, position, hasNestedSets) - 1;
    else if (letter === "(") {
      const name = /^\(\?<([^=!][^>]*)>/.exec(source.slice(position, position + 2_000))?.[1];
      if (source[position + 1] === "?" && name === undefined) continue;
      count++;
      if (name === undefined) continue;
      if (names.has(groupName(name))) return unsupported("two of its groups have the same name");
      names.set(groupName(name), count);
    }
  }
  return { count, names };
}

/** Returns the name of a group, which can contain escapes. */
function groupName(text: string): string {
  return text
    .replace(/\\u\{([0-9a-fA-F]+)\}/g, (_all, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
    .replace(/\\u([0-9a-fA-F]{4})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

function unsupported(why: string): never {
  return throwError("SyntaxError", `this regular expression is not supported here: ${why}`);
}
