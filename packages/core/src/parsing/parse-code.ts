// Finds the code in what a model wrote.
//
// Models write almost what they were asked for, so one reading after the other is tried: the tags,
// fences of any language, tags of other systems, a JSON tool call that wraps code, bare code. A
// reading may have several versions, likeliest first; where the caller can check syntax, the first
// one that is a program is taken, and small repairs are tried before giving up. What follows a
// made-up observation is never run.

import { type ExecutorFactory, type OptionTable, readOptions } from "@smolts/protocol";
import type { CodeSyntax } from "../languages/code-language.ts";
import { codeElements } from "../languages/languages.ts";
import { calledCode } from "./called-code.ts";
import { type CodeSearch, finishSearchNow, firstProgram, maxStarts } from "./code-search.ts";
import { areFences, type CodeBlockTags, type CodeFormat, type CodeTags, codeFormat, fenced } from "./code-tags.ts";
import { blocksOf, cleaned, codeInCall, cutAtLastClosing, joinBlocks, joinCodes, madeUpLine } from "./joined-blocks.ts";
import { balancedObject } from "./json-object.ts";
import { noCode, tooLong } from "./no-code.ts";
import { endsInThought, spokenText, withoutClosedThoughts } from "./without-thoughts.ts";

/** Settings of {@link parseCode}. */
export interface ParseCodeOptions {
  /**
   * What encloses the code.
   *
   * @defaultValue `["<code>", "</code>"]`
   */
  readonly tags?: CodeBlockTags | undefined;
  /**
   * Whether a text is a program. With it, bare code is found in more places, and repairs are tried.
   */
  readonly parses?: ((code: string) => boolean) | undefined;
  /**
   * The language of the code.
   *
   * @defaultValue `"javascript"`
   */
  readonly language?: ExecutorFactory["language"] | undefined;
}

/** Settings of {@link searchCode}. */
export interface SearchOptions {
  readonly format: CodeFormat;
  /** Whether the answers are true; without that, all are yes, and less is taken for code. */
  readonly isChecked: boolean;
}

/**
 * Finds the code in a model's text; several blocks are joined with an empty line between them.
 *
 * @throws AgentError `parsing` when there is none; its hint says what to write instead
 * @example
 * ```ts
 * import { parseCode } from "@smolts/core";
 *
 * console.log(parseCode("I add them.\n<code>\n1 + 1\n</code>")); // 1 + 1
 * ```
 */
export function parseCode(text: string, options: ParseCodeOptions = {}): string {
  const { tags, parses, language } = readOptions(options, "parseCode()", parseCodeOptions);
  const search = searchCode(text, { format: codeFormat(tags, language), isChecked: parses !== undefined });
  return finishSearchNow(search, parses ?? (() => true));
}

const parseCodeOptions: OptionTable<ParseCodeOptions> = {
  tags: true,
  parses: "function",
  language: ["javascript", "python"],
};

/**
 * Finds the code as {@link parseCode} does, for a caller who answers in its own time.
 *
 * @throws AgentError `parsing` when there is none; its hint says what to write instead
 */
export function* searchCode(text: string, { format, isChecked }: SearchOptions): CodeSearch {
  if (text.length > maxTextLength) throw tooLong(text, maxTextLength, format);
  const visible = withoutOrphanThought(text, format.tags);
  // A thought that is over, and after which the model said something else, was a draft.
  const isDraft = !endsInThought(visible) && spokenText(visible).trim() !== "";
  const hasThoughts = !isDraft && visible !== withThoughts(visible);
  const thoughts = hasThoughts ? withoutMentions(withThoughts(visible), format.tags) : visible;
  for (const readable of unique([visible, thoughts])) {
    const found = (yield* codeIn(readable, format)) ?? (yield* bareCode(readable, format, isChecked));
    if (found !== null) return found;
  }
  throw noCode(text, format);
}

/**
 * The text with the closing tag that its last block lacks: a server that stops at the tag leaves it
 * out.
 *
 * @example
 * ```ts
 * import { completeCode } from "@smolts/core";
 *
 * console.log(completeCode("<code>\n1 + 1")); // the same, a new line and "</code>"
 * ```
 */
export function completeCode(text: string, tags?: CodeBlockTags, language?: ExecutorFactory["language"]): string {
  const format = codeFormat(tags, language);
  if (text.length > maxTextLength) return text;
  const last = blocksOf(text, format).at(-1);
  if (last?.end !== "text" || cutAtLastClosing(last.code, format) !== null) return text;
  return `${text.trimEnd()}\n${format.tags[1]}`;
}

