// Answers from documents. An agent searches a handbook. Its first search uses words that the
// handbook does not contain, so it searches again with other words.
//
//   pnpm --filter @smolts/demos rag

import { type RetrieverDocument, retriever } from "@smolts/tools/retriever";
import { CodeAgent, type Model } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";

/** The handbook of a hatchery. */
export const handbook: readonly RetrieverDocument[] = [
  {
    title: "Feeding",
    source: "feeding.md",
    text: "Fry are fed every 20 minutes by daylight. Parr are fed 6 times a day.",
  },
  {
    title: "Water",
    source: "water.md",
    text: "Keep the tanks of parr at 12 degrees. Before the transfer to salt water, lower it to 9 degrees.",
  },
  {
    title: "Release",
    source: "release.md",
    text: "Smolts are released in the second week of May, at dusk, when the river stands above 80 centimetres.",
  },
  {
    title: "Night shift",
    source: "night.md",
    text: "Whoever has the night shift checks the oxygen each hour and writes it down.",
  },
];

/** Options of the demo. If you pass another handbook, the agent finds a different answer. */
export interface RagOptions {
  readonly model: Model;
  readonly documents?: readonly RetrieverDocument[];
  readonly level?: PrintLevel;
}

/** Asks when the young fish go into the river, and returns the agent's answer. */
export async function rag({ model, documents = handbook, level = "info" }: RagOptions): Promise<unknown> {
  const search = retriever({
    name: "searchHandbook",
    description: "The handbook of our hatchery.",
    documents,
    maxResults: 2,
  });
  const agent = new CodeAgent({ model, tools: [search] });
  return await printRun(agent.run("When do we let the young fish go, and which page says so?"), { level });
}

/** The scripted model's replies. The answer comes from the handbook. */
export const script: readonly string[] = [
  `I look for the words of the question first.
<code>
print(await searchHandbook({ query: "let young fish go" }));
</code>`,
  `The handbook does not speak of young fish going. Those that go to sea are smolts, and the word for it is release.
<code>
const [best] = await searchHandbook({ query: "release of smolts" });
finalAnswer(best.text.split(", at ")[0] + " (" + best.source + ")");
</code>`,
];

await runDemo(import.meta.url, script, (model) => rag({ model }));
