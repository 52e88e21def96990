// Splits a model's text into prose and blocks of code while it arrives.
//
// The text arrives in pieces that may be cut anywhere, also within a tag. Where a marker could
// begin, there are three cases: it is a marker, it is not, or more text is needed to decide. In the
// third case the rest is held back until more text arrives. So the result does not depend on how
// the text was cut.
//
// Markers are the opening tag, the closing tag, thinking blocks and made-up observations. A closing
// tag counts only where the scanner is in code, so that a tag in a string of the program does not
// end the block. Tags in a thinking block do not count. Nothing after a made-up observation is
// code.

import type { CodeScanner, CodeSyntax } from "../languages/code-language.ts";
import { areFences, type CodeFormat, observationMarkers } from "./code-tags.ts";

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
   * Whether closing tags inside literals and comments of the program are ignored. True when absent.
   */
  readonly skipsLiterals?: boolean;
}

/** Languages of fences that show data. Their content is not run. */
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
  /** The characters with which a marker can begin at any position. */
  readonly #beginnings: ReadonlySet<string>;
  #held = "";
  #mode: "text" | "code" | "thinking" | "data" | "made-up" = "text";
  #scanner: CodeScanner;
  #isAtLineStart = true;
  #previous = "";
  #hasBlock = false;

  constructor({ tags, language }: CodeFormat, sink: BlockSink, { skipsLiterals = true }: BlockSplitterOptions = {}) {
    this.#sink = sink;
    this.#syntax = language.syntax;
    this.#scanner = this.#syntax.createScanner();
    this.#isFenced = areFences(tags);
    this.#skipsLiterals = skipsLiterals && !this.#isFenced;
    this.#opening = this.#isFenced ? matchFence : matchOpening(tags[0]);
    this.#closing = this.#isFenced ? matchFenceEnd : matchClosing(tags[1]);
    this.#beginnings = inEitherCase(`<\`${tags[0].charAt(0)}${tags[1].charAt(0)}`);
  }

  /** Whether a block of code is open. */
  get isOpen(): boolean {
    return this.#mode === "code";
  }

  push(delta: string): void {
    this.#held = this.#split(this.#held + delta, false);
  }

  /** Ends the text. Text that was held back is handled as it is. */
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
    for (let at = from; at < text.length; at++) {
      const character = text.charAt(at);
      if (this.#beginnings.has(character) || (isAtLineStart && beginningsOfLine.has(character))) return at;
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
        return this.#enterAt(matchThinkingEnd(spot), "text");
      case "data":
        return this.#isAtLineStart ? this.#enterAt(matchFenceEnd(spot), "text") : null;
      case "made-up":
        return null;
      default:
        return this.#mode satisfies never;
    }
  }

  #findInText(spot: Spot): Found | "more" | null {
    const thinking = matchThinking(spot);
    if (thinking !== null) return this.#enterAt(thinking, "thinking");
    const madeUp = this.#hasBlock && this.#isAtLineStart ? matchMadeUp(spot) : null;
    if (madeUp !== null) return this.#enterAt(madeUp, "made-up");
    const opening = this.#matchOpeningAt(spot);
    if (opening === null || opening === "more") return opening;
    if (this.#isFenced && isDataFence(spot.text.slice(spot.at, opening))) return this.#enterAt(opening, "data");
    const isAtLineStart = this.#isAtLineStart;
    return { end: opening, isKept: false, enter: () => this.#open(isAtLineStart) };
  }

  #findInCode(spot: Spot): Found | "more" | null {
    if (this.#isFenced && !this.#isAtLineStart) return null;
    if (this.#skipsLiterals && !this.#scanner.isInCode) return null;
    const closing = this.#closing(spot);
    if (closing === "more") return "more";
    if (closing !== null) return { end: closing, isKept: false, enter: () => this.#close("tag") };
    const opening = this.#isAtLineStart ? this.#opening(spot) : null;
    if (opening === null || opening === "more") return opening;
    return { end: opening, isKept: false, enter: () => this.#reopen() };
  }

  #matchOpeningAt(spot: Spot): number | "more" | null {
    if (this.#isFenced) return this.#isAtLineStart ? this.#opening(spot) : null;
    const end = this.#opening(spot);
    // A tag in backticks does not open a block, because the text only mentions it.
    if (typeof end !== "number" || this.#previous !== "`") return end;
    if (end === spot.text.length && !spot.isEnd) return "more";
    return spot.text[end] === "`" ? null : end;
  }

  #enterAt(end: number | "more" | null, next: "text" | "thinking" | "data" | "made-up"): Found | "more" | null {
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
    if (this.#mode === "code" && this.#skipsLiterals) this.#scanner.advance(text);
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

/** The first characters of {@link observationMarkers}, which count only at the start of a line. */
const beginningsOfLine: ReadonlySet<string> = inEitherCase(
  observationMarkers.map((marker) => marker.charAt(0)).join(""),
);

/**
 * Returns the index after the marker. Null when there is no marker, or "more" when more text is
 * needed to decide.
 */
type Matcher = (spot: Spot) => number | "more" | null;

/** Matches a marker without regard to upper and lower case. */
function matchLiteral(marker: string, { text, at, isEnd }: Spot): number | "more" | null {
  const found = text.slice(at, at + marker.length).toLowerCase();
  if (found === marker.toLowerCase()) return at + marker.length;
  return !isEnd && at + found.length === text.length && marker.toLowerCase().startsWith(found) ? "more" : null;
}

function matchAnyOf(markers: readonly string[], spot: Spot): number | "more" | null {
  const results = markers.map((marker) => matchLiteral(marker, spot));
  return results.find((result) => typeof result === "number") ?? results.find((result) => result === "more") ?? null;
}

const matchThinking: Matcher = (spot) => matchAnyOf(["<think>", "<thinking>"], spot);
const matchThinkingEnd: Matcher = (spot) => matchAnyOf(["</think>", "</thinking>"], spot);
const matchMadeUp: Matcher = (spot) => matchAnyOf(observationMarkers, spot);

/** The most characters that the attributes of an opening tag may have, such as its language. */
const maxAttributesLength = 60;

/** Matches an opening tag. A tag such as `<code>` may have attributes. */
function matchOpening(tag: string): Matcher {
  const name = /^<\w+(?=>$)/.exec(tag)?.[0];
  if (name === undefined) return (spot) => matchLiteral(tag, spot);
  return (spot) => {
    const end = matchLiteral(name, spot);
    return typeof end === "number" ? matchTagEnd(spot, end, /^[\s][^<>\n]*$|^$/) : end;
  };
}

/** Matches a closing tag. A tag such as `</code>` may have spaces before its end. */
function matchClosing(tag: string): Matcher {
  const name = /^<\/\w+(?=>$)/.exec(tag)?.[0];
  if (name === undefined) return (spot) => matchLiteral(tag, spot);
  return (spot) => {
    const end = matchLiteral(name, spot);
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
 * first ones, it is prose.
 */
function matchFence(spot: Spot): number | "more" | null {
  const { text, isEnd } = spot;
  const end = matchLiteral("```", spot);
  if (typeof end !== "number") return end;
  const lineEnd = text.indexOf("\n", end);
  const information = text.slice(end, lineEnd === -1 ? text.length : lineEnd);
  if (information.includes("`") || information.length > maxAttributesLength) return null;
  if (lineEnd !== -1) return lineEnd + 1;
  if (!isEnd) return "more";
  return information.trim() === "" ? null : text.length;
}

/** Matches the end of a fence: backticks without a language after them. */
function matchFenceEnd(spot: Spot): number | "more" | null {
  const end = matchLiteral("```", spot);
  if (typeof end !== "number") return end;
  if (end === spot.text.length) return spot.isEnd ? end : "more";
  return /\w/.test(spot.text.charAt(end)) ? null : end;
}

const isDataFence = (line: string): boolean => dataLanguages.has(line.slice(3).trim().toLowerCase());
