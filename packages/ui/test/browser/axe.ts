// What axe says of a state: in both themes, at both sizes.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { sizes } from "./browser.ts";
import type { PageState } from "./states.ts";

const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The violations of one state, each on one line. */
export async function axeViolations(browser: Browser, state: PageState): Promise<readonly string[]> {
  const ui = await state.serve();
  // axe is a script of the test's own: the page's policy would keep it out.
  const context = await browser.newContext({
    bypassCSP: true,
    reducedMotion: "reduce",
    colorScheme: "light",
    viewport: sizes.desktop,
    locale: "en-US",
  });
  try {
    const page = await context.newPage();
    await state.reach(page, ui);
    await page.evaluate(await source);
    const found: string[] = [];
    for (const size of ["desktop", "mobile"] as const)
      for (const theme of ["light", "dark"] as const) {
        await page.setViewportSize(sizes[size]);
        await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
        found.push(...(await violations(page)).map((text) => `${state.name}, ${size}, ${theme}: ${text}`));
      }
    return found;
  } finally {
    await context.close();
    await ui.close();
  }
}

async function violations(page: Page): Promise<readonly string[]> {
  const results = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    return axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
  });
  return results.violations.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 3)
      .map(
        ({ target, failureSummary }) =>
          `${id} ${target.flat().join(" ")} ${(failureSummary ?? "").replace(/\s+/g, " ").slice(0, 160)}`,
      ),
  );
}
