import type { EncodedValue, Tool } from "@smolts/protocol";
import type { BlockFacts, CodeLanguage, LanguageWords } from "../code-language.ts";
import { languageTitles } from "../language-titles.ts";
import { renderDeclarations, typeText } from "./declarations.ts";
import { promiseNotes } from "./promise-notes.ts";
import { shapeText } from "./shape-text.ts";
import { syntax } from "./syntax.ts";
import { systemPromptWords } from "./system-prompt.ts";

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
};

/** JavaScript as a language for code agents. */
export const javascript: CodeLanguage = {
  id: "javascript",
  name: languageTitles.javascript,
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

/** Returns a value as code if the value is certainly small. Never formats a large value. */
function preview(value: unknown): string | null {
  if (typeof value === "string") return value.length <= maxPreviewLength ? JSON.stringify(value) : null;
  if (typeof value === "bigint") return value < 10n ** 40n && value > -(10n ** 40n) ? `${value}n` : null;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : null;
}

// Notes that tell the model about numbers that have lost digits. JavaScript does not report the
// loss.

/** Returns a note if a block printed or returned a whole number greater than 2^53. */
function unsafeIntegerNote({ result, logs }: BlockFacts): string[] {
  const output = result.type === "value" ? result.output : null;
  const found = (output?.value === undefined ? null : unsafeIntegerIn(output.value)) ?? printedUnsafeInteger(logs);
  if (found === null) return [];
  return [
    `Warning: ${found} is past 2^53, where numbers lose digits. If it has to be exact, compute it with BigInt, such as 10n.`,
  ];
}

function unsafeIntegerIn(value: EncodedValue): string | null {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value) ? String(value) : null;
  if (typeof value !== "object" || value === null) return null;
  for (const item of Object.values(value)) {
    const found = unsafeIntegerIn(item);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Returns the digits of a printed number greater than 2^53. Printed BigInts and ids may be just as
 * long, but they are exact and need no note. The digits of most of them change when they are
 * converted to a number, and such digits are skipped.
 */
function printedUnsafeInteger(logs: string): string | null {
  for (const [digits] of logs.matchAll(/(?<![\w.])(?:\d{16,21}|\d(?:\.\d{1,20})?e\+\d{2,3})(?![\w.])/g)) {
    const number = Number(digits);
    if (!Number.isSafeInteger(number) && String(number) === digits) return digits;
  }
  return null;
}
