// Measures a served agent with 1,000 streams at once, and the time to the first byte of its answer.
//
// The model is a script, so that only the server is measured. The script waits before it answers,
// so that all streams are open at the same time.

import { Agent, request } from "node:http";
import { CodeAgent } from "@smolts/core";
import type { Model } from "@smolts/protocol";
import { serve } from "@smolts/serve";

const key = "bench-0123456789abcdef";

const streams = 1_000;
/**
 * How long the streams are repeated, in seconds. The full test takes five minutes: `--seconds=300`.
 */
const seconds = Number(process.argv.find((word) => word.startsWith("--seconds="))?.slice("--seconds=".length) ?? 60);

/**
 * Measures three figures:
 * - the number of streams without a complete answer
 * - the memory of the process at the end, relative to its memory after a fifth of the time
 * - how much later the first byte of a stream arrives than the first event of a run without a
 *   server, in ms
 */
export async function benchServe(): Promise<Readonly<Record<string, number>>> {
  const agent = new CodeAgent({ name: "agent", model: answering(50) });
  const limits = { runs: streams * 2, runsPerClient: streams * 2, requestsPerMinute: Number.MAX_SAFE_INTEGER };
  await using serving = await serve(agent, { port: 0, auth: { key }, limits, keptRuns: 200 });
  const connections = new Agent({ keepAlive: true, maxSockets: streams });
  const url = new URL(`${serving.url}/chat/completions`);
  const loadedAt = Date.now();
  let [answered, rounds, rssEarlyMb] = [0, 0, 0];
  while (Date.now() - loadedAt < seconds * 1_000) {
    const ends = await Promise.all(Array.from({ length: streams }, () => ask(url, connections)));
    answered += ends.filter(({ lost }) => lost === null).length;
    for (const { lost } of ends) if (lost !== null) console.error(`lost in round ${rounds + 1}: ${lost}`);
    rounds++;
    if (rssEarlyMb === 0 && Date.now() - loadedAt >= (seconds * 1_000) / 5) rssEarlyMb = rssMb();
  }
  const rssLateMb = rssMb();
  const firstByteAddsMs = await firstByte(url, connections, agent);
  connections.destroy();
  return {
    serveConcurrentStreams: streams,
    serveStreamsAnswered: answered,
    serveStreamsLost: rounds * streams - answered,
    serveSeconds: (Date.now() - loadedAt) / 1_000,
    serveRssEarlyMb: rssEarlyMb,
    serveRssLateMb: rssLateMb,
    serveRssGrowth: rssLateMb / rssEarlyMb,
    serveFirstByteAddsMs: firstByteAddsMs,
  };
}

async function firstByte(url: URL, connections: Agent, agent: CodeAgent): Promise<number> {
  const [served, alone]: [number[], number[]] = [[], []];
  for (let count = 0; count < 60; count++) {
    served.push((await ask(url, connections)).firstByteMs);
    const began = performance.now();
    const run = agent.run("Go.");
    for await (const _ of run.events()) {
      alone.push(performance.now() - began);
      break;
    }
    await run;
  }
  return median(served.slice(10)) - median(alone.slice(10));
}

interface StreamResult {
  /** Why the answer was not complete. Null if it was. */
  readonly lost: string | null;
  readonly firstByteMs: number;
}

function ask(url: URL, connections: Agent): Promise<StreamResult> {
  const began = performance.now();
  const body = JSON.stringify({ model: "agent", stream: true, messages: [{ role: "user", content: "Go." }] });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "content-length": body.length };
  return new Promise((resolve) => {
    const asking = request(url, { method: "POST", agent: connections, headers }, (response) => {
      let text = "";
      let firstByteMs = 0;
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        firstByteMs ||= performance.now() - began;
        text += piece;
      });
      response.on("error", (error) => resolve({ lost: `${error.message} after ${text.slice(-200)}`, firstByteMs }));
      response.on("end", () => {
        const isWhole = text.includes('"content":"42"') && text.endsWith("data: [DONE]\n\n");
        resolve({ lost: isWhole ? null : `${response.statusCode} ${text.slice(-200)}`, firstByteMs });
      });
    });
    asking.on("error", (error) => {
      const tookMs = Math.round(performance.now() - began);
      resolve({ lost: `${error.message} after ${tookMs} ms`, firstByteMs: 0 });
    });
    asking.end(body);
  });
}

/** A model that answers after a delay, and keeps nothing in memory. */
function answering(delayMs: number): Model {
  return {
    id: "bench/model",
    async *stream() {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      yield { type: "text-delta", text: "<code>\nfinalAnswer(6 * 7)\n</code>" };
      yield { type: "end", finishReason: "stop" };
    },
  };
}

function rssMb(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return Math.round(process.memoryUsage().rss / 2 ** 20);
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
