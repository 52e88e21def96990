// What a model is told whose text has no code: why, and what to write instead.

import { AgentError } from "@smolts/protocol";
import { dataLanguages } from "./code-blocks.ts";
import type { CodeTags } from "./code-tags.ts";
import { blocksOf } from "./joined-blocks.ts";
import { balancedObject, isRecord, jsonObject } from "./json-object.ts";

/** The error about a text in which no code was found. */
export const noCode = (text: string, tags: CodeTags): AgentError =>
  new AgentError("parsing", reason(text, tags), { hint: whatToWrite(text, tags) });

/** The error about a text that is too long to look for code in it, in characters. */
export const tooLong = ({ length }: string, maxLength: number, tags: CodeTags): AgentError =>
  new AgentError("parsing", `the message has ${length} characters, more than the ${maxLength} that are looked at`, {
    hint: `write a short thought and one block of code:\n${exampleBlock("print(await someFunction());", tags)}`,
  });

function reason(text: string, tags: CodeTags): string {
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
