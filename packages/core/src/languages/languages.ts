import type { ExecutorFactory } from "@smolts/protocol";
import type { CodeLanguage } from "./code-language.ts";
import { javascript } from "./javascript/javascript.ts";
import { python } from "./python/python.ts";

/** The language of agents that have no executor. */
export const defaultLanguage: CodeLanguage = javascript;

const languages: { readonly [Id in ExecutorFactory["language"]]: CodeLanguage } = { javascript, python };

/**
 * Returns the language of an executor, or the default language for an agent without an executor.
 */
export function languageOf(id: ExecutorFactory["language"] = defaultLanguage.id): CodeLanguage {
  return languages[id];
}

// All texts except programs use TypeScript notation for the types of values and schemas.
export { renderDeclarations, typeText } from "./javascript/declarations.ts";
export { shapeText } from "./javascript/shape-text.ts";

/** The names of the languages that models write. */
export const languageNames: readonly string[] = ["python", "javascript"];

/**
 * Tags after the backticks of a fence. By mistake, models also write them on the first line of
 * code.
 */
export const languageTags: readonly string[] = [
  "javascript",
  "typescript",
  "js",
  "ts",
  "jsx",
  "tsx",
  "mjs",
  "python",
  "py",
];

/** The names of tags that models were trained to write around code, most likely first. */
export const codeElements: readonly string[] = [
  "code",
  "python",
  "javascript",
  "typescript",
  "js",
  "ts",
  "tool_code",
  "execute",
  "execute_code",
  "execute_javascript",
  "run_code",
  "code_action",
  "code_block",
  "codeblock",
  "script",
  "program",
  "snippet",
  "run",
];
