// Splits a model's text into prose and blocks of code while it arrives.
//
// The text arrives in pieces that may be cut anywhere, also within a tag. Where a marker could
// begin, there are three cases: the marker is there, it is not there, or more text is needed to
// decide. In the third case the rest is held back until more text arrives. So the result does not
// depend on how the text was cut.
//
// Markers are the opening tag, the closing tag, thinking blocks and made-up observations. A closing
// tag counts only where the scanner is in code, so that a tag in a string of the program does not
// end the block. Tags in a thinking block do not count. Nothing after a made-up observation is
// code.

import type { CodeScanner, CodeSyntax } from "../languages/code-language.ts";
import { languageTags } from "../languages/languages.ts";
import { areFences, type CodeFormat, observationMarkers, turnMarkers } from "./code-tags.ts";
import { type ThoughtMarks, thoughtMarks } from "./thought-marks.ts";

/** Receives the parts that a {@link BlockSplitter} finds, in order. */
export interface BlockSink {
  text(text: string): void;
  /**
   * Called at an opening tag. `isAtLineStart` is true if there is only space before the tag on its
   * line.
   */
  open(isAtLineStart: boolean): void;
  code(text: string): void;
  /**
   * Called at the end of a block. `tag`: the closing tag ended it; `next`: the next opening tag
   * ended it. Not called for a block that is still open at the end of the text.
   */
  close(by: "tag" | "next"): void;
}

/** Options of a {@link BlockSplitter}. */
export interface BlockSplitterOptions {
  /**
   * Whether closing tags inside literals and comments of the program are ignored. True if absent.
   */
  readonly skipsLiterals?: boolean;
}

/** Languages of fenced blocks that contain data, such as `json`. These blocks are not run. */
export const dataLanguages: ReadonlySet<string> = new Set([
  ..."bash console css csv diff html json json5 jsonc log markdown md output plaintext sh shell sql text txt xml yaml yml".split(
    " ",
  ),
]);

/**
 * Splits a text that arrives in pieces. The pieces may be cut anywhere without changing the result.
 */
export class BlockSplitter {
  readonly #sink: BlockSink;
  readonly #syntax: CodeSyntax;
  readonly #skipsLiterals: boolean;
  readonly #isFenced: boolean;
  readonly #opening: Matcher;
  readonly #closing: Matcher;
  /** The characters that can begin a marker anywhere in a line of code. */
  readonly #beginnings: ReadonlySet<string>;
  /** The characters that can begin a marker anywhere in a line outside code. */
  readonly #beginningsInText: ReadonlySet<string>;
  #held = "";
  #mode: "text" | "code" | "thinking" | "data" | "made-up" = "text";
  #scanner: CodeScanner;
  #isAtLineStart = true;
  #previous = "";
  #hasBlock = false;
  /** The markers of the current thought; null outside a thought. */
  #thought: ThoughtMarks | null = null;
  /** How many backticks the current fence has. */
  #fenceLength = 0;

  constructor({ tags, language }: CodeFormat, sink: BlockSink, { skipsLiterals = true }: BlockSplitterOptions = {}) {
    this.#sink = sink;
    this.#syntax = language.syntax;
    this.#scanner = this.#syntax.createScanner();
    this.#isFenced = areFences(tags);
    this.#skipsLiterals = skipsLiterals && !this.#isFenced;
    this.#opening = this.#isFenced ? matchFence(this.#syntax) : matchOpening(tags[0]);
    this.#closing = this.#isFenced ? (spot) => matchFenceEnd(spot, this.#fenceLength) : matchClosing(tags[1]);
    this.#beginnings = inEitherCase(`<\`${tags[0].charAt(0)}${tags[1].charAt(0)}`);
    this.#beginningsInText = new Set([...this.#beginnings, ...beginningsOfThoughts]);
  }

  /** Whether a block of code is open. */
  get isOpen(): boolean {
    return this.#mode === "code";
  }

  /** Whether the text so far ends in a thought. */
  get isInThought(): boolean {
    return this.#mode === "thinking";
  }

