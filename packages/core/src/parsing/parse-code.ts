// Finds the code in what a model wrote.
//
// Models write almost what they were asked for, so one reading after the other is tried: the tags, fences of any language, tags of other systems,
// a JSON tool call that wraps code, bare code. A reading may have several versions, likeliest first; where the caller can check syntax, the first one
// that is a program is taken, and small repairs are tried before giving up. What follows a made-up observation is never run.

import { AgentError } from "@smolts/protocol";
import { type BlockSink, BlockSplitter, type BlockSplitterOptions, dataLanguages } from "./code-blocks.ts";
import { redeclarable, repairs } from "./code-repairs.ts";
import { CodeScanner } from "./code-scanner.ts";
import { type CodeSearch, finishSearchNow } from "./code-search.ts";
import {
  areFences,
  type CodeBlockTags,
  type CodeTags,
  codeTags,
  defaultCodeTags,
  observationMarkers,
} from "./code-tags.ts";

/** Settings of {@link parseCode}. */
export interface ParseCodeOptions {
  /**
   * What encloses the code.
   *
   * @defaultValue `["<code>", "</code>"]`
   */
  readonly tags?: CodeBlockTags | undefined;
  /** Whether a text is a program. With it, bare code is found in more places, and repairs are tried. */
  readonly parses?: ((code: string) => boolean) | undefined;
}