/**
 * Whether a text has a block of code and its last block is closed. A server that stops at the tag
 * leaves it out; one that stops at its limit of output leaves out code, which must not run.
 */
export function isWholeCode(text: string, format: CodeFormat): boolean {
  if (text.length > maxTextLength) return false;
  return [format, fenced(format)].some((one) => {
    const last = blocksOf(text, one).at(-1);
    return last !== undefined && (last.end !== "text" || cutAtLastClosing(last.code, one) !== null);
  });
}

/**
 * Longer answers come of a model that repeats itself; looking for code in them would take seconds.
 */
const maxTextLength = 1_000_000;

/** Some models never come out of their thoughts, code included. */
const withThoughts = (text: string): string => text.replaceAll(/<\/?think(?:ing)?>/gi, "\n");

/** In a thought, a tag within a line is only considered. */
function withoutMentions(text: string, [open]: CodeTags): string {
  const isMention = (line: string): boolean => line.toLowerCase().trimStart().indexOf(open.toLowerCase()) > 0;
  const lines = text.split("\n").map((line) => (isMention(line) ? line.replaceAll(/<\/?\w+>/g, "") : line));
  return lines.join("\n");
}

/**
 * Some servers remove the tag that opens the thoughts: text before a lone closing tag is thought.
 */
function withoutOrphanThought(text: string, tags: CodeTags): string {
  const end = /^(?:(?!<think(?:ing)?>)[\s\S])*?<\/think(?:ing)?>/i.exec(text)?.[0].length;
  if (end === undefined) return text;
  const rest = text.slice(end);
  return rest.includes(tags[0]) || rest.includes("```") ? rest : text;
}

/** Each gives versions of the code, likeliest first; none when the text has nothing of the kind. */
const readings: readonly ((text: string, format: CodeFormat) => readonly string[])[] = [
  loneCall,
  taggedCode,
  fencedCode,
  foreignTaggedCode,
  wrappedCode,
  calledCode,
];

function* codeIn(text: string, format: CodeFormat): CodeSearch<string | null> {
  for (const read of readings) {
    const versions = read(text, format).filter((code) => code !== "");
    if (versions.length > 0) return yield* bestOf(versions, format);
  }
  return null;
}

function* bestOf(versions: readonly string[], { language: { syntax } }: CodeFormat): CodeSearch {
  const [first = ""] = versions;
  if (yield first) return first;
  const redeclared = versions.flatMap((code) => [code, syntax.redeclarable(code)]);
  const repaired = repairs.flatMap((repair) => versions.map(repair));
  return (yield* firstProgram([...redeclared, ...repaired])) ?? first;
}

/** The whole text is a JSON call; tags within it are part of its texts, escapes and all. */
function loneCall(text: string, format: CodeFormat): readonly string[] {
  const code = codeInCall(text.trim(), format);
  return code === null ? [] : [code];
}

function taggedCode(text: string, format: CodeFormat): readonly string[] {
  const { tags } = format;
  if (!areFences(tags) && !holdsTag(text, tags[0])) return [];
  const blocks = blocksOf(text, format);
  const joined = joinBlocks(blocks, format);
  // A tag in prose ("between <code> and </code>") opens a block by mistake: then those at the start
  // of a line are meant.
  const atLineStart = joinBlocks(
    blocks.filter((block) => block.isAtLineStart),
    format,
  );
  // A regular expression or a comment with odd quotes may have misled the scanner.
  const hasPassedTag = !areFences(tags) && blocks.some(({ code }) => tags.some((tag) => holdsTag(code, tag)));
  const literal = hasPassedTag ? joinBlocks(blocksOf(text, format, { skipsLiterals: false }), format) : joined;
  // One that another opens again before it was closed is hardly code; the sentence after it may
  // even be a program.
  const isMentioned = blocks.some(({ end, isAtLineStart }) => end === "next" && !isAtLineStart);
  return unique(isMentioned ? [atLineStart, joined, literal] : [joined, atLineStart, literal]);
}

/** Whether the tag stands somewhere, perhaps with attributes. */
const holdsTag = (text: string, tag: string): boolean =>
  text.toLowerCase().includes(tag.replace(/>$/, "").toLowerCase());

