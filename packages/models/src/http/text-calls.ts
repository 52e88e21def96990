// Some models cannot call tools natively and write their calls as JSON into their text. This file
// finds such calls.

import { isRecord, type ModelEvent } from "@smolts/protocol";
import { parsedJson, textIn } from "../wires/loose-json.ts";

/** The JSON keys of the tool's name and its input, for a model that writes calls as text. */
export interface ToolCallKeys {
  readonly name: string;
  readonly input: string;
}

/**
 * Yields the events of an answer. If the model made no native call, the calls in its text are added
 * before the `usage` and `end` events.
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
    const name = isRecord(call) ? textIn(call[keys.name]) : undefined;
    if (!isRecord(call) || name === undefined) return [];
    const input = call[keys.input] ?? {};
    // Some models write the input as a string that contains JSON.
    const inputText = typeof input === "string" ? input : JSON.stringify(input);
    return [{ type: "tool-call-delta" as const, index, id: `call_${crypto.randomUUID()}`, name, inputText }];
  });
}

/**
 * Returns the list or object in a text, from the first bracket to the last one. Text around it is
 * ignored.
 */
function jsonIn(text: string): unknown {
  const list = parsedJson(text.slice(text.indexOf("["), text.lastIndexOf("]") + 1));
  if (Array.isArray(list) && list.some(isRecord)) return list;
  return parsedJson(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
}
