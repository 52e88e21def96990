// Finds the code in a model's text.
//
// Models often do not write exactly what they were asked for. So several ways to read the text are
// tried in order: the tags, fences of any language, tags of other systems, a JSON tool call that
// contains code, plain code. Each way may find several versions of the code, most likely first. If
// the caller can check syntax, the first version that is a program is used, and small repairs are
// tried before giving up. Text after a made-up observation is never run.

import { type ExecutorFactory, type OptionTable, readOptions, wrongArgument } from "@smolts/protocol";
import type { CodeSyntax } from "../languages/code-language.ts";
import { codeElements } from "../languages/languages.ts";
import { calledCode } from "./called-code.ts";
import { type CodeSearch, finishSearchNow, firstProgram, maxStarts } from "./code-search.ts";
import { areFences, type CodeBlockTags, type CodeFormat, type CodeTags, codeFormat, fenced } from "./code-tags.ts";
import {
  blocksOf,
  cleaned,
  codeInCall,
  cutAtLastClosing,
  endMark,
  endsInLiteral,
  joinBlocks,
  joinCodes,
  madeUpLine,
} from "./joined-blocks.ts";
import { balancedObject } from "./json-object.ts";
import { noCode, tooLong } from "./no-code.ts";
import { thoughtsIn } from "./thought-marks.ts";
import { withoutEchoes } from "./tool-calls/said-text.ts";
import { endsInThought, spokenText, withoutClosedThoughts, withThoughts } from "./without-thoughts.ts";

/** Options of {@link parseCode}. */
export interface ParseCodeOptions {
  /**
   * The tags around the code.
   *
   * @defaultValue `["<code>", "</code>"]`
   */
  readonly tags?: CodeBlockTags | undefined;
  /**
   * Says whether a text is a program. If you pass this function, code without tags is found in more
   * places, and code that does not parse is repaired if possible.
   */
  readonly parses?: ((code: string) => boolean) | undefined;
  /**
   * The language of the code.
   *
   * @defaultValue `"javascript"`
   */
  readonly language?: ExecutorFactory["language"] | undefined;
}

/** Options of {@link searchCode}. */
export interface SearchOptions {
  readonly format: CodeFormat;
  /**
   * Whether the caller really checks if a text is a program. If not, the caller answers yes for
   * every text. The search then tries fewer texts, so that prose is not taken for code.
   */
  readonly isChecked: boolean;
}

/**
 * Finds the code in a model's text. Several blocks are joined with an empty line between them.
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
  if (typeof text !== "string") throw wrongArgument("parseCode()", text, "a text", "write parseCode(textOf(message))");
  const search = searchCode(text, { format: codeFormat(tags, language), isChecked: parses !== undefined });
  return finishSearchNow(search, parses ?? (() => true));
}

const parseCodeOptions: OptionTable<ParseCodeOptions> = {
  tags: true,
  parses: "function",
  language: ["javascript", "python"],
};

/**
 * Finds the code like {@link parseCode}. It yields each text that may be a program. The caller
 * checks the text, if need be asynchronously, and passes the answer to `next()`.
 *
 * @throws AgentError `parsing` when there is none; its hint says what to write instead
 */
export function* searchCode(text: string, { format, isChecked }: SearchOptions): CodeSearch {
  if (text.length > maxTextLength) throw tooLong(text, maxTextLength, format);
  const visible = withoutOrphanThought(text, format);
  // Code in a thought was a draft if the thought has ended and the model wrote something else after
  // it.
  const isDraft = !endsInThought(visible) && spokenText(visible).trim() !== "";
  const hasThoughts = !isDraft && visible !== withThoughts(visible);
  const thoughts = hasThoughts ? withoutMentions(withThoughts(visible), format.tags) : visible;
  // Servers that escape the text also escape the tags.
  const escapedTag = format.tags[0].replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const isEscaped = escapedTag !== format.tags[0] && visible.includes(escapedTag);
  for (const readable of unique([visible, thoughts, ...(isEscaped ? [unescaped(visible)] : [])])) {
    const found = (yield* codeIn(readable, format)) ?? (yield* bareCode(readable, format, isChecked));
    if (found !== null) return found;
  }
  throw noCode(text, format);
}

/**
 * Adds the closing tag if the last block lacks it. A server that stops at the tag leaves the tag
 * out.
 *
 * @example
 * ```ts
 * import { completeCode } from "@smolts/core";
 *
 * console.log(JSON.stringify(completeCode("<code>\n1 + 1"))); // "<code>\n1 + 1\n</code>"
 * ```
 */
