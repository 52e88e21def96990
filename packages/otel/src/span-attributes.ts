// What stands on spans besides content: names, numbers and kinds.

import type { Attributes } from "@opentelemetry/api";
import type { CallOutcome, EventOf, SerializedError, TokenUsage } from "@smolts/protocol";

/** The name of code among the tools. */
export const codeName = "runCode";

/** `provider/model`, and the name may hold further slashes. */
export const modelName = (model: string): string => model.slice(model.indexOf("/") + 1) || "model";

export function modelAttributes(model: string): Attributes {
  const slash = model.indexOf("/");
  if (model === "") return {};
  return {
    "gen_ai.request.model": modelName(model),
    ...(slash > 0 ? { "gen_ai.provider.name": model.slice(0, slash) } : {}),
  };
}

export const chatAttributes = (model: string, stepNumber: number): Attributes => ({
  "gen_ai.operation.name": "chat",
  ...modelAttributes(model),
  "gen_ai.output.type": "text",
  "smolts.step.number": stepNumber,
});

export function usageAttributes(usage: TokenUsage | null): Attributes {
  if (!usage) return {};
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, costUsd } = usage;
  return {
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    ...(cachedInputTokens === undefined ? {} : { "gen_ai.usage.cache_read.input_tokens": cachedInputTokens }),
    ...(reasoningTokens === undefined ? {} : { "gen_ai.usage.reasoning.output_tokens": reasoningTokens }),
    ...(costUsd === undefined ? {} : { "smolts.usage.cost_usd": costUsd }),
  };
}

export function errorOf(outcome: CallOutcome): SerializedError | undefined {
  return outcome.type === "ok" ? undefined : outcome.error;
}

export function argumentsOf(args: EventOf<"tool-call">["args"]): EventOf<"tool-call">["args"][number] {
  const [first] = args;
  return args.length === 1 && first !== undefined ? first : [...args];
}

export const textOf = (answer: unknown): string => (typeof answer === "string" ? answer : JSON.stringify(answer));