  /** Whether the text so far ends in a literal or a comment of a program. */
  get isInLiteral(): boolean {
    return this.#mode === "code" && !this.#scanner.isInCode;
  }

  push(delta: string): void {
    this.#held = this.#split(this.#held + delta, false);
  }

  /** Ends the text. Handles the text that was held back, without waiting for more. */
  end(): void {
    this.#held = this.#split(this.#held, true);
  }

  /** Splits a text, and returns the rest of it that could still become a marker. */
  #split(text: string, isEnd: boolean): string {
    let start = 0;
    let at = 0;
    while (at < text.length) {
      const next = this.#nextBeginning(text, at);
      if (next > at) this.#pass(text.slice(at, next));
      at = next;
      const found = at < text.length ? this.#find({ text, at, isEnd }) : "more";
      if (found === "more") break;
      if (found === null) {
        this.#pass(text.charAt(at++));
        continue;
      }
      // A marker that is part of the prose is emitted as text; tags around code are removed.
      this.#emit(text.slice(start, found.isKept ? found.end : at));
      this.#note(text.slice(at, found.end));
      at = found.end;
      start = at;
      found.enter();
    }
    this.#emit(text.slice(start, at));
    return text.slice(at);
  }

  /** Returns the position where the next marker could begin. Most characters cannot begin one. */
  #nextBeginning(text: string, from: number): number {
    let isAtLineStart = this.#isAtLineStart;
    const beginnings = this.#mode === "code" ? this.#beginnings : this.#beginningsInText;
    for (let at = from; at < text.length; at++) {
      const character = text.charAt(at);
      if (beginnings.has(character) || (isAtLineStart && beginningsOfLine.has(character))) return at;
      if (character === "\n") isAtLineStart = true;
      else if (isAtLineStart && character.trim() !== "") isAtLineStart = false;
    }
    return text.length;
  }

  #find(spot: Spot): Found | "more" | null {
    switch (this.#mode) {
      case "text":
        return this.#findInText(spot);
      case "code":
        return this.#findInCode(spot);
      case "thinking":
        return this.#enterAt(matchAnyOf(this.#thought?.close ?? [], spot), "text");
      case "data":
        return this.#isAtLineStart ? this.#enterAt(matchFenceEnd(spot, this.#fenceLength), "text") : null;
      case "made-up":
        return null;
      default:
        return this.#mode satisfies never;
    }
  }

  #findInText(spot: Spot): Found | "more" | null {
    const thinking = this.#findThought(spot);
    if (thinking !== null) return thinking;
    const madeUp = this.#hasBlock && this.#isAtLineStart ? matchMadeUp(spot) : null;
    if (madeUp !== null) return this.#enterAt(madeUp, "made-up");
    const opening = this.#matchOpeningAt(spot);
    if (opening === null || opening === "more") return opening;
    if (this.#isFenced) this.#fenceLength = lengthOfFence(spot);
    if (this.#isFenced && isDataFence(spot.text.slice(spot.at, opening))) return this.#enterAt(opening, "data");
    const isAtLineStart = this.#isAtLineStart;
    return { end: opening, isKept: false, enter: () => this.#open(isAtLineStart) };
  }

  #findThought(spot: Spot): Found | "more" | null {
    let mayBegin = false;
    for (const kind of thoughtMarks) {
      const end = matchAnyOf(kind.open, spot);
      mayBegin ||= end === "more";
      if (typeof end !== "number") continue;
      const enter = (): void => {
        this.#mode = "thinking";
        this.#thought = kind;
      };
      return { end, isKept: true, enter };
    }
    return mayBegin ? "more" : null;
  }

  #findInCode(spot: Spot): Found | "more" | null {
    if (this.#isFenced && !this.#isAtLineStart) return null;
    if (this.#skipsLiterals && !this.#scanner.isInCode) return null;
    const closing = this.#closing(spot);
    if (closing === "more") return "more";
    if (closing !== null) return { end: closing, isKept: false, enter: () => this.#close("tag") };
    const opening = this.#isAtLineStart ? this.#opening(spot) : null;
    if (opening === null || opening === "more") return opening;
    const fenceLength = this.#isFenced ? lengthOfFence(spot) : 0;
    // A fence with fewer backticks than the open fence is part of that fence's content.
    if (fenceLength < this.#fenceLength) return null;
    const enter = (): void => {
      this.#fenceLength = fenceLength;
      this.#reopen();
    };
    return { end: opening, isKept: false, enter };
  }

  #matchOpeningAt(spot: Spot): number | "more" | null {
    if (this.#isFenced) return this.#isAtLineStart ? this.#opening(spot) : null;
    const end = this.#opening(spot);
    // A tag in backticks does not open a block, because the text only mentions it.
    if (typeof end !== "number" || this.#previous !== "`") return end;
    if (end === spot.text.length && !spot.isEnd) return "more";
    return spot.text[end] === "`" ? null : end;
  }

  #enterAt(end: number | "more" | null, next: "text" | "data" | "made-up"): Found | "more" | null {
    if (typeof end !== "number") return end;
    const enter = (): void => {
      this.#mode = next;
    };
    return { end, isKept: true, enter };
  }

  #open(isAtLineStart: boolean): void {
    this.#mode = "code";
    this.#scanner = this.#syntax.createScanner();
    this.#hasBlock = true;
    this.#sink.open(isAtLineStart);
  }

  #close(by: "tag" | "next"): void {
    this.#mode = "text";
    this.#sink.close(by);
  }

  #reopen(): void {
    this.#close("next");
    this.#open(true);
  }

  /** Reads text that contains no marker. */
  #pass(text: string): void {
    if (this.#mode === "code") this.#scanner.advance(text);
    this.#note(text);
  }

  #note(text: string): void {
    this.#previous = text.charAt(text.length - 1);
    const lineEnd = text.lastIndexOf("\n");
    if (text.slice(lineEnd + 1).trim() !== "") this.#isAtLineStart = false;
    else if (lineEnd !== -1) this.#isAtLineStart = true;
  }

  #emit(text: string): void {
    if (text === "") return;
    if (this.#mode === "code") this.#sink.code(text);
    else this.#sink.text(text);
  }
}

