import { CodeAgent } from "@smolts/core";
import { type Model, wait } from "@smolts/protocol";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addressOf } from "./address.ts";
import { ask, noChromium, polling, serve, startBrowser, untilEnded, visitor } from "./browser.ts";
import { pacedModel, sqlEngine } from "./example-agents.ts";

/** Opens each step, and returns everything that the page shows of its runs. */
async function shown(page: Page): Promise<string> {
  await page.evaluate(() => {
    const root = document.querySelector("agent-ui")?.shadowRoot;
    for (const details of root?.querySelectorAll<HTMLDetailsElement>(".rows-list details:not([open])") ?? [])
      details.querySelector("summary")?.click();
  });
  await expect.poll(() => page.locator(".rows-list .step:not(:has(> .body))").count(), polling).toBe(0);
  return page.locator(".rows-list").innerText();
}

describe.skipIf(noChromium)(`broken connections in Chromium${noChromium ? `: ${noChromium}` : ""}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  test("after 50 cuts at random moments the page shows the same as after a reload", async () => {
    let cuts = 0;
    const paced = pacedModel(
      (_request, call) =>
        cuts >= 50
          ? "That is all.\n<code>\nfinalAnswer(rows.length);\n</code>"
          : `Thought number ${call}, with a few words that take a while to write.\n<code>\nvar rows = await sqlEngine({ query: "SELECT ${call} FROM receipts" });\nprint(rows.length, ${call});\n</code>`,
      { pieceMs: 6 },
    );
    let replies = 0;
    // In the middle of each thought, the model waits until the connection was cut twice. So all
    // cuts happen during the run, even if the page is slow.
    const model: Model = {
      id: paced.id,
      async *stream(request, options) {
        const cutsByThen = Math.min(50, 2 * ++replies);
        let length = 0;
        for await (const event of paced.stream(request, options)) {
          yield event;
          if (event.type === "text-delta") length += event.text.length;
          while (length > 60 && cuts < cutsByThen) await wait(5, options.signal);
        }
      },
    };
    const agent = (): CodeAgent => new CodeAgent({ model, tools: [sqlEngine], maxSteps: 500 });
    await using ui = await serve(agent);
    await using address = await addressOf(ui);
    const guest = await visitor(browser);
    const { page } = guest;
    await page.goto(address.of(ui.url));
    await ask(page, "Count again and again.");
    await page.locator(".step").first().waitFor();
    while (cuts < 50) {
      await page.waitForTimeout(20 + Math.random() * 280);
      cuts += address.cutStreams();
    }
    await untilEnded(page);
    const live = await shown(page);
    await page.reload();
    await untilEnded(page);
    expect(live).toContain("Thought number 1,");
    expect(await shown(page)).toBe(live);
    await guest.context.close();
  });
});
