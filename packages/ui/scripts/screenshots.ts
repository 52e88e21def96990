// Takes screenshots of every state of the page, in both sizes and both themes. A few states are
// also taken with special settings, such as right-to-left text.
//
//   pnpm ui:screenshots [--out folder] [--only name,name] [--theme light] [--size mobile]
//   pnpm ui:screenshots --mirrored   the layout from right to left, with English texts, for every state
//   pnpm ui:screenshots --guide      the small screenshots of the guide "The web page"

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import type { Browser } from "playwright-core";
import { noChromium, sizes, startBrowser, type VisitorOptions, visitor } from "../test/browser/browser.ts";
import { type PageState, pageStates } from "../test/browser/states.ts";

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    only: { type: "string" },
    theme: { type: "string" },
    size: { type: "string" },
    mirrored: { type: "boolean", default: false },
    guide: { type: "boolean", default: false },
  },
});

const out = values.out ?? join(import.meta.dirname, "../dist/screenshots");
const only = values.only?.split(",");

/** The states that the guide shows. */
const guideStates = ["running", "approval", "team", "inspector-timeline", "replay"];

/** Special settings, each for a few states only. */
const special: readonly (readonly [string, string, VisitorOptions])[] = [
  ["running", "rtl", { locale: "ar" }],
  ["approval", "rtl", { locale: "ar" }],
  ["approval", "forced-colors", { forcedColors: true, theme: "dark" }],
  ["done", "german", { locale: "de" }],
  ["inspector-timeline", "chinese", { locale: "zh" }],
];

if (noChromium) {
  process.stdout.write(`skipped: ${noChromium}\n`);
} else {
  const browser = await startBrowser();
  try {
    await (values.guide ? takeForGuide(browser) : takeAll(browser));
  } finally {
    await browser.close();
  }
}

async function takeForGuide(browser: Browser): Promise<void> {
  const figures = join(import.meta.dirname, "../../../docs/guides/figures");
  const work = await mkdtemp(join(tmpdir(), "smolts-figures-"));
  for (const state of pageStates) {
    if (!guideStates.includes(state.name)) continue;
    await take(browser, state, state.name, {}, work);
    const smaller = ["-resize", "1152x", "-quality", "72", "-define", "webp:method=6"];
    const figure = join(figures, `page-${state.name}.webp`);
    await promisify(execFile)("convert", [join(work, `${state.name}.png`), ...smaller, figure]);
  }
  await rm(work, { recursive: true });
}

async function takeAll(browser: Browser): Promise<void> {
  await mkdir(out, { recursive: true });
  for (const state of pageStates) {
    if (only && !only.includes(state.name)) continue;
    for (const theme of ["light", "dark"] as const)
      for (const size of Object.keys(sizes) as (keyof typeof sizes)[])
        if ((values.theme ?? theme) === theme && (values.size ?? size) === size)
          await take(browser, state, `${state.name}-${size}-${theme}`, { theme, size });
    for (const [name, suffix, options] of special)
      if (name === state.name && !values.theme && !values.size)
        await take(browser, state, `${name}-${suffix}`, options);
  }
}

async function take(
  browser: Browser,
  state: PageState,
  name: string,
  options: VisitorOptions,
  folder = out,
): Promise<void> {
  const ui = await state.serve();
  const { page, context, problems } = await visitor(browser, options);
  try {
    await state.reach(page, ui);
    if (values.mirrored) await page.locator(".frame").evaluate((frame) => frame.setAttribute("dir", "rtl"));
    await page.waitForTimeout(350);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    const expected = state.name === "server-gone" || state.name === "locked";
    process.stdout.write(`${name}${problems.length > 0 && !expected ? `: ${problems.join("; ")}` : ""}\n`);
  } catch (error) {
    await page.screenshot({ path: join(folder, `${name}-broken.png`) }).catch(() => {});
    process.stdout.write(
      `${name}: not reached: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}\n`,
    );
    process.exitCode = 1;
  } finally {
    await context.close();
    await ui.close();
  }
}
