// Reads calls after markers: Functionary (`>>>add` and JSON), Llama (`<|python_tag|>` and JSON or
// Python) and InternLM (`<|action_start|><|plugin|>` and JSON).

import { callsInside } from "./envelopes.ts";
import type { TextToolCall } from "./text-tool-call.ts";

const marks = /(?:^|\n)>>>(?!all\b)|<\|python_tag\|>|<\|action_start\|>\s*(?:<\|plugin\|>)?/;

/**
 * Reads calls after the markers of these models; null when there are none.
 *
 * @throws AgentError `parsing` when the text after the marker is not a call
 */
export function toolMarkCalls(text: string): readonly TextToolCall[] | null {
  const [, ...pieces] = text.split(new RegExp(marks, "g"));
  if (pieces.length === 0) return null;
  return pieces.flatMap((piece) => callsInside(piece.replace(/<\|[\w|]+\|>[\s\S]*$/, "").trim()));
}
