// Records the text-to-sql run in the page, as the README shows it: an animated WebP of about twenty seconds.
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

/** Between two frames, in ms. */
const frameMs = 200;
const mostFrames = 100;

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
  const frames: string[] = [];
  const began = Date.now();
  const shoot = async (): Promise<void> => {
    const path = join(folder, `${String(frames.length).padStart(3, "0")}.png`);
    await page.screenshot({ path });
    frames.push(path);
    const due = began + frames.length * frameMs;
    await page.waitForTimeout(Math.max(0, due - Date.now()));
  };
  for (let count = 0; count < 4; count++) await shoot();
  await ask(page, "Which client got the most expensive receipt?");
  let afterEnd = 0;
  while (frames.length < mostFrames) {
    await shoot();
    if ((await page.locator(".account").count()) === 0) continue;
    afterEnd++;
    // The reader opens the step that failed, and looks at where the time went.
    if (afterEnd === 6) await page.locator(".step.fault > summary").click();
    if (afterEnd === 16) await page.locator(".step.fault > summary").click();
    if (afterEnd === 22) await page.keyboard.press("t");
    if (afterEnd === 40) await page.locator("[data-tab=variables]").click();
  }
  await promisify(execFile)(
    "convert",
    ["-delay", String(frameMs / 10), "-loop", "0", ...frames, "-quality", "62", "-define", "webp:method=6", out],
    { maxBuffer: 1e8 },
  );
  const { size } = await stat(out);
  process.stdout.write(`${out}: ${frames.length} frames, ${Math.round(size / 1_000)} kB\n`);
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
