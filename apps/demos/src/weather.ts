// Gives one question and one tool to both kinds of agent. The code agent writes a program that
// calls the tool. The tool-calling agent calls the tool directly.
//
//   pnpm --filter @smolts/demos weather

import type { ServerReply, ServerReplyFunction } from "@smolts/testing/server";
import { CodeAgent, type Model, ToolCallingAgent, tool } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";

/** Options of the demo. */
export interface WeatherOptions {
  readonly model: Model;
  readonly level?: PrintLevel;
}

/** The answer of each kind of agent. */
export interface WeatherAnswers {
  readonly code: unknown;
  readonly toolCalling: unknown;
}

const forecasts: { readonly [city: string]: { readonly sky: string; readonly celsius: number } | undefined } = {
  Oslo: { sky: "snow", celsius: -4 },
  Paris: { sky: "light rain", celsius: 9 },
};

const getWeather = tool({
  name: "getWeather",
  description: "Tomorrow's weather in a city.",
  input: { city: "string — its English name" },
  output: {
    type: "object",
    properties: { sky: { type: "string" }, celsius: { type: "number" } },
    required: ["sky", "celsius"],
  },
  effects: "none",
  execute: ({ city }) => {
    const forecast = forecasts[city];
    if (!forecast)
      throw new Error(`no forecast for "${city}"; there are some for ${Object.keys(forecasts).join(", ")}`);
    return { ...forecast };
  },
});

/** Asks both kinds of agent the same question, one after the other. */
export async function weather({ model, level = "info" }: WeatherOptions): Promise<WeatherAnswers> {
  const task = "How much warmer than Oslo will Paris be tomorrow, in degrees?";
  const programmer = new CodeAgent({ model, tools: [getWeather] });
  const caller = new ToolCallingAgent({ model, tools: [getWeather] });
  return {
    code: await printRun(programmer.run(task), { level }),
    toolCalling: await printRun(caller.run(task), { level }),
  };
}

/** The scripted model's replies: two to the code agent, two to the tool-calling agent. */
export const script: readonly (ServerReply | ServerReplyFunction)[] = [
  `I need both forecasts, and neither depends on the other, so I ask for them together.
<code>
const [paris, oslo] = await Promise.all([getWeather({ city: "Paris" }), getWeather({ city: "Oslo" })]);
print(paris, oslo);
</code>`,
  `Both are in the same unit. I subtract.
<code>
finalAnswer(paris.celsius - oslo.celsius);
</code>`,
  {
    text: "I ask for both cities at once.",
    toolCalls: [
      { name: "getWeather", input: { city: "Paris" } },
      { name: "getWeather", input: { city: "Oslo" } },
    ],
  },
  ({ body }) => {
    // A model without code computes the difference itself. The scripted model does so too: it reads
    // both results from the messages.
    const results = JSON.stringify(body.messages.filter(({ role }) => role === "tool"));
    const [paris, oslo] = [...results.matchAll(/celsius\W+?(-?\d+)/g)].map(([, celsius]) => Number(celsius));
    return {
      text: "I have both temperatures.",
      toolCalls: [{ name: "finalAnswer", input: { answer: Number(paris) - Number(oslo) } }],
    };
  },
];

await runDemo(import.meta.url, script, (model) => weather({ model }));
