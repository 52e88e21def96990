import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeAgent } from "@smolts/core";
import { AgentError, type Model } from "@smolts/protocol";
import { tool } from "@smolts/tools";
import { fileSessions } from "@smolts/ui/files";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { buildClient, buildElement } from "../../scripts/build-client.ts";
import { addressOf } from "./address.ts";
import { ask, noChromium, polling, serve, startBrowser, untilEnded, visitor } from "./browser.ts";
import { pacedModel, receiptsAgent } from "./example-agents.ts";
import { hostileLog } from "./hostile-log.ts";
import { longRun } from "./measure-page.ts";

const question = "Which client got the most expensive receipt?";
const lines = (events: readonly object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join("");

describe.skipIf(noChromium)(`what goes wrong, in Chromium${noChromium ? `: ${noChromium}` : ""}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser({ "rebound.example": "127.0.0.1" });
  });
  afterAll(() => browser?.close());

  test("a page of another site learns the address of the agent, and can do nothing with it", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { script } = await buildElement((await buildClient()).style);
    const site = createServer((request, response) => {
      const isScript = request.url === "/element.js";
      response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" });
      response.end(
        isScript
          ? script
          : `<link rel="icon" href="data:,"><script type="module" src="/element.js"></script><agent-ui src="${ui.url.split("#")[0]}" style="height: 600px"></agent-ui>`,
      );
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    const { page, context } = await visitor(browser);
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/#${new URL(ui.url).hash.slice(1)}`);
    await expect.poll(() => page.locator(".locked h1").innerText(), polling).toBe("This agent is on another server");
    await expect
      .poll(() => page.locator(".locked a").getAttribute("href"), polling)
      .toBe(new URL("./", ui.url.split("#")[0]).href);
    expect(await page.locator(".composer").count()).toBe(0);
    await context.close();
    site.closeAllConnections();
    site.close();
  });

  test("a foreign host name that points to this machine gets a page that says why it is refused", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { page, context } = await visitor(browser);
    const response = await page.goto(ui.url.replace("127.0.0.1", "rebound.example"));
    expect(response?.status()).toBe(403);
    await expect.poll(() => page.locator("h1").innerText(), polling).toBe("This page cannot be shown");
    await expect
      .poll(() => page.locator("body").innerText(), polling)
      .toContain('The host "rebound.example" is not a name of this server.');
    await context.close();
  });

  test("a damaged launch link says that it is not valid, and does not stop the page", async () => {
    await using ui = await serve(() => receiptsAgent());
    const guest = await visitor(browser);
    await guest.page.goto(ui.url.replace(/#.*/, "#code=%E0%A4%A"));
    await guest.page.locator(".locked h1").waitFor();
    expect(guest.problems.filter((problem) => !problem.includes("401"))).toEqual([]);
    await guest.context.close();
  });

  test("a wrong code is refused on the page, and a correct code is accepted there", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { page, context } = await visitor(browser);
    await page.goto(ui.url.replace(/#.*/, "#code=wrong"));
    await expect
      .poll(() => page.locator("[role=alert]").innerText(), polling)
      .toContain("was used before, or is older");
    await page.getByLabel("Code").fill(new URL(ui.newUrl()).hash.replace("#code=", ""));
    await page.getByRole("button", { name: "Enter" }).click();
    await page.locator(".composer").waitFor();
    await context.close();
  });

  test("a new tab says how to get a link, and takes the whole link in the field for its code", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { page, context } = await visitor(browser);
    await page.goto(ui.url.replace(/#.*/, ""));
    await expect.poll(() => page.locator(".locked").innerText(), polling).toContain("Press Enter in the terminal");
    await page.getByLabel("Code").fill(` ${ui.newUrl()} `);
    await page.getByRole("button", { name: "Enter" }).click();
    await page.locator(".composer").waitFor();
    await context.close();
  });

  test("an address that the server does not have shows a page in words", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { page, context } = await visitor(browser);
    const response = await page.goto(new URL("nowhere", ui.url).href);
    expect(response?.status()).toBe(404);
    expect(await page.locator("body").innerText()).toContain("There is nothing at this address.");
    await context.close();
  });

  test("the message that the server does not answer goes away when it answers again, and the text is kept", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { page, context } = await visitor(browser);
    await page.goto(ui.url);
    await page.locator(".composer").waitFor();
    await page.route("**/api/sessions", (route) => route.abort());
    await ask(page, question);
    await expect.poll(() => page.locator(".notice.problem").innerText(), polling).toBe("The server does not answer");
    await page.unroute("**/api/sessions");
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.locator(".notice").waitFor({ state: "detached" });
    expect(await page.locator(".composer textarea").inputValue()).toBe(question);
    await context.close();
  });

  test("an upload of a false type, of too many bytes or with a path in its name is refused with the rule or renamed", async () => {
    await using ui = await serve(
      () => new CodeAgent({ model: pacedModel(["<code>finalAnswer(Object.keys(files).join())</code>"]) }),
      {
        uploads: { accept: [".csv", "image/png"], maxBytes: 1_000 },
      },
    );
    const { page, context } = await visitor(browser);
    await page.goto(ui.url);
    const chosen = page.locator(".composer input[type=file]");
    const chip = (text: string) => page.locator(".uploads .chip", { hasText: text });
    await chosen.setInputFiles({
      name: "cat.png",
      mimeType: "image/png",
      buffer: Buffer.from("<script>alert(1)</script>"),
    });
    await expect.poll(() => chip("cat.png").innerText(), polling).toContain("is called .png, but contains text/html");
    await chosen.setInputFiles({ name: "big.csv", mimeType: "text/csv", buffer: Buffer.alloc(2_000, "a") });
    await expect.poll(() => chip("big.csv").innerText(), polling).toContain("too large");
    await chosen.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("a") });
    await expect.poll(() => chip("notes.txt").innerText(), polling).toContain("expected .csv, image/png");
    await page.evaluate(() => {
      const field = document.querySelector("agent-ui")!.shadowRoot!.querySelector(".composer textarea")!;
      const data = new DataTransfer();
      data.items.add(new File(["a,b"], "..\\..\\passwd\u202e.csv", { type: "text/csv" }));
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await expect.poll(() => page.locator(".uploads .chip").nth(3).innerText(), polling).toContain("3");
    await ask(page, "What are they called?");
    await untilEnded(page);
    await expect.poll(() => page.locator(".answer .text").innerText(), polling).toBe("passwd.csv");
    await context.close();
  });

  test.each([
    [
      "newer.jsonl",
      () =>
        `${lines(longRun(2))}${JSON.stringify({ type: "time-travel", runId: "long", path: ["agent"], seq: 99, time: 1 })}`,
      ".banner strong",
      "newer version: 1 event is not shown",
    ],
    ["damaged.jsonl", () => `${lines(longRun(2))}{"type":`, ".banner strong", "1 line could not be read"],
    ["empty.jsonl", () => "", "[role=alert]", "empty.jsonl is empty"],
    ["letter.jsonl", () => "Dear agent", "[role=alert]", "letter.jsonl is not a run file"],
    ["deep.jsonl", () => "[".repeat(300_000), "[role=alert]", "deep.jsonl is not a run file"],
    ["cycle.jsonl", () => cyclic(), ".answer", "{"],
    ["markup.jsonl", () => lines(hostileLog(["<img src=x onerror=\"document.title='hit'\">"])), ".task", "<img src=x"],
  ])("the run file %s has its own message", async (name, text, selector, words) => {
    await using ui = await serve(() => receiptsAgent());
    const { page, context, problems, foreignRequests } = await visitor(browser);
    await page.goto(ui.url);
    await page.locator(".composer").waitFor();
    await page
      .locator(".start input[type=file]")
      .setInputFiles({ name, mimeType: "application/x-ndjson", buffer: Buffer.from(text()) });
    await expect.poll(() => page.locator(selector).first().innerText(), polling).toContain(words);
    expect(await page.title()).not.toBe("hit");
    expect([problems, foreignRequests]).toEqual([[], []]);
    await context.close();
  });

  test("a run file of 200 MB is opened or refused with a message, and the page still works", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { page, context, problems } = await visitor(browser);
    await page.goto(ui.url);
    await page.locator(".composer").waitFor();
    const [first = "", ...rest] = lines(longRun(200)).split("\n");
    // The page creates the file itself, because Playwright transfers at most 50 MB.
    await page.evaluate(
      ([start, body]) => {
        const parts = [`${start}\n`];
        for (let size = 0; size < 200_000_000; size += body!.length) parts.push(body!);
        const data = new DataTransfer();
        data.items.add(new File(parts, "huge.jsonl"));
        const field = document
          .querySelector("agent-ui")!
          .shadowRoot!.querySelector<HTMLInputElement>(".start input[type=file]")!;
        field.files = data.files;
        field.dispatchEvent(new Event("change", { bubbles: true }));
      },
      [first, `${rest.join("\n")}\n`],
    );
    await expect
      .poll(() => page.locator("[role=alert]").innerText(), polling)
      .toContain("huge.jsonl is too large for a page");
    await ask(page, question);
    await untilEnded(page);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("the server stops in the middle of a run: the page says so, keeps its content, and continues when the server is back", async () => {
    const folder = await mkdtemp(join(tmpdir(), "smolts-bad-input-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await using before = await serve(() => receiptsAgent({ holdAt: "ORDER BY" }), { store: fileSessions(folder) });
    await using address = await addressOf(before);
    const { page, context } = await visitor(browser);
    // Drop the page's second attempt to reconnect, so that only a person can reconnect.
    await page.addInitScript(() => {
      const { setTimeout } = globalThis;
      const withoutRetry = (run: () => void, delayMs?: number): unknown =>
        delayMs === 1_000 ? Object.assign(globalThis, { __isPutOff: true }) : setTimeout(run, delayMs);
      // Nothing else in the page uses a one-second timeout, so only that attempt to reconnect is
      // dropped.
      globalThis.setTimeout = withoutRetry as typeof setTimeout;
    });
    await page.goto(address.of(before.url));
    await ask(page, question);
    await page.locator(".step").nth(1).waitFor();
    await before.close();
    await expect.poll(() => page.locator(".status.fault .what").innerText(), polling).toContain("Connection lost");
    expect(await page.locator(".step").count()).toBeGreaterThan(1);
    await page.locator(".composer textarea").fill("Are you there?");
    expect(await page.locator(".composer .send").isDisabled()).toBe(true);
    expect(await page.locator(".composer .send").getAttribute("title")).toBe("The server does not answer");
    await expect.poll(() => page.locator(".composer textarea").inputValue(), polling).toBe("Are you there?");
    await page.waitForFunction(() => "__isPutOff" in globalThis);
    await using after = await serve(() => receiptsAgent(), { store: fileSessions(folder) });
    address.moveTo(after);
    await page.getByRole("button", { name: "Try now" }).click();
    await page.locator(".status.person", { hasText: "Interrupted" }).waitFor();
    // Steps that were cut off are not shown as active.
    await expect.poll(() => page.locator(".step.live, .code .cursor").count(), polling).toBe(0);
    await page.getByRole("button", { name: /Continue from step/ }).click();
    await untilEnded(page);
    await expect.poll(() => page.locator(".answer .text").innerText(), polling).toBe("Woodrow Wilson");
    await context.close();
  });

  test("a model that refuses ends the run with its message and what to do", async () => {
    const model: Model = {
      id: "groq/llama",
      // biome-ignore lint/correctness/useYield: it fails before its first word
      async *stream() {
        throw new AgentError("generation", "groq/llama refused the request: status 401", {
          hint: "set GROQ_API_KEY to a valid key",
        });
      },
    };
    await using ui = await serve(() => new CodeAgent({ model }));
    const { page, context } = await visitor(browser);
    await page.goto(ui.url);
    await ask(page, question);
    await expect.poll(() => page.locator(".ending").innerText(), polling).toContain("status 401");
    await expect.poll(() => page.locator(".ending").innerText(), polling).toContain("set GROQ_API_KEY to a valid key");
    await context.close();
  });

  test("a factory throws: the page says why, keeps the message, and starts once the factory works", async () => {
    let isBroken = true;
    await using ui = await serve(() => {
      if (isBroken) throw new AgentError("invalid-option", "there is no key for the model", { hint: "set HF_TOKEN" });
      return receiptsAgent();
    });
    const { page, context } = await visitor(browser);
    await page.goto(ui.url);
    await ask(page, question);
    await expect.poll(() => page.locator(".status.fault").innerText(), polling).toContain("The run could not start");
    await expect
      .poll(() => page.locator(".status.fault").innerText(), polling)
      .toContain("There is no key for the model. Set HF_TOKEN");
    expect(await page.locator(".notice").count()).toBe(0);
    await expect.poll(() => page.locator(".composer textarea").inputValue(), polling).toBe(question);
    isBroken = false;
    await page.locator(".composer .send").click();
    await untilEnded(page);
    await context.close();
  });

  test("ten tabs with one session show the same run, and each of them can stop it", async () => {
    const hang = tool({
      name: "hang",
      description: "Waits until it is stopped.",
      input: {},
      output: "string",
      effects: "none",
      execute: (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped"))),
    });
    const model = pacedModel(["I wait.\n<code>\nprint(await hang({}));\n</code>"]);
    await using ui = await serve(() => new CodeAgent({ model, tools: [hang] }));
    const { page, context, problems } = await visitor(browser);
    await page.goto(ui.url);
    await page.locator(".composer").waitFor();
    // Imitates a tab that the browser duplicated. Such a tab has a copy of the first tab's key.
    const kept = await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
    await context.addInitScript((entries) => {
      for (const [name, value] of JSON.parse(entries) as [string, string][]) sessionStorage.setItem(name, value);
    }, kept);
    await ask(page, "Wait.");
    await page.locator(".step").first().waitFor();
    const others: Page[] = [];
    while (others.length < 9) {
      const other = await context.newPage();
      others.push(other);
      await other.goto(ui.url.split("#")[0]!);
      const menu = other.locator(".session").first();
      await menu.waitFor();
      await menu.click();
      await other.locator(".step").first().waitFor();
    }
    await others[8]!.locator("[data-stop]").click();
    for (const tab of [page, ...others]) {
      await tab.bringToFront();
      await tab.locator(".ending").waitFor();
    }
    const texts = await Promise.all([page, ...others].map((tab) => tab.locator(".step").count()));
    expect(new Set(texts).size).toBe(1);
    expect(problems).toEqual([]);
    await context.close();
  });
});

/** Returns a run whose calls and agents refer to each other in a cycle. */
function cyclic(): string {
  const events = longRun(1) as unknown as Record<string, unknown>[];
  const at = { runId: "long", path: ["agent"], time: 1_795_000_000_500 };
  const callId = "agent/1.1";
  const loop = {
    type: "run-start",
    definitionDigest: "",
    model: "m",
    task: [{ type: "text", text: "again" }],
    systemPrompt: "",
    variables: {},
    maxSteps: 1,
    seed: "",
    lineage: "",
    parentCallId: callId,
  };
  const ring = { $: "shared", id: 1, value: { self: { $: "ref", id: 1 } } };
  const inserted = [
    { ...loop, ...at, path: ["agent", "agent"] },
    {
      type: "tool-call",
      stepNumber: 1,
      callId,
      callIndex: 1,
      name: "agent",
      args: [ring],
      ...at,
      path: ["agent", "agent"],
    },
    { ...loop, ...at, path: ["agent", "agent"] },
  ];
  const end = { ...events.at(-1), answer: ring };
  return lines([...events.slice(0, -1), ...inserted, end].map((event, index) => ({ ...event, seq: index + 1 })));
}
