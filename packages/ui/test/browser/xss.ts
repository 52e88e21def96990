// Loads hostile run files into the real page and into exported files, opens everything that can be
// opened, and counts the attacks that succeeded.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DurableEvent } from "@smolts/protocol";
import type { Browser, Page } from "playwright-core";
import { exportHtml } from "../../src/export-html.ts";
import { serve, visitor } from "./browser.ts";
import { receiptsAgent } from "./example-agents.ts";
import { hostileLog } from "./hostile-log.ts";
import { hostileTexts } from "./hostile-text.ts";

/** The results of the attacks. */
export interface XssResult {
  readonly cases: number;
  /**
   * Descriptions of the attacks that succeeded: scripts that ran, requests to other servers, and
   * violations of the page's policy.
   */
  readonly through: readonly string[];
}

const texts = 18;

/** Tests all hostile texts, or the first `most`, in the page and in exported files. */
export async function runHostileTexts(browser: Browser, most = Number.POSITIVE_INFINITY): Promise<XssResult> {
  const all = hostileTexts.slice(0, most);
  const through: string[] = [];
  await using ui = await serve(() => receiptsAgent());
  const folder = await mkdtemp(join(tmpdir(), "smolts-xss-"));
  try {
    const guest = await visitor(browser);
    await watch(guest.page);
    await guest.page.goto(ui.url);
    await guest.page.locator(".composer").waitFor();
    for (let from = 0; from < all.length; from += texts) {
      const events = hostileLog(all.slice(from, from + texts));
      await showEverything(guest.page, `${all[from]!.slice(0, 80)}.jsonl`, events);
      through.push(...(await hits(guest.page)).map((hit) => `page, from ${from}: ${hit}`));
    }
    through.push(
      ...guest.foreignRequests.map((url) => `page asked for ${url}`),
      ...guest.problems.map((text) => `page: ${text}`),
    );
    await guest.context.close();

    const reader = await visitor(browser);
    await watch(reader.page);
    for (let from = 0; from < all.length; from += texts * 3) {
      const file = join(folder, `run-${from}.html`);
      await writeFile(file, await exportOf(hostileLog(all.slice(from, from + texts * 3)), all[from]!));
      await reader.page.goto(pathToFileURL(file).href);
      await reader.page.locator(".step").first().waitFor();
      await openAll(reader.page);
      through.push(...(await hits(reader.page)).map((hit) => `export, from ${from}: ${hit}`));
    }
    const asked = reader.foreignRequests.filter((url) => !url.startsWith("file:"));
    through.push(...asked.map((url) => `export asked for ${url}`), ...reader.problems.map((text) => `export: ${text}`));
    await reader.context.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { cases: all.length, through };
}

async function exportOf(events: readonly DurableEvent[], title: string): Promise<string> {
  return exportHtml(events, { title });
}

/** Counts forbidden events in the page. */
async function watch(page: Page): Promise<void> {
  page.on("dialog", (dialog) => {
    void page.evaluate(() => Object.assign(globalThis, { __hit: "a dialog" })).catch(() => {});
    void dialog.dismiss();
  });
  await page.addInitScript(() => {
    const reports: string[] = [];
    Object.assign(globalThis, { __reports: reports });
    document.addEventListener("securitypolicyviolation", (event) => {
      reports.push(`${event.violatedDirective}: ${event.blockedURI}`);
    });
  });
}

/** Loads a run file into the page, and opens everything that can be opened. */
export async function showEverything(page: Page, name: string, events: readonly object[]): Promise<void> {
  const text = events.map((event) => JSON.stringify(event)).join("\n");
  await page.evaluate(
    ([file, lines]) => {
      const element = document.querySelector("agent-ui") as HTMLElement & { showRun(name: string, text: string): void };
      element.showRun(file!, lines!);
    },
    [name, text],
  );
  await page.locator(".step").first().waitFor();
  await openAll(page);
  if ((await page.locator(".inspector").count()) === 0) await page.keyboard.press("t");
  for (const tab of ["timeline", "variables", "memory", "log"]) {
    await page.locator(`[data-tab=${tab}]`).click();
    if (tab === "timeline") await page.locator(".panel .lane").first().click();
    if (tab === "log") await page.locator(".log button").nth(2).click();
  }
}

/**
 * Opens every step, every agent and everything else that is folded, and moves the mouse over every
 * element with a title.
 */
async function openAll(page: Page): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await page.evaluate(() => {
      const root = document.querySelector("agent-ui")?.shadowRoot;
      for (const details of root?.querySelectorAll<HTMLDetailsElement>(".scroll details:not([open])") ?? [])
        details.querySelector("summary")?.click();
      for (const button of root?.querySelectorAll<HTMLElement>(".show-all, .peek, .unfold button") ?? [])
        if (!button.hasAttribute("aria-pressed")) button.click();
    });
    await page.waitForTimeout(60);
  }
}

async function hits(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { __hit, __reports } = globalThis as unknown as { __hit?: unknown; __reports?: string[] };
    const root = document.querySelector("agent-ui")?.shadowRoot;
    const elements =
      root?.querySelectorAll(
        "script, iframe, object, embed, base, meta, form[action], a[href^='javascript' i], a[href^='data' i], [onerror], [onload], img[src^='http']",
      ) ?? [];
    return [
      ...(__hit === undefined ? [] : [`script ran: ${String(__hit)}`]),
      ...(__reports ?? []).map((report) => `policy: ${report}`),
      ...[...elements].map((element) => `element: ${element.outerHTML.slice(0, 120)}`),
    ];
  });
}
