// Records the run of the text-to-sql demo in the page for the README, as an animated WebP of about
// twenty seconds.
//
//   pnpm ui:record [--out docs/page.webp]

import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { ask, serve, startBrowser } from "../test/browser/browser.ts";
import { receiptsAgent } from "../test/browser/example-agents.ts";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const out = values.out ?? join(import.meta.dirname, "../../../docs/page.webp");

/**
 * The time between two frames, in ms. On a busy machine this time is longer. The recording shows
 * each frame for its real time.
 */
const frameMs = 200;
const wholeMs = 20_000;

const folder = await mkdtemp(join(tmpdir(), "smolts-record-"));
const browser = await startBrowser();
try {
  await using ui = await serve(() => receiptsAgent({ thinkMs: 700, pieceMs: 38 }), {
    title: "the receipts",
    description:
      "An agent with a database of one evening’s receipts. It writes small programs, and you can watch each of them run.",
    examples: ["Which client got the most expensive receipt?", "Who tips best, in percent?"],
  });
  const context = await browser.newContext({
    viewport: { width: 1000, height: 640 },
    colorScheme: "light",
    locale: "en-US",
  });
  const page = await context.newPage();
  await page.goto(ui.url);
  await page.locator(".composer").waitFor();
  const frames: { readonly path: string; readonly shotMs: number }[] = [];
  const began = Date.now();
  const shoot = async (): Promise<void> => {
    const path = join(folder, `${String(frames.length).padStart(3, "0")}.png`);
    const shotMs = Date.now() - began;
    await page.screenshot({ path });
    frames.push({ path, shotMs });
    await page.waitForTimeout(Math.max(0, began + shotMs + frameMs - Date.now()));
  };
  for (let count = 0; count < 4; count++) await shoot();
  await ask(page, "Which client got the most expensive receipt?");
  // After the run, open the failed step and look at the timeline.
  const looks: [afterMs: number, look: () => Promise<void>][] = [
    [900, () => page.locator(".step.fault > summary").click()],
    [3_000, () => page.locator(".step.fault > summary").click()],
    [3_800, () => page.keyboard.press("t")],
    [6_800, () => page.locator("[data-tab=variables]").click()],
  ];
  let endedAt: number | null = null;
  while (Date.now() - began < wholeMs) {
    await shoot();
    if (endedAt === null && (await page.locator(".account").count()) > 0) endedAt = Date.now();
    if (endedAt !== null && looks[0] && Date.now() - endedAt > looks[0][0]) await looks.shift()?.[1]();
  }
  const shown = frames.flatMap(({ path, shotMs }, index) => {
    const untilMs = frames[index + 1]?.shotMs ?? wholeMs;
    return ["-delay", String(Math.round((untilMs - shotMs) / 10)), path];
  });
  await promisify(execFile)("convert", ["-loop", "0", ...shown, "-quality", "62", "-define", "webp:method=6", out], {
    maxBuffer: 1e8,
  });
  const { size } = await stat(out);
  const seconds = (frames.at(-1)?.shotMs ?? 0) / 1_000;
  process.stdout.write(`${out}: ${frames.length} frames, ${seconds.toFixed(1)} s, ${Math.round(size / 1_000)} kB\n`);
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
