import type { ExecutorFactory } from "@smolts/protocol";
import type { CodeLanguage } from "./code-language.ts";
import { javascript } from "./javascript/javascript.ts";
import { python } from "./python/python.ts";

/** Of who says nothing else. */
export const defaultLanguage: CodeLanguage = javascript;

const languages: { readonly [Id in ExecutorFactory["language"]]: CodeLanguage } = { javascript, python };

/** Whether a language is one of those. */
export const isLanguageId = (id: unknown): id is ExecutorFactory["language"] =>
  typeof id === "string" && Object.hasOwn(languages, id);

/** The language of an executor; the default one of an agent without. */
export function languageOf(id: ExecutorFactory["language"] = defaultLanguage.id): CodeLanguage {
  return languages[id];
}

// Types of values and schemas are written in one notation wherever no program is written.
export { renderDeclarations, typeText } from "./javascript/declarations.ts";
export { shapeText } from "./javascript/shape-text.ts";

/** What models call the languages that they write. */
export const languageNames: readonly string[] = ["python", "javascript"];

/** What stands after the backticks of a fence, and by mistake on the first line of code. */
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

/** Between tags of these names models put code that learned to elsewhere, likeliest first. */
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
  "code_action",
  "script",
];