interface Spot {
  readonly text: string;
  readonly at: number;
  /** Whether this is the end of the text. */
  readonly isEnd: boolean;
}

interface Found {
  /** The index after the marker. */
  readonly end: number;
  /** Whether the marker is part of the prose and stays in it. */
  readonly isKept: boolean;
  enter(): void;
}

const inEitherCase = (characters: string): ReadonlySet<string> =>
  new Set([...characters.toLowerCase(), ...characters.toUpperCase()]);

/** The first characters of markers that count only at the start of a line. */
const beginningsOfLine: ReadonlySet<string> = inEitherCase(
  [...observationMarkers, ...turnMarkers].map((marker) => marker.charAt(0)).join(""),
);

const beginningsOfThoughts: ReadonlySet<string> = inEitherCase(
  thoughtMarks.flatMap(({ open, close }) => [...open, ...close].map((mark) => mark.charAt(0))).join(""),
);

/**
 * Returns the index after the marker. Null when there is no marker, or "more" when more text is
 * needed to decide.
 */
type Matcher = (spot: Spot) => number | "more" | null;

/** Matches a marker, ignoring case. */
function matchLiteral(marker: string, { text, at, isEnd }: Spot): number | "more" | null {
  const found = text.slice(at, at + marker.length).toLowerCase();
  if (found === marker.toLowerCase()) return at + marker.length;
  return !isEnd && at + found.length === text.length && marker.toLowerCase().startsWith(found) ? "more" : null;
}

function matchAnyOf(markers: readonly string[], spot: Spot): number | "more" | null {
  const results = markers.map((marker) => matchLiteral(marker, spot));
  return results.find((result) => typeof result === "number") ?? results.find((result) => result === "more") ?? null;
}

const matchMadeUp: Matcher = (spot) => matchAnyOf([...observationMarkers, ...turnMarkers], spot);

