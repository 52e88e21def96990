// Runs an agent of each kind, with models whose answers are prepared.

import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";

const price = tool({
  name: "price",
  description: "What something costs.",
  input: { item: "string" },
  execute: async ({ item }) => item.length,
});

/** The tasks by name. Their results must be the same in every runtime. */
export const agents: readonly { readonly id: string; readonly run: () => Promise<unknown> }[] = [
  {
    id: "a code agent",
    run: () => {
      const model = scriptedModel([
        'Two prices.\n<code>\nconst prices = await Promise.all(["tea", "cake"].map((item) => price({ item })));\nconsole.log(prices);\n</code>',
        "An error.\n<code>\nprices.first.price\n</code>",
        "The sum.\n<code>\nfinalAnswer(prices.reduce((sum, one) => sum + one, 0));\n</code>",
      ]);
      return seenOf(new CodeAgent({ model, tools: [price] }));
    },
  },
  {
    id: "a tool-calling agent",
    run: () => {
      const model = scriptedModel([
        { toolCalls: [{ name: "price", input: { item: "tea" } }] },
        { toolCalls: [{ name: "price", input: {} }] },
        { toolCalls: [{ name: "finalAnswer", input: { answer: 3 } }] },
      ]);
      return seenOf(new ToolCallingAgent({ model, tools: [price] }));
    },
  },
];

async function seenOf(agent: CodeAgent | ToolCallingAgent): Promise<unknown> {
  const { output, error, steps } = await agent.run("What do tea and cake cost?").result;
  const shown = steps.map((step) =>
    step.type === "action" ? { observation: step.observation, error: step.error } : step.type,
  );
  return { output, error: error?.message, steps: withoutFrameNumbers(shown) };
}

/**
 * Replaces the random numbers in the frames of observations. These numbers are random so that
 * printed text cannot imitate a frame.
 */
const withoutFrameNumbers = (shown: unknown): unknown =>
  JSON.parse(JSON.stringify(shown).replaceAll(/observation [0-9a-f]{8}/g, "observation"));
