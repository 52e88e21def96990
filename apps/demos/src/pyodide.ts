// Python in WebAssembly. The code uses integers of any size and the standard library, and it calls
// tools in parallel. A manager that writes Python calls a worker that writes JavaScript. The demo
// needs no Python installation and no container, and it also works on a web page.
//
//   pnpm --filter @smolts/demos pyodide

import { pyodide as pyodideExecutor } from "@smolts/executor-pyodide";
import { jsonSchema, tool } from "@smolts/tools";
import { CodeAgent, type ExecutorFactory, type Model } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";

/** Options of the demo. */
export interface PyodideOptions {
  readonly model: Model;
  readonly executor?: ExecutorFactory;
  readonly level?: PrintLevel;
}

const sales: { readonly [shop: string]: readonly number[] } = {
  north: [120, 80, 310],
  south: [95, 140, 60],
  west: [410, 20, 75],
};

const readSales = tool({
  name: "readSales",
  description: "Returns the daily sales of a shop.",
  input: jsonSchema<{ shop: string }>({
    type: "object",
    properties: { shop: { type: "string", enum: Object.keys(sales) } },
    required: ["shop"],
  }),
  execute: ({ shop }) => sales[shop] ?? [],
});

/** Asks which shop has the steadiest sales. Returns its name and the deviation of its sales. */
export async function pyodide({ model, executor, level = "info" }: PyodideOptions): Promise<unknown> {
  const agent = new CodeAgent({ model, tools: [readSales], executor: executor ?? pyodideExecutor() });
  const task = "Which shop's sales vary least from day to day? Give its name and the standard deviation.";
  return printRun(agent.run(task), { level });
}

/** The scripted model's answers. */
export const script: readonly string[] = [
  `I read the sales of all shops together and look at the deviation of each.
<code>
import asyncio
from statistics import pstdev

shops = ["north", "south", "west"]
days = await asyncio.gather(*[read_sales.aio(shop=shop) for shop in shops])
deviations = {shop: pstdev(values) for shop, values in zip(shops, days)}
deviations
</code>`,
  `The smallest deviation is the answer.
<code>
steadiest = min(deviations, key=deviations.get)
final_answer({"shop": steadiest, "deviation": round(deviations[steadiest], 1)})
</code>`,
];

await runDemo(import.meta.url, script, (model) => pyodide({ model }));
