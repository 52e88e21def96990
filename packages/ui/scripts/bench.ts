// `pnpm bench:ui` measures the page and its server. The server is measured in this process. The
// page is measured in Debian's Chromium, if that is installed.
//
//   pnpm bench:ui           a table
//   pnpm bench:ui --json    one object
//   pnpm bench:ui --quick   without GradioUI, axe and hostile texts; the browser tests run the last two anyway
//
// If GradioUI is installed (pnpm test:peers --install GradioUI), both pages show the same scripted
// run, and `besideGradio` has the figures of both.

import { existsSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { CodeAgent } from "@smolts/core";
import type { ModelEvent } from "@smolts/protocol";
import { createUIHandler, memorySessions } from "@smolts/ui";
import { isIdleAfterRun, PageClient } from "../test/page-client.ts";
import { buildClient } from "./build-client.ts";

/** The figures of the server. */
interface ServerFigures {
  /** The size of script and style sheet, compressed, in kB. */
  readonly clientKb: number;
  /**
   * The CPU time that one event uses on its way from the agent to the reader of the stream, in ms.
   * It includes the work of the agent and of the reader.
   */
  readonly cpuMsPerEvent: number;
  /** The number of events that were streamed to measure `cpuMsPerEvent`. */
  readonly events: number;
  /** The memory of an idle session after one run, in MB. */
  readonly mbPerIdleSession: number;
}

async function main(): Promise<void> {
  const isJson = process.argv.includes("--json");
  const server = await measureServer();
  if (process.argv.includes("--server")) return console.log(JSON.stringify(server));
  const isQuick = process.argv.includes("--quick");
  const page = await measuredPage(isQuick);
  const figures = { ...server, ...page, ...(isQuick ? {} : { besideGradio: await measuredBesideGradio() }) };
  if (isJson) console.log(JSON.stringify(figures));
  else console.table(figures);
}

async function measuredPage(quick: boolean): Promise<object> {
  const script = new URL("../test/browser/measure-page.ts", import.meta.url);
  if (!existsSync(process.env["CHROMIUM"] ?? "/usr/bin/chromium"))
    return { skipped: "the page: no Chromium is installed" };
  if (!existsSync(script)) return { skipped: "the page: this checkout has no measurements of it" };
  // The cast is safe: the module is a script of this package.
  const { measurePage } = (await import(script.href)) as { readonly measurePage: (options: object) => Promise<object> };
  return measurePage({ quick });
}

async function measuredBesideGradio(): Promise<object> {
  const script = new URL("../../../scripts/test-peers/gradio/compare.ts", import.meta.url);
  // The cast is safe: the module is a script of this package.
  const { compareWithGradio } = (await import(script.href)) as { readonly compareWithGradio: () => Promise<object> };
  return compareWithGradio();
}

async function measureServer(): Promise<ServerFigures> {
  const { script, style } = await buildClient();
  await streamRun(200);
  const before = process.cpuUsage();
  const events = await streamRun(20_000);
  const { user, system } = process.cpuUsage(before);
  return {
    clientKb: round((gzipSync(script).length + gzipSync(style).length) / 1000),
    cpuMsPerEvent: round((user + system) / 1000 / events),
    events,
    mbPerIdleSession: await memoryOfSessions(),
  };
}

const agentWriting = (pieces: number): CodeAgent =>
  new CodeAgent({
    model: {
      id: "bench/writer",
      async *stream(): AsyncGenerator<ModelEvent> {
        for (let piece = 0; piece < pieces; piece++) {
          yield { type: "text-delta", text: "word " };
          // Yield to the event loop from time to time, like a model that sends its pieces over a
          // network.
          if (piece % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
        }
        yield { type: "text-delta", text: "\n<code>\nfinalAnswer(1)\n</code>" };
        yield { type: "end", finishReason: "stop" };
      },
    },
  });

/** Streams a run to one reader. Returns the number of deltas that the model wrote. */
async function streamRun(pieces: number): Promise<number> {
  const client = await PageClient.enter(createUIHandler(agentWriting(pieces)));
  const { id } = await client.newSession();
  await client.start(id, "Write.");
  for await (const { message } of client.messages(id)) if (isIdleAfterRun(message)) break;
  return pieces;
}

async function memoryOfSessions(): Promise<number> {
  const count = 50;
  const client = await PageClient.enter(createUIHandler(agentWriting(100), { store: memorySessions() }));
  const run = async (): Promise<void> => {
    const { id } = await client.newSession();
    await client.start(id, "Write.");
    for await (const { message } of client.messages(id)) if (isIdleAfterRun(message)) break;
  };
  await run();
  const before = heldMemory();
  for (let session = 0; session < count; session++) await run();
  return round((heldMemory() - before) / count / 1024 / 1024);
}

/** Returns the memory in use after a garbage collection. The process may have reserved more. */
function heldMemory(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const round = (figure: number): number => Math.round(figure * 1000) / 1000;

await main();
