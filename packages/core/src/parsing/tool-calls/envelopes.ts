// Marks between which many models write their calls: `<tool_call>` (Hermes, Qwen, GLM),
// `<|tool_call|>` (Granite, Phi), `<TOOLCALL>` (Nemotron) and the like. What is between them is
// JSON, elements, or Python.

import { AgentError } from "@smolts/protocol";
import { isRecord } from "../json-object.ts";
import { glmCall } from "./glm-calls.ts";
import { callForm, callsInValue, isCallLike, valuesIn } from "./json-calls.ts";
import { pythonicCalls } from "./pythonic-calls.ts";
import { type TextToolCall, toolNameIn } from "./text-tool-call.ts";
import { xmlCalls } from "./xml-calls.ts";

const names = "tool_calls?|toolcalls?|function_calls?|functioncalls?|tool_use|tools_prefix|start_action";

const opening = `<\\|?(?:[a-z]+:)?(?:${names})(?:_start|_begin)?\\|?>`;
const closing = `<\\|?(?:/(?:[a-z]+:)?(?:${names})|(?:${names})_end|tools_suffix|end_action)\\|?>`;

/**
 * Ends at the closing mark, at the next opening mark or at the end of the text: Hunyuan nests
 * marks, and some models leave the closing mark out.
 */
const envelope = new RegExp(`${opening}([\\s\\S]*?)(?:(${closing})|(?=${opening})|$)`, "gi");

/**
 * The calls between such marks; null when there are none.
 *
 * @throws AgentError `parsing` when what is between them is not a call
 */
export function envelopedCalls(text: string): readonly TextToolCall[] | null {
  const found = [...text.matchAll(envelope)].filter(([, inner = ""]) => inner.trim() !== "");
  return found.length === 0
    ? null
    : found.flatMap(([, inner = "", end]) => callsInside(inner.trim(), { isClosed: end !== undefined }));
}

/** The calls that a text is, with nothing else around them. */
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
  throw new AgentError("parsing", "the tool call cannot be read for certain: expected JSON", { hint: callForm });
}

/**
 * Where the mark that closes a call is there, nothing of it was cut: one bracket too few or too
 * many at its end is a slip.
 */
const readings = (text: string, isClosed: boolean): readonly string[] =>
  /^[[{]/.test(text) && isClosed
    ? [text, text.replace(/[}\]]$/, ""), `${text}}`, `${text}]`]
    : [text, text.replace(/[}\]]$/, "")];

/** Apertus names the tool by the key: `[{"add": {"a": 20}}]`. */
function keyedCalls(value: unknown): readonly TextToolCall[] {
  if (Array.isArray(value)) return value.flatMap(keyedCalls);
  const [[name, input] = ["", undefined], second] = isRecord(value) && !isCallLike(value) ? Object.entries(value) : [];
  // A JSON envelope holds JSON.
  if (second === undefined && isRecord(input))
    return [{ name: toolNameIn(name), input: input as TextToolCall["input"] }];
  return callsInValue(value);
}

/** `add {"a": 20}` or `add\n{"a": 20}`. */
function namedJson(text: string): readonly TextToolCall[] | null {
  const [head, name] = /^([\w.:-]+)\s*(?:```\w*\s*)?(?=\{)/.exec(text) ?? [];
  const values = head === undefined ? null : valuesIn(text.slice(head.length));
  if (name === undefined || values?.length !== 1) return null;
  // JSON.parse returns JSON.
  return [{ name: toolNameIn(name), input: values[0] as TextToolCall["input"] }];
}
