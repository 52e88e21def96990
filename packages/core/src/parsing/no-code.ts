// Creates the error for a text without code. The error tells the model why, and what to write
// instead.

import { AgentError, isRecord } from "@smolts/protocol";
import type { LanguageWords } from "../languages/code-language.ts";
import { dataLanguages } from "./code-blocks.ts";
import type { CodeFormat } from "./code-tags.ts";
import { blocksOf } from "./joined-blocks.ts";
import { balancedObject, jsonObject } from "./json-object.ts";

/** Returns the error about a text in which no code was found. */
export const noCode = (text: string, format: CodeFormat): AgentError =>
  new AgentError("parsing", reason(text, format), { hint: whatToWrite(text, format) });

/** Returns the error about a text that has too many characters to search for code. */
export const tooLong = ({ length }: string, maxLength: number, format: CodeFormat): AgentError =>
  new AgentError("parsing", `the message has ${length} characters, more than the limit of ${maxLength}`, {
    hint: `write a short thought and one block of code:\n${exampleBlock(format.language.words.sampleCall.short, format)}`,
  });

function reason(text: string, format: CodeFormat): string {
  const [open, close] = format.tags;
  if (text.trim() === "") return "the message is empty; expected code";
  if (blocksOf(text, format).length > 0) return `there is no code between "${open}" and "${close}"`;
  const language = /^[ \t]*```(\w+)/m.exec(text)?.[1]?.toLowerCase();
  const isData = language !== undefined && dataLanguages.has(language);
  if (isData) return `the block of "${language}" is not ${format.language.name}; found no code to run`;
  if (toolCallIn(text, format.language.words)) return "this is a tool call as JSON; tools are called in code here";
  return `found no code between "${open}" and "${close}"`;
}

function whatToWrite(text: string, format: CodeFormat): string {
  const { words } = format.language;
  const call = toolCallIn(text, words);
  if (call) return `call the tool in code:\n${exampleBlock(call, format)}`;
  const task = `write a short thought, then one block of code like this:\n${exampleBlock(words.sampleCall.full, format)}`;
  if (!/final|answer/i.test(text)) return task;
  return `if this is your answer, write:\n${exampleBlock(words.answer("your answer"), format)}\nelse ${task}`;
}

const exampleBlock = (code: string, { tags: [open, close] }: CodeFormat): string => `${open}\n${code}\n${close}`;

const maxShownLength = 200;

/** Returns the line of code that does the same as a JSON tool call in the text. */
function toolCallIn(text: string, words: LanguageWords): string | null {
  const start = text.indexOf("{");
  const object = start === -1 ? null : jsonObject(balancedObject(text.slice(start)));
  const name = object?.["name"];
  const input = object?.["arguments"] ?? object?.["parameters"];
  if (typeof name !== "string" || !/^[\w$]+$/.test(name) || !isRecord(input)) return null;
  // A long call would take up the whole hint.
  if (JSON.stringify(input).length > maxShownLength) return words.sampleCall.full;
  if (/^final_?answer$/i.test(name)) return words.answer(input["answer"] ?? input);
  return words.call(name, input);
}
