import { AgentError, type ModelEvent, type TokenUsage } from "@smolts/protocol";

/**
 * Checks an event of a model before the run uses it, because anybody can write a model. Accepts
 * events of unknown types, which the run ignores.
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
  typeof usage === "object" && usage !== null && Object.values(usage).every(isCount) && hasTokens(usage);

const hasTokens = (usage: { readonly [field in keyof TokenUsage]?: unknown }): boolean =>
  [usage.inputTokens, usage.outputTokens, usage.totalTokens].every((tokens) => tokens !== undefined);

/**
 * Says whether a value is a number that can be added up. Very large numbers could add up to
 * Infinity, which the log cannot hold.
 */
const isCount = (value: unknown): boolean =>
  value === undefined || (typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER);

function problemIn(event: ModelEvent): string | null {
  switch (event.type) {
    case "text-delta":
    case "reasoning-delta":
      return textProblem("text", event.text);
    case "tool-call-delta":
      return Number.isInteger(event.index) ? callProblem(event) : 'has no whole number "index"';
    case "part":
      return isJson(event.part) ? null : 'has a "part" that is not JSON';
    default:
      return null;
  }
}

/**
 * Returns what is wrong with a delta of a call. The id and the name may be null, because some
 * servers send null in later deltas.
 */
function callProblem({ id, name, inputText }: Extract<ModelEvent, { type: "tool-call-delta" }>): string | null {
  if (typeof (id ?? "") !== "string") return 'has an "id" that is not text';
  return typeof (name ?? "") === "string" ? textProblem("inputText", inputText) : 'has a "name" that is not text';
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
