import { readFile } from "node:fs/promises";
import { CodeAgent } from "@smolts/core";
import type { Model } from "@smolts/protocol";
import { tool } from "@smolts/tools";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ask,
  noChromium,
  polling,
  pressSlash,
  pressWhenStill,
  serve,
  startBrowser,
  untilEnded,
  untilStill,
  type Visitor,
  visitor,
} from "./browser.ts";
import { pacedModel, receiptsAgent, sentMails, teamAgent } from "./example-agents.ts";

const question = "Which client got the most expensive receipt?";
const mail = "Send Woodrow Wilson a copy of his receipt.";

/**
 * Returns the `forced-color-adjust` of the main button: `auto` if the browser changes its colours
 * in high contrast.
 */
function forcedColorAdjustOfButton(element: Element): string {
  const button = document.createElement("button");
  button.className = "button primary";
  element.shadowRoot!.append(button);
  const { forcedColorAdjust } = getComputedStyle(button);
  button.remove();
  return forcedColorAdjust;
}

/**
 * Starts to record what a screen reader would announce. Call the result to get the announcements.
 */
async function announcements(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const told: string[] = [];
    Object.assign(globalThis, { __told: told });
    const status = document.querySelector("agent-ui")!.shadowRoot!.querySelector(".app > [role=status]")!;
    const listen = (): void => {
      const text = status.textContent ?? "";
      if (text !== "" && told.at(-1) !== text) told.push(text);
    };
    new MutationObserver(listen).observe(status, { childList: true, characterData: true, subtree: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { __told: string[] }).__told);
}

