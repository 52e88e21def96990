// Harmony is the format of gpt-oss:
// `<|channel|>commentary to=functions.add <|constrain|>json<|message|>{"a": 20}<|call|>`. Some
// servers remove the markers.

import { isRecord } from "@smolts/protocol";
import { parseLooseJson } from "./loose-json.ts";
import { type TextToolCall, toolNameIn } from "./text-tool-call.ts";

const bare = /^(?:assistant)?\s*commentary\s*to=functions\.([\w:-]+)\s*(?:json)?\s*(\{[\s\S]*\})\s*$/;

const call = /\bto=([\w.:-]+)[^{}]*?<\|message\|>([\s\S]*?)(?=<\|(?:call|end|start|return)\|>|$)/g;

/** Reads messages to tools. Thoughts and answers have no recipient, so they are not calls. */
export function harmonyCalls(text: string): readonly TextToolCall[] | null {
  const withoutMarks = [bare.exec(text) ?? []].filter(({ length }) => length > 0);
  const calls = [...text.matchAll(call), ...withoutMarks].flatMap(
    ([, name = "", message = ""]): readonly TextToolCall[] => {
      const input = parseLooseJson(message.trim());
      // The value comes from JSON.
      return isRecord(input) ? [{ name: toolNameIn(name), input: input as TextToolCall["input"] }] : [];
    },
  );
  return calls.length === 0 ? null : calls;
}