/** Blocks between fences, whatever their language, but for those that only show something. */
function fencedCode(text: string, format: CodeFormat): readonly string[] {
  if (areFences(format.tags)) return [];
  const blocks = fencesOf(text, fenced(format));
  const inline = /```(?:\w+[ \t]+)?([^`\n]+)```/.exec(withoutClosedThoughts(text))?.[1];
  return unique([joinCodes(blocks), ...(blocks.length === 0 && inline ? [inline.trim()] : [])]);
}

function fencesOf(text: string, fences: CodeFormat): readonly string[] {
  const onOwnLines = text
    .replaceAll(/^([ \t]*)~~~/gm, "$1```")
    // As in "Code: ```js".
    .replaceAll(/^([^`\n]*[^`\s][ \t]*)```(\w+)[ \t]*$/gm, "$1\n```$2");
  const blocks = blocksOf(upToMadeUp(onOwnLines), fences);
  return blocks.map(({ code }) => cleaned(code.replace(/<\/\w+>\s*$/, ""), fences));
}

/** Text up to the first made-up observation after a fence. */
function upToMadeUp(text: string): string {
  const fence = text.indexOf("```");
  const madeUp = /^(?:output|result|prints|logs)s?:?[ \t]*\n+[ \t]*```/im.exec(text.slice(Math.max(fence, 0)));
  return fence !== -1 && madeUp ? text.slice(0, fence + madeUp.index) : text;
}

/** Tags that models learned elsewhere. */
const foreignTags: readonly CodeTags[] = codeElements.map((name): CodeTags => [`<${name}>`, `</${name}>`]);

function foreignTaggedCode(text: string, { language }: CodeFormat): readonly string[] {
  const lowerCase = text.toLowerCase();
  for (const tags of foreignTags) {
    if (!lowerCase.includes(tags[0].slice(0, -1))) continue;
    const code = joinBlocks(blocksOf(text, { tags, language }), { tags, language });
    if (code !== "") return [code];
  }
  return [];
}

function wrappedCode(text: string, format: CodeFormat): readonly string[] {
  const starts = [...withoutClosedThoughts(text).matchAll(/\{/g)].slice(0, maxStarts);
  for (const { index, input } of starts) {
    const code = codeInCall(balancedObject(input.slice(index)), format);
    if (code !== null) return [code.trim()];
  }
  return [];
}

const unique = (codes: readonly string[]): string[] => [...new Set(codes)];

/** Text that is a program as a whole or, where that can be checked, from some line to its end. */
function* bareCode(text: string, { language: { syntax } }: CodeFormat, isChecked: boolean): CodeSearch<string | null> {
  const lines = withoutClosedThoughts(text).replace(chatMark, "").replace(endMark, "").trim().split("\n");
  const starts = lines.flatMap((line, index) => (syntax.isProgramLine(line) ? [index] : []));
  const tried = isChecked ? starts.slice(0, maxStarts) : starts.slice(0, 1).filter((start) => start === 0);
  const programs = tried.map((start) => cutBare(lines.slice(start).join("\n"), syntax));
  return yield* firstProgram(programs.filter((code) => code !== ""));
}

function cutBare(code: string, syntax: CodeSyntax): string {
  const madeUp = madeUpLine(code, syntax);
  return (madeUp === -1 ? code : code.slice(0, madeUp)).trim();
}

/** Marks that a chat template puts after code. */
const endMark = /(?:<\|\w+\|>|<\/s>|<end_of_turn>)\s*$/;

/** Marks that a chat template puts before code. */
const chatMark = /^\s*<\|\w+\|>/;

// Repairs code that does not parse, before the model is asked to write it again.

const entities: { readonly [entity: string]: string } = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&#x27;": "'",
  "&amp;": "&",
};

const unescaped = (code: string): string =>
  code.replaceAll(/&(?:lt|gt|quot|#39|#x27|amp);/g, (entity) => entities[entity] ?? entity);

const withStraightQuotes = (code: string): string => code.replaceAll(/[“”„]/g, '"').replaceAll(/[‘’]/g, "'");

const withoutInvisible = (code: string): string => code.replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, "");

/** The prompts of a shell before each line of code; lines without one are what it printed. */
function withoutPrompts(code: string): string {
  const prompt = /^[ \t]*(?:>{1,3}|\.{3}|In \[\d+\]:)(?:[ \t]|$)/;
  const lines = code.split("\n");
  if (!prompt.test(lines.find((line) => line.trim() !== "") ?? "")) return code;
  return lines.flatMap((line) => (prompt.test(line) ? [line.replace(prompt, "")] : [])).join("\n");
}

/** What models and their servers do to characters, undone: one at a time, then all of them. */
const repairs: readonly ((code: string) => string)[] = [
  unescaped,
  withStraightQuotes,
  withoutInvisible,
  withoutPrompts,
  (code) => withoutInvisible(withStraightQuotes(unescaped(code))),
];
