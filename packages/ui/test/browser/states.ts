// Every state of the page, reached by the actions of a visitor. Used for screenshots and for axe.

import { readFile } from "node:fs/promises";
import { CodeAgent } from "@smolts/core";
import { AgentError, type Model } from "@smolts/protocol";
import { tool } from "@smolts/tools";
import type { LaunchedUI } from "@smolts/ui";
import type { Page } from "playwright-core";
import { ask, pressWhenStill, serve, untilEnded } from "./browser.ts";
import { pacedModel, receiptsAgent, sqlEngine, teamAgent } from "./example-agents.ts";

const question = "Which client got the most expensive receipt?";
const mail = "Send Woodrow Wilson a copy of his receipt.";

/** A state of the page: its agent, and the visitor's actions that lead to it. */
export interface PageState {
  readonly name: string;
  serve(): Promise<LaunchedUI>;
  reach(page: Page, ui: LaunchedUI): Promise<void>;
}

const about = {
  title: "the receipts",
  description:
    "An agent with a database of one evening’s receipts. It writes small programs, and you can watch each of them run.",
  examples: [
    "Who got the most expensive receipt?",
    "Who tips best, in percent?",
    "Draw the prices as a bar chart",
    "Mail Woodrow Wilson his receipt",
  ],
  uploads: { accept: [".csv", "image/*"] },
};

const receipts =
  (pace = {}) =>
  (): Promise<LaunchedUI> =>
    serve(() => receiptsAgent(pace), about);

const open = async (page: Page, ui: LaunchedUI): Promise<void> => {
  await page.goto(ui.url);
  await page.locator(".composer, .locked h1").first().waitFor();
};

const done = async (page: Page, ui: LaunchedUI): Promise<void> => {
  await open(page, ui);
  await ask(page, question);
  await untilEnded(page);
};

const mailed = async (page: Page, ui: LaunchedUI): Promise<void> => {
  await open(page, ui);
  await ask(page, mail);
  const card = page.locator("[data-approval]");
  await card.waitFor();
  await card.getByText("Replace with o").click();
  await pressWhenStill(card.locator("[data-approve]"));
  await untilEnded(page);
};

const inspected =
  (tab: string) =>
  async (page: Page, ui: LaunchedUI): Promise<void> => {
    await mailed(page, ui);
    await page.locator(".step > summary").first().click();
    await page.getByRole("button", { name: "Inspector", exact: true }).click();
    await page.locator(`[data-tab=${tab}]`).click();
    if (tab === "timeline") await page.locator(".lane", { hasText: "you" }).click();
    if (tab === "log") await page.locator(".log button").nth(9).click();
  };

const failing = (error: () => Error): (() => Promise<LaunchedUI>) => {
  const model: Model = {
    id: "ollama/qwen3-coder",
    // biome-ignore lint/correctness/useYield: it fails before its first word
    async *stream() {
      throw error();
    },
  };
  return () => serve(() => new CodeAgent({ model, tools: [sqlEngine], name: "receipts" }), about);
};

/** Serves an agent whose model fails once and is retried. */
const retrying = (): Promise<LaunchedUI> => {
  const inner = pacedModel(["I look at the table.\n<code>\nprint(await sqlEngine({ query: 'SELECT 1' }));\n</code>"]);
  let calls = 0;
  const model: Model = {
    id: "ollama/qwen3-coder",
    async *stream(request, options) {
      if (calls++ === 0) return yield* inner.stream(request, options);
      const error = {
        code: "generation" as const,
        message: "no model answers at 127.0.0.1:11434: the connection was refused",
        hint: "start it with: ollama serve",
      };
      yield { type: "retry", attempt: 1, delayMs: 1_000, error };
      yield { type: "retry", attempt: 2, delayMs: 60_000, error };
      await new Promise((_, reject) => options.signal.addEventListener("abort", () => reject(options.signal.reason)));
    },
  };
  return serve(() => new CodeAgent({ model, tools: [sqlEngine], name: "receipts" }), about);
};

