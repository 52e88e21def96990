// A simple scanner that tracks where in a program it is: in code, or in a string, a template, a
// comment or a regular expression.
//
// It is not a parser. It works on a stream, so it can continue wherever the text was cut, and it
// accepts broken code. If a quote is not closed on its line, it is taken for an apostrophe (for
// example in a comment in another language), and ignored after the end of the line.

import type { CodeScanner } from "../code-language.ts";

/** Scans a program piece by piece. */
export class JavaScriptScanner implements CodeScanner {
  #place: Place = "code";
  /** Whether a backslash escapes the next character. */
  #isEscaped = false;
  #previous = "";
  /**
   * The code since the last literal or slash. Its end decides whether a slash is a division or
   * begins a regular expression.
   */
  #before = "";
  /** The depth of braces in each open `${...}`, innermost last. */
  readonly #templates: number[] = [];

  get isInCode(): boolean {
    return this.#place === "code" || this.#place === "slash";
  }

  endsProperlyIn(rest: string): boolean {
    // If more words follow a tag in a comment, the comment only mentions the tag.
    if (this.#place === "line-comment") return rest.split("\n", 1)[0]?.trim() !== "";
    const mark = endMarks[this.#place];
    if (mark === undefined) return false;
    const reach = singleLinePlaces.has(this.#place) ? rest.split("\n", 1)[0] : rest;
    return reach?.includes(mark) ?? false;
  }

  advance(text: string): void {
    let at = 0;
    while (at < text.length) {
      if (this.#place === "code") at = this.#passCode(text, at);
      if (at < text.length) this.#take(text.charAt(at++));
    }
  }

  /**
   * Skips to the next character that may end this stretch of code, such as a quote. Returns the
   * position of that character.
   */
  #passCode(text: string, from: number): number {
    const ends = this.#templates.length === 0 ? endsOfCode : endsOfTemplateCode;
    ends.lastIndex = from;
    const end = ends.exec(text)?.index ?? text.length;
    if (end === from) return from;
    this.#before += text.slice(from, end);
    this.#previous = text.charAt(end - 1);
    return end;
  }

  #take(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else this.#step(character);
    this.#previous = character;
  }

  #step(character: string): void {
    switch (this.#place) {
      case "code":
        this.#stepInCode(character);
        break;
      case "slash":
        this.#stepAfterSlash(character);
        break;
      case "single":
        this.#stepInQuotes(character, "'");
        break;
      case "double":
        this.#stepInQuotes(character, '"');
        break;
      case "template":
        this.#stepInTemplate(character);
        break;
      case "line-comment":
        if (character === "\n") this.#place = "code";
        break;
      case "block-comment":
        if (character === "/" && this.#previous === "*") this.#place = "code";
        break;
      case "regex":
      case "regex-class":
        this.#stepInRegex(character);
        break;
      default:
        this.#place satisfies never;
    }
  }

  #stepInCode(character: string): void {
    if (character === "'") this.#place = "single";
    else if (character === '"') this.#place = "double";
    else if (character === "`") this.#place = "template";
    else if (character === "/") this.#place = "slash";
    else if (character === "{" || character === "}") this.#countBrace(character);
    if (character !== "/") this.#before += character;
  }

  #countBrace(brace: "{" | "}"): void {
    const depth = this.#templates.pop();
    if (depth === undefined) return;
    if (brace === "}" && depth === 0) this.#place = "template";
    else this.#templates.push(depth + (brace === "{" ? 1 : -1));
  }

  #stepAfterSlash(character: string): void {
    if (character === "/") this.#place = "line-comment";
    else if (character === "*") this.#place = "block-comment";
    else if (mayBeginRegex(this.#before)) this.#enterRegex(character);
    else {
      this.#place = "code";
      this.#before = "/";
      this.#stepInCode(character);
    }
  }

  #enterRegex(character: string): void {
    this.#place = "regex";
    this.#before = ")";
    this.#stepInRegex(character);
  }

  #stepInQuotes(character: string, quote: string): void {
    if (character === "\\") this.#isEscaped = true;
    else if (character === quote || character === "\n") this.#leaveLiteral();
  }

  #stepInTemplate(character: string): void {
    if (character === "\\") this.#isEscaped = true;
    else if (character === "`") this.#leaveLiteral();
    else if (character === "{" && this.#previous === "$") {
      this.#templates.push(0);
      this.#place = "code";
      this.#before = "{";
    }
  }

  #stepInRegex(character: string): void {
    if (character === "\\") this.#isEscaped = true;
    else if (character === "\n") this.#place = "code";
    else if (character === "[") this.#place = "regex-class";
    else if (character === "]") this.#place = "regex";
    else if (character === "/" && this.#place === "regex") this.#leaveLiteral();
  }

  #leaveLiteral(): void {
    this.#place = "code";
    this.#before = ")";
  }
}

type Place =
  | "code"
  | "slash"
  | "single"
  | "double"
  | "template"
  | "line-comment"
  | "block-comment"
  | "regex"
  | "regex-class";

const endMarks: { readonly [place in Place]?: string } = {
  single: "'",
  double: '"',
  template: "`",
  "block-comment": "*/",
  regex: "/",
  "regex-class": "/",
};

const singleLinePlaces: ReadonlySet<Place> = new Set<Place>(["single", "double", "regex", "regex-class"]);

const endsOfCode = /['"`/]/g;
const endsOfTemplateCode = /['"`/{}]/g;

/**
 * Says whether a slash after this code may begin a regular expression. It cannot be a division
 * after an operator, an opening bracket or certain words.
 */
function mayBeginRegex(before: string): boolean {
  const code = before.trimEnd();
  if (code === "" || operators.includes(code.charAt(code.length - 1))) return true;
  const word = /[\w$]*$/.exec(code.slice(-maxWordLength - 1))?.[0] ?? "";
  return wordsBeforeRegex.has(word) && !code.slice(0, -word.length).trimEnd().endsWith(".");
}

const operators = "(,=:[!&|?{;+-*%<>~^";
const wordsBeforeRegex: ReadonlySet<string> = new Set(
  "return typeof case in of await delete void throw new else do yield".split(" "),
);
const maxWordLength = 6;
