// Splits a model's text into prose and blocks of code, as it comes.
//
// The text arrives in pieces that may be cut anywhere, also within a tag. At each place where a
// marker could begin, the marker is there, is not, or could still become one: in the last case the
// rest is held back until more comes. So the answer does not depend on how the text was cut.
//
// Markers: the opening tag, the closing tag (only where the scanner says that it is in code, so a
// tag in a text of the program ends nothing), thinking blocks (tags in them are thoughts), and a
// made-up observation (after it, nothing is code any more).

import type { CodeScanner, CodeSyntax } from "../languages/code-language.ts";
import { areFences, type CodeFormat, observationMarkers } from "./code-tags.ts";

/** Takes what a {@link BlockSplitter} finds, in order. */
export interface BlockSink {
  text(text: string): void;
  /** `isAtLineStart`: only space is before the tag on its line. */
  open(isAtLineStart: boolean): void;
  code(text: string): void;
  /**
   * `tag`: by the closing tag; `next`: by the next opening tag. Not called for a block that the
   * text's end leaves open.
   */
  close(by: "tag" | "next"): void;
}

/** Settings of a {@link BlockSplitter}. */
export interface BlockSplitterOptions {
  /** Whether closing tags in literals and comments of the program are passed over. Default true. */
  readonly skipsLiterals?: boolean;
}

/** Fences in these languages show something; they are not there to be run. */
export const dataLanguages: ReadonlySet<string> = new Set([
  ..."bash console css csv diff html json json5 jsonc log markdown md output plaintext sh shell sql text txt xml yaml yml".split(
    " ",
  ),
]);

/** A piece of text may be cut anywhere; what is found does not depend on where. */
export class BlockSplitter {
  readonly #sink: BlockSink;
  readonly #syntax: CodeSyntax;
  readonly #skipsLiterals: boolean;
  readonly #isFenced: boolean;
  readonly #opening: Matcher;
  readonly #closing: Matcher;
  /** The characters with which a marker can begin anywhere. */
  readonly #beginnings: ReadonlySet<string>;
  #held = "";
  #place: "text" | "code" | "thinking" | "data" | "made-up" = "text";
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

  /** Whether a block is open. */
  get isOpen(): boolean {
    return this.#place === "code";
  }

  push(delta: string): void {
    this.#held = this.#split(this.#held + delta, false);
  }

  /** No more comes: what was held back is taken as it is. */
  end(): void {
    this.#held = this.#split(this.#held, true);
  }