const wide = tool({
  name: "listOrders",
  description: "Lists orders.",
  input: {},
  output: "object[]",
  effects: "none",
  execute: () =>
    Array.from({ length: 40 }, (_, index) => ({
      order: 1_000 + index,
      client: ["Alan Payne", "Alex Mason", "Woodrow Wilson"][index % 3],
      city: ["Lyon", "Graz", "Cork"][index % 3],
      total: Math.round(index * 713) / 100,
      paid: index % 2 === 0,
    })),
});

const markdown = `## Orders

The three cities differ by **more than half**. In short:

1. *Cork* orders most often, see [the report](https://example.org/report).
2. Graz pays late: \`paid\` is false in every second row.

| city | orders | total |
|---|---:|---:|
| Cork | 13 | 1,203.50 |
| Graz | 13 | 1,111.28 |
| Lyon | 14 | 1,247.75 |

\`\`\`js
const late = orders.filter((order) => !order.paid);
\`\`\`

#### Prices

> # In dollars
> $5 and $10 stay prices.`;

const table = (): Promise<LaunchedUI> =>
  serve(
    () =>
      new CodeAgent({
        model: pacedModel([
          "I list the orders.\n<code>\nconst orders = await listOrders({});\nprint(orders.length);\n</code>",
          `I sum them up.\n<code>\nfinalAnswer(${JSON.stringify(markdown)});\n</code>`,
        ]),
        tools: [wide],
        name: "orders",
      }),
    about,
  );

