// Text to SQL. An agent gets a question and a database. It looks at the table, gets a query wrong,
// reads what SQLite says, and answers.
//
//   pnpm demo
//   pnpm demo --model openai:gpt-5-mini

import { CodeAgent, type Model, tool } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";
import { openReceiptsDatabase, type Receipt, receiptsDescription } from "./receipts-database.ts";

/** The receipts of one evening. */
export const receipts: readonly Receipt[] = [
  { customerName: "Alan Payne", price: 12.06, tip: 1.2 },
  { customerName: "Alex Mason", price: 23.86, tip: 0.24 },
  { customerName: "Woodrow Wilson", price: 53.43, tip: 5.43 },
  { customerName: "Margaret James", price: 21.11, tip: 1.0 },
];

/** Options of the demo. If you pass other receipts, the agent finds a different answer. */
export interface TextToSqlOptions {
  readonly model: Model;
  readonly receipts?: readonly Receipt[];
  readonly level?: PrintLevel;
}

/** Asks an agent who had the most expensive receipt, and returns its answer. */
export async function textToSql({
  model,
  receipts: rows = receipts,
  level = "info",
}: TextToSqlOptions): Promise<unknown> {
  await using database = await openReceiptsDatabase(rows);

  const sqlEngine = tool({
    name: "sqlEngine",
    description: `Runs one SQLite query and gives its rows as objects. ${receiptsDescription}`,
    input: { query: "string — one SELECT statement" },
    output: "object[]",
    effects: "none",
    execute: ({ query }) => database.query(query),
  });

  const agent = new CodeAgent({ model, tools: [sqlEngine] });
  // The database closes when this function returns. So the run must end first: keep the `await`
  // after `return`.
  return await printRun(agent.run("Which client got the most expensive receipt?"), { level });
}

/**
 * The scripted model's replies. They do not contain the answer: the last code block computes it
 * from the rows.
 */
export const script: readonly string[] = [
  `I have not seen this table yet. I look at a few rows before I rely on anything.
<code>
const sample = await sqlEngine({ query: "SELECT * FROM receipts LIMIT 2" });
print(sample);
</code>`,
  `One row is one receipt, with its customer. The most expensive one is the one with the highest total, so I sort by that and take the first.
<code>
const [first] = await sqlEngine({ query: "SELECT customer_name FROM receipts ORDER BY total DESC LIMIT 1" });
finalAnswer(first.customer_name);
</code>`,
  `There is no column "total"; what a receipt cost is its price, as the sample shows. I fetch the prices and pick the highest myself.
<code>
const rows = await sqlEngine({ query: "SELECT customer_name, price FROM receipts" });
const mostExpensive = rows.reduce((highest, row) => (row.price > highest.price ? row : highest));
finalAnswer(mostExpensive.customer_name);
</code>`,
];

await runDemo(import.meta.url, script, (model) => textToSql({ model }));
