// DeepSeek writes `<｜tool▁call▁begin｜>function<｜tool▁sep｜>add` and a fence of JSON. From version
// 3.1 on, it writes `<｜tool▁call▁begin｜>add<｜tool▁sep｜>` and JSON.

import { isRecord } from "@smolts/protocol";
import { parseLooseJson } from "./loose-json.ts";
import { type TextToolCall, toolNameIn } from "./text-tool-call.ts";

const call = /<｜tool[▁_ ]call[▁_ ]begin｜>([\s\S]*?)<｜tool[▁_ ]sep｜>([\s\S]*?)(?=<｜tool[▁_ ]call|$)/g;

/** Reads calls in DeepSeek's format. Null when there are no calls, or when a call was cut off. */
export function deepseekCalls(text: string): readonly TextToolCall[] | null {
  const calls = [...text.matchAll(call)].map(([, before = "", after = ""]) => callOf(before.trim(), after.trim()));
  return calls.length === 0 || calls.includes(null) ? null : calls.filter((one) => one !== null);
}

function callOf(before: string, after: string): TextToolCall | null {
  const [head = "", inFence] = /^([\w.:-]+)\s*(?:```\w*\s*|(?=\{))/.exec(before === "function" ? after : "") ?? [];
  const name = before === "function" ? inFence : before;
  const input = parseLooseJson(
    after
      .slice(head.length)
      .replace(/```\s*$/, "")
      .trim(),
  );
  // The value comes from JSON.
  return name && isRecord(input) ? { name: toolNameIn(name), input: input as TextToolCall["input"] } : null;
}