describe.skipIf(noChromium)(`the page in Chromium${noChromium ? `: ${noChromium}` : ""}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  const expectClean = ({ problems, foreignRequests }: Visitor): void => {
    expect(problems).toEqual([]);
    expect(foreignRequests).toEqual([]);
  };

  test("by mouse: an example is sent, steps open and close, a call is changed and approved, the run is saved and replayed", async () => {
    await using ui = await serve(() => receiptsAgent(), { examples: [question] });
    const guest = await visitor(browser);
    const { page } = guest;
    await page.goto(ui.url);
    expect(page.url()).not.toContain("code=");
    await page.locator(".examples button").click();
    await untilEnded(page);
    await expect.poll(() => page.locator(".answer .text").first().innerText(), polling).toBe("Woodrow Wilson");
    await expect
      .poll(() => page.locator(".answer .source").first().innerText(), polling)
      .toContain("mostExpensive.customer_name");
    const second = page.locator(".step").nth(1);
    await expect.poll(() => second.locator("> summary .why").innerText(), polling).toBe("no such column: total");
    await second.locator("> summary").click();
    await expect.poll(() => second.locator(".code .line.fault").innerText(), polling).toContain("await sqlEngine");
    await second.locator("> summary").click();
    await expect.poll(() => second.locator(".cell").count(), polling).toBe(0);

    await ask(page, mail);
    const card = page.locator("[data-approval]");
    await card.waitFor();
    const before = sentMails.length;
    await expect
      .poll(() => card.locator('[data-field="to"]').inputValue(), polling)
      .toBe("woodrow@wils<U+043E>n.example");
    await expect.poll(() => card.locator(".always input").isDisabled(), polling).toBe(true);
    await pressWhenStill(card.locator("[data-approve]"));
    await expect.poll(() => card.locator("[data-approve]").innerText(), polling).toContain("Approve anyway");
    await card.getByText("Replace with o").click();
    await expect.poll(() => card.locator("[data-approve]").innerText(), polling).toContain("Approve with changes");
    await pressWhenStill(card.locator("[data-approve]"));
    await untilEnded(page, 2);
    expect(sentMails.slice(before)).toEqual([
      { to: "woodrow@wilson.example", subject: "Your receipt no. 3", body: "You paid $53.43 and tipped $5.43." },
    ]);
    await expect
      .poll(() => page.locator(".answer .text").nth(1).innerText(), polling)
      .toContain("is on its way to woodrow@wilson.example");

    await page.getByRole("button", { name: "Inspector" }).click();
    await expect.poll(() => page.locator(".panel .lane").count(), polling).toBeGreaterThan(3);
    await page.locator("[data-tab=variables]").click();
    await expect.poll(() => page.locator(".variable .name").allInnerTexts(), polling).toContain("receipt");
    await page.locator("[data-tab=memory]").click();
    await expect.poll(() => page.locator(".message").count(), polling).toBeGreaterThan(3);
    await page.locator("[data-tab=log]").click();
    await page.locator(".log button").first().click();
    await expect.poll(() => page.locator(".log pre").innerText(), polling).toContain('"run-start"');

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator(".account [aria-label='Save run']").first().click(),
    ]);
    const file = await readFile(await download.path(), "utf8");
    await page.locator("input[type=file][accept*=jsonl]").count();
    await page.getByRole("button", { name: /New session/ }).click();
    await page
      .locator("input[type=file][accept*=jsonl]")
      .setInputFiles({ name: "saved.jsonl", mimeType: "application/x-ndjson", buffer: Buffer.from(file) });
    await page.locator(".scrubber").waitFor();
    await expect.poll(() => page.locator(".header h1").innerText(), polling).toBe("saved.jsonl");
    await expect.poll(() => page.locator(".answer").count(), polling).toBe(2);
    await expect.poll(() => page.locator("[data-approve], [data-stop], .composer").count(), polling).toBe(0);
    await page.getByRole("button", { name: "Step back" }).click();
    await page.getByRole("button", { name: "Step back" }).click();
    await expect.poll(() => page.locator(".answer").count(), polling).toBe(1);
    expectClean(guest);
    await guest.context.close();
  });

  test("an example is a button with an arrow that is visible before the pointer is on it", async () => {
    await using ui = await serve(() => receiptsAgent(), { examples: [question, mail] });
    const guest = await visitor(browser);
    const { page } = guest;
    await page.goto(ui.url);
    const example = page.locator(".examples").getByRole("button", { name: question });
    await example.waitFor();
    const { arrow, edge, cursor } = await example.evaluate((button) => ({
      arrow: getComputedStyle(button.querySelector("svg")!).opacity,
      edge: getComputedStyle(button).borderTopWidth,
      cursor: getComputedStyle(button).cursor,
    }));
    expect({ arrow, edge, cursor }).toEqual({ arrow: "1", edge: "1px", cursor: "pointer" });
    const atRest = await example.evaluate((button) => getComputedStyle(button).backgroundColor);
    await example.hover();
    await expect
      .poll(() => example.evaluate((button) => getComputedStyle(button).backgroundColor), polling)
      .not.toBe(atRest);
    expectClean(guest);
    await guest.context.close();
  });

  test("a long title and long words stay inside their places, and a start page that is higher than the view begins at its top", async () => {
    const word = "supercalifragilistic".repeat(40);
    await using ui = await serve(() => receiptsAgent(), {
      title: `The receipts ${"of the evening ".repeat(30)}`,
      description: `${"Long. ".repeat(300)}`,
      examples: [word, question],
    });
    const guest = await visitor(browser);
    const { page } = guest;
    await page.goto(ui.url);
    const example = page.locator(".examples button").first();
    await example.waitFor();
    expect(
      await page.locator(".scroll").evaluate((box) => [box.scrollHeight > box.clientHeight, box.scrollTop]),
    ).toEqual([true, 0]);
    expect(await example.evaluate((button) => button.scrollWidth - button.clientWidth)).toBe(0);
    await ask(page, question);
    await untilEnded(page);
    const edges = (name: string): Promise<{ left: number; right: number }> =>
      page.locator(name).evaluate((element) => {
        const { left, right } = element.getBoundingClientRect();
        return { left, right };
      });
    const [title, about, save] = [
      await edges(".header h1"),
      await edges(".header .title span"),
      await edges(".save-menu"),
    ];
    expect(title.right - title.left).toBeGreaterThan(200);
    expect(about.left).toBeGreaterThanOrEqual(title.right);
    expect(about.right).toBeLessThanOrEqual(save.left);
    expectClean(guest);
    await guest.context.close();
  });

  test("a long program shows its last lines while it is written and its first lines afterwards, and the end of the run stays in view", async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const program = Array.from({ length: 900 }, (_, index) => `const value${index + 1} = ${index};`);
    const model: Model = {
      id: "scripted/long",
      async *stream() {
        yield { type: "text-delta", text: "It is long.\n<code>\n" };
        for (let at = 0; at < program.length; at += 30)
          yield { type: "text-delta", text: `${program.slice(at, at + 30).join("\n")}\n` };
        await gate;
        yield { type: "text-delta", text: "finalAnswer('all')\n</code>" };
        yield { type: "end", finishReason: "stop" };
      },
    };
    await using ui = await serve(() => new CodeAgent({ model, tools: [] }));
    const guest = await visitor(browser);
    const { page } = guest;
    await page.goto(ui.url);
    await ask(page, "Write much.");
    const lines = page.locator(".step .code .line");
    await expect.poll(() => lines.last().innerText(), polling).toContain("const value900 = 899;");
    expect(await lines.count()).toBeLessThanOrEqual(100);
    await expect.poll(() => page.locator(".earlier").innerText(), polling).toMatch(/^8[0-9]0 earlier lines/);
    await expect.poll(() => lines.last().isVisible(), polling).toBe(true);
    open();
    await untilEnded(page);
    await page.locator(".step > summary").click();
    await expect.poll(() => lines.count(), polling).toBe(400);
    expect(await lines.first().innerText()).toContain("const value1 = 0;");
    const atEnd = (): Promise<boolean> =>
      page.locator(".scroll").evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 2);
    await page.getByRole("button", { name: /Show all 901 lines/ }).click();
    await expect.poll(() => lines.count(), polling).toBe(901);
    expect(await lines.nth(900).innerText()).toContain("finalAnswer('all')");
    await ask(page, "Again.");
    await expect.poll(atEnd, polling).toBe(true);
    await untilEnded(page, 2);
    await expect.poll(atEnd, polling).toBe(true);
    expectClean(guest);
    await guest.context.close();
  });

  test("while a step has no text yet, the page says once that the agent is thinking, and the step shows its duration", async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const inner = pacedModel(["I know it.\n<code>\nfinalAnswer('yes');\n</code>"]);
    const model: Model = {
      id: inner.id,
      async *stream(request, options) {
        await gate;
        yield* inner.stream(request, options);
      },
    };
    await using ui = await serve(() => new CodeAgent({ model, tools: [] }));
    const guest = await visitor(browser);
    const { page } = guest;
    await page.goto(ui.url);
    await ask(page, "Is it so?");
    const step = page.locator(".step.live");
    await step.waitFor();
    await expect.poll(() => page.getByText("Thinking", { exact: true }).count(), polling).toBe(1);
    expect(await step.getAttribute("open")).toBeNull();
    expect(await step.locator(".icon-chevron").count()).toBe(0);
    const seconds = async (): Promise<number> => Number.parseFloat(await step.locator(".gist").innerText());
    await expect.poll(() => step.locator(".gist").innerText(), polling).toMatch(/^\d+\.\d s$/);
    const first = await seconds();
    await expect.poll(seconds, polling).toBeGreaterThan(first);
    open();
    await untilEnded(page);
    await expect.poll(() => page.locator(".step .gist").innerText(), polling).toBe("I know it.");
    expectClean(guest);
    await guest.context.close();
  });

  test("the timeline: each step's code is a lane, failures are marked, no bar exceeds the axis, and the colours match the legend", async () => {
    await using ui = await serve(() => receiptsAgent());
    const guest = await visitor(browser);
    const { page } = guest;
    await page.goto(ui.url);
    await ask(page, question);
    await untilEnded(page);
    await page.getByRole("button", { name: "Inspector", exact: true }).click();
    const code = page.locator(".lane").filter({ has: page.getByText("Code", { exact: true }) });
    await expect.poll(() => code.count(), polling).toBe(3);
    await expect.poll(() => code.nth(1).locator(".ms").innerText(), polling).toMatch(/^failed, /);
    await expect.poll(() => page.locator(".lane .ms.failed").count(), polling).toBe(2);
    const beyond = await page.locator(".lane .track").evaluateAll((tracks) =>
      tracks.flatMap((track) => {
        const { left, right } = track.getBoundingClientRect();
        const bars = [...track.querySelectorAll(".span")].map((bar) => bar.getBoundingClientRect());
        return bars.filter((bar) => bar.left < left - 0.5 || bar.right > right + 0.5).length;
      }),
    );
    expect(beyond.filter((count) => count > 0)).toEqual([]);
    const paint = (selector: string): Promise<unknown> =>
      page
        .locator(selector)
        .first()
        .evaluate((bar) => [getComputedStyle(bar).backgroundColor, getComputedStyle(bar).opacity]);
    expect(await paint(".panel .lane .code-time")).toEqual(await paint(".legend .tool-time"));
    expect(await paint(".panel .where .code-time")).toEqual(await paint(".legend .tool-time"));
    expectClean(guest);
    await guest.context.close();
  });

  test("a closed step shows two lines of its thought, and an open one all of it", async () => {
    const long = "I look at the table once more, because a sum of all its rows says more than one of them. ".repeat(6);
    const replies = [`${long}\n<code>\nfinalAnswer('yes');\n</code>`];
    await using ui = await serve(() => new CodeAgent({ model: pacedModel(replies), tools: [] }));
    const guest = await visitor(browser);
    const { page } = guest;
    await page.goto(ui.url);
    await ask(page, "Is it so?");
    await untilEnded(page);
    const lines = (): Promise<number> =>
      page
        .locator(".step .gist")
        .evaluate((gist) => gist.clientHeight / Number.parseFloat(getComputedStyle(gist).lineHeight));
    await expect.poll(lines, polling).toBe(2);
    await page.locator(".step > summary").click();
    await expect.poll(lines, polling).toBeGreaterThan(3);
    expectClean(guest);
    await guest.context.close();
  });

  test("by keyboard alone: ask, go through the steps, deny with a reason, open the inspector, find a command; a screen reader hears sentences", async () => {
    await using ui = await serve(() => receiptsAgent());
    const guest = await visitor(browser);
    const { page } = guest;
    const { keyboard } = page;
    await page.goto(ui.url);
    await page.locator(".composer").waitFor();
    const told = await announcements(page);
    await pressSlash(page);
    await keyboard.type(question);
    await keyboard.press("Enter");
    await untilEnded(page);
    await page.locator(".composer textarea").blur();
    await keyboard.press("j");
    await keyboard.press("j");
    await keyboard.press("o");
    await expect.poll(() => page.locator(".step").nth(1).locator(".trouble").count(), polling).toBe(1);
    await keyboard.press("o");
    await expect.poll(() => page.locator(".step[open]").count(), polling).toBe(0);
    await keyboard.press("Shift+O");
    await expect.poll(() => page.locator(".step[open]").count(), polling).toBe(3);
    await keyboard.press("Shift+O");
    await keyboard.press("t");
    await expect.poll(() => page.locator("[data-tab=timeline][aria-selected=true]").count(), polling).toBe(1);
    await keyboard.press("v");
    await expect.poll(() => page.locator("[data-tab=variables][aria-selected=true]").count(), polling).toBe(1);
    await keyboard.press("Escape");
    await keyboard.press("/");
    await keyboard.type(mail);
    await keyboard.press("Enter");
    await page.locator("[data-approval]").waitFor();
    await page.locator(".composer textarea").blur();
    await keyboard.press("d");
    await page.locator("[data-approval] .reason input:focus").waitFor();
    await keyboard.type("The address is wrong.");
    await untilStill(page.locator("[data-approval] .reason input"));
    const before = sentMails.length;
    await keyboard.press("Enter");
    await page.locator("[data-approval]").waitFor({ state: "detached" });
    expect(sentMails.length).toBe(before);
    await untilEnded(page, 2);
    const sentences = await told();
    expect(sentences).toContainEqual(expect.stringMatching(/^sendEmail waits for your approval/));
    expect(sentences).toContainEqual(expect.stringMatching(/^Done in .+\. Answer: \w/));
    // A growing text is announced once, not for each token.
    expect(sentences.length).toBeLessThan(16);
    expect(await page.locator(".scroll [aria-live], .scroll [role=log], .scroll[aria-live]").count()).toBe(0);
    await keyboard.press("Control+k");
    await page.locator("dialog.palette[open] input:focus").waitFor();
    await keyboard.type("memory");
    await keyboard.press("Enter");
    await expect.poll(() => page.locator("[data-tab=memory][aria-selected=true]").count(), polling).toBe(1);
    await keyboard.press("?");
    await expect.poll(() => page.locator("dialog.sheet[open]").count(), polling).toBe(1);
    expectClean(guest);
    await guest.context.close();
  });

  test("a dialog that replaces another one stays open: from the list of commands, and by keys in a row", async () => {
    await using ui = await serve(() => receiptsAgent());
    const guest = await visitor(browser);
    const { page } = guest;
    await page.goto(ui.url);
    await page.locator(".composer textarea").waitFor();
    const closedDialogs = await page.evaluateHandle(() => {
      const closed: string[] = [];
      const { close } = HTMLDialogElement.prototype;
      HTMLDialogElement.prototype.close = function (): void {
        this.addEventListener("close", () => setTimeout(() => closed.push(this.className)));
        close.call(this);
      };
      return closed;
    });
    const untilClosed = (count: number): Promise<unknown> =>
      expect.poll(() => closedDialogs.evaluate((closed) => closed.length), polling).toBe(count);
    const openDialog = page.locator("dialog[open]");

    await page.keyboard.press("Control+k");
    await page.locator("dialog.palette[open]").waitFor();
    await page.keyboard.type("keys");
    await page.keyboard.press("Enter");
    await untilClosed(1);
    expect(await openDialog.getAttribute("aria-label")).toBe("Keys");
    await page.keyboard.press("Escape");
    await openDialog.waitFor({ state: "detached" });

    await page.keyboard.press("Control+k");
    await page.locator("dialog.palette[open]").waitFor();
    // Press "?" after the list of commands is gone, but before its `close` event has fired.
    const before = await closedDialogs.evaluate((closed) => closed.length);
    await page.evaluate(() => {
      const root = document.querySelector("agent-ui")!.shadowRoot!;
      const press = (key: string, ctrlKey: boolean): boolean =>
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true }));
      new MutationObserver((_, observer) => {
        if (root.querySelector("dialog.palette")) return;
        observer.disconnect();
        press("?", false);
      }).observe(root, { childList: true, subtree: true });
      press("k", true);
    });
    await untilClosed(before + 1);
    expect(await openDialog.getAttribute("aria-label")).toBe("Keys");
    expectClean(guest);
    await guest.context.close();
  });

  test("the page accepts input as soon as it is visible, and Enter sends the typed text before the next frame", async () => {
    await using ui = await serve(
      () => new CodeAgent({ model: pacedModel(["<code>finalAnswer('yes')</code>"]), tools: [] }),
    );
    const guest = await visitor(browser);
    const { page } = guest;
    await page.addInitScript(() => {
      const { attachShadow } = Element.prototype;
      const press = (target: Element, key: string): boolean =>
        target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }));
      Element.prototype.attachShadow = function (options) {
        const root = attachShadow.call(this, options);
        new MutationObserver((_, observer) => {
          const field = root.querySelector<HTMLTextAreaElement>(".composer textarea");
          if (!field) return;
          observer.disconnect();
          press(document.body, "/");
          Object.assign(globalThis, { __focused: root.activeElement === field });
          field.value = "Is it so?";
          field.dispatchEvent(new InputEvent("input", { bubbles: true }));
          press(field, "Enter");
        }).observe(root, { childList: true, subtree: true });
        return root;
      };
    });
    await page.goto(ui.url);
    await untilEnded(page);
    expect(await page.evaluate(() => (globalThis as unknown as { __focused: boolean }).__focused)).toBe(true);
    await expect.poll(() => page.locator(".task h2").innerText(), polling).toBe("Is it so?");
    expectClean(guest);
    await guest.context.close();
  });

  test("a screen reader hears about a step when its code begins, and about a stop", async () => {
    await using ui = await serve(() => receiptsAgent({ holdAt: "sqlEngine" }));
    const guest = await visitor(browser);
    const { page } = guest;
    await page.goto(ui.url);
    await page.locator(".composer").waitFor();
    const told = await announcements(page);
    await ask(page, question);
    await expect.poll(told, polling).toContainEqual(expect.stringMatching(/^Step 1 started: \w/));
    await page.locator("[data-stop]").click();
    await expect.poll(told, polling).toContainEqual("The run was stopped.");
    expectClean(guest);
    await guest.context.close();
  });

  test("at 390 x 844: nothing is wider than the screen, and Stop, Approve and Deny are 44 px high", async () => {
    await using ui = await serve(() => receiptsAgent());
    const guest = await visitor(browser, { size: "mobile" });
    const { page } = guest;
    await page.goto(ui.url);
    await ask(page, mail);
    const card = page.locator("[data-approval]");
    await card.waitFor();
    for (const selector of ["[data-approve]", "[data-deny]", "[data-stop]"]) {
      const box = await page.locator(selector).boundingBox();
      expect(box?.height, selector).toBeGreaterThanOrEqual(44);
    }
    const widest = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(widest).toBeLessThanOrEqual(390);
    await page.getByRole("button", { name: "Sessions", exact: true }).click();
    await expect.poll(async () => (await page.locator(".rail").boundingBox())?.width, polling).toBe(390);
    await page.getByRole("button", { name: "Close sessions" }).click();
    await page.getByRole("button", { name: "Inspector", exact: true }).click();
    await expect.poll(async () => (await page.locator(".inspector").boundingBox())?.width, polling).toBe(390);
    await page.getByRole("button", { name: "Close inspector" }).click();
    await card.getByText("Replace with o").click();
    await pressWhenStill(card.locator("[data-approve]"));
    await untilEnded(page);
    expectClean(guest);
    await guest.context.close();
  });

  test("two visitors never see each other's sessions, and their agents share no memory", async () => {
    await using ui = await serve(() => receiptsAgent());
    const [first, second] = await Promise.all([visitor(browser), visitor(browser)]);
    await first.page.goto(ui.url);
    await ask(first.page, question);
    await untilEnded(first.page);
    await second.page.goto(ui.newUrl());
    await second.page.locator(".composer").waitFor();
    await expect.poll(() => second.page.locator(".session").count(), polling).toBe(0);
    await ask(second.page, mail);
    await second.page.locator("[data-approval]").waitFor();
    await first.page.reload();
    await untilEnded(first.page);
    await expect.poll(() => first.page.locator(".session").count(), polling).toBe(1);
    await expect.poll(() => first.page.locator("[data-approval]").count(), polling).toBe(0);
    await first.context.close();
    await second.context.close();
  });

  test("a launch link that was used lets nobody in, and says what to do", async () => {
    await using ui = await serve(() => receiptsAgent());
    const { url } = ui;
    const [first, second] = await Promise.all([visitor(browser), visitor(browser)]);
    await first.page.goto(url);
    await first.page.locator(".composer").waitFor();
    await second.page.goto(url);
    await second.page.locator(".locked h1").waitFor();
    await expect.poll(() => second.page.locator(".locked h1").innerText(), polling).toContain("terminal");
    await first.context.close();
    await second.context.close();
  });

  test("Stop ends a run that calls a tool again and again, without one more call", async () => {
    let calls = 0;
    const tick = tool({
      name: "tick",
      description: "Waits a little.",
      input: {},
      output: "number",
      effects: "none",
      execute: async () => {
        calls++;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return calls;
      },
    });
    const model = pacedModel(() => "I go on.\n<code>\nfor (;;) await tick({});\n</code>");
    await using ui = await serve(() => new CodeAgent({ model, tools: [tick] }));
    const guest = await visitor(browser);
    const { page } = guest;
    await page.goto(ui.url);
    await ask(page, "Count.");
    await expect.poll(() => calls, polling).toBeGreaterThan(2);
    await page.locator("[data-stop]").click();
    await page.locator(".ending").waitFor();
    const atStop = calls;
    await page.waitForTimeout(500);
    expect(calls).toBe(atStop);
    expectClean(guest);
    await guest.context.close();
  });

  test("a reload in the middle of a run shows the same run, and its end", async () => {
    let stopFollowing = (): void => {};
    const holdUntil = new Promise<void>((resolve) => {
      stopFollowing = resolve;
    });
    await using ui = await serve(() => receiptsAgent({ holdAt: "ORDER BY", holdUntil }));
    const guest = await visitor(browser);
    const { page } = guest;
    await page.goto(ui.url);
    await ask(page, question);
    await page.locator(".step.live .code").waitFor();
    await page.reload();
    await page.locator(".step.live .code").waitFor();
    stopFollowing();
    await untilEnded(page);
    await expect.poll(() => page.locator(".step").count(), polling).toBe(3);
    await expect.poll(() => page.locator(".answer .text").innerText(), polling).toBe("Woodrow Wilson");
    expectClean(guest);
    await guest.context.close();
  });

  test("a message is changed: the agent forgets the previous run, and answers the new message", async () => {
    await using ui = await serve(() => receiptsAgent());
    const guest = await visitor(browser);
    const { page } = guest;
    await page.goto(ui.url);
    await ask(page, question);
    await untilEnded(page);
    await page.locator(".task").hover();
    await page.getByRole("button", { name: "Edit and run again" }).click();
    await page.locator(".edit-task textarea").fill("Which client got the most expensive receipt of all?");
    await page.locator(".edit-task [type=submit]").click();
    await expect.poll(() => page.locator(".task h2").innerText(), polling).toContain("of all?");
    await untilEnded(page);
    await expect.poll(() => page.locator(".task h2").count(), polling).toBe(1);
    expectClean(guest);
    await guest.context.close();
  });

  test("managed agents are shown inside the call that started them, and a plan shows what changed", async () => {
    await using ui = await serve(() => teamAgent());
    const guest = await visitor(browser);
    const { page } = guest;
    await page.goto(ui.url);
    await ask(page, "How high is Elbrus, and when was it first climbed?");
    await untilEnded(page);
    await page.locator(".composer textarea").blur();
    await page.keyboard.press("Shift+O");
    await expect.poll(() => page.locator(".agent").count(), polling).toBe(2);
    await page.locator(".agent > summary").first().click();
    await expect.poll(() => page.locator(".agent .inner .step").count(), polling).toBeGreaterThan(1);
    await expect
      .poll(() => page.locator(".plan li.added .text").first().innerText(), polling)
      .toBe("Say which of the two summits the year belongs to");
    await expect
      .poll(() => page.locator(".plan li.removed .text").first().innerText(), polling)
      .toBe("Look both up in a second source");
    expectClean(guest);
    await guest.context.close();
  });

  test("steps and plans that are opened while the agent works stay open when newer ones come and when the run ends", async () => {
    let release = (): void => {};
    const holdUntil = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using ui = await serve(() => teamAgent({ holdAt: "give them out", holdUntil }));
    const guest = await visitor(browser);
    const { page } = guest;
    await page.goto(ui.url);
    await ask(page, "How high is Elbrus, and when was it first climbed?");
    await page.locator(".plan li.added").waitFor();
    await page.locator(".step.live:not(.is-plan)").waitFor();
    await page.locator(".composer textarea").blur();
    await page.keyboard.press("Shift+O");
    const open = page.locator(".rows-list > .step[open]");
    await expect.poll(() => open.count(), polling).toBe(4);
    release();
    await untilEnded(page);
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    expect(await open.locator("> .body > .plan").count()).toBe(2);
    expect(await open.count()).toBe(4);
    expectClean(guest);
    await guest.context.close();
  });

  test("from right to left, in high contrast and with motion, the page works too", async () => {
    await using ui = await serve(() => receiptsAgent());
    const guest = await visitor(browser, { locale: "ar", forcedColors: true, reducedMotion: false });
    const { page } = guest;
    await page.goto(ui.url);
    await ask(page, question);
    await untilEnded(page);
    await expect.poll(() => page.locator(".frame").getAttribute("dir"), polling).toBe("rtl");
    await expect.poll(() => page.locator(".answer .text").innerText(), polling).toBe("Woodrow Wilson");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1440);
    await page.locator(".header button[aria-expanded]").click();
    await page.locator(".axis span").nth(1).waitFor();
    // Read all positions at the same moment, because they move together.
    const { track, inspector, marks } = await page.locator(".inspector").evaluate((panel) => {
      const boxOf = (element: Element): DOMRect => element.getBoundingClientRect();
      return {
        track: boxOf(panel.querySelector(".lane .track")!),
        inspector: boxOf(panel),
        marks: [...panel.querySelectorAll(".axis span")].map(boxOf),
      };
    });
    expect(Math.abs(marks[0]!.right - track.right)).toBeLessThan(12);
    for (const { left, right } of marks) {
      expect(left).toBeGreaterThanOrEqual(inspector.left);
      expect(right).toBeLessThanOrEqual(inspector.right);
    }
    expectClean(guest);
    await guest.context.close();
  });

  test.each(["light", "dark"] as const)(
    "on a %s system, the colours of high contrast and more contrast are used, whatever the theme",
    async (theme) => {
      await using ui = await serve(() => receiptsAgent());
      const guest = await visitor(browser, { theme });
      const { page } = guest;
      await page.goto(ui.url);
      await page.locator(".composer").waitFor();
      const token = (name: string): Promise<string> =>
        page
          .locator("agent-ui")
          .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);
      for (const chosen of [null, "light", "dark"]) {
        await page.locator("agent-ui").evaluate((element, value) => {
          if (value === null) delete element.dataset["theme"];
          else element.dataset["theme"] = value;
        }, chosen);
        await page.emulateMedia({ forcedColors: "active", contrast: null });
        expect([chosen, await token("--surface"), await token("--line")]).toEqual([chosen, "Canvas", "CanvasText"]);
        // With `auto`, the browser would paint a background behind the button's text in the same
        // colour as the text.
        expect(await page.locator("agent-ui").evaluate(forcedColorAdjustOfButton)).toBe("none");
        await page.emulateMedia({ forcedColors: "none", contrast: "more" });
        expect([chosen, await token("--line")]).toEqual([chosen, await token("--line-control")]);
      }
      expectClean(guest);
      await guest.context.close();
    },
  );
});
