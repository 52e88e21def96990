// Checks a state of the page with axe, in both themes and at both sizes.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults, RunOnly, RunOptions } from "axe-core";
import type { Browser, Page } from "playwright-core";
import { pageContext, sizes } from "./browser.ts";
import type { PageState } from "./states.ts";

const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Returns the violations of one state, one per line. */
export async function axeViolations(browser: Browser, state: PageState): Promise<readonly string[]> {
  const ui = await state.serve();
  // Bypass the page's policy, which would block the script of axe.
  const context = await pageContext(browser, {
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
    for (const size of ["desktop", "mobile"] as const) {
      await page.setViewportSize(sizes[size]);
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      const light = [...(await violations(page, allRules)), ...(await cutControls(page))];
      await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
      const dark = await violations(page, rulesOfColors);
      for (const [theme, problems] of Object.entries({ light, dark }))
        found.push(...problems.map((text) => `${state.name}, ${size}, ${theme}: ${text}`));
    }
    return found;
  } finally {
    await context.close();
    await ui.close();
  }
}

/**
 * Returns controls that are partly hidden and cannot be scrolled into view. axe does not check
 * this.
 */
function cutControls(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const root = document.querySelector("agent-ui")!.shadowRoot!;
    const isShown = (element: Element): boolean =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      !element.closest(".visually-hidden");
    const cutBy = (control: Element): string | null => {
      const { left, right, top, bottom } = control.getBoundingClientRect();
      const scrolls = { x: false, y: false };
      for (let at = control.parentElement; at; at = at.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(at);
        const edge = at.getBoundingClientRect();
        if (!scrolls.x && /hidden|clip/.test(overflowX) && (left < edge.left - 2 || right > edge.right + 2))
          return at.className;
        if (!scrolls.y && /hidden|clip/.test(overflowY) && (top < edge.top - 2 || bottom > edge.bottom + 2))
          return at.className;
        scrolls.x ||= /auto|scroll/.test(overflowX);
        scrolls.y ||= /auto|scroll/.test(overflowY);
      }
      return !scrolls.x && (left < -2 || right > innerWidth + 2) ? "the screen" : null;
    };
    return [...root.querySelectorAll("button, a[href], input, textarea, select, summary")]
      .filter((control) => control.getBoundingClientRect().width > 2 && isShown(control))
      .flatMap((control) => {
        const edge = cutBy(control);
        const name = control.getAttribute("aria-label") ?? control.textContent ?? "";
        return edge === null ? [] : [`"${name.slice(0, 40)}" is cut off by ${edge}`];
      });
  });
}

const allRules: RunOnly = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
/** A theme changes only colours, so only these rules are checked again. */
const rulesOfColors: RunOnly = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

async function violations(page: Page, runOnly: RunOnly): Promise<readonly string[]> {
  const results = await page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
      return axe.run(options);
    },
    { runOnly, resultTypes: ["violations"] } satisfies RunOptions,
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 3)
      .map(
        ({ target, failureSummary }) =>
          `${id} ${target.flat().join(" ")} ${(failureSummary ?? "").replace(/\s+/g, " ").slice(0, 160)}`,
      ),
  );
}
