// Tool calls of models that have no native ones, and write them into their text as JSON.

import type { ModelEvent } from "@smolts/protocol";
import { isObject, parsedJson, textIn } from "../wires/loose-json.ts";

/** Under which keys a model names the tool and its input when it writes calls as JSON text. */
export interface ToolCallKeys {
  readonly name: string;
  readonly input: string;
}

/**
 * Adds the calls in an answer's text to its events, before its usage and end, unless the model
 * called natively.
 */
export async function* withTextCalls(
  events: AsyncIterable<ModelEvent>,
  keys: ToolCallKeys,
): AsyncGenerator<ModelEvent> {
  let text = "";
  let wasRead = false;
  let callCount = 0;
  for await (const event of events) {
    if (event.type === "text-delta") text += event.text;
    if (event.type === "tool-call-delta") wasRead = true;
    if (!wasRead && (event.type === "usage" || event.type === "end")) {
      wasRead = true;
      const calls = callsIn(text, keys);
      callCount = calls.length;
      yield* calls;
    }
    if (event.type === "end" && callCount > 0 && event.finishReason === "stop") {
      yield { ...event, finishReason: "tool-calls" };
    } else yield event;
  }
}

function callsIn(text: string, keys: ToolCallKeys): readonly ModelEvent[] {
  const written = jsonIn(text);
  return (Array.isArray(written) ? written : [written]).flatMap((call, index) => {
    const name = isObject(call) ? textIn(call[keys.name]) : undefined;
    if (!isObject(call) || name === undefined) return [];
    const input = call[keys.input] ?? {};
    // Some models write the input as a string that holds JSON.
    const inputText = typeof input === "string" ? input : JSON.stringify(input);
    return [{ type: "tool-call-delta" as const, index, id: `call_${crypto.randomUUID()}`, name, inputText }];
  });
}

/** The list or object from the first bracket to the last one, whatever stands around it. */
function jsonIn(text: string): unknown {
  const list = parsedJson(text.slice(text.indexOf("["), text.lastIndexOf("]") + 1));
  if (Array.isArray(list) && list.some(isObject)) return list;
  return parsedJson(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
}