/** All states, in the order of a visit. */
export const pageStates: readonly PageState[] = [
  { name: "start", serve: receipts(), reach: open },
  {
    name: "running",
    serve: receipts({ thinkMs: 100, pieceMs: 10, holdAt: "ORDER BY" }),
    async reach(page, ui) {
      await open(page, ui);
      await ask(page, question);
      await page.locator(".step").nth(1).locator(".code .line").nth(1).waitFor();
    },
  },
  { name: "done", serve: receipts(), reach: done },
  {
    name: "failed-step",
    serve: receipts(),
    async reach(page, ui) {
      await done(page, ui);
      await page.locator(".step > summary").nth(2).click();
      await page.locator(".step > summary").nth(1).click();
      await page.locator(".task").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "fork",
    serve: receipts(),
    async reach(page, ui) {
      await done(page, ui);
      await page.locator(".step > summary").nth(2).click();
      await page.locator(".step .fork").first().click();
      await page.locator("dialog .fork-form").waitFor();
    },
  },
  {
    name: "factory-failed",
    serve: () =>
      serve(() => {
        throw new AgentError("invalid-option", "there is no key for the model", { hint: "set HF_TOKEN" });
      }, about),
    async reach(page, ui) {
      await open(page, ui);
      await ask(page, question);
      await page.locator(".status.fault").waitFor();
    },
  },
  {
    name: "approval",
    serve: receipts(),
    async reach(page, ui) {
      await open(page, ui);
      await ask(page, mail);
      await page.locator("[data-approval]").waitFor();
    },
  },
  {
    name: "team",
    serve: () =>
      serve(() => teamAgent({ thinkMs: 30, pieceMs: 4, holdAt: "The register" }), { title: "the mountains" }),
    async reach(page, ui) {
      await open(page, ui);
      await ask(page, "How high is Elbrus, and when was it first climbed?");
      await page.locator(".agent .gist", { hasText: "The register" }).waitFor();
    },
  },
  { name: "inspector-timeline", serve: receipts(), reach: inspected("timeline") },
  {
    name: "inspector-table",
    serve: receipts(),
    async reach(page, ui) {
      await inspected("timeline")(page, ui);
      await page.getByText("Show as table").click();
    },
  },
  { name: "inspector-variables", serve: receipts(), reach: inspected("variables") },
  { name: "inspector-memory", serve: receipts(), reach: inspected("memory") },
  { name: "inspector-log", serve: receipts(), reach: inspected("log") },
  {
    name: "replay",
    serve: receipts({ thinkMs: 60, pieceMs: 6 }),
    async reach(page, ui) {
      await done(page, ui);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.locator(".account [aria-label='Save run']").click(),
      ]);
      const text = await readFile(await download.path(), "utf8");
      await page.evaluate((lines) => {
        (document.querySelector("agent-ui") as HTMLElement & { showRun(name: string, text: string): void }).showRun(
          "receipts-1121.jsonl",
          lines,
        );
      }, text);
      await page.locator(".scrubber").waitFor();
      await page.getByRole("button", { name: "Step back" }).click();
      await page.locator(".step.fault > summary").click();
    },
  },
  {
    name: "exported",
    serve: receipts(),
    async reach(page, ui) {
      await done(page, ui);
      await page.locator(".save-menu summary").click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.locator(".save-menu button").nth(1).click(),
      ]);
      const file = `${await download.path()}.html`;
      await download.saveAs(file);
      await page.goto(`file://${file}`);
      await page.locator(".scrubber").waitFor();
      await page.locator(".step > summary").nth(1).click();
      await page.locator(".step .code").waitFor();
    },
  },
  {
    name: "unreachable",
    serve: retrying,
    async reach(page, ui) {
      await open(page, ui);
      await ask(page, "Which weekday has the best tips?");
      await page.locator(".fault-card").waitFor();
    },
  },
  {
    name: "run-failed",
    serve: failing(
      () =>
        new AgentError("generation", "groq/llama-3.3-70b refused the request: status 401", {
          hint: "set GROQ_API_KEY to a valid key",
        }),
    ),
    async reach(page, ui) {
      await open(page, ui);
      await ask(page, question);
      await page.locator(".ending").waitFor();
    },
  },
  {
    name: "stopped",
    serve: receipts({ thinkMs: 100, pieceMs: 10, holdAt: "ORDER BY" }),
    async reach(page, ui) {
      await open(page, ui);
      await ask(page, question);
      await page.locator(".step.live .code").waitFor();
      await page.locator("[data-stop]").click();
      await page.locator(".ending").waitFor();
    },
  },
  {
    name: "answer-markdown",
    serve: table,
    async reach(page, ui) {
      await open(page, ui);
      await ask(page, "Which city orders most?");
      await untilEnded(page);
    },
  },
  {
    name: "result-table",
    serve: table,
    async reach(page, ui) {
      await open(page, ui);
      await ask(page, "Which city orders most?");
      await untilEnded(page);
      await page.locator(".step > summary").first().click();
      await page.locator(".scroll").evaluate((box) => box.scrollTo(0, 0));
    },
  },
  {
    name: "search",
    serve: receipts(),
    async reach(page, ui) {
      await done(page, ui);
      const menu = page.locator(".header .menu");
      if (await menu.isVisible()) await menu.click();
      await page.locator(".rail input").fill("receipt");
      await page.locator(".session .found").first().waitFor();
    },
  },
  {
    name: "palette",
    serve: receipts(),
    async reach(page, ui) {
      await done(page, ui);
      await page.keyboard.press("Control+k");
      await page.locator("dialog").waitFor();
    },
  },
  {
    name: "keys",
    serve: receipts(),
    async reach(page, ui) {
      await done(page, ui);
      await page.locator(".composer textarea").blur();
      await page.keyboard.press("?");
      await page.locator("dialog").waitFor();
    },
  },
  {
    name: "settings",
    serve: receipts(),
    async reach(page, ui) {
      await done(page, ui);
      const menu = page.locator(".header .menu");
      if (await menu.isVisible()) await menu.click();
      await page.locator(".rail .foot button").last().click();
      await page.locator("dialog").waitFor();
    },
  },
  {
    name: "locked",
    serve: receipts(),
    async reach(page, ui) {
      await page.goto(ui.url.replace(/#.*/, "#code=wrong"));
      await page.locator(".locked h1").waitFor();
    },
  },
  {
    name: "server-gone",
    serve: receipts(),
    async reach(page, ui) {
      await done(page, ui);
      await ui.close();
      await page.locator(".status.fault").waitFor();
    },
  },
];
