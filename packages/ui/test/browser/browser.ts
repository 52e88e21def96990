// Drives Debian's Chromium with playwright-core. A test file has one browser, and each visitor has
// a context.

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LaunchedUI, LaunchOptions } from "@smolts/ui";
import { launchUI } from "@smolts/ui";
import { fileSessions } from "@smolts/ui/files";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import type { Servable } from "../../src/agent-shape.ts";

/** The path of Chromium: the environment variable `CHROMIUM`, or else Debian's path. */
const chromiumPath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Why browser tests cannot run here; null when they can. */
export const noChromium: string | null = existsSync(chromiumPath) ? null : `no Chromium at ${chromiumPath}`;

/**
 * How long a test waits for the page or the browser, in ms. It is this long because it is only
 * meant for a page or a browser that hangs.
 */
const patienceMs = 300_000;
export const polling = { timeout: patienceMs };

/** Starts the browser. `names` maps host names to other addresses, as a DNS server can. */
export function startBrowser(names: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const rules = Object.entries(names).map(([name, address]) => `MAP ${name} ${address}`);
  return chromium.launch({
    executablePath: chromiumPath,
    headless: true,
    timeout: patienceMs,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...(rules.length > 0 ? [`--host-resolver-rules=${rules.join(",")}`] : []),
    ],
  });
}

/** The two window sizes of the tests. */
export const sizes = { desktop: { width: 1440, height: 900 }, mobile: { width: 390, height: 844 } } as const;

/** The settings of a visitor's browser. */
export interface VisitorOptions {
  readonly size?: keyof typeof sizes;
  readonly theme?: "light" | "dark";
  readonly locale?: string;
  readonly reducedMotion?: boolean;
  readonly forcedColors?: boolean;
}

/** A visitor with a page. `problems` and `foreignRequests` must always be empty. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts, and errors on the console. */
  readonly problems: string[];
  /** Requests to any server other than the page's own. */
  readonly foreignRequests: string[];
}

/** Creates a visitor without the cookies and the storage of other visitors. */
export async function visitor(browser: Browser, options: VisitorOptions = {}): Promise<Visitor> {
  const { size = "desktop", theme = "light", locale = "en-US", reducedMotion = true, forcedColors = false } = options;
  const isMobile = size === "mobile";
  const context = await pageContext(browser, {
    viewport: sizes[size],
    colorScheme: theme,
    locale,
    timezoneId: "UTC",
    reducedMotion: reducedMotion ? "reduce" : "no-preference",
    forcedColors: forcedColors ? "active" : "none",
    ...(isMobile ? { isMobile, hasTouch: true, deviceScaleFactor: 2 } : {}),
  });
  const page = await context.newPage();
  const problems: string[] = [];
  const foreignRequests: string[] = [];
  page.on("pageerror", (error) => problems.push(error.stack ?? error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`${message.text()} ${message.location().url}`.trimEnd());
  });
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (!["data:", "blob:", "about:"].includes(protocol) && hostname !== "127.0.0.1")
      foreignRequests.push(request.url());
  });
  return { context, page, problems, foreignRequests };
}

/**
 * Creates a context whose pages can run functions of the tests. When tsx compiles such a function,
 * it adds calls of a helper, `__name`. So the context defines this helper in its pages.
 */
export async function pageContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patienceMs);
  await context.addInitScript("globalThis.__name ??= (value) => value;");
  return context;
}

/**
 * Serves an agent on a free port, and prints nothing. The sessions are in a new folder, which is
 * removed after the server has closed.
 */
export async function serve(served: Servable, options: LaunchOptions = {}): Promise<LaunchedUI> {
  const folder = await mkdtemp(join(tmpdir(), "smolts-page-"));
  const ui = await launchUI(served, { port: 0, print: null, store: fileSessions(folder), ...options });
  const close = async (): Promise<void> => {
    await ui.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...ui, close, [Symbol.asyncDispose]: close };
}

/** Sends a message as a person does. */
export async function ask(page: Page, text: string): Promise<void> {
  await page.locator(".composer textarea").fill(text);
  await page.locator(".composer .send").click();
}

/** Waits until this number of runs has ended. */
export async function untilEnded(page: Page, runs = 1): Promise<void> {
  await page
    .locator(".account")
    .nth(runs - 1)
    .waitFor();
}

/** Moves the focus to the composer with its keyboard shortcut. */
export async function pressSlash(page: Page): Promise<void> {
  await page.locator(".composer textarea").waitFor();
  await page.keyboard.press("/");
  await page.locator(".composer textarea:focus").waitFor();
}

/**
 * Presses a button of a question. First waits until the question has not moved for some time,
 * because presses before that are ignored.
 */
export async function pressWhenStill(button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded();
  await untilStill(button);
  await button.click();
}

/**
 * Waits until a question has not moved for a while, by the page's own clock. The page itself checks
 * ten times a second whether the question moves, and so does this function. So a slow page delays
 * both equally.
 */
export function untilStill(part: Locator): Promise<void> {
  return part.evaluate(
    (element) =>
      new Promise<void>((resolve) => {
        let [top, since] = [Number.NaN, 0];
        const timer = setInterval(() => {
          const now = performance.now();
          const topNow = element.closest("[data-approval]")!.getBoundingClientRect().top;
          if (topNow !== top) [top, since] = [topNow, now];
          if (now - since < 700) return;
          clearInterval(timer);
          resolve();
        }, 100);
      }),
  );
}
