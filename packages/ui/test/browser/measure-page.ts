// Measures the page in a browser, for the client's figures in `pnpm bench:ui`.

import { gzipSync } from "node:zlib";
import { CodeAgent } from "@smolts/core";
import type { DurableEvent, Model } from "@smolts/protocol";
import type { Browser, CDPSession, Page } from "playwright-core";
import { axeViolations } from "./axe.ts";
import { ask, serve, startBrowser, visitor } from "./browser.ts";
import { receiptsAgent } from "./example-agents.ts";
import { pageStates } from "./states.ts";
import { runHostileTexts } from "./xss.ts";

/** The measured figures. */
export interface PageFigures {
  /** The compressed size of the document, the script and the style sheet, in kB. */
  readonly firstLoadKb: number;
  /** The time from the request of the document until a person can write a message. */
  readonly interactiveMs: number;
  /** The time from a delta of the model until it is painted. */
  readonly paintP95Ms: number;
  /**
   * The longest time for which a browser task blocks the page while a model writes 2,000 tokens a
   * second.
   */
  readonly longestTaskMs: number;
  /**
   * The time from passing in the text of a run file with 5,000 steps until the run's first paint.
   */
  readonly openRunMs: number;
  /**
   * The highest number of steps in the document while the run with 5,000 steps is scrolled through.
   */
  readonly stepNodes: number;
  /**
   * The longest time for which a browser task blocks the page while the run with 5,000 steps is
   * scrolled.
   */
  readonly scrollTaskMs: number;
  /** The heap of the script after the run with 5,000 steps was opened ten times, in MB. */
  readonly heapMb: number;
  /**
   * The growth of the heap from the second opening of the run with 5,000 steps to the tenth, in MB.
   */
  readonly heapGrowthMb: number;
  readonly axeViolations: number;
  readonly xssCases: number;
  readonly xssThrough: number;
}

/**
 * Measures the page in Chromium, in about three minutes. `quick` skips axe and the hostile texts,
 * which the tests run anyway.
 */
export async function measurePage({ quick = false }: { readonly quick?: boolean } = {}): Promise<PageFigures> {
  const browser = await startBrowser();
  try {
    const load = await measureLoad(browser);
    const stream = await measureStream(browser);
    const long = await measureLongRun(browser);
    const violations: string[] = [];
    if (!quick) for (const state of pageStates) violations.push(...(await axeViolations(browser, state)));
    // The figure is only the number of violations, so they are printed as well.
    for (const violation of violations) console.error(violation);
    const xss = quick ? { cases: 0, through: [] } : await runHostileTexts(browser);
    return {
      ...load,
      ...stream,
      ...long,
      axeViolations: violations.length,
      xssCases: xss.cases,
      xssThrough: xss.through.length,
    };
  } finally {
    await browser.close();
  }
}

