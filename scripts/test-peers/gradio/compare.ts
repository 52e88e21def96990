// Measures the cost of the two pages on the same scripted run: 600 words, one every ten
// milliseconds, then an answer.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { noChromium, startBrowser } from "../../../packages/ui/test/browser/browser.ts";
import { type ChatKind, type ChatPage, gradioKind, ourKind } from "./chat-page.ts";
import { cpuSeconds, cpuSecondsOfPages } from "./faults.ts";

/** The cost of one page. */
export interface PageCost {
  /** The bytes that come over the network until a message can be written, compressed, in kB. */
  readonly loadKb: number;
  /** The bytes that come over the network during the run, in kB. */
  readonly runKb: number;
  /** From Send to the first word of the model that is painted. */
  readonly firstTokenMs: number;
  /** Time of the server's processor during the run. */
  readonly serverCpuMs: number;
  /** Time of the processes of Chromium's pages during the run. */
  readonly pageCpuMs: number;
}

/** Where `pnpm test:peers --install GradioUI` puts the Python that has GradioUI. */
export const gradioPython = (folder = join(homedir(), ".cache", "smolts-peers")): string =>
  join(folder, "gradio", "bin", "python");

/**
 * Both pages in the same browser, one after the other; says why not where GradioUI is not
 * installed.
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
    // The first visit warms the server up; the second one is measured.
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

/** From the press of Send to the frame after the first word is in the document. */
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
