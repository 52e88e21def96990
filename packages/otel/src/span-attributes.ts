// The attributes of spans that contain no content: names, numbers and kinds.

import type { Attributes, Span } from "@opentelemetry/api";
import type { CallOutcome, EventOf, SerializedError, TokenUsage } from "@smolts/protocol";

/** The name of code execution in the attributes of tool spans. */
export const codeName = "runCode";

/** The model's name and the attributes that all spans of its calls share. */
export interface TracedModel {
  readonly name: string;
  readonly attributes: Attributes;
}

/**
 * Splits the id of a model.
 *
 * @param model - `provider/model`; the name of the model may contain further slashes. Empty when
 *   unknown
 */
export function tracedModel(model: string): TracedModel {
  const slash = model.indexOf("/");
  const name = model.slice(slash + 1) || "model";
  if (model === "") return { name, attributes: {} };
  const provider = slash > 0 ? { "gen_ai.provider.name": model.slice(0, slash) } : {};
  return { name, attributes: { "gen_ai.request.model": name, ...provider } };
}

export function setUsage(span: Span, usage: TokenUsage): void {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, costUsd } = usage;
  span.setAttribute("gen_ai.usage.input_tokens", inputTokens);
  span.setAttribute("gen_ai.usage.output_tokens", outputTokens);
  if (cachedInputTokens !== undefined) span.setAttribute("gen_ai.usage.cache_read.input_tokens", cachedInputTokens);
  if (reasoningTokens !== undefined) span.setAttribute("gen_ai.usage.reasoning.output_tokens", reasoningTokens);
  if (costUsd !== undefined) span.setAttribute("smolts.usage.cost_usd", costUsd);
}

export function errorOf(outcome: CallOutcome): SerializedError | undefined {
  return outcome.type === "ok" ? undefined : outcome.error;
}

export function argumentsOf(args: EventOf<"tool-call">["args"]): EventOf<"tool-call">["args"][number] {
  const [first] = args;
  return args.length === 1 && first !== undefined ? first : [...args];
}

export const textOf = (answer: unknown): string => (typeof answer === "string" ? answer : JSON.stringify(answer));
