// Joins the code of blocks, and removes what models put around or after the code: a second pair of
// tags, a fence, a JSON call, a cut tag, a made-up observation.

import { isRecord } from "@smolts/protocol";
import type { CodeSyntax } from "../languages/code-language.ts";
import { languageNames, languageTags } from "../languages/languages.ts";
import { type BlockSink, BlockSplitter, type BlockSplitterOptions } from "./code-blocks.ts";
import { areFences, type CodeFormat, defaultCodeTags, observationMarkers } from "./code-tags.ts";
import { jsonObject } from "./json-object.ts";

/** A block of code in a text. */
export interface Block {
  readonly code: string;
  /** How the block ended: at its closing tag, at the next block, or at the end of the text. */
  readonly end: "tag" | "next" | "text";
  readonly isAtLineStart: boolean;
}

/** Returns the blocks of a text between the tags of the format. */
export function blocksOf(text: string, format: CodeFormat, options?: BlockSplitterOptions): readonly Block[] {
  const list = new BlockList();
  const splitter = new BlockSplitter(format, list, options);
  splitter.push(text);
  splitter.end();
  if (splitter.isOpen) list.close("text");
  return list.blocks;
}

/** Says whether a text ends in a literal or a comment of a program. */
export function endsInLiteral(text: string, format: CodeFormat): boolean {
  const splitter = new BlockSplitter(format, new BlockList());
  splitter.push(text);
  splitter.end();
  return splitter.isInLiteral;
}

class BlockList implements BlockSink {
  readonly blocks: Block[] = [];
  #code = "";
  #isAtLineStart = true;

  text(): void {}

  open(isAtLineStart: boolean): void {
    this.#code = "";
    this.#isAtLineStart = isAtLineStart;
  }

  code(code: string): void {
    this.#code += code;
  }

