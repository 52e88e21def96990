// A person reads the plan before the agent acts, and accepts it, changes it or stops the run. The
// change is recorded in the log. The model continues with the changed plan, and so does a run that
// is resumed from the log.
//
//   pnpm --filter @smolts/demos plan-customization

import { createInterface } from "node:readline/promises";
import type { ServerReply, ServerReplyFunction } from "@smolts/testing/server";
import { CodeAgent, type Model, tool } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";

/** A person's answer to a plan. */
export type Review =
  | { readonly type: "accept" }
  | { readonly type: "change"; readonly plan: string }
  | { readonly type: "stop"; readonly reason: string };

/** Options of the demo. */
export interface PlanCustomizationOptions {
  readonly model: Model;
  readonly level?: PrintLevel;
  readonly review: (plan: string) => Review | Promise<Review>;
}

const celsius: { readonly [city: string]: number | undefined } = { Lisbon: 17, Oslo: -4, Paris: 9, Rome: 14 };

const getTemperature = tool({
  name: "getTemperature",
  description: "Tomorrow's temperature in a city, in degrees Celsius.",
  input: { city: "string — its English name" },
  output: "number",
  effects: "none",
  execute: ({ city }) => {
    const found = celsius[city];
    if (found === undefined) throw new Error(`no forecast for "${city}"`);
    return found;
  },
});

/** Asks for the warmest city. A person reviews the agent's plan first. */
export async function planCustomization({ model, level = "info", review }: PlanCustomizationOptions): Promise<unknown> {
  const agent = new CodeAgent({
    model,
    tools: [getTemperature],
    planningInterval: 10,
    stepCallbacks: {
      planning: async ({ plan, stepNumber }, { run, edit }) => {
        const said = await review(plan);
        if (said.type === "change") edit(stepNumber, { plan: said.plan });
        if (said.type === "stop") run.abort(said.reason);
      },
    },
  });
  return printRun(agent.run("Which of Europe's capitals will be the warmest tomorrow?"), { level });
}

/**
 * Asks the person at the terminal. Without a terminal, plays a person who adds one more city to the
 * plan.
 */
export async function askPerson(plan: string): Promise<Review> {
  if (!process.stdin.isTTY) {
    console.log("  (nobody is at the terminal: a scripted person adds Lisbon to the plan)");
    return { type: "change", plan: `${plan}, Lisbon` };
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question("  Enter to accept, a line to put below the plan, or stop: ");
    if (answer.trim() === "") return { type: "accept" };
    if (answer.trim() === "stop") return { type: "stop", reason: "the person did not want this plan" };
    return { type: "change", plan: `${plan}\n${answer}` };
  } finally {
    terminal.close();
  }
}

/**
 * The scripted model's replies. The model follows the plan in its messages, whether it wrote that
 * plan or a person did.
 */
export const script: readonly (ServerReply | ServerReplyFunction)[] = [
  `What is known: the question is about tomorrow, and getTemperature tells it for a city.
Plan:
1. Get the temperatures of these cities, all at once: Paris, Rome, Oslo`,
  ({ body }) => {
    const plan = JSON.stringify(body.messages).split("all at once:").at(-1) ?? "";
    const cities = Object.keys(celsius).filter((city) => plan.includes(city));
    return `I ask for the cities of the plan.
<code>
const cities = ${JSON.stringify(cities)};
const degrees = await Promise.all(cities.map((city) => getTemperature({ city })));
print(cities, degrees);
</code>`;
  },
  `The highest number tells the city.
<code>
finalAnswer(cities[degrees.indexOf(Math.max(...degrees))]);
</code>`,
];

await runDemo(import.meta.url, script, (model) => planCustomization({ model, review: askPerson }));