/** The most characters that the attributes of an opening tag may have, such as its language. */
const maxAttributesLength = 60;

/** The most characters that the first line of a fence may have, if the program begins on it. */
const maxFenceLineLength = 500;

/** Matches an opening tag. A tag such as `<code>` may have attributes. */
function matchOpening(tag: string): Matcher {
  const name = /^<\w+(?=>$)/.exec(tag)?.[0];
  if (name === undefined) return (spot) => matchLiteral(tag, spot);
  return (spot) => {
    const end = matchLiteral(name, spot);
    return typeof end === "number" ? matchTagEnd(spot, end, /^[\s][^<>\n]*$|^$/) : end;
  };
}

/** Matches a closing tag. A tag such as `</code>` may have spaces before its name and its end. */
function matchClosing(tag: string): Matcher {
  const name = /^<\/(\w+)>$/.exec(tag)?.[1];
  if (name === undefined) return (spot) => matchLiteral(tag, spot);
  return (spot) => {
    const end = matchAnyOf([`</${name}`, `</ ${name}`], spot);
    return typeof end === "number" ? matchTagEnd(spot, end, /^[ \t]*$/) : end;
  };
}

function matchTagEnd({ text, isEnd }: Spot, from: number, inner: RegExp): number | "more" | null {
  const near = text.slice(from, from + maxAttributesLength + 1);
  const length = near.indexOf(">");
  if (!inner.test(length === -1 ? near : near.slice(0, length))) return null;
  if (length !== -1) return from + length + 1;
  return isEnd || near.length > maxAttributesLength ? null : "more";
}

/**
 * Matches the line that begins a fence, in any language. If the line has more backticks after the
 * first ones, it is prose. If the model began its program on that line, only the beginning of the
 * line is matched.
 */
function matchFence(syntax: CodeSyntax): Matcher {
  return (spot) => {
    const { text, at, isEnd } = spot;
    const begin = matchLiteral("```", spot);
    if (typeof begin !== "number") return begin;
    const end = at + lengthOfFence(spot);
    const lineEnd = text.indexOf("\n", end);
    const line = text.slice(end, lineEnd === -1 ? text.length : lineEnd);
    if (line.includes("`") || line.length > maxFenceLineLength) return null;
    if (lineEnd === -1 && !isEnd) return "more";
    const [head = "", language = "", rest = ""] = /^([ \t]*(\w*)[ \t]+)(\S.*)$/.exec(line)?.slice(1) ?? [];
    const isProgram = !attributes.test(rest) && syntax.isProgramLine(rest);
    if (isProgram && isCodeLanguage(language)) return end + head.length;
    if (line.length > maxAttributesLength) return null;
    if (lineEnd !== -1) return lineEnd + 1;
    return line.trim() === "" ? null : text.length;
  };
}

/** Matches what may follow the language of a fence: `title="add.js" {1,3}`. */
const attributes = /^(?:(?:[\w-]+=(?:"[^"]*"|'[^']*'|[^\s"';]+)|\{[^}]*\})\s*)+$/;

/**
 * Says whether a fence with this word after the backticks contains code. A fence without a word
 * does.
 */
const isCodeLanguage = (word: string): boolean => word === "" || languageTags.includes(word.toLowerCase());

/**
 * Matches the end of a fence: at least as many backticks as at its beginning, without a language
 * after them.
 */
function matchFenceEnd(spot: Spot, fenceLength: number): number | "more" | null {
  const begin = matchLiteral("```", spot);
  if (typeof begin !== "number") return begin;
  const length = lengthOfFence(spot);
  const end = spot.at + length;
  if (end === spot.text.length && !spot.isEnd) return "more";
  if (length < fenceLength) return null;
  return /\w/.test(spot.text.charAt(end)) ? null : end;
}

/** Returns the number of backticks at a position. */
function lengthOfFence({ text, at }: Spot): number {
  let end = at;
  while (text.charAt(end) === "`") end++;
  return end - at;
}

const isDataFence = (line: string): boolean => dataLanguages.has(line.replace(/^`+/, "").trim().toLowerCase());
