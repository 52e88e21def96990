import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { audio, CodeAgent, image } from "@smolts/core";
import { textOf } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { fileSessions } from "@smolts/ui/files";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { addressOf } from "./address.ts";
import {
  ask,
  noChromium,
  polling,
  pressSlash,
  pressWhenStill,
  serve,
  startBrowser,
  untilEnded,
  visitor,
} from "./browser.ts";
import { receiptsAgent, sentMails } from "./example-agents.ts";

const question = "Which client got the most expensive receipt?";
const mail = "Send Woodrow Wilson a copy of his receipt.";

/** Creates a tool that waits until the test releases it, or until the call is aborted. */
function gate() {
  let resolve: (value: string) => void = () => {};
  const promise = new Promise<string>((done) => {
    resolve = done;
  });
  const hold = tool({
    name: "hold",
    description: "Waits.",
    input: {},
    output: "string",
    effects: "none",
    execute: (_, { signal }) => {
      signal.addEventListener("abort", () => resolve("stopped"));
      return promise;
    },
  });
  return { hold, open: () => resolve("open") };
}

/** An image of one pixel, and a sound of a tenth of a second of silence. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const silence = (): Buffer => {
  const wav = Buffer.alloc(44 + 800, 0x80);
  wav.write("RIFF", 0);
  wav.writeUInt32LE(36 + 800, 4);
  wav.write("WAVEfmt ", 8);
  for (const [at, value] of [
    [16, 16],
    [24, 8_000],
    [28, 8_000],
    [40, 800],
  ] as const)
    wav.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    wav.writeUInt16LE(value, at);
  wav.write("data", 36);
  return wav;
};

describe.skipIf(noChromium)(`visits in Chromium${noChromium ? `: ${noChromium}` : ""}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  test("a message to a working agent reaches it before its next step, and is in the run", async () => {
    const { hold, open } = gate();
    const model = scriptedModel([
      "I wait.\n<code>\nprint(await hold({}));\n</code>",
      ({ messages }) => {
        const heard = messages.map(textOf).join(" ").includes("In French, please");
        return `<code>\nfinalAnswer("${heard ? "oui, $5 and $10" : "nothing was heard"}");\n</code>`;
      },
    ]);
    await using ui = await serve(() => new CodeAgent({ model, tools: [hold] }));
    const { page, context, problems } = await visitor(browser);
    await page.goto(ui.url);
    await ask(page, "Say yes.");
    await page.locator(".status .what", { hasText: "hold" }).waitFor();
    // Wait for the response, which says that the run has received the message. An empty composer
    // does not show this, because it is cleared as soon as the message is sent.
    const taken = page.waitForResponse(/\/say$/);
    await ask(page, "In French, please");
    expect((await taken).ok()).toBe(true);
    await expect.poll(() => page.locator(".composer textarea").inputValue(), polling).toBe("");
    open();
    await untilEnded(page);
    await expect.poll(() => page.locator(".answer .text").innerText(), polling).toBe("oui, $5 and $10");
    await expect.poll(() => page.locator(".rows-list").innerText(), polling).toContain("In French, please");
    expect(problems).toEqual([]);
    await context.close();
  });

  test("an uploaded image is shown and sent to the model; code can read a text; an answer can be an image and a result a sound", async () => {
    let seenImages = 0;
    const speak = tool({
      name: "speak",
      description: "Says something.",
      input: {},
      output: "any",
      effects: "none",
      execute: () => audio(new Uint8Array(silence())),
    });
    const draw = tool({
      name: "draw",
      description: "Draws a point.",
      input: {},
      output: "any",
      effects: "none",
      execute: () => image(new Uint8Array(pixel)),
    });
    const model = scriptedModel([
      ({ messages }) => {
        seenImages = messages.flatMap(({ content }) => content).filter(({ type }) => type === "image").length;
        return "I listen.\n<code>\nprint(files['rows.csv'].trim().split('\\n').length);\nconst sound = await speak({});\n</code>";
      },
      "I draw.\n<code>\nfinalAnswer(await draw({}));\n</code>",
    ]);
    await using ui = await serve(() => new CodeAgent({ model, tools: [speak, draw] }), {
      uploads: { accept: [".csv", "image/*"] },
    });
    const { page, context, problems, foreignRequests } = await visitor(browser);
    await page.goto(ui.url);
    await page.locator(".composer").waitFor();
    await page.locator(".composer input[type=file]").setInputFiles([
      { name: "point.png", mimeType: "image/png", buffer: pixel },
      { name: "rows.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n1,2\n3,4\n") },
    ]);
    await expect.poll(() => page.locator(".uploads .chip").count(), polling).toBe(2);
    await expect.poll(() => page.locator(".composer .send").isEnabled(), polling).toBe(true);
    await ask(page, "What is in them?");
    await untilEnded(page);
    expect(seenImages).toBe(1);
    await expect
      .poll(() => page.locator(".task img").evaluate((img) => (img as HTMLImageElement).naturalWidth), polling)
      .toBe(1);
    await expect
      .poll(() => page.locator(".answer img").evaluate((img) => (img as HTMLImageElement).naturalWidth), polling)
      .toBe(1);
    await page.locator(".composer textarea").blur();
    await page.keyboard.press("Shift+O");
    await expect.poll(() => page.locator(".step .cell").first().innerText(), polling).toContain("3");
    await expect
      .poll(
        () =>
          page
            .locator(".step audio")
            .first()
            .evaluate((sound) => (sound as HTMLAudioElement).duration),
        polling,
      )
      .toBeCloseTo(0.1);
    expect([problems, foreignRequests]).toEqual([[], []]);
    await context.close();
  });

  test("a step's code is changed, and the run is continued from there in a new session", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { page, context, problems } = await visitor(browser);
    await page.goto(ui.url);
    await ask(page, question);
    await untilEnded(page);
    await page.locator(".step > summary").nth(2).click();
    await page.locator(".step").nth(2).getByRole("button", { name: "Edit this code and continue from here" }).click();
    const code = page.getByLabel("The code of the step");
    await expect.poll(() => code.inputValue(), polling).toContain("row.price > highest.price");
    await code.fill((await code.inputValue()).replace("row.price > highest.price", "row.price < highest.price"));
    await page.getByRole("button", { name: "Continue from step 3" }).click();
    await expect.poll(() => page.locator(".session").count(), polling).toBe(2);
    await untilEnded(page);
    await expect.poll(() => page.locator(".answer .text").innerText(), polling).toBe("Alan Payne");
    await expect.poll(() => page.locator(".step").count(), polling).toBe(3);
    await page.locator(".session").nth(1).click();
    await expect.poll(() => page.locator(".answer .text").innerText(), polling).toBe("Woodrow Wilson");
    expect(problems).toEqual([]);
    await context.close();
  });

  test("a call that waits for approval survives a restart of the server, and is made once", async () => {
    const folder = await mkdtemp(join(tmpdir(), "smolts-visits-"));
    // Remove the folder after the server is closed. Until then, the server may write files.
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await using before = await serve(() => receiptsAgent(), { store: fileSessions(folder) });
    await using address = await addressOf(before);
    const { page, context } = await visitor(browser);
    await page.goto(address.of(before.url));
    await ask(page, mail);
    await page.locator("[data-approval]").waitFor();
    await before.close();
    const sent = sentMails.length;
    await using after = await serve(() => receiptsAgent(), { store: fileSessions(folder) });
    address.moveTo(after);
    await page.goto(address.of(after.url).split("#")[0]!);
    const card = page.locator("[data-approval]");
    await card.waitFor();
    await card.getByText("Replace with o").click();
    await pressWhenStill(card.locator("[data-approve]"));
    await untilEnded(page);
    expect(sentMails.length).toBe(sent + 1);
    await expect.poll(() => page.locator(".answer .text").innerText(), polling).toContain("is on its way");
    await context.close();
  });

  test("by keyboard alone: Escape leads to Stop and stops, and the next message continues from there", async () => {
    const { hold } = gate();
    const model = scriptedModel([
      "I wait.\n<code>\nconst kept = 41;\nprint(await hold({}));\n</code>",
      "<code>\nfinalAnswer(kept + 1);\n</code>",
    ]);
    await using ui = await serve(() => new CodeAgent({ model, tools: [hold] }));
    const { page, context } = await visitor(browser);
    await page.goto(ui.url);
    await page.locator(".composer").waitFor();
    await pressSlash(page);
    await page.keyboard.type("Wait.");
    await page.keyboard.press("Enter");
    await page.locator(".status .what", { hasText: "hold" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("[data-stop]:focus").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".ending").waitFor();
    await page.keyboard.press("/");
    await page.locator(".composer textarea:focus").waitFor();
    await page.keyboard.type("And now?");
    await page.keyboard.press("Enter");
    await untilEnded(page, 2);
    await expect.poll(() => page.locator(".answer .text").innerText(), polling).toBe("42");
    await context.close();
  });

  test("at 390 x 844, by touch: ask, open a step, find the session again", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { page, context, problems } = await visitor(browser, { size: "mobile" });
    await page.goto(ui.url);
    await page.locator(".composer textarea").fill(question);
    await page.locator(".composer .send").tap();
    await untilEnded(page);
    await page.locator(".step > summary").nth(1).tap();
    await page.locator(".step").nth(1).locator(".trouble").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.getByRole("button", { name: "Sessions", exact: true }).tap();
    await page
      .getByRole("button", { name: /New session/ })
      .first()
      .tap();
    await page.locator(".start").waitFor();
    await page.getByRole("button", { name: "Sessions", exact: true }).tap();
    await page.locator(".session").first().tap();
    await untilEnded(page);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("a printed run is dark on white in every theme, has its whole length, and has no panels and buttons", async () => {
    await using ui = await serve(() => receiptsAgent());
    const guest = await visitor(browser, { theme: "dark" });
    const { page } = guest;
    await page.goto(ui.url);
    await ask(page, question);
    await untilEnded(page);
    await page.locator(".composer textarea").blur();
    await page.keyboard.press("Shift+O");
    await page.locator(".step .code").nth(2).waitFor();
    for (const theme of ["system", "dark"]) {
      await page.locator("agent-ui").evaluate((element, value) => {
        if (value === "dark") element.dataset["theme"] = value;
      }, theme);
      await page.emulateMedia({ media: "print" });
      expect(await page.locator(".frame").evaluate((frame) => getComputedStyle(frame).backgroundColor)).toBe(
        "rgb(255, 255, 255)",
      );
      expect(
        await page
          .locator(".scroll")
          .evaluate((box) => [box.clientHeight > innerHeight, box.scrollHeight - box.clientHeight]),
      ).toEqual([true, 0]);
      expect(await page.locator(".rail, .dock, .header, .icon-button").filter({ visible: true }).count()).toBe(0);
      await page.emulateMedia({ media: "screen" });
    }
    expect(guest.problems).toEqual([]);
    await guest.context.close();
  });

  test.each([
    ["with", true],
    ["without", false],
  ])("code and answers are copied %s the browser's clipboard API, and the focus stays", async (_, hasApi) => {
    await using ui = await serve(() => receiptsAgent());
    const guest = await visitor(browser);
    const { page, context } = guest;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.addInitScript((isKept) => {
      Object.assign(globalThis, { __clipboard: navigator.clipboard });
      if (!isKept) Object.defineProperty(navigator, "clipboard", { value: undefined });
    }, hasApi);
    const copied = (): Promise<string> =>
      page.evaluate(() => (globalThis as unknown as { __clipboard: Clipboard }).__clipboard.readText());
    await page.goto(ui.url);
    await ask(page, question);
    await untilEnded(page);
    await page.locator(".step > summary").nth(1).click();
    const button = page.getByRole("button", { name: "Copy code" });
    await button.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".notice").innerText(), polling).toBe("Copied");
    expect(await copied()).toContain("ORDER BY total DESC");
    expect(await button.evaluate((element) => element.matches(":focus"))).toBe(true);
    await page.locator(".account").getByRole("button", { name: "Copy" }).click();
    await expect.poll(copied, polling).toBe("Woodrow Wilson");
    expect(guest.problems).toEqual([]);
    await context.close();
  });

  test("a session is deleted only by a second press, by mouse and by keyboard", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { page, context, problems } = await visitor(browser);
    await page.goto(ui.url);
    await ask(page, question);
    await untilEnded(page);
    await page.locator(".composer textarea").blur();
    await page.keyboard.press("n");
    await page.locator(".start").waitFor();
    await ask(page, `${question} Again.`);
    await untilEnded(page);
    const sessions = page.locator(".session");
    await expect.poll(() => sessions.count(), polling).toBe(2);
    await sessions.first().hover();
    await page.getByRole("button", { name: `Delete ${question} Again.` }).click();
    await page.getByRole("button", { name: `Delete? ${question} Again.` }).waitFor();
    await page.locator(".composer").hover();
    await page.getByRole("button", { name: `Delete ${question} Again.` }).waitFor();
    expect(await sessions.count()).toBe(2);
    await sessions.first().focus();
    await page.keyboard.press("Delete");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: `Delete? ${question} Again.` }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => sessions.allInnerTexts(), polling).toEqual([expect.not.stringContaining("Again")]);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("a session is deleted by a second touch", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { page, context } = await visitor(browser, { size: "mobile" });
    await page.goto(ui.url);
    await ask(page, question);
    await untilEnded(page);
    await page.getByRole("button", { name: "Sessions", exact: true }).tap();
    await page.getByRole("button", { name: `Delete ${question}` }).tap();
    await page.getByRole("button", { name: `Delete? ${question}` }).tap();
    await page.locator(".session").waitFor({ state: "detached" });
    await context.close();
  });

  test("a language that the reader chooses is loaded at once, and remembered", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { page, context, problems } = await visitor(browser);
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto(ui.url);
    await page.locator(".composer").waitFor();
    expect(loaded.filter((path) => path.includes("german"))).toEqual([]);
    await page.locator(".rail .foot button").last().click();
    await page.locator("#language").selectOption("de");
    await page.locator(".frame[lang=de]").waitFor();
    await page.reload();
    await page.locator(".frame[lang=de]").waitFor();
    await expect.poll(() => page.getByRole("button", { name: /Neue Sitzung/ }).count(), polling).toBeGreaterThan(0);
    expect(problems).toEqual([]);
    await context.close();
  });
});
