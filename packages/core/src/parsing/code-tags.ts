import { AgentError, type ExecutorFactory } from "@smolts/protocol";
import type { CodeLanguage } from "../languages/code-language.ts";
import { languageOf } from "../languages/languages.ts";

/** The tags that a model writes before and after a block of code. */
export type CodeTags = readonly [open: string, close: string];

/** Between which tags code stands, and in which language it is written. */
export interface CodeFormat {
  readonly tags: CodeTags;
  readonly language: CodeLanguage;
}

/** A pair of tags, or `"markdown"` for fences of three backticks. */
export type CodeBlockTags = CodeTags | "markdown";

/** The tags of a code agent that says nothing else. */
export const defaultCodeTags: CodeTags = ["<code>", "</code>"];

/**
 * How a model may begin to make up what only a run can tell it; in lower case, at the start of a
 * line.
 */
export const observationMarkers: readonly string[] = [
  "<observation",
  "observation:",
  "observations:",
  "**observation",
  "execution logs:",
  "calling tools:",
];

/**
 * The tags that the option `codeBlockTags` asks for.
 *
 * @throws AgentError `invalid-option` when it is neither two different texts nor `"markdown"`
 * @example
 * ```ts
 * import { codeTags } from "@smolts/core";
 *
 * console.log(codeTags("markdown")); // [ '```js', '```' ]
 * ```
 */
export function codeTags(option: CodeBlockTags = defaultCodeTags, language?: ExecutorFactory["language"]): CodeTags {
  if (option === "markdown") return [`\`\`\`${languageOf(language).fence}`, "```"];
  if (isPairOfTags(option)) return option;
  throw new AgentError(
    "invalid-option",
    `codeBlockTags is ${JSON.stringify(option)}; expected two texts or "markdown"`,
    {
      hint: 'write codeBlockTags: ["<code>", "</code>"] or codeBlockTags: "markdown"',
    },
  );
}

const isPairOfTags = (option: unknown): boolean =>
  Array.isArray(option) &&
  option.length === 2 &&
  option.every((tag) => typeof tag === "string" && tag.trim() !== "") &&
  option[0] !== option[1];

/**
 * Where the model's server is to stop: at the end of the code, and before an observation that the
 * model makes up.
 *
 * The closing tag counts only at the start of a line, so that one in a text of the program does not
 * stop it. A closing tag that is part of the opening one (as with fences) is left out: the server
 * would stop at the beginning.
 *
 * @example
 * ```ts
 * import { stopSequences } from "@smolts/core";
 *
 * console.log(stopSequences()[0] === "\n</code>"); // true
 * ```
 */
export function stopSequences(tags?: CodeBlockTags): readonly string[] {
  const [open, close] = codeTags(tags);
  return [...(open.includes(close) ? [] : [`\n${close}`]), "\n<observation", "\nObservation:"];
}

/**
 * The format of code that the option `codeBlockTags` asks for. @throws AgentError `invalid-option`
 * as {@link codeTags} does
 */
export const codeFormat = (option: CodeBlockTags | undefined, language?: ExecutorFactory["language"]): CodeFormat => ({
  tags: codeTags(option, language),
  language: languageOf(language),
});

/** The same language in fences. */
export const fenced = ({ language }: CodeFormat): CodeFormat => codeFormat("markdown", language.id);

/** Whether blocks are fences: their ends start a line, and their beginnings name a language. */
export const areFences = ([, close]: CodeTags): boolean => close.startsWith("```");
