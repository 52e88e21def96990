// Explains why a model's answer was cut off. Such an answer may contain only half of a thought, a
// program or a call.

import type { FinishReason } from "@smolts/protocol";

/** Returns why an answer was cut off; null when the model completed the answer. */
export function cutReason(finishReason: FinishReason): string | null {
  switch (finishReason) {
    case "stop":
    case "tool-calls":
      return null;
    case "length":
      return "it reached the limit of its length";
    case "content-filter":
      return "the provider's filter stopped it";
    case "other":
      return "the server broke it off";
    default:
      return finishReason satisfies never;
  }
}
