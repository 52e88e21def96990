// Functions that act like a person on a chat page. They work on GradioUI's page and on ours, so
// that the same tests run on both.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Visitor, visitor } from "../../../packages/ui/test/browser/browser.ts";
import { startProgram } from "../program.ts";

type Page = Visitor["page"];
type Browser = Parameters<typeof visitor>[0];

/** The name of the agent behind a page. See `gradio-page.py` and `our-page.ts`. */
export type Scene = "code" | "team" | "calls";

/** A page that is served by a separate process. */
export interface ChatServer extends AsyncDisposable {
  readonly processId: number;
  /** Opens the page for a new visitor. */
  enter(browser: Browser): Promise<ChatPage>;
  /** Returns how many times the agent's tool was called. */
  ticks(): number;
}

/** The page in the browser of one visitor. */
export interface ChatPage {
  readonly page: Page;
  readonly context: Visitor["context"];
  ask(text: string): Promise<void>;
  /** Resolves when the text is on the page. */
  see(text: string): Promise<void>;
  /** Expands everything that is folded, and returns the whole conversation. */
  readAll(): Promise<string>;
  /** Returns the last answer, as a person sees it. */
  readAnswer(): Promise<string>;
  newChat(): Promise<void>;
  stop(): Promise<void>;
  upload(name: string, bytes: Buffer): Promise<void>;
  /** A selector for the part of the page that shows what the model is writing. */
  readonly writingSelector: string;
}

/** One kind of page: GradioUI's, or ours. */
export interface ChatKind {
  readonly name: string;
  serve(scene: Scene): Promise<ChatServer>;
  /**
   * Returns the address at which other people could reach the page if it was launched with an agent
   * and no options. Returns null if other people could not reach it.
   */
  publicAddress(): Promise<string | null>;
}

/** How long a page may take for any action, in ms. The limit is only for a page that hangs. */
const limit = { timeout: 180_000 };

/** Returns the page GradioUI of smolagents, from a Python virtual environment. */
export function gradioKind(python: string): ChatKind {
  const program = join(import.meta.dirname, "gradio-page.py");
  const launch = async (scene: Scene | "defaults") => {
    const folder = mkdtempSync(join(tmpdir(), "smolts-gradio-"));
    let port = 0;
    const running = await startProgram(
      (free) => {
        port = free;
        return ["env", `GRADIO_SERVER_PORT=${free}`, python, program, scene, folder];
      },
      "/",
      { GRADIO_ANALYTICS_ENABLED: "False", HF_HUB_OFFLINE: "1", PYTHONUNBUFFERED: "1" },
    );
    return { ...running, folder, port };
  };
  return {
    name: "GradioUI",
    async serve(scene) {
      const { url, processId, folder, [Symbol.asyncDispose]: end } = await launch(scene);
      return {
        processId,
        enter: async (browser) => enterGradio(browser, url),
        ticks: () => countOfTicks(folder),
        [Symbol.asyncDispose]: async () => {
          await end();
          rmSync(folder, { recursive: true, force: true });
        },
      };
    },
    async publicAddress() {
      await using running = await launch("defaults");
      for (let count = 0; count < 100 && !existsSync(join(running.folder, "tunnel")); count++)
        await new Promise((resolve) => setTimeout(resolve, 100));
      return existsSync(join(running.folder, "tunnel")) ? "a public tunnel" : null;
    },
  };
}