async function measureLoad(browser: Browser): Promise<Pick<PageFigures, "firstLoadKb" | "interactiveMs">> {
  await using ui = await serve(() => receiptsAgent());
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round < 5; round++) {
    const { page, context } = await visitor(browser);
    const bodies: Promise<number>[] = [];
    page.on("response", (response) => {
      if (/\/$|agent-ui\.(?:js|css)/.test(new URL(response.url()).pathname))
        bodies.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
    });
    await page.addInitScript(() => {
      const look = (): void => {
        const field = document.querySelector("agent-ui")?.shadowRoot?.querySelector(".composer textarea");
        if (field) Object.assign(globalThis, { __interactive: performance.now() });
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    await page.goto(ui.newUrl());
    await page.locator(".composer textarea").waitFor();
    times.push(await page.evaluate(() => (globalThis as unknown as { __interactive: number }).__interactive));
    bytes = (await Promise.all(bodies)).reduce((sum, size) => sum + size, 0);
    await context.close();
  }
  return { firstLoadKb: round(bytes / 1_000), interactiveMs: round(median(times)) };
}

/** Creates a model that writes at a fixed speed. Each piece contains the current time. */
function timedModel(pieces: number, perSecond: number): Model {
  return {
    id: "scripted/timed",
    async *stream() {
      yield { type: "text-delta", text: "The times: " };
      const start = Date.now();
      for (let sent = 0; sent < pieces; ) {
        const due = Math.min(pieces, Math.floor(((Date.now() - start) / 1_000) * perSecond) + 1);
        for (; sent < due; sent++) yield { type: "text-delta", text: `${Date.now()} ` };
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      yield { type: "text-delta", text: "\n<code>\nfinalAnswer('done');\n</code>" };
      yield { type: "end", finishReason: "stop" };
    },
  };
}

async function measureStream(browser: Browser): Promise<Pick<PageFigures, "paintP95Ms" | "longestTaskMs">> {
  const delays = await withModel(browser, timedModel(300, 60), async (page) =>
    page.evaluate(() => (globalThis as unknown as { __delays: number[] }).__delays),
  );
  const tasks = await withModel(browser, fastModel(), async (page) =>
    page.evaluate(() => (globalThis as unknown as { __tasks: number[] }).__tasks),
  );
  return { paintP95Ms: round(percentile(delays, 0.95)), longestTaskMs: round(Math.max(0, ...tasks)) };
}

/** Creates a model that writes code of 6,000 tokens in three seconds. */
function fastModel(): Model {
  return {
    id: "scripted/fast",
    async *stream() {
      yield { type: "text-delta", text: "I write much code.\n<code>\n" };
      const start = Date.now();
      for (let sent = 0; sent < 6_000; ) {
        const due = Math.min(6_000, Math.floor(((Date.now() - start) / 1_000) * 2_000) + 1);
        for (; sent < due; sent++)
          yield { type: "text-delta", text: sent % 12 === 11 ? ` + ${sent};\nvar v${sent} = 1` : ` + "t${sent}"` };
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      yield { type: "text-delta", text: ";\nfinalAnswer('done');\n</code>" };
      yield { type: "end", finishReason: "stop" };
    },
  };
}

async function withModel<Figure>(
  browser: Browser,
  model: Model,
  read: (page: Page) => Promise<Figure>,
): Promise<Figure> {
  await using ui = await serve(() => new CodeAgent({ model, tools: [], maxSteps: 2 }));
  const { page, context } = await visitor(browser, { reducedMotion: false });
  await page.addInitScript(() => {
    const [delays, tasks]: [number[], number[]] = [[], []];
    Object.assign(globalThis, { __delays: delays, __tasks: tasks });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if ((globalThis as unknown as { __watching?: boolean }).__watching) tasks.push(entry.duration);
    }).observe({ entryTypes: ["longtask"] });
    let last = "";
    const look = (): void => {
      const text = document.querySelector("agent-ui")?.shadowRoot?.querySelector(".step.live .gist")?.textContent ?? "";
      const times = text.match(/\d{13}(?= )/g);
      const newest = times?.at(-1);
      // Measure in the frame after the change, because the change is painted by then.
      if (newest && newest !== last) delays.push(Date.now() - Number(newest));
      last = newest ?? last;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(ui.url);
  await page.locator(".composer textarea").waitFor();
  await page.waitForTimeout(300);
  await page.evaluate(() => Object.assign(globalThis, { __watching: true }));
  await ask(page, "Write.");
  await page.locator(".account").waitFor();
  const figure = await read(page);
  await context.close();
  return figure;
}

/** Returns a run with this number of steps, of about 2 kB each. */
export function longRun(steps: number): readonly DurableEvent[] {
  const events: DurableEvent[] = [];
  const at = { runId: "long", path: ["agent"] };
  let time = 1_795_000_000_000;
  const add = (body: object): void => {
    time += 30;
    events.push({ ...body, ...at, seq: events.length + 1, time } as unknown as DurableEvent);
  };
  add({
    type: "run-start",
    definitionDigest: "d",
    model: "scripted/long",
    task: [{ type: "text", text: "Go through all of it." }],
    systemPrompt: "You solve tasks.",
    variables: {},
    maxSteps: steps,
    seed: "0",
    lineage: "0",
  });
  for (let number = 1; number <= steps; number++) {
    const code = `const page${number} = await readPage({ number: ${number} });\nconst words = page${number}.text.split(" ");\nprint(words.length, "${"lorem ipsum ".repeat(20)}");`;
    const thought = `Page ${number} comes next. ${"It may hold what was asked for. ".repeat(4)}`;
    add({ type: "step-start", stepNumber: number });
    add({
      type: "model-response",
      stepNumber: number,
      message: { role: "assistant", content: [{ type: "text", text: `${thought}\n<code>\n${code}\n</code>` }] },
      usage: { inputTokens: 900, outputTokens: 120, totalTokens: 1_020 },
      finishReason: "stop",
      timing: { startTime: time - 20, endTime: time },
    });
    add({ type: "code-start", stepNumber: number, code });
    add({
      type: "tool-call",
      stepNumber: number,
      callId: `agent/${number}.1`,
      callIndex: 1,
      name: "readPage",
      args: [{ number }],
    });
    add({
      type: "tool-result",
      callId: `agent/${number}.1`,
      outcome: { type: "ok", value: { text: "word ".repeat(40) } },
    });
    add({ type: "console", stepNumber: number, level: "log", text: "word ".repeat(60) });
    add({
      type: "code-end",
      stepNumber: number,
      result: { type: "value", output: null, operations: 9, unawaited: [] },
    });
    add({
      type: "step-end",
      stepNumber: number,
      observation: [{ type: "text", text: "word ".repeat(60) }],
      error: number % 17 === 0 ? { code: "code-execution", message: "Error: no such page" } : null,
      answer: null,
    });
  }
  add({ type: "run-end", status: "success", answer: "All of it was read." });
  return events;
}

type LongRunFigures = Pick<PageFigures, "openRunMs" | "stepNodes" | "scrollTaskMs" | "heapMb" | "heapGrowthMb">;

async function measureLongRun(browser: Browser): Promise<LongRunFigures> {
  await using ui = await serve(() => receiptsAgent());
  const { page, context } = await visitor(browser);
  await page.goto(ui.url);
  await page.locator(".composer").waitFor();
  const text = longRun(5_000)
    .map((event) => JSON.stringify(event))
    .join("\n");
  await page.evaluate((lines) => Object.assign(globalThis, { __lines: lines }), text);
  const devtools = await context.newCDPSession(page);
  const opened: number[] = [];
  const heaps: number[] = [];
  for (let round = 0; round < 10; round++) {
    opened.push(await openLines(page));
    heaps.push(await heapOf(devtools));
  }
  const scrolled = await scrollThrough(page);
  await context.close();
  return {
    openRunMs: round(median(opened)),
    ...scrolled,
    heapMb: round(heaps.at(-1)! - text.length / 1_000_000),
    heapGrowthMb: round(heaps.at(-1)! - heaps[1]!),
  };
}

/** Resolves in the frame after the first step is shown. */
function openLines(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const element = document.querySelector("agent-ui") as HTMLElement & { showRun(name: string, text: string): void };
    const { __lines } = globalThis as unknown as { __lines: string };
    const start = performance.now();
    element.showRun("long.jsonl", __lines);
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    do await frame();
    while (!element.shadowRoot?.querySelector(".step"));
    await frame();
    return performance.now() - start;
  });
}

async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  return usedSize / 1_000_000;
}

/** Scrolls from one end to the other, a screen at a time. */
function scrollThrough(page: Page): Promise<Pick<PageFigures, "stepNodes" | "scrollTaskMs">> {
  return page.evaluate(async () => {
    const box = document.querySelector("agent-ui")!.shadowRoot!.querySelector(".scroll")!;
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    let [stepNodes, scrollTaskMs] = [0, 0];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) scrollTaskMs = Math.max(scrollTaskMs, entry.duration);
    });
    observer.observe({ entryTypes: ["longtask"] });
    box.scrollTop = 0;
    await frame();
    for (let screens = 0; screens < 400; screens++) {
      box.scrollTop += box.clientHeight;
      await frame();
      stepNodes = Math.max(stepNodes, box.querySelectorAll(".step").length);
      if (box.scrollTop + box.clientHeight >= box.scrollHeight - 2) break;
    }
    observer.disconnect();
    return { stepNodes, scrollTaskMs: Math.round(scrollTaskMs) };
  });
}

const round = (value: number): number => Math.round(value * 10) / 10;
const median = (values: readonly number[]): number => percentile(values, 0.5);

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
