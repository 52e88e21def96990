// Works on files. An agent has access to one folder only. It reads CSV tables, adds up their
// numbers, and writes a report into the same folder.
//
//   pnpm --filter @smolts/demos data-analysis

import { mkdtemp, rm, writeFile as writeFileOfHost } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listFiles, readFile, writeFile } from "@smolts/tools/files";
import { CodeAgent, type Model } from "smolts";
import { type PrintLevel, printRun } from "smolts/terminal";
import { runDemo } from "./demo-model.ts";

/** Fish counts at a weir. Each month has its own file. */
export const counts: Readonly<Record<string, string>> = {
  "april.csv": "day,fish\n3,120\n17,340\n",
  "may.csv": "day,fish\n2,910\n15,1480\n",
  "june.csv": "day,fish\n5,260\n",
};

/** Options of the demo. If you pass other files, the agent finds a different answer. */
export interface DataAnalysisOptions {
  readonly model: Model;
  readonly files?: Readonly<Record<string, string>>;
  readonly level?: PrintLevel;
}

/** Asks in which month most fish passed, and returns the agent's answer. */
export async function dataAnalysis({ model, files = counts, level = "info" }: DataAnalysisOptions): Promise<unknown> {
  const root = await mkdtemp(join(tmpdir(), "smolts-weir-"));
  try {
    for (const [name, text] of Object.entries(files)) await writeFileOfHost(join(root, name), text);
    const agent = new CodeAgent({ model, tools: [listFiles({ root }), readFile({ root }), writeFile({ root })] });
    return await printRun(agent.run("In which month did most fish pass the weir? Write report.md with every total."), {
      level,
    });
  } finally {
    await rm(root, { recursive: true });
  }
}

/** The scripted model's replies. The code in them computes the answer from the files. */
export const script: readonly string[] = [
  `I see what files there are, and how one of them looks.
<code>
const files = await listFiles({});
print(files, await readFile({ path: files[0].path }));
</code>`,
  `One file is one month; the second column counts the fish. I add each file up, write the report and read it back.
<code>
const totals = await Promise.all(files.map(async ({ path }) => {
  const rows = (await readFile({ path })).trim().split("\\n").slice(1);
  return { month: path.replace(".csv", ""), fish: rows.reduce((sum, row) => sum + Number(row.split(",")[1]), 0) };
}));
totals.sort((left, right) => right.fish - left.fish);
await writeFile({ path: "report.md", text: totals.map(({ month, fish }) => "- " + month + ": " + fish).join("\\n") });
print(await readFile({ path: "report.md" }));
finalAnswer(totals[0].month + ", with " + totals[0].fish + " fish");
</code>`,
];

await runDemo(import.meta.url, script, (model) => dataAnalysis({ model }));
