// Reads tool calls in a model's text. Some models have no native calls, and some servers do not
// know the format of a model's calls, so the calls are in the text. Each format has a file in
// `tool-calls/`. Formats with their own markers are tried first, and JSON without any marker last.

import { deepseekCalls } from "./tool-calls/deepseek-calls.ts";
import { envelopedCalls } from "./tool-calls/envelopes.ts";
import { harmonyCalls } from "./tool-calls/harmony-calls.ts";
import { jsonCalls } from "./tool-calls/json-calls.ts";
import { kimiCalls } from "./tool-calls/kimi-calls.ts";
import { mistralCalls } from "./tool-calls/mistral-calls.ts";
import { pythonicCalls } from "./tool-calls/pythonic-calls.ts";
import { reactCalls } from "./tool-calls/react-calls.ts";
import { saidText } from "./tool-calls/said-text.ts";
import type { ReadCalls, TextToolCall } from "./tool-calls/text-tool-call.ts";
import { toolMarkCalls } from "./tool-calls/tool-mark-calls.ts";
import { xmlCalls } from "./tool-calls/xml-calls.ts";

export type { TextToolCall } from "./tool-calls/text-tool-call.ts";

/**
 * Reads tool calls from a text. Returns an empty list if there are none. Throws `parsing` if the
 * text contains something that looks like a call but is not valid.
 */
export type ParseToolCalls = (text: string) => readonly TextToolCall[];

/** Formats of calls that do not occur in a text by chance. */
const markedForms: readonly ReadCalls[] = [
  kimiCalls,
  deepseekCalls,
  harmonyCalls,
  mistralCalls,
  envelopedCalls,
  xmlCalls,
  toolMarkCalls,
  reactCalls,
];

/**
 * Returns the tool calls in a text. A call can have one of these forms:
 *
 * - JSON such as `{ "name": ..., "arguments": ... }`, or a list of such objects, with any text
 *   around the JSON
 * - the native format of an open model (Hermes, Qwen, Mistral, Llama, harmony, Kimi, GLM, DeepSeek,
 *   MiniMax, ReAct and others)
 *
 * It accepts trailing commas, comments, single quotes and JSON within JSON. It ignores calls in
 * tool results that the model repeats.
 *
 * @throws AgentError `parsing` when a call is malformed or has no name
 * @example
 * ```ts
 * import { parseToolCalls } from "@smolts/core";
 *
 * console.log(parseToolCalls('I look. {"name": "search", "arguments": {"query": "rain"}}'));
 * // [ { name: 'search', input: { query: 'rain' } } ]
 * ```
 */
export function parseToolCalls(text: string): readonly TextToolCall[] {
  const said = saidText(text);
  return markedCalls(said) ?? pythonicCalls(withoutFence(said)) ?? jsonCalls(said);
}

/**
 * Returns the calls of a text in a format with its own markers; null when the text has no such
 * calls.
 */
export function markedCalls(said: string): readonly TextToolCall[] | null {
  for (const read of markedForms) {
    const calls = read(said);
    if (calls !== null) return calls;
  }
  return null;
}

/** Removes the fence around a text that is one fence. Gemma writes its calls this way. */
const withoutFence = (text: string): string =>
  /^```(?:tool_code|python|tool_call)?\s*\n([\s\S]*?)\n?```$/.exec(text)?.[1] ?? text;

/**
 * Returns a parser for texts that may also be an answer. An answer may contain brackets, so an
 * error is thrown only for something that looks like a call.
 *
 * @param isTool - says whether the agent has a tool of that name
 */
export function callsAmongAnswers(isTool: (name: string) => boolean): ParseToolCalls {
  return (text) => {
    const said = saidText(text);
    const marked = markedCalls(said);
    if (marked !== null) return marked;
    const looksLikeCall = /["'](?:name|tool|tool_name|action|function|tool_calls)["']\s*:/.test(said);
    if (/["'](?:arguments|parameters|input|tool_input|action_input)["']\s*:/.test(said) && looksLikeCall)
      return jsonCalls(said);
    try {
      const calls = pythonicCalls(withoutFence(said)) ?? (looksLikeCall ? jsonCalls(said) : []);
      return calls.filter(({ name }) => isTool(name));
    } catch {
      // These are brackets of an answer, which need not be JSON.
      return [];
    }
  };
}
