import { classicPrompts, type SystemPromptInput, systemPrompt } from "@smolts/core";
import { tool } from "@smolts/tools";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Benchmark } from "./benchmark.ts";

/** Measures how long an agent's prompt is before a task is added to it. */
export const benchmark: Benchmark = {
  name: "promptTokens",
  method:
    "tokens (o200k_base) of the default system prompt with one weather tool; classic is code with worked examples",
  goals: { code: 600, toolCalling: 230, structured: 600 },
  async run() {
    return {
      code: tokensOf({ actions: "code" }),
      toolCalling: tokensOf({ actions: "tool-calls" }),
      structured: tokensOf({ actions: "structured-code" }),
      classic: tokensOf({ actions: "code", prompts: classicPrompts }),
    };
  },
};

const weather = tool({
  name: "getWeather",
  description: "Weather of the next days at a location.",
  input: { location: "string — a city", celsius: "boolean?" },
  output: "string",
  effects: "none",
  execute: ({ location }) => `Torrential rain in ${location}`,
});

const tokensOf = (input: Omit<SystemPromptInput, "tools">): number =>
  countTokens(systemPrompt({ tools: [weather], ...input }));
