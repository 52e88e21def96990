// Kimi writes
// `<|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{"a": 20}<|tool_call_end|>`.

import { isRecord } from "@smolts/protocol";
import { parseLooseJson } from "./loose-json.ts";
import { type TextToolCall, toolNameIn } from "./text-tool-call.ts";

const call =
  /<\|tool_call_begin\|>\s*([\w.:-]+)\s*<\|tool_call_argument_begin\|>([\s\S]*?)(?=<\|tool_call_end\|>|<\|tool_call_begin\|>|$)/g;

/** Reads calls in Kimi's format. Null when there are no calls, or when a call was cut off. */
export function kimiCalls(text: string): readonly TextToolCall[] | null {
  const calls = [...text.matchAll(call)].map(([, name = "", input = ""]) => ({
    name: toolNameIn(name),
    input: parseLooseJson(input.replace(/<\|tool_calls_section_end\|>[\s\S]*$/, "").trim() || "{}"),
  }));
  // The cast is safe: the inputs come from JSON, and each of them is an object.
  return calls.length > 0 && calls.every(({ input }) => isRecord(input)) ? (calls as readonly TextToolCall[]) : null;
}
