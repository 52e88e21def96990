import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openAICompatible } from "@smolts/models";
import { runCommand } from "../run-command.ts";
import { type Benchmark, median } from "./benchmark.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const deltas = 100_000;
const processes = 15;

/** Measures the time that an adapter adds to the time of its server. */
export const benchmark: Benchmark = {
  name: "models",
  method: `the time from the write of a server in another process to the event in this one, over ${deltas} deltas, ten every two milliseconds. Import: the built "@smolts/models/groq" in ${processes} fresh Node processes, without Node's own start, the median`,
  goals: { chunkToEventP50Ms: 0.2, chunkToEventP99Ms: 2, lostDeltas: 0, adapterImportMs: 10 },
  async run() {
    const latencies = await latenciesMs();
    const sorted = [...latencies].sort((left, right) => left - right);
    const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
    return {
      chunkToEventP50Ms: at(0.5),
      chunkToEventP99Ms: at(0.99),
      lostDeltas: deltas - latencies.length,
      adapterImportMs: median(await importsMs()),
    };
  },
};

async function latenciesMs(): Promise<readonly number[]> {
  const server = spawn(process.execPath, ["--input-type=module", "-e", stampingServer], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = await once(server.stdout, "data");
    const model = openAICompatible("m", { baseUrl: `http://127.0.0.1:${String(port).trim()}/v1` });
    const request = { messages: [] };
    const options = { signal: new AbortController().signal, readBlob: async () => new Uint8Array() };
    const latencies: number[] = [];
    for await (const event of model.stream(request, options)) {
      if (event.type === "text-delta") latencies.push(epochMs() - Number(event.text));
    }
    return latencies;
  } finally {
    server.kill();
  }
}

const epochMs = (): number => performance.timeOrigin + performance.now();

/**
 * A server that writes the current time into each delta, so that the delay of each delta can be
 * measured.
 */
const stampingServer = `
  import { createServer } from "node:http";
  import { setTimeout as wait } from "node:timers/promises";
  const server = createServer(async (request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let count = 0; count < ${deltas}; count++) {
      const content = String(performance.timeOrigin + performance.now());
      response.write("data: " + JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }) + "\\n\\n");
      if (count % 10 === 9) await wait(2);
    }
    response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\\n\\ndata: [DONE]\\n\\n');
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

async function importsMs(): Promise<readonly number[]> {
  const entry = `${root}packages/models/dist/adapters/groq.js`;
  if (!existsSync(entry)) throw new Error(`"@smolts/models" is not built; run "pnpm build"`);
  const program = `const began = performance.now(); await import(${JSON.stringify(entry)}); console.log(performance.now() - began);`;
  const samples: number[] = [];
  for (let count = 0; count < processes; count++) {
    const { ok, stdout, output } = await runCommand(["node", "--input-type=module", "-e", program], { cwd: root });
    if (!ok) throw new Error(`"@smolts/models/groq" cannot be imported\n${output}`);
    samples.push(Number(stdout));
  }
  return samples;
}
