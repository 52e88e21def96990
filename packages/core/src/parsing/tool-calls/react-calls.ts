// ReAct: `Action: add` and `Action Input: {"a": 20}` on separate lines, or `Action: add(a=20)`.

import { isRecord } from "@smolts/protocol";
import { readLooseValue } from "./loose-json.ts";
import { pythonicCalls } from "./pythonic-calls.ts";
import { type TextToolCall, toolNameIn } from "./text-tool-call.ts";

const action =
  /^[ \t]*\**Action:?\**:?[ \t]*`?([\w.:-]+)`?[ \t]*\r?\n[ \t]*\**Action[ _]Input:?\**:?[ \t]*(?:```\w*\s*|`)?/im;
const calledAction = /^[ \t]*\**Action:?\**:?[ \t]*`?([A-Za-z_][\w.]*\(.*\))`?[ \t]*$/im;

/**
 * Reads only the first action, because the model wrote the text after it without knowing the
 * result.
 */
export function reactCalls(text: string): readonly TextToolCall[] | null {
  const [head, name] = action.exec(text) ?? [];
  if (head === undefined || name === undefined) return pythonicCalls(calledAction.exec(text)?.[1] ?? "");
  const input = readLooseValue(text, text.indexOf(head) + head.length)?.value;
  // The reader returns only JSON values.
  return isRecord(input) ? [{ name: toolNameIn(name), input: input as TextToolCall["input"] }] : null;
}
