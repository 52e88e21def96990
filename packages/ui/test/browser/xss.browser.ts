import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noChromium, serve, startBrowser, visitor } from "./browser.ts";
import { receiptsAgent } from "./example-agents.ts";
import { hostileLog, misshapenLog } from "./hostile-log.ts";
import { hostileTexts } from "./hostile-text.ts";
import { runHostileTexts, showEverything } from "./xss.ts";

describe.skipIf(noChromium)(`hostile texts in Chromium${noChromium ? `: ${noChromium}` : ""}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  test("no text of a model, a tool or a file becomes script, markup or a request, in the page or in an export", async () => {
    expect(hostileTexts.length).toBeGreaterThanOrEqual(300);
    const { cases, through } = await runHostileTexts(browser);
    expect(cases).toBe(hostileTexts.length);
    expect(through).toEqual([]);
  });

  test("an event with missing or invalid fields is left out, and the page shows the others", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { page, context, problems } = await visitor(browser);
    await page.goto(ui.url);
    await page.locator(".composer").waitFor();
    const events = hostileLog(["constructor", "```__proto__\nx\n```\n```constructor\ny\n```"]);
    await showEverything(page, "misshapen.jsonl", misshapenLog(events));
    await expect.poll(() => page.locator(".banner").textContent()).toMatch(/lines? could not be read/);
    expect(await page.locator(".step").count()).toBeGreaterThan(2);
    expect(await page.locator(".scroll").textContent()).not.toContain("could not be shown");
    expect(problems).toEqual([]);
    await context.close();
  });

  test("a step that cannot be rendered says so, and all others are shown", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { page, context } = await visitor(browser);
    await page.addInitScript(() => {
      const { stringify } = JSON;
      const failing = (value: unknown, ...rest: []): string => {
        if (value === "a fault of the page") throw new Error("a fault of the page");
        return stringify(value, ...rest);
      };
      JSON.stringify = failing;
    });
    await page.goto(ui.url);
    await page.locator(".composer").waitFor();
    await showEverything(page, "fault.jsonl", hostileLog(["first", "a fault of the page", "third"]));
    await expect
      .poll(() => page.locator(".rows-list > .wrong").allTextContents())
      .toEqual(["This part could not be shown. The saved run has all of it."]);
    expect(await page.locator(".scroll").textContent()).toContain("third");
    await context.close();
  });
});