/** Settings of {@link searchCode}. */
export interface SearchOptions {
  readonly tags?: CodeBlockTags | undefined;
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
export function parseCode(text: string, { tags, parses }: ParseCodeOptions = {}): string {
  return finishSearchNow(searchCode(text, { tags, isChecked: parses !== undefined }), parses ?? (() => true));
}

/**
 * Finds the code as {@link parseCode} does, for a caller who answers in its own time.
 *
 * @throws AgentError `parsing` when there is none; its hint says what to write instead
 */
export function* searchCode(text: string, { tags, isChecked }: SearchOptions): CodeSearch {
  const pair = codeTags(tags);
  if (text.length > maxTextLength) throw tooLong(text, pair);
  const visible = withoutOrphanThought(text, pair);
  const thoughts = withThoughts(visible);
  for (const readable of unique([visible, thoughts])) {
    const found = (yield* codeIn(readable, pair)) ?? (yield* bareCode(readable, isChecked));
    if (found !== null) return found;
  }
  throw new AgentError("parsing", reasonForNone(text, pair), { hint: whatToWrite(text, pair) });
}

/**
 * The text with the closing tag that its last block lacks: a server that stops at the tag leaves it out.
 *
 * @example
 * ```ts
 * import { completeCode } from "@smolts/core";
 *
 * console.log(completeCode("<code>\n1 + 1")); // the same, a new line and "</code>"
 * ```
 */
export function completeCode(text: string, tags?: CodeBlockTags): string {
  const pair = codeTags(tags);
  if (text.length > maxTextLength) return text;
  const last = blocksOf(text, pair).at(-1);
  if (last?.end !== "text" || cutAtLastClosing(last.code, pair) !== null) return text;
  return `${text.trimEnd()}\n${pair[1]}`;
}

/**
 * Whether a text has a block of code and its last block is closed. A server that stops at the tag leaves it out; one that stops at its limit of output
 * leaves out code, which must not run.
 */
export function isWholeCode(text: string, tags?: CodeBlockTags): boolean {
  if (text.length > maxTextLength) return false;
  return [codeTags(tags), codeTags("markdown")].some((pair) => {
    const last = blocksOf(text, pair).at(-1);
    return last !== undefined && (last.end !== "text" || cutAtLastClosing(last.code, pair) !== null);
  });
}

/** Longer answers come of a model that repeats itself; looking for code in them would take seconds. */
const maxTextLength = 1_000_000;

const tooLong = ({ length }: string, tags: CodeTags): AgentError =>
  new AgentError("parsing", `the message has ${length} characters, more than the ${maxTextLength} that are looked at`, {
    hint: `write a short thought and one block of code:\n${exampleBlock("print(await someFunction());", tags)}`,
  });

/** Some models never come out of their thoughts, code included. */
const withThoughts = (text: string): string => text.replaceAll(/<\/?think(?:ing)?>/gi, "\n");

/** Some servers keep the tag that opens the thoughts to themselves: what stands before a lone closing one is thought. */
function withoutOrphanThought(text: string, tags: CodeTags): string {
  const end = /^(?:(?!<think(?:ing)?>)[\s\S])*?<\/think(?:ing)?>/i.exec(text)?.[0].length;
  if (end === undefined) return text;
  const rest = text.slice(end);
  return rest.includes(tags[0]) || rest.includes("```") ? rest : text;
}

/** Each gives versions of the code, likeliest first; none when the text has nothing of the kind. */
const readings: readonly ((text: string, tags: CodeTags) => readonly string[])[] = [
  loneCall,
  taggedCode,
  fencedCode,
  foreignTaggedCode,
  wrappedCode,
];

function* codeIn(text: string, tags: CodeTags): CodeSearch<string | null> {
  for (const read of readings) {
    const versions = read(text, tags).filter((code) => code !== "");
    if (versions.length > 0) return yield* bestOf(versions);
  }
  return null;
}

function* bestOf(versions: readonly string[]): CodeSearch {
  const [first = ""] = versions;
  if (yield first) return first;
  const redeclared = versions.flatMap((code) => [code, redeclarable(code)]);
  const repaired = repairs.flatMap((repair) => versions.map(repair));
  return (yield* firstProgram([...redeclared, ...repaired])) ?? first;
}

function* firstProgram(candidates: readonly string[]): CodeSearch<string | null> {
  for (const code of candidates) if (yield code) return code;
  return null;
}

interface Block {
  readonly code: string;
  /** What ended it: its tag, the next block, or the end of the text. */
  readonly end: "tag" | "next" | "text";
  readonly isAtLineStart: boolean;
}

function blocksOf(text: string, tags: CodeTags, options?: BlockSplitterOptions): readonly Block[] {
  const list = new BlockList();
  const splitter = new BlockSplitter(tags, list, options);
  splitter.push(text);
  splitter.end();
  if (splitter.isOpen) list.close("text");
  return list.blocks;
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

/** The whole text is a JSON call; tags within it are part of its texts, escapes and all. */
function loneCall(text: string): readonly string[] {
  const code = codeInCall(text.trim());
  return code === null ? [] : [code];
}

function taggedCode(text: string, tags: CodeTags): readonly string[] {
  if (!areFences(tags) && !holdsTag(text, tags[0])) return [];
  const blocks = blocksOf(text, tags);
  const joined = joinBlocks(blocks, tags);
  // A tag in prose ("between <code> and </code>") opens a block by mistake: then those at the start of a line are meant.
  const atLineStart = joinBlocks(
    blocks.filter((block) => block.isAtLineStart),
    tags,
  );
  // A regular expression or a comment with odd quotes may have misled the scanner.
  const hasPassedTag = !areFences(tags) && blocks.some(({ code }) => tags.some((tag) => holdsTag(code, tag)));
  const literal = hasPassedTag ? joinBlocks(blocksOf(text, tags, { skipsLiterals: false }), tags) : joined;
  // One that another opens again before it was closed is hardly code; the sentence after it may even be a program.
  const isMentioned = blocks.some(({ end, isAtLineStart }) => end === "next" && !isAtLineStart);
  return unique(isMentioned ? [atLineStart, joined, literal] : [joined, atLineStart, literal]);
}

/** Whether the tag stands somewhere, perhaps with attributes. */
const holdsTag = (text: string, tag: string): boolean =>
  text.toLowerCase().includes(tag.replace(/>$/, "").toLowerCase());

function joinBlocks(blocks: readonly Block[], tags: CodeTags): string {
  const codes: string[] = [];
  for (const block of blocks) {
    const code = block.end === "tag" ? block.code : cutOpenBlock(block.code, tags);
    codes.push(cleaned(code, tags));
    // The block ended in something made up: so is what comes after it.
    if (block.end === "next" && madeUpLine(block.code) !== -1) break;
  }
  return joinCodes(codes.filter((code) => !isMention(code)));
}

const joinCodes = (codes: readonly string[]): string => codes.filter((code) => code !== "").join("\n\n");

/** Tags that are talked about enclose such words. */
const isMention = (code: string): boolean => /^(?:and|or|to|…|\.\.\.|your code(?: here)?)$/i.test(code);

/** A block without its closing tag: perhaps the tag stands where it seemed part of a literal, perhaps something was made up after it. */
function cutOpenBlock(code: string, tags: CodeTags): string {
  const cut = cutAtLastClosing(code, tags) ?? code;
  const madeUp = madeUpLine(cut);
  return withoutTornTag(madeUp === -1 ? cut : cut.slice(0, madeUp), tags);
}

/** Up to the last closing tag that is not plainly part of a text of the program; null when there is none. */
function cutAtLastClosing(code: string, tags: CodeTags): string | null {
  if (areFences(tags)) return null;
  const scanner = new CodeScanner();
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

/** Each place costs a look at all the code after it. */
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

const lineStart = /^[ \t]*/;

/** Where the first line stands that begins a made-up observation, outside of the program's own texts; -1 for none. */
function madeUpLine(code: string): number {
  const scanner = new CodeScanner();
  let at = 0;
  for (const line of code.split(/(?<=\n)/)) {
    const start = line.replace(lineStart, "").toLowerCase();
    if (scanner.isInCode && observationMarkers.some((marker) => start.startsWith(marker))) return at;
    scanner.advance(line);
    at += line.length;
  }
  return -1;
}

/** A text that was cut off may end within the tag; others end with a tag of something else, or with the end mark of a chat template. */
function withoutTornTag(code: string, [open, close]: CodeTags): string {
  const trimmed = code.trimEnd();
  for (let length = close.length - 1; length > 1; length--) {
    if (trimmed.endsWith(close.slice(0, length))) return trimmed.slice(0, -length);
  }
  const torn = [`\n${close.slice(1)}`, open].find((end) => trimmed.endsWith(end));
  return torn ? trimmed.slice(0, -torn.length) : trimmed.replace(/\n?(?:<\/\w+>|<\|\w+\|>|<end_\w+>)$/, "");
}

const languageNames = "javascript|typescript|js|ts|jsx|tsx|mjs|python|py";
const languageLine = new RegExp(`^(?:${languageNames})[ \\t]*\\n`, "i");

/** Code without what models put around it within the tags: a second pair of tags, a fence, the name of the language, a JSON call. */
function cleaned(code: string, tags: CodeTags): string {
  const clean = withoutFence(withoutOpening(code.trim(), tags)).replace(languageLine, "").trim();
  return codeInCall(clean) ?? clean;
}

function withoutOpening(code: string, tags: CodeTags): string {
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

/** Blocks between fences, whatever their language, but for those that only show something. */
function fencedCode(text: string, tags: CodeTags): readonly string[] {
  if (areFences(tags)) return [];
  const blocks = fencesOf(text);
  const inline = /```(?:\w+[ \t]+)?([^`\n]+)```/.exec(withoutThoughts(text))?.[1];
  return unique([joinCodes(blocks), ...(blocks.length === 0 && inline ? [inline.trim()] : [])]);
}

function fencesOf(text: string): readonly string[] {
  const blocks = blocksOf(upToMadeUp(text.replaceAll(/^([ \t]*)~~~/gm, "$1```")), codeTags("markdown"));
  return blocks.map(({ code }) => cleaned(code.replace(/<\/\w+>\s*$/, ""), codeTags("markdown")));
}

/** Text up to the first made-up observation after a fence. */
function upToMadeUp(text: string): string {
  const fence = text.indexOf("```");
  const madeUp = /^(?:output|result|prints|logs)s?:?[ \t]*\n+[ \t]*```/im.exec(text.slice(Math.max(fence, 0)));
  return fence !== -1 && madeUp ? text.slice(0, fence + madeUp.index) : text;
}

const withoutThoughts = (text: string): string =>
  text.replaceAll(/<think(?:ing)?>(?:(?!<think)[\s\S])*?<\/think(?:ing)?>/gi, "");

/** Tags that models learned elsewhere. */
const foreignTags: readonly CodeTags[] = [
  "code",
  "python",
  "javascript",
  "typescript",
  "js",
  "ts",
  "tool_code",
  "execute",
  "execute_code",
  "code_action",
  "script",
].map((name): CodeTags => [`<${name}>`, `</${name}>`]);

function foreignTaggedCode(text: string): readonly string[] {
  const lowerCase = text.toLowerCase();
  for (const tags of foreignTags) {
    if (!lowerCase.includes(tags[0].slice(0, -1))) continue;
    const code = joinBlocks(blocksOf(text, tags), tags);
    if (code !== "") return [code];
  }
  return [];
}

/** How many places are tried at which a JSON object or a program could begin. */
const maxStarts = 20;

function wrappedCode(text: string): readonly string[] {
  const starts = [...withoutThoughts(text).matchAll(/\{/g)].slice(0, maxStarts);
  for (const { index, input } of starts) {
    const code = codeInCall(balancedObject(input.slice(index)));
    if (code !== null) return [code.trim()];
  }
  return [];
}

/** From the opening brace to the one that closes it, as JSON counts. */
function balancedObject(text: string): string {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\[\s\S])*(?:"|$)|[{}]/g)) {
    if (token === "{") depth++;
    if (token === "}" && --depth === 0) return text.slice(0, index + 1);
  }
  return text;
}

/** The code that a JSON tool call wraps, or an object `{ thought, code }`; null when the text is none. */
function codeInCall(text: string): string | null {
  const object = text.startsWith("{") && /"(?:code|arguments|parameters|input)"/.test(text) ? jsonObject(text) : null;
  if (object === null) return null;
  const { arguments: args, parameters, input } = object;
  const inner = args ?? parameters ?? input ?? object;
  if (typeof inner === "string") return codeInCall(inner) ?? (isCodeRunner(object["name"]) ? inner : null);
  const code = isRecord(inner) ? inner["code"] : undefined;
  return typeof code === "string" ? withoutTags(code) : null;
}

/** The code of a JSON call may have the tags around it as well. */
const withoutTags = (code: string): string =>
  joinBlocks(blocksOf(code, defaultCodeTags), defaultCodeTags) || withoutFence(code.trim());

const isCodeRunner = (name: unknown): boolean =>
  typeof name === "string" && /interpreter|python|javascript|code|exec/i.test(name);

/** Lenient: models write line ends within the texts of their JSON. */
function jsonObject(text: string): { readonly [key: string]: unknown } | null {
  const strict = text.replaceAll(/"(?:[^"\\]|\\[\s\S])*(?:"|$)/g, (literal) =>
    literal.replaceAll("\n", "\\n").replaceAll("\t", "\\t"),
  );
  try {
    const value: unknown = JSON.parse(strict);
    return isRecord(value) ? value : null;
  } catch {
    // No JSON, then: the caller goes on to the next reading.
    return null;
  }
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a line hardly begins with that belongs to a sentence. */
const programLine = new RegExp(
  `^(?:${[
    String.raw`(?:const|let|var)\s+[\w$[{][^=\n]*=`,
    String.raw`(?:async\s+)?function\b\s*\*?\s*[\w$]*\s*\(`,
    String.raw`class\s+[\w$]+[^\n]*\{`,
    String.raw`(?:for|while|if|switch)\s*(?:await\s*)?\(`,
    String.raw`(?:try|do)\s*\{`,
    String.raw`(?:await\s+|return\s+)?[\w$]+(?:\.[\w$]+)*\([^\n]*[)\]}({;,\x60'"]\s*;?\s*$`,
    String.raw`[\w$.[\]]+\s*(?:[+\-*/]|\*\*)?=[^=\n]`,
    String.raw`(?://|/\*)`,
    String.raw`(?=[^\n]*\d)[\w$.() ]+[-+*/%][\w$.() +\-*/%]+;?$`,
  ].join("|")})`,
);

/** Longer lines are not looked at: the patterns above take long to say no to them. */
const maxFirstLineLength = 500;

/** What a chat template puts before code. */
const chatMark = /^\s*<\|\w+\|>/;

/** Text that is a program as a whole or, where that can be checked, from some line to its end. */
function* bareCode(text: string, isChecked: boolean): CodeSearch<string | null> {
  const lines = withoutThoughts(text).replace(chatMark, "").trim().split("\n");
  const starts = lines.flatMap((line, index) => (isProgramLine(line) ? [index] : []));
  const tried = isChecked ? starts.slice(0, maxStarts) : starts.slice(0, 1).filter((start) => start === 0);
  const programs = tried.map((start) => cutBare(lines.slice(start).join("\n")));
  return yield* firstProgram(programs.filter((code) => code !== ""));
}

const isProgramLine = (line: string): boolean => line.length <= maxFirstLineLength && programLine.test(line.trim());

function cutBare(code: string): string {
  const madeUp = madeUpLine(code);
  return (madeUp === -1 ? code : code.slice(0, madeUp)).trim();
}

const unique = (codes: readonly string[]): string[] => [...new Set(codes)];

function reasonForNone(text: string, tags: CodeTags): string {
  const [open, close] = tags;
  if (text.trim() === "") return "the message is empty; expected code";
  if (blocksOf(text, tags).length > 0) return `there is no code between "${open}" and "${close}"`;
  const language = /^[ \t]*```(\w+)/m.exec(text)?.[1]?.toLowerCase();
  const isData = language !== undefined && dataLanguages.has(language);
  if (isData) return `the block of "${language}" is not JavaScript; found no code to run`;
  if (toolCallIn(text)) return "this is a tool call as JSON; tools are called in code here";
  return `found no code between "${open}" and "${close}"`;
}

function whatToWrite(text: string, tags: CodeTags): string {
  const call = toolCallIn(text);
  if (call) return `call the tool in code:\n${exampleBlock(call, tags)}`;
  const task = `write a short thought, then one block of code like this:\n${exampleBlock("print(await someTool({ name: value }));", tags)}`;
  if (!/final|answer/i.test(text)) return task;
  return `if this is your answer, write:\n${exampleBlock('finalAnswer("your answer");', tags)}\nelse ${task}`;
}

const exampleBlock = (code: string, [open, close]: CodeTags): string => `${open}\n${code}\n${close}`;

/** A JSON tool call in the text, as the line of code that does the same. */
function toolCallIn(text: string): string | null {
  const start = text.indexOf("{");
  const object = start === -1 ? null : jsonObject(balancedObject(text.slice(start)));
  const name = object?.["name"];
  const input = object?.["arguments"] ?? object?.["parameters"];
  if (typeof name !== "string" || !/^[\w$]+$/.test(name) || !isRecord(input)) return null;
  if (/^final_?answer$/i.test(name)) return `finalAnswer(${shortJson(input["answer"] ?? input)});`;
  return `print(await ${name}(${shortJson(input)}));`;
}

function shortJson(value: unknown): string {
  const written = JSON.stringify(value);
  return written.length > 200 ? "..." : written;
}
