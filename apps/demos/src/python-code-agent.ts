// A task from the documentation of smolagents (the Python library), solved by a model that writes
// Python. The tools, the model's code and the answer are those of the original. Only the program
// around them is TypeScript. The Python code runs in WebAssembly. Any other executor of Python
// works as well.
//
//   pnpm --filter @smolts/demos python-code-agent

import { pyodide } from "@smolts/executor-pyodide";
import { jsonSchema, tool } from "@smolts/tools";
import { CodeAgent, type ExecutorFactory, type Model } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";

/** Options of the demo. */
export interface PythonCodeAgentOptions {
  readonly model: Model;
  readonly executor?: ExecutorFactory;
  readonly level?: PrintLevel;
}

/** Search results that replace a real web search. */
const pages = [
  "Pont des Arts: the footbridge in Paris spans the Seine with a length of 155 metres.",
  "Leopard: at full speed a leopard runs 58 km/h, over short distances.",
];

const webSearch = tool({
  name: "webSearch",
  description: "Searches the web and returns the texts of the best results.",
  input: jsonSchema<{ query: string }>({
    type: "object",
    properties: { query: { type: "string", description: "what to look for" } },
    required: ["query"],
  }),
  execute: ({ query }) => {
    const words = query.toLowerCase().split(/\W+/);
    const hits = (page: string): number =>
      words.filter((word) => word.length > 3 && page.toLowerCase().includes(word)).length;
    return pages.toSorted((left, right) => hits(right) - hits(left))[0] ?? "";
  },
});

/** Asks how long a leopard takes to run through the Pont des Arts, and returns the seconds. */
export async function pythonCodeAgent({ model, executor, level = "info" }: PythonCodeAgentOptions): Promise<unknown> {
  const agent = new CodeAgent({ model, tools: [webSearch], executor: executor ?? pyodide() });
  const task = "How many seconds would it take for a leopard at full speed to run through Pont des Arts?";
  return printRun(agent.run(task), { level });
}

/** The scripted model's answers. */
export const script: readonly string[] = [
  `I need the length of the bridge and the speed of the animal.
<code>
bridge = web_search("length of Pont des Arts")
leopard = web_search(query="leopard full speed")
print(bridge)
print(leopard)
</code>`,
  `Both are there: I take the numbers out of the texts and compute.
<code>
import re

metres = float(re.search(r"(\\d+) metres", bridge).group(1))
metres_per_second = float(re.search(r"(\\d+) km/h", leopard).group(1)) / 3.6
final_answer(round(metres / metres_per_second, 2))
</code>`,
];

await runDemo(import.meta.url, script, (model) => pythonCodeAgent({ model }));
