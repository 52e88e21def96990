// Reads calls written as XML elements: `<function=add><parameter=a>20</parameter></function>`
// (Qwen3-Coder, Seed) and `<invoke name="add"><parameter name="a">20</parameter></invoke>`
// (Anthropic, MiniMax, DeepSeek 3.2).

import { isRecord } from "@smolts/protocol";
import { parseLooseJson } from "./loose-json.ts";
import { callOfTexts, type TextToolCall, toolNameIn } from "./text-tool-call.ts";

// The name of an element may have a prefix: a namespace, or DeepSeek's marker.
const call =
  /<(?:[\w｜|]+:?)?(?:function|invoke)(?:=|\s+name=)["']?([\w.:-]+)["']?[^>]*>([\s\S]*?)(?:(<\/(?:[\w｜|]+:?)?(?:function|invoke)>)|(?=<(?:[\w｜|]+:?)?(?:function|invoke)(?:=|\s+name=))|$)/g;
const parameter =
  /<(?:[\w｜|]+:?)?parameter(?:=|\s+name=)["']?([\w.:-]+)["']?([^>]*)>([\s\S]*?)<\/(?:[\w｜|]+:?)?parameter>/g;

/** Returns the calls that a text contains as XML elements; null if there are none. */
export function xmlCalls(text: string): readonly TextToolCall[] | null {
  const calls = [...text.matchAll(call)].map(([, name = "", inner = "", end]) =>
    callOf(name, end === undefined ? inner : withParameterEnds(inner)),
  );
  return calls.length === 0 || calls.includes(null) ? null : calls.filter((one) => one !== null);
}

/**
 * Adds the missing end tags of parameters in a closed call. A parameter without an end tag ends
 * where the next one begins.
 */
const withParameterEnds = (inner: string): string =>
  inner.replaceAll(/(<parameter=[\w.:-]+>)((?:(?!<\/?parameter\b)[\s\S])*)(?=<parameter=|$)/g, "$1$2</parameter>");

/** Reads one call. Null if it was cut off in the middle of a parameter. */
function callOf(name: string, inner: string): TextToolCall | null {
  const parameters = [...inner.matchAll(parameter)].map(([, key = "", , text = ""]) => [key, text] as const);
  const rest = inner.replaceAll(parameter, "").trim();
  if (parameters.length > 0) return rest === "" ? callOfTexts(name, parameters) : null;
  if (rest === "") return { name: toolNameIn(name), input: {} };
  // Llama writes the arguments as JSON.
  const input = parseLooseJson(rest);
  // The value comes from JSON.
  return isRecord(input) ? { name: toolNameIn(name), input: input as TextToolCall["input"] } : null;
}
