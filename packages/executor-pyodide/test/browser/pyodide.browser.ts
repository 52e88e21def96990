// Python in a page of Debian's Chromium, with and without isolation from other origins.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, type Page as BrowserPage, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page, Patience } from "./page.ts";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
/** The reason why these tests cannot run here; null if they can. */
const noChromium: string | null = existsSync(executablePath) ? null : `: no Chromium at ${executablePath}`;
/** How long a test waits for the browser, in ms. Only a browser that hangs reaches this limit. */
const patienceMs = 300_000;
const folder = import.meta.dirname;
const pyodideFolder = fileURLToPath(new URL("../../node_modules/pyodide/", import.meta.url));

const mediaTypes: { readonly [ending: string]: string } = {
  js: "text/javascript",
  mjs: "text/javascript",
  wasm: "application/wasm",
  json: "application/json",
  zip: "application/zip",
};

const isolation = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

async function bundled(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    conditions: ["@smolts/source"],
    external: ["node:*"],
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

/**
 * Serves the page at `/isolated/` with the two headers that isolate it, and at `/` without them.
 * Both use the same scripts.
 */
async function servePage(): Promise<Server> {
  const scripts: { readonly [path: string]: string } = {
    "/page.js": await bundled(join(folder, "page.ts")),
    "/guest.js": await bundled(join(folder, "../../src/guest.web.ts")),
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    const send = (mediaType: string, body: string | Buffer): void => {
      // The script of a worker in an isolated page needs these headers, too. On other pages they
      // have no effect.
      const policy = pathname === "/" ? {} : isolation;
      response.writeHead(200, { "content-type": mediaType, ...policy }).end(body);
    };
    if (pathname === "/" || pathname === "/isolated/") {
      return send("text/html", '<!doctype html><title>Python</title><script type="module" src="/page.js"></script>');
    }
    const script = scripts[pathname];
    if (script !== undefined) return send("text/javascript", script);
    const file = /^\/pyodide\/([\w.-]+)$/.exec(pathname)?.[1];
    const bytes = file ? await readFile(join(pyodideFolder, file)).catch(() => null) : null;
    if (bytes) return send(mediaTypes[file?.split(".").at(-1) ?? ""] ?? "application/octet-stream", bytes);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

describe.skipIf(noChromium !== null)(`Python in a page${noChromium ?? ""}`, () => {
  let server: Server;
  let browser: Browser;

  beforeAll(async () => {
    server = await servePage();
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"], timeout: patienceMs });
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  async function visit(path: string): Promise<BrowserPage> {
    const visited = await browser.newPage();
    visited.setDefaultTimeout(patienceMs);
    const { port } = server.address() as AddressInfo;
    await visited.goto(`http://127.0.0.1:${port}${path}`);
    await visited.waitForFunction(() => "smolts" in globalThis);
    return visited;
  }

  const run = (visited: BrowserPage, code: string, patience?: Patience): ReturnType<Page["run"]> =>
    visited.evaluate(([text, name]) => (globalThis as unknown as { smolts: Page }).smolts.run(text, name), [
      code,
      patience,
    ] as const);

  describe.each([
    ["with shared memory", "/isolated/", true],
    ["without shared memory", "/", false],
  ])("%s", (_how, path, isIsolated) => {
    let visited: BrowserPage;

    beforeAll(async () => {
      visited = await visit(path);
      // The first block waits until Python has loaded.
      await run(visited, "kept = 41");
    });

    afterAll(async () => visited?.close());

    const value = async (code: string): Promise<unknown> => {
      const { result } = await run(visited, code);
      return result.type === "value" ? result.output?.value : result;
    };

    test("blocks share variables, print, and fail with the line", async () => {
      expect(await visited.evaluate(() => globalThis.crossOriginIsolated)).toBe(isIsolated);
      expect(await run(visited, "print('one')\nkept + 1")).toMatchObject({
        result: { type: "value", output: { value: 42 } },
        prints: ["one"],
      });
      const { result } = await run(visited, "a = 1\na / 0");
      expect(result).toMatchObject({ type: "error", error: { name: "ZeroDivisionError" } });
    });

    test("calls with .aio are awaited and gathered", async () => {
      const gathered = "import asyncio\nsum(await asyncio.gather(*[echo.aio(n) for n in range(200)]))";
      expect(await value(gathered)).toBe(19_900);
      expect(await value('len(await echo.aio("x" * 1_000_000))')).toBe(1_000_000);
    });

    test(isIsolated ? "plain calls wait" : "plain calls are errors that say to write .aio", async () => {
      const { result, calls } = await run(visited, "echo(20) + 1");
      if (isIsolated) return expect([result, calls]).toMatchObject([{ output: { value: 21 } }, 1]);
      expect(result).toMatchObject({ error: { message: expect.stringContaining("write await echo.aio(...)") } });
      expect(calls).toBe(0);
    });

    test("an answer ends the block", async () => {
      const { result, prints } = await run(visited, "final_answer(kept)\nprint('never')");
      expect([result, prints]).toMatchObject([{ type: "final-answer", args: [41] }, []]);
    });

    test("the program cannot reach the page", async () => {
      for (const name of ["js", "pyodide_js"]) {
        expect((await run(visited, `import ${name}`)).result).toMatchObject({ type: "error" });
      }
      const network = "import urllib.request\nurllib.request.urlopen('http://127.0.0.1/')";
      expect((await run(visited, network)).result).toMatchObject({ type: "error" });
    });

    test("an endless block is stopped, and the next one runs", async () => {
      await run(visited, "kept = 41", "hasty");
      const { result } = await run(visited, "while True: pass", "hasty");
      expect(result).toMatchObject({ type: "stopped", reason: "guest-time" });
      // Without shared memory, the block can be stopped only by ending the worker, which loses its
      // variables.
      const after = await run(visited, "'kept' in globals()", "hasty");
      expect(after.result).toMatchObject({ type: "value", output: { value: isIsolated } });
    });

    test("an agent can use it, with its tools in the page", async () => {
      const plain = "<code>\nx = add_numbers(a=2, b=3)\n</code>";
      const awaited = "<code>\nx = await add_numbers.aio(a=2, b=3)\n</code>";
      const replies = [isIsolated ? plain : awaited, "<code>\nfinal_answer(x * 2)\n</code>"];
      const answer = visited.evaluate(
        (given) => (globalThis as unknown as { smolts: Page }).smolts.runAgent(given),
        replies,
      );
      expect(await answer).toBe(10);
    });
  });
});