  close(end: Block["end"]): void {
    this.blocks.push({ code: this.#code, end, isAtLineStart: this.#isAtLineStart });
  }
}

/**
 * Joins the code of blocks, and removes the text that models put around the code. A block that ends
 * in a made-up observation is the last one.
 */
export function joinBlocks(blocks: readonly Block[], format: CodeFormat): string {
  const codes: string[] = [];
  for (const block of blocks) {
    const madeUp = madeUpLine(block.code, format.language.syntax);
    const own = madeUp === -1 ? block.code : block.code.slice(0, madeUp);
    codes.push(cleaned(block.end === "tag" ? own : cutOpenBlock(own, format), format));
    // The block ended in made-up text, so the rest of the text is made up too.
    if (madeUp !== -1) break;
  }
  return joinCodes(codes.filter((code) => !isMention(code)));
}

/** Joins pieces of code with an empty line between them. */
export const joinCodes = (codes: readonly string[]): string => codes.filter((code) => code !== "").join("\n\n");

/**
 * Says whether tags enclose nothing but words such as "and" or "your code". Such tags are only
 * mentioned in a sentence and do not enclose code.
 */
const isMention = (code: string): boolean => /^(?:and|or|to|…|\.\.\.|your code(?: here)?)$/i.test(code);

/**
 * Cuts a block whose closing tag was not found. The tag may have been mistaken for a part of a
 * literal.
 */
const cutOpenBlock = (code: string, format: CodeFormat): string =>
  withoutTornTag(cutAtLastClosing(code, format) ?? code, format);

/**
 * Cuts code at the last closing tag that is not clearly inside a string of the program. Null when
 * there is no such tag.
 */
export function cutAtLastClosing(code: string, { tags, language }: CodeFormat): string | null {
  if (areFences(tags)) return null;
  const scanner = language.syntax.createScanner();
  const close = tags[1].toLowerCase();
  let scanned = 0;
  let end: number | null = null;
  for (const at of lastPlaces(code.toLowerCase(), close)) {
    scanner.advance(code.slice(scanned, at));
    scanned = at;
    if (!scanner.endsProperlyIn(code.slice(at + close.length))) end = at;
  }
  return end === null ? null : code.slice(0, end);
}

/**
 * The maximum number of closing tags that are checked. There is a limit, because each check looks
 * at all the code after the tag.
 */
const maxClosings = 20;

function lastPlaces(code: string, close: string): readonly number[] {
  const places: number[] = [];
  for (
    let at = code.lastIndexOf(close);
    at !== -1 && places.length < maxClosings;
    at = code.lastIndexOf(close, at - 1)
  ) {
    places.unshift(at);
    if (at === 0) break;
  }
  return places;
}

/**
 * Returns the position of the first line that begins a made-up observation; -1 when there is none.
 * A line in a literal or between brackets is part of the program, and so is a name such as
 * `observation` in lower case.
 */
export function madeUpLine(code: string, syntax: CodeSyntax): number {
  // Most code has no marker, and then it need not be scanned.
  const lowerCase = code.toLowerCase();
  if (!observationMarkers.some((marker) => lowerCase.includes(marker))) return -1;
  const scanner = syntax.createScanner();
  let depth = 0;
  let at = 0;
  for (const line of code.split(/(?<=\n)/)) {
    if (depth <= 0 && scanner.isInCode && beginsMadeUp(line.trimStart())) return at;
    for (const character of line) {
      if (scanner.isInCode) depth += depthOf[character] ?? 0;
      scanner.advance(character);
    }
    at += line.length;
  }
  return -1;
}

const beginsMadeUp = (line: string): boolean =>
  !line.startsWith("observation") && observationMarkers.some((marker) => line.toLowerCase().startsWith(marker));

const depthOf: { readonly [bracket: string]: number } = { "(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1 };

/**
 * Removes a tag, or a part of one, from the end of code that was cut off. It may be an opening tag,
 * the beginning of the closing tag, the closing tag without its first character, or any complete
 * closing tag.
 */
function withoutTornTag(code: string, { tags: [open, close] }: CodeFormat): string {
  const trimmed = code.trimEnd();
  for (let length = close.length - 1; length > 1; length--) {
    if (trimmed.endsWith(close.slice(0, length))) return trimmed.slice(0, -length);
  }
  const torn = [`\n${close.slice(1)}`, open].find((end) => trimmed.endsWith(end));
  return torn ? trimmed.slice(0, -torn.length) : trimmed.replace(/\n?<\/\w+>$/, "");
}

/**
 * Matches a marker at the end of code that is not part of the code: an end marker of a chat
 * template, or an element that should have been the closing tag.
 */
export const endMark: RegExp = /\s*(?:<[|｜][\w▁]+[|｜]>|<\/s>|<end_\w+>|<\w+\/>)$/;

const characterData = /^<!\[CDATA\[([\s\S]*)\]\]>$/;

const languageLine = new RegExp(`^(?:${languageTags.join("|")})[ \\t]*\\n`, "i");

/**
 * Returns code without the text that models put around it inside the tags: a second pair of tags, a
 * fence, the name of the language, a JSON call.
 */
export function cleaned(code: string, format: CodeFormat): string {
  const own = withoutOpening(code.trim().replace(endMark, ""), format).replace(characterData, "$1");
  const clean = withoutFence(own.trim()).replace(languageLine, "").trim();
  return codeInCall(clean, format) ?? clean;
}

function withoutOpening(code: string, { tags }: CodeFormat): string {
  const [open] = tags;
  let rest = code;
  while (!areFences(tags) && rest.slice(0, open.length).toLowerCase() === open.toLowerCase()) {
    rest = rest.slice(open.length).trimStart();
  }
  return rest;
}

function withoutFence(code: string): string {
  const inner = code.replace(/^(?:```|~~~)[^\n`]*\n/, "").replace(/(?:^|\n)[ \t]*(?:```|~~~)[ \t]*$/, "");
  return inner.trim();
}

/**
 * Returns the code in a JSON tool call or in an object `{ thought, code }`. Null when the text is
 * neither.
 */
export function codeInCall(text: string, format: CodeFormat): string | null {
  const object = text.startsWith("{") && /"(?:code|arguments|parameters|input)"/.test(text) ? jsonObject(text) : null;
  if (object === null) return null;
  const { arguments: args, parameters, input } = object;
  const inner = args ?? parameters ?? input ?? object;
  if (typeof inner === "string") return codeInCall(inner, format) ?? (isCodeRunner(object["name"]) ? inner : null);
  const code = isRecord(inner) ? inner["code"] : undefined;
  return typeof code === "string" ? withoutTags(code, format) : null;
}

/** Removes tags around the code of a JSON call, if there are any. */
function withoutTags(code: string, { language }: CodeFormat): string {
  const format: CodeFormat = { tags: defaultCodeTags, language };
  return joinBlocks(blocksOf(code, format), format) || withoutFence(code.trim());
}

const isCodeRunner = (name: unknown): boolean => typeof name === "string" && codeRunner.test(name);

const codeRunner = new RegExp(`interpreter|code|exec|${languageNames.join("|")}`, "i");
