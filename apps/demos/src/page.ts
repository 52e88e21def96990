// Shows the agent of the text-to-sql demo on a web page: its steps while the model writes them, its
// queries and its answer.
//
//   pnpm demo:ui
//   pnpm demo:ui --model openai:gpt-5-mini

import { launchUI } from "@smolts/ui";
import { CodeAgent, type Model, tool } from "smolts";
import { runDemo } from "./demo-model.ts";
import { openReceiptsDatabase, receiptsDescription } from "./receipts-database.ts";
import { receipts, script } from "./text-to-sql.ts";

/** Serves the page until the process is interrupted. */
async function page(model: Model): Promise<void> {
  await using database = await openReceiptsDatabase(receipts);
  const sqlEngine = tool({
    name: "sqlEngine",
    description: `Runs one SQLite query and gives its rows as objects. ${receiptsDescription}`,
    input: { query: "string — one SELECT statement" },
    output: "object[]",
    effects: "none",
    execute: ({ query }) => database.query(query),
  });
  const agent = new CodeAgent({
    model,
    tools: [sqlEngine],
    description: "Answers questions about the receipts of one evening.",
  });
  await using _ui = await launchUI(agent, {
    title: "Receipts",
    examples: ["Which client got the most expensive receipt?"],
  });
  await new Promise<void>((resolve) => process.once("SIGINT", resolve));
}

/** Repeats the script, so that each question gets the same answers. */
const endless = (): string[] => Array.from({ length: 50 }, () => script).flat();

await runDemo(import.meta.url, endless(), page);
