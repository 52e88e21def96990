import type { AgentError, ModelEvent } from "@smolts/protocol";
import type { FailureDetails } from "./failure.ts";

/**
 * Adds what a server refused to `refused`, and returns the event that says so; null when it is
 * nothing new, so that asking again would not help.
 */
export function learn(error: AgentError, refused: Set<string>): ModelEvent | null {
  // The details are those of an adapter's own error.
  const field = (error.details as FailureDetails | undefined)?.field;
  if (field === undefined || refused.has(field)) return null;
  refused.add(field);
  return { type: "learned", refused: field, error: error.toJSON() };
}
