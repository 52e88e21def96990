// An agent with several models. The agent's requests are spread over two servers, and a second
// model answers when both servers are down. Two of the three servers fail on purpose.
//
//   pnpm --filter @smolts/demos many-models

import { startModelServer } from "@smolts/testing/server";
import { CodeAgent, fallback, type Model, openAICompatible, router } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";

/** Options of the demo. */
export interface ManyModelsOptions {
  /** The model that answers when both servers of the first model fail. */
  readonly model: Model;
  readonly level?: PrintLevel;
}

/** The agent's answer, and how many requests each server received. */
export interface ManyModelsAnswer {
  readonly answer: unknown;
  readonly asked: { readonly overloaded: number; readonly broken: number };
}

/** Asks an agent whose first model runs on two servers, both of which fail. */
export async function manyModels({ model, level = "info" }: ManyModelsOptions): Promise<ManyModelsAnswer> {
  await using overloaded = await startModelServer(() => ({ status: 429, headers: { "retry-after": "3600" } }));
  await using broken = await startModelServer(() => ({ status: 503 }));
  const retries = { attempts: 1 };
  const onTwoServers = router([
    openAICompatible("big-model", { baseUrl: overloaded.url, retries }),
    openAICompatible("big-model", { baseUrl: broken.url, retries }),
  ]);
  const agent = new CodeAgent({ model: fallback([onTwoServers, model]) });
  const answer = await printRun(agent.run("How many seconds are there in a leap year?"), { level });
  return { answer, asked: { overloaded: overloaded.requests.length, broken: broken.requests.length } };
}

/** The scripted model's answers. */
export const script: readonly string[] = [
  `A leap year has 366 days.
<code>
finalAnswer(366 * 24 * 60 * 60);
</code>`,
];

await runDemo(import.meta.url, script, async (model) => {
  const { asked } = await manyModels({ model });
  console.log(
    `Requests on the way there: ${asked.overloaded} to the overloaded server, ${asked.broken} to the broken one.`,
  );
});
