// Reads calls as JSON objects: `{ "name", "arguments" }`, and the keys that other systems use
// instead.

import { AgentError, isRecord, type JsonValue } from "@smolts/protocol";
import { parseLooseJson, readLooseValue, skipSpace } from "./loose-json.ts";
import { type TextToolCall, toolNameIn } from "./text-tool-call.ts";

/** The format of a call, for hints in errors. */
export const callForm = 'write one JSON object {"name": "...", "arguments": {...}}, or a list of them';

const nameKeys = ["name", "tool_name", "function_name", "tool", "action", "function", "recipient_name"];
const inputKeys = [
  "arguments",
  "parameters",
  "input",
  "args",
  "params",
  "tool_input",
  "action_input",
  "tool_arguments",
  "tool_args",
  "kwargs",
];
/** The keys under which an object may contain a list of calls. */
const listKeys = ["tool_calls", "tool_uses", "calls", "function_calls", "actions"];
/** The keys under which an object may contain a single call. */
const wrapperKeys = ["function", "function_call", "functionCall", "tool_call", "toolCall", "tool_use", "toolUse"];

/**
 * Returns the calls in a JSON value.
 *
 * @throws AgentError `parsing` when an object is not a call
 */
export function callsInValue(value: unknown): readonly TextToolCall[] {
  if (Array.isArray(value)) return value.flatMap(callsInValue);
  if (!isRecord(value)) throw new AgentError("parsing", "a tool call is not an object", { hint: callForm });
  const list = listKeys.map((key) => value[key]).find(Array.isArray);
  if (list) return list.flatMap(callsInValue);
  const wrapped = wrapperKeys.map((key) => value[key]).find(isRecord);
  if (wrapped) return callsInValue(wrapped);
  return [callIn(value)];
}

/** Says whether a JSON value looks like a call or a list of calls. */
export function isCallLike(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isCallLike);
  if (!isRecord(value)) return false;
  const list = listKeys.map((key) => value[key]).find(Array.isArray);
  if (list) return list.length > 0 && list.every(isCallLike);
  if (wrapperKeys.some((key) => isRecord(value[key]))) return true;
  return nameKeys.some((key) => typeof value[key] === "string");
}

function callIn(call: { readonly [key: string]: unknown }): TextToolCall {
  const name = nameKeys.map((key) => call[key]).find((value) => typeof value === "string" && value !== "");
  if (typeof name !== "string") {
    const keys = Object.keys(call).map((key) => `"${key}"`);
    throw new AgentError("parsing", `a tool call has no "name"; its keys are ${keys.join(", ") || "none"}`, {
      hint: callForm,
    });
  }
  const key = inputKeys.find((one) => call[one] !== undefined && call[one] !== null);
  // The cast is safe: the value comes from JSON.
  return { name: toolNameIn(name), input: inputOf(key === undefined ? {} : call[key]) as JsonValue };
}

/**
 * Returns the arguments of a call. The arguments may be a JSON string, or a JSON string that
 * contains another JSON string.
 */
function inputOf(value: unknown): unknown {
  let input = value;
  for (let depth = 0; depth < 3 && typeof input === "string"; depth++) {
    const inner = input.trim() === "" ? {} : parseLooseJson(input);
    if (inner === undefined || (typeof inner !== "string" && !isRecord(inner))) break;
    input = inner;
  }
  return input;
}

/**
 * Returns the JSON values of a text that has nothing but separators between them. Null when it
 * contains anything else.
 */
export function valuesIn(text: string): readonly unknown[] | null {
  const values: unknown[] = [];
  for (let at = skipSpace(text, 0); at < text.length; ) {
    const read = /[{[]/.test(text.charAt(at)) ? readLooseValue(text, at) : null;
    if (read === null) return null;
    values.push(read.value);
    at = skipSpace(text, read.end);
    while (/[,;]/.test(text.charAt(at))) at = skipSpace(text, at + 1);
  }
  return values.length === 0 ? null : values;
}

/**
 * Returns the calls in a text that contains JSON, possibly with other text around the JSON.
 *
 * @throws AgentError `parsing` when the JSON is malformed, or an object is not a call
 */
export function jsonCalls(text: string): readonly TextToolCall[] {
  const meant = withoutMentions(text);
  if (!meant.includes("{")) return [];
  return callsOf(meant);
}

const inlineCode = /(?<!`)`[^`\n]+`(?!`)/g;

/** Removes calls between backticks inside a sentence, because such a call is only mentioned. */
function withoutMentions(text: string): string {
  if (!text.includes("`")) return text;
  const isSentence = (line: string): boolean => /[a-z]{2}.*[a-z]{2}/i.test(line.replaceAll(inlineCode, ""));
  const lines = text.split("\n");
  return lines.map((line) => (isSentence(line) ? line.replaceAll(inlineCode, "") : line)).join("\n");
}

function callsOf(text: string): readonly TextToolCall[] {
  const values: unknown[] = [];
  for (let at = nextBracket(text, 0); at !== -1; ) {
    const read = readLooseValue(text, at);
    const isMeant = read !== null && (isRecord(read.value) || (Array.isArray(read.value) && read.value.some(isRecord)));
    if (isMeant) values.push(read.value);
    // Other brackets belong to prose, such as [1].
    else if (text.charAt(at) === "{" || /^\[\s*\{/.test(text.slice(at, at + 20))) throw malformed(text.slice(at));
    at = nextBracket(text, isMeant ? read.end : at + 1);
  }
  const calls = values.filter(isCallLike);
  return (calls.length > 0 ? calls : values).flatMap(callsInValue);
}

function nextBracket(text: string, from: number): number {
  const at = text.slice(from).search(/[{[]/);
  return at === -1 ? -1 : from + at;
}

function malformed(text: string): AgentError {
  let why = "it cannot be read for certain";
  try {
    JSON.parse(text.slice(0, Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1));
  } catch (error) {
    if (error instanceof Error) why = error.message;
  }
  return new AgentError("parsing", `the JSON of the tool call is malformed: ${why}`, { hint: callForm });
}
