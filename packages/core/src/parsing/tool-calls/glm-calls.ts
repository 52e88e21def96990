// GLM writes the name, then `<arg_key>a</arg_key><arg_value>20</arg_value>` for each argument.

import { callOfTexts, type TextToolCall } from "./text-tool-call.ts";

const argument = /<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g;

/** Reads the text inside `<tool_call>` as a call; null when it is not a call in this format. */
export function glmCall(inner: string): readonly TextToolCall[] | null {
  const name = /^\s*([\w.:-]+)\s*(?=<arg_key>)/.exec(inner)?.[1];
  if (name === undefined) return null;
  const rest = inner.replaceAll(argument, "").replace(name, "").trim();
  const parameters = [...inner.matchAll(argument)].map(([, key = "", text = ""]) => [key, text] as const);
  return rest === "" ? [callOfTexts(name, parameters)] : null;
}
