// A run of 300 steps. Each step adds 2,000 characters to the conversation. The agent shortens the
// history so that it fits into the model's context. The model's code can still read what the model
// no longer sees.
//
//   pnpm --filter @smolts/demos long-run

import { CodeAgent, type Model, tool } from "smolts";
import { runDemo, type Script } from "./demo-model.ts";

/** Options of the demo. */
export interface LongRunOptions {
  readonly model: Model;
  readonly pages?: number;
}

/** The result of the run. */
export interface LongRunReport {
  readonly answer: unknown;
  readonly steps: number;
  /** How many times the agent shortened the history. */
  readonly compactions: number;
}

/** Reads a book page by page and counts its words. */
export async function longRun({ model, pages = 300 }: LongRunOptions): Promise<LongRunReport> {
  const readPage = tool({
    name: "readPage",
    description: "Reads one page of the book.",
    input: { page: "integer" },
    output: "string",
    effects: "none",
    execute: ({ page }) => `page ${page} ${"word ".repeat(400)}`,
  });
  const agent = new CodeAgent({ model, tools: [readPage], maxSteps: pages + 10, context: { windowTokens: 16_000 } });
  const { output, error, steps, log } = await agent.run(`Count the words of all ${pages} pages.`).result;
  if (error) throw error;
  let compactions = 0;
  for await (const event of log.read()) if (event.type === "compaction") compactions += 1;
  return { answer: output, steps: steps.filter(({ type }) => type === "action").length, compactions };
}

/** The scripted model reads one page in each step, and answers after the last page. */
export const scriptOf = (pages: number, see: (characters: number) => void = () => {}): Script => {
  let page = 0;
  const reply: Script[number] = ({ body }) => {
    if (JSON.stringify(body.messages[0]).includes("You shorten the history"))
      return "Pages were read and words counted.";
    see(JSON.stringify(body.messages).length);
    page += 1;
    if (page > pages) return "<code>\nfinalAnswer(count);\n</code>";
    const start = page === 1 ? "let count = 0;\n" : "";
    return `<code>\n${start}const text${page} = await readPage({ page: ${page} });\ncount += text${page}.trim().split(" ").length - 2;\nprint(text${page});\n</code>`;
  };
  return Array.from({ length: 2 * pages + 10 }, () => reply);
};

let longest = 0;
await runDemo(
  import.meta.url,
  scriptOf(300, (characters) => (longest = Math.max(longest, characters))),
  async (model) => {
    const { answer, steps, compactions } = await longRun({ model });
    console.log(`${answer} words in ${steps} steps; the history was made shorter ${compactions} times.`);
    if (longest > 0) console.log(`The longest request had ${longest} characters; all pages together have 600,000.`);
  },
);
