// Serves twelve tools to an MCP client in code mode. The client sees only two tools: one to search,
// one to run code. One program calls three of the twelve tools.
//
//   pnpm --filter @smolts/demos mcp-code-mode

import { codeMode, mcpTools, serveMcp } from "@smolts/mcp";
import { type Tool, type ToolContext, tool } from "smolts";

/** Returns twelve tools that read the water levels of rivers, one for each month. */
function gaugeTools(): readonly Tool[] {
  const months = "January February March April May June July August September October November December".split(" ");
  return months.map((month, index) =>
    tool({
      name: `readGauge${month}`,
      description: `Reads the daily water levels of ${month}, in centimetres.`,
      output: "number[]",
      effects: "none",
      execute: () => Array.from({ length: 28 }, (_, day) => 200 + ((index * 37 + day * 11) % 90)),
    }),
  ) as readonly Tool[];
}

/** The program that a model would write after it has searched for tools. */
export const program = `const peaks: [string, number][] = [];
for (const [month, read] of [["January", readGaugeJanuary], ["June", readGaugeJune], ["December", readGaugeDecember]] as const) {
  peaks.push([month, Math.max(...(await read()))]);
}
peaks.map(([month, peak]) => month + " " + peak).join(", ")`;

/** What the MCP client sees: the names of the tools, and the result of the program. */
export interface Seen {
  readonly tools: readonly string[];
  readonly found: string;
  readonly answer: string;
}

/** Serves code mode on this machine, connects a client, and does the task. */
export async function mcpCodeMode(): Promise<Seen> {
  await using serving = await serveMcp(codeMode(gaugeTools()), { transport: "http" });
  const headers = { authorization: `Bearer ${serving.key}` };
  await using client = await mcpTools({ url: serving.url ?? "", headers, trust: true });
  const call = async (name: string, input: object): Promise<string> => {
    const found = client.tools.find((candidate) => candidate.name === name);
    // The cast is safe: these tools read only the signal from their context.
    return `${await found?.execute(input, { signal: new AbortController().signal } as ToolContext)}`;
  };
  return {
    tools: client.tools.map(({ name }) => name),
    found: await call("search_tools", { query: "water levels of June", limit: 1 }),
    answer: await call("run_code", { code: program }),
  };
}

if (process.argv[1]?.endsWith("mcp-code-mode.ts")) {
  const { tools, found, answer } = await mcpCodeMode();
  console.log(
    `The client sees ${tools.join(" and ")}.\n\nIt searches:\n${found}\nIt runs:\n${program}\n\nIt reads: ${answer}`,
  );
}