export function completeCode(text: string, tags?: CodeBlockTags, language?: ExecutorFactory["language"]): string {
  const format = codeFormat(tags, language);
  if (text.length > maxTextLength) return text;
  const last = blocksOf(text, format).at(-1);
  if (last?.end !== "text" || cutAtLastClosing(last.code, format) !== null) return text;
  if (madeUpLine(last.code, format.language.syntax) !== -1) return text;
  return `${text.trimEnd()}\n${format.tags[1]}`;
}

/**
 * Says whether a text has a block of code and its last block is closed. If a server stops at the
 * closing tag, only the tag is missing. If it stops at its output limit, part of the code is
 * missing, so the code must not run.
 */
export function isWholeCode(text: string, format: CodeFormat): boolean {
  if (text.length > maxTextLength) return false;
  return [format, fenced(format)].some((one) => {
    const last = blocksOf(text, one).at(-1);
    return last !== undefined && (last.end !== "text" || cutAtLastClosing(last.code, one) !== null);
  });
}

/**
 * The most characters of an answer that are searched for code. Longer answers come from a model
 * that repeats itself, and searching them would take seconds.
 */
const maxTextLength = 1_000_000;

/** Removes tags in the middle of a line. In a thought, such a tag is only mentioned. */
function withoutMentions(text: string, [open]: CodeTags): string {
  const isMention = (line: string): boolean => line.toLowerCase().trimStart().indexOf(open.toLowerCase()) > 0;
  const lines = text.split("\n").map((line) => (isMention(line) ? line.replaceAll(/<\/?\w+>/g, "") : line));
  return lines.join("\n");
}

/**
 * Removes a thought at the beginning of a text if the thought has no opening marker. Some servers
 * remove that marker. Text before a lone closing marker is a thought, unless the marker is in a
 * literal of a program.
 */
function withoutOrphanThought(text: string, format: CodeFormat): string {
  const end = thoughtsIn(text).findLast(({ isOrphan }) => isOrphan)?.end;
  if (end === undefined) return text;
  const rest = text.slice(end);
  if (!rest.includes(format.tags[0]) && !rest.includes("```")) return text;
  const thought = text.slice(0, end);
  return [format, fenced(format)].some((one) => endsInLiteral(thought, one)) ? text : rest;
}

/**
 * The ways to read code from a text, in the order in which they are tried. Each returns versions of
 * the code, most likely first, or an empty list.
 */
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

/** Reads a text that consists of one JSON call. Tags inside the call are part of its strings. */
function loneCall(text: string, format: CodeFormat): readonly string[] {
  const code = codeInCall(text.trim(), format);
  return code === null ? [] : [code];
}

function taggedCode(text: string, format: CodeFormat): readonly string[] {
  const { tags } = format;
  if (!areFences(tags) && !containsTag(text, tags[0])) return [];
  const blocks = blocksOf(text, format);
  const joined = joinBlocks(blocks, format);
  // A tag in prose ("between <code> and </code>") can open a block by mistake. For that case, also
  // try the code of only those blocks that begin at the start of a line.
  const atLineStart = joinBlocks(
    blocks.filter((block) => block.isAtLineStart),
    format,
  );
  // If there is a tag inside a block, the scanner may have taken it for a part of a literal by
  // mistake. A regular expression, or unusual quotes in a comment, can mislead the scanner.
  const hasPassedTag = !areFences(tags) && blocks.some(({ code }) => tags.some((tag) => containsTag(code, tag)));
  const literal = hasPassedTag ? joinBlocks(blocksOf(text, format, { skipsLiterals: false }), format) : joined;
  // If another tag opens a block before the current block was closed, the current block probably
  // began at a tag that a sentence only mentions. That sentence may even parse as a program.
  const isMentioned = blocks.some(({ end, isAtLineStart }) => end === "next" && !isAtLineStart);
  return unique(isMentioned ? [atLineStart, joined, literal] : [joined, atLineStart, literal]);
}

/** Says whether a text contains the tag, possibly with attributes. */
const containsTag = (text: string, tag: string): boolean =>
  text.toLowerCase().includes(tag.replace(/>$/, "").toLowerCase());

