// Runs the program in a web page whose policy allows scripts of the same origin, but no eval.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { outputOf, type Runtime, runLimitMs } from "./runtime.ts";

const command = "chromium";
/**
 * How many times the browser may be started. If the browser ends on its own, that says nothing
 * about the program, so the browser is started again.
 */
const maxStarts = 3;

/** Opens the page in a headless Chromium of this machine, and waits for its report. */
export const chromium: Runtime = {
  name: "Chromium, a page without eval",
  packages: [],
  entry: `
    const send = (body) => fetch("/seen", { method: "POST", body });
    try { eval("1"); await send("the page allows eval"); } catch { await send(JSON.stringify(await probe(programs))); }`,
  async run(program) {
    const version = outputOf([command, "--version"]);
    if (version === null) return { type: "absent", reason: `there is no command "${command}"` };
    const page = await servePage(program);
    try {
      for (let start = 1; start <= maxStarts; start++) {
        const output = await visit(page);
        if (output !== null) return { type: "ran", version: version.trim(), output };
      }
      throw new Error(`it ended ${maxStarts} times before the page sent anything`);
    } finally {
      page.close();
    }
  },
};

/** Returns the page's report, or null if the browser ended first. */
async function visit(page: Page): Promise<string | null> {
  const profile = mkdtempSync(join(tmpdir(), "smolts-chromium-"));
  const browser = openPage(page.url, profile);
  const ended = new Promise<null>((resolve) => browser.once("exit", () => resolve(null)));
  try {
    return await Promise.race([page.seen, ended]);
  } finally {
    browser.kill();
    const slow = setTimeout(() => browser.kill("SIGKILL"), endLimitMs);
    await ended;
    clearTimeout(slow);
    // Retry, because other processes of the browser may still be writing files.
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** How long a browser may take to end after it was asked to, in ms. */
const endLimitMs = 5_000;

interface Page {
  readonly url: string;
  /** Resolves with the page's report. */
  readonly seen: Promise<string>;
  close(): void;
}

async function servePage(program: string): Promise<Page> {
  const server = createServer();
  const seen = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`it sent nothing within ${runLimitMs} ms`)), runLimitMs);
    server.on("close", () => clearTimeout(timer));
    server.on("request", (request, response) => {
      response.setHeader("content-security-policy", "default-src 'none'; script-src 'self'; connect-src 'self'");
      response.setHeader("content-type", request.url === "/program.mjs" ? "text/javascript" : "text/html");
      if (request.method === "POST") text(request).then(resolve, reject);
      response.end(request.url === "/program.mjs" ? readFileSync(program) : html);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // safe cast: the server listens on a port
  return { url: `http://127.0.0.1:${port}/`, seen, close: () => void server.close() };
}

const html = '<!doctype html><meta charset="utf-8"><script type="module" src="/program.mjs"></script>';

function openPage(url: string, profile: string): ChildProcess {
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
  const own = [`--user-data-dir=${profile}`, "--remote-debugging-port=0", "--disable-sync", "--disable-quic"];
  // The flag is needed because the shared memory of a container is small.
  return spawn(command, [...flags, ...own, "--disable-dev-shm-usage", url], { stdio: "ignore" });
}
