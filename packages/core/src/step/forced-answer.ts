// When a run reaches a limit, the model is asked for its final answer. This file reads that answer.
// The model is asked for plain text, but some models still write a call of `finalAnswer`: as code,
// as a tool call in the text, or as a native call.

import { type ChatMessage, type EncodedValue, encodeValue, textOf } from "@smolts/protocol";
import { parseToolCalls } from "../parsing/text-tool-calls.ts";
import { readLooseValue } from "../parsing/tool-calls/loose-json.ts";
import { withoutThoughts } from "../parsing/without-thoughts.ts";
import { cutReason } from "../run/cut-answer.ts";
import type { Run } from "../run/run.ts";
import { withinTime } from "../tool-calls/effective-input.ts";
import { finalAnswerName } from "../tools/final-answer.ts";
import { answerInText, isTypedAnswer, type TypedAnswerTool } from "../tools/typed-answer.ts";
import type { ModelResponse } from "./ask-model.ts";

/**
 * Reads the answer from the message.
 *
 * @throws AgentError `output-invalid` when the agent has typed answers and this answer does not fit
 */
export async function forcedAnswer(run: Run, { message, finishReason }: ModelResponse): Promise<EncodedValue> {
  const text = withoutThoughts(textOf(message)).trim();
  const call = nativeAnswer(message) ?? calledAnswer(text);
  const tool = run.definition.tools.get(finalAnswerName);
  if (isTypedAnswer(tool)) return encodeValue(await typedAnswer(run, tool, call ?? { value: text }));
  if (call) return encodeValue(call.value);
  const reason = cutReason(finishReason);
  return reason === null ? text : `${text}\n\n[The answer was cut: ${reason}.]`;
}

/**
 * Parses the answer with its schema. A schema may hang, so the wait ends at the tool's time limit
 * or when the run is aborted.
 */
async function typedAnswer({ signal }: Run, tool: TypedAnswerTool, answer: PassedAnswer): Promise<unknown> {
  const parseAnswer = (value: unknown): Promise<unknown> => withinTime(tool, tool.parseAnswer(value), signal);
  try {
    return await answerInText({ ...tool, parseAnswer }, answer);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** A value that was passed to `finalAnswer`. */
interface PassedAnswer {
  readonly value: unknown;
}

function nativeAnswer({ content }: ChatMessage): PassedAnswer | null {
  const call = content.findLast((part) => part.type === "tool-call" && isAnswer(part.name));
  return call?.type === "tool-call" && call.rawInput === undefined ? answerAmong(call.input) : null;
}

const isAnswer = (name: string): boolean => name === finalAnswerName || name === "final_answer";

/** Returns the argument `answer`, or all arguments if there is no argument of that name. */
function answerAmong(input: unknown): PassedAnswer {
  const isWrapped = typeof input === "object" && input !== null && "answer" in input;
  return { value: isWrapped ? input.answer : input };
}

const calledAnswer = (text: string): PassedAnswer | null => answerInCode(text) ?? answerInCall(text);

/**
 * Finds a call of `finalAnswer` that is the whole text, or a line of code between tags or fences.
 */
function answerInCode(text: string): PassedAnswer | null {
  for (const code of [text, ...codeIn(text)]) {
    const head = callHead.exec(code);
    const found = head && readLooseValue(code, head.index + head[0].length);
    if (found && /^\s*,?\s*\)\s*;?\s*$/.test(code.slice(found.end))) return answerOf(found.value);
  }
  return null;
}

const callHead = /^\s*(?:(?:return|await)\s+)*final_?[aA]nswer\(\s*(?:answer\s*=\s*)?/;

/**
 * Returns the answer in the argument of a call. Models that know other frameworks write
 * `finalAnswer({ answer: 1 })`, so that object is unwrapped. An object with other keys is itself
 * the answer.
 */
function answerOf(value: unknown): PassedAnswer {
  const isWrapped = typeof value === "object" && value !== null && Object.keys(value).join() === "answer";
  return isWrapped ? answerAmong(value) : { value };
}

function* codeIn(text: string): Iterable<string> {
  for (const [, code = ""] of text.matchAll(/(?:<code>|```[\w-]*\n?)([\s\S]*?)(?:<\/code>|```|$)/g)) yield code.trim();
}

function answerInCall(text: string): PassedAnswer | null {
  if (!/final_?[aA]nswer/.test(text)) return null;
  try {
    const call = parseToolCalls(text).findLast(({ name }) => isAnswer(name));
    return call ? answerAmong(call.input) : null;
  } catch {
    // If the text only mentions `finalAnswer` but has no call of it, the text is the answer.
    return null;
  }
}
