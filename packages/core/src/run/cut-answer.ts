// An answer of a model that did not come to its own end. Half of a thought, of a program or of a
// call may be all there is.

import type { FinishReason } from "@smolts/protocol";

/** Why an answer was cut; null when the model ended it by itself. */
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
