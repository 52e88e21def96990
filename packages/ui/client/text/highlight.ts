// Splits code into lines of coloured pieces, also while the code is being written.
//
// In growing code, lines far from the end are coloured only once. So the time per new piece does
// not depend on the length of the code.

import { type ParsedToken, type ParseOptions, parse, tokenize } from "sugar-high/core";
import * as json from "sugar-high/lang/json";
import * as python from "sugar-high/lang/python";
import * as typescript from "sugar-high/lang/typescript";
import { visibleText } from "./odd-characters.ts";

/** One piece of a line. `kind` is the CSS class for its colour. */
export interface CodePiece {
  readonly kind: "" | "k" | "s" | "n" | "f" | "c" | "t";
  readonly text: string;
}

/** One line of code. */
export type CodeLine = readonly CodePiece[];

/** The language of code. */
export type CodeLanguage = "javascript" | "python" | "json" | "plain";

const options: Readonly<Record<Exclude<CodeLanguage, "plain">, ParseOptions>> = {
  // Agents do not write JSX. The rules of JSX would also change the colours after a text such as
  // "<b>".
  javascript: { ...typescript, jsx: false },
  python,
  json,
};

/** The longest line that gets several colours, in characters. Longer lines have one colour. */
const maxLineLength = 2_000;

/** Colours a whole text. */
export function highlight(
  code: string,
  language: CodeLanguage,
  tools: ReadonlySet<string> = none,
): readonly CodeLine[] {
  if (language === "plain" || code.length > 200_000) return code.split("\n").map(plainLine);
  if (hasLongLine(code)) return code.split("\n").map((line) => highlightLine(line, language, tools));
  return parse(code, options[language]).lines.map(({ tokens }) => piecesOf(tokens, tools));
}

const none: ReadonlySet<string> = new Set();
const plainLine = (text: string): CodeLine => [{ kind: "", text }];

function highlightLine(line: string, language: CodeLanguage, tools: ReadonlySet<string>): CodeLine {
  if (language === "plain" || line.length > maxLineLength) return plainLine(line);
  const tokens = parse(line, options[language]).lines[0]?.tokens ?? [];
  return piecesOf(tokens, tools);
}

function hasLongLine(code: string): boolean {
  let start = 0;
  for (;;) {
    const end = code.indexOf("\n", start);
    if ((end < 0 ? code.length : end) - start > maxLineLength) return true;
    if (end < 0) return false;
    start = end + 1;
  }
}

function piecesOf(tokens: readonly ParsedToken[], tools: ReadonlySet<string>): CodeLine {
  const pieces: CodePiece[] = [];
  for (const [index, token] of tokens.entries()) {
    const kind = kindOf(token, tokens, index, tools);
    const last = pieces.at(-1);
    // The tokenizer works on code units and may split a surrogate pair; join such pairs again.
    if (last && (last.kind === kind || /[\ud800-\udbff]$/.test(last.text)))
      pieces[pieces.length - 1] = { kind: last.kind, text: last.text + token.value };
    else pieces.push({ kind, text: token.value });
  }
  return pieces;
}

function kindOf(
  { type, value }: ParsedToken,
  tokens: readonly ParsedToken[],
  index: number,
  tools: ReadonlySet<string>,
): CodePiece["kind"] {
  switch (type) {
    case "keyword":
      return "k";
    case "string":
      return "s";
    case "comment":
      return "c";
    case "class":
      return /^[\d-]/.test(value) ? "n" : /^(?:null|undefined|true|false|None|True|False)$/.test(value) ? "k" : "";
    case "identifier":
    case "property":
    case "entity":
      if (tools.has(value) && tokens[index - 1]?.value !== ".") return "t";
      return tokens[index + 1]?.value.startsWith("(") ? "f" : "";
    case "jsxliterals":
    case "sign":
    case "break":
    case "space":
      return "";
    default:
      return type satisfies never;
  }
}

/** Colours code that grows at its end. Invisible characters are shown in their visible form. */
export class GrowingCode {
  readonly #frozen: CodeLine[] = [];
  #frozenLength = 0;
  #code = "";
  #language: CodeLanguage = "plain";
  #tools = none;
  #lines: readonly CodeLine[] = [[]];

  /**
   * Returns all lines of `code`. If `code` continues the code of the last call, only the new part
   * is processed.
   */
  lines(code: string, language: CodeLanguage, tools: ReadonlySet<string>): readonly CodeLine[] {
    const isAlike = language === this.#language && tools === this.#tools;
    if (isAlike && code === this.#code) return this.#lines;
    if (!isAlike || !code.startsWith(this.#code.slice(0, this.#frozenLength))) this.#restart(language, tools);
    this.#code = code;
    this.#freeze();
    this.#lines = [...this.#frozen, ...this.#coloured(code.slice(this.#frozenLength))];
    return this.#lines;
  }

  #restart(language: CodeLanguage, tools: ReadonlySet<string>): void {
    this.#language = language;
    this.#tools = tools;
    this.#frozen.length = 0;
    this.#frozenLength = 0;
  }

  /**
   * Keeps the colours of the lines that are far from the end, so that they are not computed again.
   * The last of these lines ends outside of strings and comments.
   */
  #freeze(): void {
    const tail = this.#code.slice(this.#frozenLength);
    if (tail.length < maxRecoloured) return;
    const boundary = this.#boundaryIn(tail, tail.length - maxRecoloured / 4);
    if (boundary === 0) return;
    this.#frozen.push(...this.#coloured(tail.slice(0, boundary - 1)));
    this.#frozenLength += boundary;
  }

  /** Returns the end of the last line before `end` whose colours can no longer change. */
  #boundaryIn(tail: string, end: number): number {
    // Plain code and code with a long line are coloured line by line, so they can be split at any
    // line break.
    if (this.#language === "plain" || hasLongLine(tail)) return tail.lastIndexOf("\n", end - 1) + 1;
    let [length, boundary] = [0, 0];
    for (const [, value] of tokenize(tail, options[this.#language])) {
      length += value.length;
      if (length > end) break;
      if (value === "\n") boundary = length;
    }
    return boundary;
  }

  #coloured(code: string): readonly CodeLine[] {
    return highlight(visibleText(code), this.#language, this.#tools);
  }
}

/** The maximum number of characters at the end that are coloured again with each piece. */
const maxRecoloured = 2_000;
