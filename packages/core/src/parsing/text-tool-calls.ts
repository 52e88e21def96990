// Tool calls in a model's text: models that have no calls of their own, or whose server does not
// know their form, write them there. Each form has a file in `tool-calls/`. Forms with marks of
// their own are tried first; JSON without any mark is the last one.

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
 * Reads tool calls out of a text; none where it holds none. Throws `parsing` where it holds
 * something that is meant as a call and is none.
 */
export type ParseToolCalls = (text: string) => readonly TextToolCall[];

/** Forms that nobody writes by chance. */
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
 * Returns the tool calls in a text: JSON such as `{ "name": ..., "arguments": ... }` or a list of
 * it, whatever stands around it, or the native form of an open model (Hermes, Qwen, Mistral, Llama,
 * harmony, Kimi, GLM, DeepSeek, MiniMax, ReAct and others).
 *
 * Trailing commas, comments, single quotes and JSON within JSON are read. Results that the model
 * echoes are not calls.
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

/** The calls of a text in a form with marks; null when it has none. */
export function markedCalls(said: string): readonly TextToolCall[] | null {
  for (const read of markedForms) {
    const calls = read(said);
    if (calls !== null) return calls;
  }
  return null;
}

/** A text that is one fence, as Gemma writes its calls. */
const withoutFence = (text: string): string =>
  /^```(?:tool_code|python|tool_call)?\s*\n([\s\S]*?)\n?```$/.exec(text)?.[1] ?? text;

/**
 * Parses the calls in a text that may also be an answer. An answer may have brackets of its own, so
 * an error of form is thrown only for what looks like a call.
 *
 * @param isTool - whether there is a tool of that name
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
      // Brackets of an answer, which need be no JSON.
      return [];
    }
  };
}
