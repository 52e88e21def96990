// Harmony (gpt-oss): `<|channel|>commentary to=functions.add <|constrain|>json<|message|>{"a": 20}<|call|>`.

import { isRecord } from "../json-object.ts";
import { parseLooseJson } from "./loose-json.ts";
import { type TextToolCall, toolNameIn } from "./text-tool-call.ts";

const call = /\bto=([\w.:-]+)[^{}]*?<\|message\|>([\s\S]*?)(?=<\|(?:call|end|start|return)\|>|$)/g;

/** Messages to tools; thoughts and answers have no recipient. */
export function harmonyCalls(text: string): readonly TextToolCall[] | null {
  const calls = [...text.matchAll(call)].flatMap(([, name = "", message = ""]): readonly TextToolCall[] => {
    const input = parseLooseJson(message.trim());
    // JSON.parse returns JSON.
    return isRecord(input) ? [{ name: toolNameIn(name), input: input as TextToolCall["input"] }] : [];
  });
  return calls.length === 0 ? null : calls;
}
