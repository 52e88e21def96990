import { AgentError, type ModelEvent, type TokenUsage } from "@smolts/protocol";

/**
 * Checks an event of a model before the run uses it, because anybody can write a model. Events of
 * unknown types pass, and are ignored.
 *
 * @throws AgentError `generation` that names the field
 */
export function checkModelEvent(modelId: string, event: ModelEvent): void {
  const isEvent = typeof event === "object" && event !== null;
  const problem = isEvent ? problemIn(event) : "is not an object";
  if (problem === null) return;
  const what = isEvent ? `the event "${String(event.type)}"` : "an event";
  throw new AgentError("generation", `${what} of the model "${modelId}" ${problem}`, {
    hint: 'a model yields events such as { type: "text-delta", text: "..." }, and { type: "end", finishReason: "stop" } last',
  });
}

/** Says whether the numbers of a usage can be added up. */
export const isUsage = (usage: unknown): usage is TokenUsage =>
  typeof usage === "object" && usage !== null && Object.values(usage).every(isCount) && "totalTokens" in usage;

const isCount = (value: unknown): boolean => value === undefined || Number.isFinite(value);

function problemIn(event: ModelEvent): string | null {
  switch (event.type) {
    case "text-delta":
    case "reasoning-delta":
      return textProblem("text", event.text);
    case "tool-call-delta":
      return Number.isInteger(event.index) ? textProblem("inputText", event.inputText) : 'has no whole number "index"';
    case "part":
      return isJson(event.part) ? null : 'has a "part" that is not JSON';
    default:
      return null;
  }
}

const textProblem = (field: string, value: unknown): string | null =>
  typeof value === "string" ? null : `has no text in "${field}"`;

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value)?.startsWith("{") === true;
  } catch {
    // The value has a cycle, or a bigint, which JSON cannot represent.
    return false;
  }
}
