import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noChromium, polling, serve, startBrowser, visitor } from "./browser.ts";
import { receiptsAgent } from "./example-agents.ts";
import { longRun } from "./measure-page.ts";

describe.skipIf(noChromium)(`long runs in Chromium${noChromium ? `: ${noChromium}` : ""}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  test("of 5,000 steps at most 300 are in the document, whatever the scroll position", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { page, context, problems } = await visitor(browser);
    await page.goto(ui.url);
    await page.locator(".composer").waitFor();
    await showLongRun(page, 5_000);
    await page.locator(".step").first().waitFor();
    await expect.poll(() => page.locator(".step").count(), polling).toBeLessThanOrEqual(300);
    const box = page.locator(".scroll");
    for (const share of [0.2, 0.5, 0.9, 1]) {
      await box.evaluate((element, at) => element.scrollTo(0, element.scrollHeight * at), share);
      await page.waitForTimeout(100);
      await expect.poll(() => page.locator(".step").count(), polling).toBeLessThanOrEqual(300);
      await expect.poll(() => page.locator(".step:visible, .answer:visible").count(), polling).toBeGreaterThan(0);
    }
    await expect.poll(() => page.locator(".answer .text").innerText(), polling).toBe("All of it was read.");
    expect(problems).toEqual([]);
    await context.close();
  });

  test("a long run is printed with all of its steps, and the page is as before afterwards", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { page, context, problems } = await visitor(browser);
    await page.goto(ui.url);
    await page.locator(".composer").waitFor();
    await showLongRun(page, 300);
    const steps = page.locator(".step");
    await steps.first().waitFor();
    await expect.poll(() => steps.count(), polling).toBeLessThan(200);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    expect(await steps.count()).toBe(300);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await expect.poll(() => steps.count(), polling).toBeLessThan(200);
    await expect.poll(() => page.locator(".step:visible, .answer:visible").count(), polling).toBeGreaterThan(0);
    expect(problems).toEqual([]);
    await context.close();
  });
});

/** Shows a file with a run of this many steps on the page. */
async function showLongRun(page: Page, steps: number): Promise<void> {
  const text = longRun(steps)
    .map((event) => JSON.stringify(event))
    .join("\n");
  await page.evaluate((lines) => {
    (document.querySelector("agent-ui") as HTMLElement & { showRun(name: string, text: string): void }).showRun(
      "long.jsonl",
      lines,
    );
  }, text);
}
