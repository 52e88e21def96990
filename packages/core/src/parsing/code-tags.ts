import { type ExecutorFactory, invalidOption } from "@smolts/protocol";
import type { CodeLanguage } from "../languages/code-language.ts";
import { languageOf } from "../languages/languages.ts";

/** The opening and the closing tag that a model writes around a block of code. */
export type CodeTags = readonly [open: string, close: string];

/** The tags around code, and the language in which the code is written. */
export interface CodeFormat {
  readonly tags: CodeTags;
  readonly language: CodeLanguage;
}

/** A pair of tags, or `"markdown"` for fences of three backticks. */
export type CodeBlockTags = CodeTags | "markdown";

/** The tags that are used when an agent sets none. */
export const defaultCodeTags: CodeTags = ["<code>", "</code>"];

/**
 * The beginnings of texts that only a run can produce, but that models sometimes make up. They are
 * listed in lower case, and count only at the start of a line.
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
 * The beginnings of messages from other speakers that models sometimes make up after their code.
 * They are listed in lower case, and count only at the start of a line outside of code.
 */
export const turnMarkers: readonly string[] = ["user:", "human:", "<|im_start|>", "<|start_header_id|>", "<|user|>"];

/**
 * Returns the tags for the option `codeBlockTags`.
 *
 * @throws AgentError `invalid-option` when the option is neither two different strings nor
 * `"markdown"`
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
  throw invalidOption(
    `codeBlockTags is ${JSON.stringify(option)}; expected two strings or "markdown"`,
    'write codeBlockTags: ["<code>", "</code>"] or codeBlockTags: "markdown"',
  );
}

const isPairOfTags = (option: unknown): boolean =>
  Array.isArray(option) &&
  option.length === 2 &&
  option.every((tag) => typeof tag === "string" && tag.trim() !== "") &&
  option[0] !== option[1];

/**
 * Returns the texts at which the model's server must stop: the end of the code, and the beginning
 * of an observation that the model makes up.
 *
 * The closing tag counts only at the start of a line, so that a tag in a string of the program does
 * not stop the answer. A closing tag that is part of the opening tag (as with fences) is left out,
 * because the server would already stop at the opening tag.
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
 * Returns the format of code for the option `codeBlockTags`.
 *
 * @throws AgentError `invalid-option` in the same cases as {@link codeTags}
 */
export const codeFormat = (option: CodeBlockTags | undefined, language?: ExecutorFactory["language"]): CodeFormat => ({
  tags: codeTags(option, language),
  language: languageOf(language),
});

/** Returns the same format with fences instead of tags. */
export const fenced = ({ language }: CodeFormat): CodeFormat => codeFormat("markdown", language.id);

/**
 * Says whether the tags are fences. Fences have rules that other tags do not have: the closing
 * fence is at the start of a line, and the opening fence names a language.
 */
export const areFences = ([, close]: CodeTags): boolean => close.startsWith("```");
