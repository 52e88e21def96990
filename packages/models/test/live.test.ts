// Calls real providers, but only those that are named: `LIVE=groq pnpm test:live`, or
// `LIVE=groq:llama-3.3-70b-versatile,mistral`. Needs the keys of their presets.

import { generate, presets, resolveModel } from "@smolts/models";
import { textOf } from "@smolts/protocol";
import { describe, expect, test } from "vitest";
import { message } from "./ask.ts";

const named = (process.env["LIVE"] ?? "").split(",").filter((name) => name !== "");

describe.skipIf(named.length === 0)("live models (skipped unless LIVE names presets, such as LIVE=groq)", () => {
  // Vitest requires a test in each block, even if the block is skipped.
  test.each(named.length === 0 ? ["none"] : named)(
    "%s answers, calls a tool and reports its usage",
    { timeout: 120_000 },
    async (name) => {
      const example = presets.find(({ provider }) => provider.name === name)?.provider.exampleModel;
      const model = resolveModel(name.includes(":") ? name : `${name}:${example}`);
      const said = await generate(model, { messages: [message("user", "Answer with the number alone: 6 * 7?")] });
      expect(textOf(said.message)).toContain("42");
      expect(said.usage?.outputTokens).toBeGreaterThan(0);
      const inputSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
      const tools = [{ name: "getWeather", description: "The weather in a city.", inputSchema }];
      const called = await generate(model, { messages: [message("user", "What is the weather in Paris?")], tools });
      const call = called.message.content.find((part) => part.type === "tool-call");
      expect(call).toMatchObject({ name: "getWeather", input: { city: expect.stringMatching(/paris/i) } });
    },
  );
});
