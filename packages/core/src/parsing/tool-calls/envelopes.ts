// Reads calls between markers that many models write: `<tool_call>` (Hermes, Qwen, GLM),
// `<|tool_call|>` (Granite, Phi), `<TOOLCALL>` (Nemotron) and similar ones. Between the markers
// there is JSON, XML or Python.

import { AgentError, isRecord } from "@smolts/protocol";
import { glmCall } from "./glm-calls.ts";
import { callForm, callsInValue, isCallLike, valuesIn } from "./json-calls.ts";
import { pythonicCalls } from "./pythonic-calls.ts";
import { type TextToolCall, toolNameIn } from "./text-tool-call.ts";
import { xmlCalls } from "./xml-calls.ts";

const names = "tool_calls?|toolcalls?|function_calls?|functioncalls?|tool_use|tools_prefix|start_action";

const opening = `<\\|?(?:[a-z]+:)?(?:${names})(?:_start|_begin)?\\|?>`;
const closing = `<\\|?(?:/(?:[a-z]+:)?(?:${names})|(?:${names})_end|tools_suffix|end_action)\\|?>`;

/**
 * Matches an opening marker and the text after it, up to the closing marker, the next opening
 * marker or the end of the text. Hunyuan nests markers, and some models leave out the closing
 * marker.
 */
const envelope = new RegExp(`${opening}([\\s\\S]*?)(?:(${closing})|(?=${opening})|$)`, "gi");

/**
 * Returns the calls between markers such as `<tool_call>`; null when there are none.
 *
 * @throws AgentError `parsing` when the text between the markers is not a call
 */
export function envelopedCalls(text: string): readonly TextToolCall[] | null {
  const found = [...text.matchAll(envelope)].filter(([, inner = ""]) => inner.trim() !== "");
  return found.length === 0
    ? null
    : found.flatMap(([, inner = "", end]) => callsInside(inner.trim(), { isClosed: end !== undefined }));
}

/** Returns the calls of a text that contains only calls. */
export function callsInside(
  inner: string,
  { isClosed = false }: { readonly isClosed?: boolean } = {},
): readonly TextToolCall[] {
  const plain = inner
    .replace(/^```\w*\s*\n?/, "")
    .replace(/\n?```\s*$/, "")
    .trim();
  const values = readings(plain, isClosed)
    .map(valuesIn)
    .find((one) => one !== null);
  if (values) return values.flatMap(keyedCalls);
  const calls = glmCall(plain) ?? xmlCalls(plain) ?? namedJson(plain) ?? pythonicCalls(plain);
  if (calls !== null) return calls;
  throw new AgentError("parsing", "the tool call is ambiguous; expected JSON", { hint: callForm });
}

/**
 * Returns the versions of a call that are tried. If the closing marker is present, nothing was cut
 * off, so one bracket too few or too many at the end is a mistake that can be corrected.
 */
const readings = (text: string, isClosed: boolean): readonly string[] =>
  /^[[{]/.test(text) && isClosed
    ? [text, text.replace(/[}\]]$/, ""), `${text}}`, `${text}]`]
    : [text, text.replace(/[}\]]$/, "")];

/**
 * Reads calls in the format of Apertus, where the key is the name of the tool:
 * `[{"add": {"a": 20}}]`.
 */
function keyedCalls(value: unknown): readonly TextToolCall[] {
  if (Array.isArray(value)) return value.flatMap(keyedCalls);
  const [[name, input] = ["", undefined], second] = isRecord(value) && !isCallLike(value) ? Object.entries(value) : [];
  // The cast is safe: the envelope contains JSON.
  if (second === undefined && isRecord(input))
    return [{ name: toolNameIn(name), input: input as TextToolCall["input"] }];
  return callsInValue(value);
}

/** Reads a name followed by JSON: `add {"a": 20}` or `add\n{"a": 20}`. */
function namedJson(text: string): readonly TextToolCall[] | null {
  const [head, name] = /^([\w.:-]+)\s*(?:```\w*\s*)?(?=\{)/.exec(text) ?? [];
  const values = head === undefined ? null : valuesIn(text.slice(head.length));
  if (name === undefined || values?.length !== 1) return null;
  // The value comes from JSON.
  return [{ name: toolNameIn(name), input: values[0] as TextToolCall["input"] }];
}