  /** Gives the rest that could still become a marker. */
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
      // What belongs to the prose stays in it; tags of code vanish.
      this.#emit(text.slice(start, found.isKept ? found.end : at));
      this.#note(text.slice(at, found.end));
      at = found.end;
      start = at;
      found.enter();
    }
    this.#emit(text.slice(start, at));
    return text.slice(at);
  }

  /** Where the next marker could begin: most characters begin nothing. */
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

  #find(place: Spot): Found | "more" | null {
    switch (this.#place) {
      case "text":
        return this.#findInText(place);
      case "code":
        return this.#findInCode(place);
      case "thinking":
        return this.#enterAt(matchThinkingEnd(place), "text");
      case "data":
        return this.#isAtLineStart ? this.#enterAt(matchFenceEnd(place), "text") : null;
      case "made-up":
        return null;
      default:
        return this.#place satisfies never;
    }
  }

  #findInText(place: Spot): Found | "more" | null {
    const thinking = matchThinking(place);
    if (thinking !== null) return this.#enterAt(thinking, "thinking");
    const madeUp = this.#hasBlock && this.#isAtLineStart ? matchMadeUp(place) : null;
    if (madeUp !== null) return this.#enterAt(madeUp, "made-up");
    const opening = this.#matchOpeningAt(place);
    if (opening === null || opening === "more") return opening;
    if (this.#isFenced && isDataFence(place.text.slice(place.at, opening))) return this.#enterAt(opening, "data");
    const isAtLineStart = this.#isAtLineStart;
    return { end: opening, isKept: false, enter: () => this.#open(isAtLineStart) };
  }

  #findInCode(place: Spot): Found | "more" | null {
    if (this.#isFenced && !this.#isAtLineStart) return null;
    if (this.#skipsLiterals && !this.#scanner.isInCode) return null;
    const closing = this.#closing(place);
    if (closing === "more") return "more";
    if (closing !== null) return { end: closing, isKept: false, enter: () => this.#close("tag") };
    const opening = this.#isAtLineStart ? this.#opening(place) : null;
    if (opening === null || opening === "more") return opening;
    return { end: opening, isKept: false, enter: () => this.#reopen() };
  }

  #matchOpeningAt(place: Spot): number | "more" | null {
    if (this.#isFenced) return this.#isAtLineStart ? this.#opening(place) : null;
    const end = this.#opening(place);
    // A tag in backticks is talked about.
    if (typeof end !== "number" || this.#previous !== "`") return end;
    if (end === place.text.length && !place.isEnd) return "more";
    return place.text[end] === "`" ? null : end;
  }

  #enterAt(end: number | "more" | null, next: "text" | "thinking" | "data" | "made-up"): Found | "more" | null {
    if (typeof end !== "number") return end;
    const enter = (): void => {
      this.#place = next;
    };
    return { end, isKept: true, enter };
  }

  #open(isAtLineStart: boolean): void {
    this.#place = "code";
    this.#scanner = this.#syntax.createScanner();
    this.#hasBlock = true;
    this.#sink.open(isAtLineStart);
  }

  #close(by: "tag" | "next"): void {
    this.#place = "text";
    this.#sink.close(by);
  }

  #reopen(): void {
    this.#close("next");
    this.#open(true);
  }

  /** Text in which no marker begins. */
  #pass(text: string): void {
    if (this.#place === "code" && this.#skipsLiterals) this.#scanner.advance(text);
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
    if (this.#place === "code") this.#sink.code(text);
    else this.#sink.text(text);
  }
}

interface Spot {
  readonly text: string;
  readonly at: number;
  /** Whether no more text comes. */
  readonly isEnd: boolean;
}

interface Found {
  /** Index after the marker. */
  readonly end: number;
  /** Whether the marker is part of the prose. */
  readonly isKept: boolean;
  enter(): void;
}

const inEitherCase = (characters: string): ReadonlySet<string> =>
  new Set([...characters.toLowerCase(), ...characters.toUpperCase()]);

/** Of {@link observationMarkers}, which count at the start of a line. */
const beginningsOfLine: ReadonlySet<string> = inEitherCase(
  observationMarkers.map((marker) => marker.charAt(0)).join(""),
);

/**
 * Gives the index after the marker, null when it is not there, or "more" when it could become one.
 */
type Matcher = (spot: Spot) => number | "more" | null;

/** Letters of either case match. */
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

/** The longest attributes of an opening tag, such as a language, in characters. */
const maxAttributesLength = 60;

/** An opening tag; one like `<code>` also with attributes. */
function matchOpening(tag: string): Matcher {
  const name = /^<\w+(?=>$)/.exec(tag)?.[0];
  if (name === undefined) return (spot) => matchLiteral(tag, spot);
  return (spot) => {
    const end = matchLiteral(name, spot);
    return typeof end === "number" ? matchTagEnd(spot, end, /^[\s][^<>\n]*$|^$/) : end;
  };
}

/** A closing tag; one like `</code>` also with space before its end. */
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
 * The line that begins a fence. The language is free; text with backticks after it makes the line
 * prose.
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

/** The end of a fence: backticks with no language after them. */
function matchFenceEnd(spot: Spot): number | "more" | null {
  const end = matchLiteral("```", spot);
  if (typeof end !== "number") return end;
  if (end === spot.text.length) return spot.isEnd ? end : "more";
  return /\w/.test(spot.text.charAt(end)) ? null : end;
}

const isDataFence = (line: string): boolean => dataLanguages.has(line.slice(3).trim().toLowerCase());
