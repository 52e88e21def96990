// Tool calls that stand as JSON in a model's text: for models that have no calls of their own, or forget about them.

import { AgentError, type JsonValue } from "@smolts/protocol";

/** A call that was read out of a text. */
export interface TextToolCall {
  readonly name: string;
  readonly input: JsonValue;
}

/** Reads tool calls out of a text; none where it holds none. Throws `parsing` where it holds something that is meant as a call and is none. */
export type ParseToolCalls = (text: string) => readonly TextToolCall[];

/**
 * The calls in a text: one JSON object `{ "name": ..., "arguments": ... }` or a list of them, whatever stands around it.
 *
 * `input` and `parameters` are other words for `arguments`; without any of them the call has none. Arguments that are a text of JSON are read.
 *
 * @throws AgentError `parsing` when the JSON is malformed or a call has no name
 * @example
 * ```ts
 * import { parseToolCalls } from "@smolts/core";
 *
 * console.log(parseToolCalls('I look. {"name": "search", "arguments": {"query": "rain"}}'));
 * // [ { name: 'search', input: { query: 'rain' } } ]
 * ```
 */
export function parseToolCalls(text: string): readonly TextToolCall[] {
  const written = jsonIn(text);
  if (written === undefined) return [];
  return (Array.isArray(written) ? written : [written]).map(callIn);
}

/**
 * The calls in a text that may as well be an answer, which has brackets of its own: only what looks like a call is held to the form of one.
 *
 * @param isTool - whether there is a tool of that name
 */
export function callsAmongAnswers(isTool: (name: string) => boolean): ParseToolCalls {
  return (text) => {
    if (!/"name"\s*:/.test(text)) return [];
    if (/"(?:arguments|parameters|input)"\s*:/.test(text)) return parseToolCalls(text);
    try {
      return parseToolCalls(text).filter(({ name }) => isTool(name));
    } catch {
      // Brackets of an answer, which need be no JSON.
      return [];
    }
  };
}

/** From the first bracket to the last one; undefined where there is none. */
function jsonIn(text: string): unknown {
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  if (start === -1 || !text.includes("{")) return undefined;
  if (end < start) throw malformed("it never ends");
  try {
    return JSON.parse(text.slice(start, end + 1));
  } catch (error) {
    // Brackets in prose before the object.
    const object = parsed(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
    if (object !== undefined) return object;
    throw malformed(error instanceof Error ? error.message : String(error));
  }
}

const malformed = (why: string): AgentError =>
  new AgentError("parsing", `the JSON of the tool call is malformed: ${why}`, { hint: form });

function callIn(call: unknown): TextToolCall {
  if (typeof call !== "object" || call === null)
    throw new AgentError("parsing", "a tool call is no object", { hint: form });
  const fields: ReadonlyMap<string, unknown> = new Map(Object.entries(call));
  const name = fields.get("name");
  if (typeof name !== "string" || name === "") {
    const keys = Object.keys(call).map((key) => `"${key}"`);
    throw new AgentError("parsing", `a tool call has no "name"; its keys are ${keys.join(", ") || "none"}`, {
      hint: form,
    });
  }
  const given = fields.get("arguments") ?? fields.get("input") ?? fields.get("parameters") ?? {};
  // The casts: what came out of JSON is JSON.
  return { name, input: (typeof given === "string" ? (parsed(given) ?? given) : given) as JsonValue };
}

const form = 'write one JSON object {"name": "...", "arguments": {...}}, or a list of them';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
