// Llama 3.2 and 4, LFM2, MiniCPM and Gemma write calls in Python, with the names of all arguments:
// `[add(a=20, b=22)]`.

import type { JsonValue } from "@smolts/protocol";
import { readLooseValue, skipSpace } from "./loose-json.ts";
import { type TextToolCall, toolNameIn } from "./text-tool-call.ts";

/**
 * Reads a text that is a Python list of calls, or calls one after the other. Null when the text is
 * anything else.
 */
export function pythonicCalls(text: string): readonly TextToolCall[] | null {
  const trimmed = text.trim();
  const inner = /^\[([\s\S]*)\]$/.exec(trimmed)?.[1] ?? trimmed;
  const calls: TextToolCall[] = [];
  for (let at = skipSpace(inner, 0); at < inner.length; ) {
    const read = readCall(inner, at);
    if (read === null) return null;
    calls.push(read.call);
    at = skipSpace(inner, read.end);
    while (/[,;]/.test(inner.charAt(at))) at = skipSpace(inner, at + 1);
  }
  return calls.length === 0 ? null : calls;
}

function readCall(text: string, from: number): { readonly call: TextToolCall; readonly end: number } | null {
  const pattern = /(?:print\()?([A-Za-z_][\w.]*)\(/y;
  pattern.lastIndex = from;
  const [head, name] = pattern.exec(text) ?? [];
  if (head === undefined || name === undefined) return null;
  const entries: [string, unknown][] = [];
  let at = skipSpace(text, from + head.length);
  while (text.charAt(at) !== ")") {
    const key = /([A-Za-z_]\w*)\s*=(?!=)/y;
    key.lastIndex = at;
    const [assigned, parameter] = key.exec(text) ?? [];
    if (assigned === undefined || parameter === undefined) return null;
    const value = readLooseValue(text, at + assigned.length);
    if (value === null) return null;
    entries.push([parameter, value.value]);
    at = skipSpace(text, value.end);
    if (text.charAt(at) === ",") at = skipSpace(text, at + 1);
    else if (text.charAt(at) !== ")") return null;
  }
  const isPrinted = head.startsWith("print(");
  const end = isPrinted ? skipSpace(text, at + 1) : at;
  if (isPrinted && text.charAt(end) !== ")") return null;
  // the reader returns only JSON values
  return { call: { name: toolNameIn(name), input: Object.fromEntries(entries) as JsonValue }, end: end + 1 };
}
