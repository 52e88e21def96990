import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noChromium, startBrowser } from "./browser.ts";
import { hostileTexts } from "./hostile-text.ts";
import { runHostileTexts } from "./xss.ts";

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
});
