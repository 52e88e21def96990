// Mistral writes `[TOOL_CALLS][{"name": ..., "arguments": ...}]`, or `[TOOL_CALLS]add[ARGS]{...}`
// for each call.

import { AgentError } from "@smolts/protocol";
import { callForm, callsInValue, valuesIn } from "./json-calls.ts";
import { type TextToolCall, toolNameIn } from "./text-tool-call.ts";

/**
 * Reads calls in Mistral's format; null when there are none.
 *
 * @throws AgentError `parsing` when the text after the marker is not a call
 */
export function mistralCalls(text: string): readonly TextToolCall[] | null {
  const [, ...pieces] = text.split("[TOOL_CALLS]");
  return pieces.length === 0 ? null : pieces.flatMap((piece) => callsAfterMark(piece.trim()));
}

function callsAfterMark(piece: string): readonly TextToolCall[] {
  const [head, name] = /^([\w.:-]+)\s*(?:\[CALL_ID\]\s*\w+\s*)?(?:\[ARGS\])?\s*(?=\{)/.exec(piece) ?? [];
  const values = valuesIn(piece.slice(head?.length ?? 0).replace(/<\/s>\s*$/, ""));
  if (values === null) throw new AgentError("parsing", "the text after [TOOL_CALLS] is not JSON", { hint: callForm });
  if (name === undefined) return values.flatMap(callsInValue);
  // The value comes from JSON.
  return [{ name: toolNameIn(name), input: values[0] as TextToolCall["input"] }];
}
