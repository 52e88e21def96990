// Measures the cost of GradioUI's page and of ours, with the same scripted run: 600 words, one
// every ten milliseconds, and then an answer.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { noChromium, startBrowser } from "../../../packages/ui/test/browser/browser.ts";
import { type ChatKind, type ChatPage, gradioKind, ourKind } from "./chat-page.ts";
import { cpuSeconds, cpuSecondsOfPages } from "./faults.ts";

/** The cost of one page. */
export interface PageCost {
  /** The compressed bytes that are transferred until a person can write a message, in kB. */
  readonly loadKb: number;
  /** The bytes that are transferred during the run, in kB. */
  readonly runKb: number;
  /** The time from pressing Send until the model's first word is painted, in ms. */
  readonly firstTokenMs: number;
  /** The processor time of the server during the run, in ms. */
  readonly serverCpuMs: number;
  /** The processor time of Chromium's page processes during the run, in ms. */
  readonly pageCpuMs: number;
}

/**
 * Returns the path of the Python with GradioUI, which `pnpm test:peers --install GradioUI`
 * installs.
 */
export const gradioPython = (folder = join(homedir(), ".cache", "smolts-peers")): string =>
  join(folder, "gradio", "bin", "python");

/**
 * Measures both pages in the same browser, one after the other. If GradioUI is not installed, says
 * so.
 */
export async function compareWithGradio(
  python = gradioPython(),
): Promise<Readonly<Record<string, PageCost>> | { readonly skipped: string }> {
  if (noChromium) return { skipped: noChromium };
  if (!existsSync(python)) return { skipped: "GradioUI is not installed: pnpm test:peers --install GradioUI" };
  const costs: Record<string, PageCost> = {};
  for (const kind of [ourKind, gradioKind(python)]) costs[kind.name] = await costOf(kind);
  return costs;
}

async function costOf(kind: ChatKind): Promise<PageCost> {
  const browser = await startBrowser();
  try {
    await using server = await kind.serve("code");
    // The first visit warms up the server. The second visit is measured.
    const first = await server.enter(browser);
    await first.ask("Write 20 words");
    await first.see("All is written.");
    await first.context.close();
    const chat = await server.enter(browser);
    const devtools = await chat.context.newCDPSession(chat.page);
    await devtools.send("Network.enable");
    let bytes = 0;
    devtools.on("Network.dataReceived", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
    await chat.page.reload();
    await chat.page.locator("textarea").first().waitFor();
    await chat.page.waitForTimeout(2_000);
    const loaded = bytes;
    await watchFirstWord(chat);
    const before = { server: cpuSeconds(server.processId), page: await cpuSecondsOfPages(browser) };
    await chat.ask("Write 600 words, one every 10 ms");
    await chat.see("All is written.");
    const firstTokenMs = await chat.page.evaluate(
      () => (globalThis as unknown as { firstWordMs: Promise<number> }).firstWordMs,
    );
    return {
      loadKb: round(loaded / 1_000),
      runKb: round((bytes - loaded) / 1_000),
      firstTokenMs: Math.round(firstTokenMs),
      serverCpuMs: Math.round((cpuSeconds(server.processId) - before.server) * 1_000),
      pageCpuMs: Math.round(((await cpuSecondsOfPages(browser)) - before.page) * 1_000),
    };
  } finally {
    await browser.close();
  }
}

/** Measures the time from pressing Send to the frame after the first word is in the document. */
async function watchFirstWord({ page, writingSelector }: ChatPage): Promise<void> {
  await page.evaluate((selector) => {
    const root = document.querySelector("agent-ui")?.shadowRoot ?? document;
    const firstWordMs = new Promise<number>((resolve) => {
      let sent = 0;
      addEventListener("click", () => (sent ||= performance.now()), { capture: true });
      const look = (): void => {
        const isThere = root.querySelector(selector)?.textContent?.includes("firstword");
        requestAnimationFrame(isThere && sent > 0 ? () => resolve(performance.now() - sent) : look);
      };
      requestAnimationFrame(look);
    });
    Object.assign(globalThis, { firstWordMs });
  }, writingSelector);
}

const round = (value: number): number => Math.round(value * 10) / 10;
