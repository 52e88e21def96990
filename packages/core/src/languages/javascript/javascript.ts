import type { Tool } from "@smolts/protocol";
import type { CodeLanguage, LanguageWords } from "../code-language.ts";
import { renderDeclarations, typeText } from "./declarations.ts";
import { examples } from "./examples.ts";
import { promiseNotes } from "./promise-notes.ts";
import { shapeText } from "./shape-text.ts";
import { syntax } from "./syntax.ts";
import { systemPromptWords } from "./system-prompt.ts";
import { unsafeIntegerNote } from "./unsafe-integers.ts";

const words: LanguageWords = {
  ...systemPromptWords,
  declarationFence: "ts",
  declarations: renderDeclarations,
  type: typeText,
  callForm,
  shape: shapeText,
  preview,
  sampleCall: { full: "print(await someTool({ name: value }));", short: "print(await someFunction());" },
  call: (name, input) => `print(await ${name}(${JSON.stringify(input)}));`,
  answer: (value) => `finalAnswer(${JSON.stringify(value)});`,
  examples,
};

/** JavaScript, as a language of agents. */
export const javascript: CodeLanguage = {
  id: "javascript",
  name: "JavaScript",
  fence: "js",
  syntax,
  toolName: (name) => name,
  nameProblem: () => null,
  callArguments: (_tool, { args }) => args,
  importableModules: null,
  words,
  notes: (block) => [...promiseNotes(block), ...unsafeIntegerNote(block)],
};

function callForm({ name, inputSchema }: Pick<Tool, "name" | "inputSchema">): string {
  const isEmpty = Object.keys(inputSchema["properties"] ?? {}).length === 0;
  return isEmpty ? `await ${name}()` : `await ${name}(${typeText(inputSchema)}), with values in place of the types`;
}

const maxPreviewLength = 100;

/** Only of what is small for certain, without writing out what is large. */
function preview(value: unknown): string | null {
  if (typeof value === "string") return value.length <= maxPreviewLength ? JSON.stringify(value) : null;
  if (typeof value === "bigint") return value < 10n ** 40n && value > -(10n ** 40n) ? `${value}n` : null;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : null;
}
