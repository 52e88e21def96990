import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { axeViolations } from "./axe.ts";
import { noChromium, startBrowser } from "./browser.ts";
import { pageStates } from "./states.ts";

describe.skipIf(noChromium)(`accessibility in Chromium${noChromium ? `: ${noChromium}` : ""}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  test.each(pageStates.map((state) => [state.name, state] as const))(
    "axe finds no violation in the state %s, and no control is cut off, in both themes and at both sizes",
    async (_, state) => {
      expect(await axeViolations(browser, state)).toEqual([]);
    },
  );
});
