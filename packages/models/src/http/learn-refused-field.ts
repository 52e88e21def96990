import type { AgentError, ModelEvent } from "@smolts/protocol";
import type { FailureDetails } from "./failure.ts";

/**
 * Adds the refused field of an error to `refused`, and returns an event that reports it. Returns
 * null if the error names no field. Also returns null for a field that is already in `refused`,
 * because the request would fail again.
 */
export function learnRefusedField(error: AgentError, refused: Set<string>): ModelEvent | null {
  // The cast is safe: an adapter created this error, so it has these details.
  const field = (error.details as FailureDetails | undefined)?.field;
  if (field === undefined || refused.has(field)) return null;
  refused.add(field);
  return { type: "learned", refused: field, error: error.toJSON() };
}