async function enterGradio(browser: Browser, url: string): Promise<ChatPage> {
  const { page, context } = await visitor(browser);
  // Cancel requests to other hosts, because the page loads a picture from another host and waits
  // for it.
  await context.route("**/*", (route) =>
    new URL(route.request().url()).hostname === "127.0.0.1" ? route.continue() : route.abort(),
  );
  await page.goto(url);
  const field = page.locator("textarea").first();
  await field.waitFor(limit);
  return {
    page,
    context,
    writingSelector: ".bot.message",
    async ask(text) {
      await field.fill(text);
      await page.locator(".submit-button").click(limit);
    },
    see: (text) => page.locator(".message", { hasText: text }).first().waitFor(limit),
    async readAll() {
      for (const title of await page.locator(".message .title, .thought-group button").all()) await title.click();
      return (await page.locator("body").textContent()) ?? "";
    },
    readAnswer: async () => (await page.locator(".message").allInnerTexts()).at(-1) ?? "",
    async newChat() {
      await page.getByRole("button", { name: "New chat" }).click(limit);
      await page
        .locator(".message")
        .first()
        .waitFor({ state: "detached", ...limit });
    },
    stop: () => page.locator(".stop-button").click(limit),
    async upload(name, buffer) {
      await page
        .locator("input[type=file]")
        .first()
        .setInputFiles({ name, mimeType: "application/octet-stream", buffer });
      await page.waitForTimeout(2_000);
    },
  };
}

/** The page of smolts, run from its sources. */
export const ourKind: ChatKind = {
  name: "smolts",
  async serve(scene) {
    const folder = mkdtempSync(join(tmpdir(), "smolts-ours-"));
    const program = fileURLToPath(new URL("./our-page.ts", import.meta.url));
    const execArgv = ["--import", "tsx", "--conditions=@smolts/source"];
    const child = fork(program, [scene, folder], { execArgv, stdio: "inherit" });
    await messageOf(child);
    return {
      processId: child.pid ?? 0,
      async enter(browser) {
        child.send("new address");
        return enterOurPage(browser, await messageOf(child));
      },
      ticks: () => countOfTicks(folder),
      [Symbol.asyncDispose]: async () => {
        const ended = once(child, "exit");
        child.kill();
        await ended;
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
  async publicAddress() {
    const { serve } = await import("../../../packages/ui/test/browser/browser.ts");
    await using ui = await serve(() => ({}) as never);
    const { hostname } = new URL(ui.url);
    return hostname === "127.0.0.1" ? null : hostname;
  },
};

async function enterOurPage(browser: Browser, url: string): Promise<ChatPage> {
  const { page, context } = await visitor(browser);
  await page.goto(url);
  const field = page.locator(".composer textarea");
  await field.waitFor(limit);
  return {
    page,
    context,
    writingSelector: ".step.live .gist",
    async ask(text) {
      await field.fill(text);
      await page.locator(".composer .send").click(limit);
    },
    see: (text) => page.locator(".rows-list", { hasText: text }).first().waitFor(limit),
    async readAll() {
      await field.blur();
      await page.keyboard.press("Shift+O");
      for (const agent of await page.locator(".agent > summary").all()) {
        await agent.click();
        await page.locator(".agent .step").first().waitFor(limit);
      }
      const folded = page.locator(".agent .step:not([open]) > summary");
      while ((await folded.count()) > 0) await folded.first().click();
      return (await page.locator(".rows-list").textContent()) ?? "";
    },
    async readAnswer() {
      // Wait for the answer itself, because its words are shown earlier, in the code.
      await page.locator(".answer .text").first().waitFor(limit);
      return (await page.locator(".answer .text").allInnerTexts()).at(-1) ?? "";
    },
    async newChat() {
      await page.getByRole("button", { name: "New session" }).click(limit);
      await page.locator(".start").waitFor(limit);
    },
    stop: () => page.locator("[data-stop]").click(limit),
    async upload(name, buffer) {
      await page.locator(".composer input[type=file]").setInputFiles({ name, mimeType: "text/plain", buffer });
      await page.locator(".uploads .chip").first().waitFor(limit);
      await page.waitForTimeout(2_000);
    },
  };
}

async function messageOf(child: ChildProcess): Promise<string> {
  const [message] = (await once(child, "message")) as [string]; // the program sends only strings
  return message;
}

const countOfTicks = (folder: string): number =>
  existsSync(join(folder, "ticks")) ? readFileSync(join(folder, "ticks"), "utf8").length : 0;