/** Returns the blocks between fences of any language, except for languages that only show data. */
function fencedCode(text: string, format: CodeFormat): readonly string[] {
  if (areFences(format.tags)) return [];
  const blocks = fencesOf(isQuoted(text) ? text.replaceAll(/^[ \t]*>[ \t]?/gm, "") : text, fenced(format));
  const inline = /```(?:\w+[ \t]+)?([^`\n]+)```/.exec(withoutClosedThoughts(text))?.[1] ?? quotedLine(text, format);
  return unique([joinCodes(blocks), ...(blocks.length === 0 && inline ? [inline.trim()] : [])]);
}

/** Returns the code of a text that is one line of code in backticks. */
function quotedLine(text: string, { language: { syntax } }: CodeFormat): string | undefined {
  const line = /^\s*`([^`\n]+)`\s*$/.exec(text)?.[1];
  return line !== undefined && syntax.isProgramLine(line) ? line : undefined;
}

/**
 * Says whether the first fence of a text is in a Markdown block quote, where each line begins with
 * `>`.
 */
const isQuoted = (text: string): boolean => /^[ \t]*(>)?[ \t]*(?:```|~~~)/m.exec(text)?.[1] === ">";

function fencesOf(text: string, fences: CodeFormat): readonly string[] {
  const onOwnLines = text
    .replaceAll(/^([ \t]*)(~{3,})/gm, (_line, indent: string, { length }: string) => indent + "`".repeat(length))
    // Handles a fence after other text on its line: "Code: ```js".
    .replaceAll(/^([^`\n]*[^`\s][ \t]*)```(\w+)[ \t]*$/gm, "$1\n```$2");
  const blocks = blocksOf(upToMadeUp(onOwnLines), fences);
  return blocks.map(({ code }) => cleaned(code.replace(/<\/\w+>\s*$/, ""), fences));
}

/** Returns the text up to the first made-up observation after a fence. */
function upToMadeUp(text: string): string {
  const fence = text.indexOf("```");
  const madeUp = /^(?:output|result|prints|logs)s?:?[ \t]*\n+[ \t]*```/im.exec(text.slice(Math.max(fence, 0)));
  return fence !== -1 && madeUp ? text.slice(0, fence + madeUp.index) : text;
}

/** Tags around code that models learned from other systems. */
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

/**
 * Finds code without tags. The code is the whole text. If the caller can check syntax, the code may
 * also begin at a later line.
 */
function* bareCode(text: string, { language: { syntax } }: CodeFormat, isChecked: boolean): CodeSearch<string | null> {
  const lines = withoutEchoes(withoutClosedThoughts(text))
    .replace(chatMark, "")
    .trim()
    .replace(endMark, "")
    .split("\n");
  const starts = lines.flatMap((line, index) => (syntax.isProgramLine(line) ? [index] : []));
  const tried = isChecked ? starts.slice(0, maxStarts) : starts.slice(0, 1).filter((start) => start === 0);
  const programs = tried.map((start) => cutBare(lines.slice(start).join("\n"), syntax));
  const shortened = isChecked ? programs.map(withoutEpilogue) : [];
  return yield* firstProgram(unique([...programs, ...shortened]).filter((code) => code !== ""));
}

function cutBare(code: string, syntax: CodeSyntax): string {
  const madeUp = madeUpLine(code, syntax);
  return (madeUp === -1 ? code : code.slice(0, madeUp)).trim();
}

/** Matches a marker of a chat template before code. */
const chatMark = /^\s*<\|\w+\|>/;

// Repairs of code that does not parse. They are tried before the model is asked to write the code
// again.

const entities: { readonly [name: string]: string } = { lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", amp: "&" };

const unescaped = (code: string): string =>
  code.replaceAll(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(lt|gt|quot|apos|nbsp|amp));/gi, (entity, decimal, hex, name) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? entity;
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });

const withStraightQuotes = (code: string): string => code.replaceAll(/[“”„]/g, '"').replaceAll(/[‘’]/g, "'");

const withoutInvisible = (code: string): string => code.replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, "");

/**
 * Removes the prompts of a shell from the lines of code. Lines without a prompt are output and are
 * removed.
 */
function withoutPrompts(code: string): string {
  const prompt = /^[ \t]*(?:>{1,3}|\.{3}|In \[\d+\]:)(?:[ \t]|$)/;
  const lines = code.split("\n");
  if (!prompt.test(lines.find((line) => line.trim() !== "") ?? "")) return code;
  return lines.flatMap((line) => (prompt.test(line) ? [line.replace(prompt, "")] : [])).join("\n");
}

/** Removes lines at the end that are not code: sentences, tags of other systems, ends of fences. */
function withoutEpilogue(code: string): string {
  const lines = code.trimEnd().split("\n");
  const last = lines.findLastIndex((line) => line.trim() !== "" && !loneTag.test(line) && !sentence.test(line));
  return lines.slice(0, last + 1).join("\n");
}

const loneTag = /^\s*(?:<\/?[\w:-]+>|\[\/\w+\]|```|~~~)\s*$/;

const sentence = /^\p{Lu}[\p{L}'’-]*(?:,? [^\s{};=]+){2,}[.!?:]$/u;

/**
 * Functions that undo damage to code, such as curly quotes, invisible characters or shell prompts.
 * Each is tried alone, and then several together.
 */
const repairs: readonly ((code: string) => string)[] = [
  unescaped,
  withStraightQuotes,
  withoutInvisible,
  withoutPrompts,
  withoutEpilogue,
  (code) => withoutInvisible(withStraightQuotes(unescaped(code))),
];
