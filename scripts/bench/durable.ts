import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeAgent } from "@smolts/core";
import { memoryLog, memoryStore } from "@smolts/memory";
import { fileStore } from "@smolts/memory/files";
import type { Model, ModelEvent, RunStore, StoredLog } from "@smolts/protocol";
import type { Benchmark } from "./benchmark.ts";

/** Measures the cost of a file store, relative to a log in memory. */
export const benchmark: Benchmark = {
  name: "durable",
  method:
    "runs of 200 steps of code without effects: CPU time with the file store minus CPU time with the memory store, the median of 15 consecutive pairs; syncs and bytes of the log. resume: from the file store minus from a log in memory, both of which run the code again, the minimum of 5 each. list: the newest 50 of 10,000 stored runs",
  goals: {
    fileMinusMemoryMicrosAStep: 150,
    barriersAStep: 1,
    bytesAStep: 2_000,
    resume200StepsMs: 300,
    list50Of10000Ms: 50,
    requestTokensOf1000Steps: 9_600,
    tokensOf1000To500Steps: 2.2,
    heapStep1000To200: 1.2,
  },
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "smolts-bench-"));
    try {
      return { ...(await stepCosts(folder)), ...(await listing(folder)), ...(await longRun(folder)) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const steps = 200;
const warmRounds = 3;
const rounds = 15;
const key = "the key of the benchmark, long enough";

const says = (text: string): readonly ModelEvent[] => [
  { type: "text-delta", text: `I go on.\n<code>\n${text}\n</code>` },
  { type: "end", finishReason: "stop" },
];

/** A model whose code prints in each step except the last one. */
function printing(count: number, printed = "String(total)", see: (characters: number) => void = () => {}): Model {
  let asked = 0;
  return {
    id: "bench/printing",
    async *stream({ messages }) {
      if (isSummary(messages)) {
        yield { type: "text-delta", text: "Numbers were added." };
        yield { type: "end", finishReason: "stop" };
        return;
      }
      asked += 1;
      see(
        messages.reduce(
          (sum, { content }) => sum + content.reduce((all, part) => all + ("text" in part ? part.text.length : 0), 0),
          0,
        ),
      );
      if (asked === 1) yield* says("let total = 0; print(total)");
      else yield* says(asked > count ? "finalAnswer(total)" : `total += ${asked}; print(${printed})`);
    },
  };
}

const isSummary = (messages: readonly { readonly content: readonly object[] }[]): boolean =>
  JSON.stringify(messages[0]).includes("You shorten the history");

async function stepCosts(folder: string): Promise<Readonly<Record<string, number>>> {
  let syncs = 0;
  const files = counting(fileStore(join(folder, "runs"), { key }), () => (syncs += 1));
  const cost = async (store: RunStore, runId: string): Promise<number> => {
    const before = process.cpuUsage();
    await new CodeAgent({ model: printing(steps), store, maxSteps: steps + 5 }).run("Add.", { runId });
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  for (let round = 0; round < warmRounds; round++) {
    await cost(memoryStore(), `warm-${round}`);
    await cost(files, `warm-${round}`);
  }
  syncs = 0;
  // Each round has one run with the file store and one with the log in memory. Every second round
  // begins with the other kind. So other work of the machine and the garbage of the previous run
  // affect both kinds equally.
  const differences: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const inFiles = (): Promise<number> => cost(files, `run-${round}`);
    const inMemory = (): Promise<number> => cost(memoryStore(), `run-${round}`);
    if (round % 2 === 0) differences.push(-(await inMemory()) + (await inFiles()));
    else differences.push((await inFiles()) - (await inMemory()));
  }
  const bytes = (await readFile(join(folder, "runs/sessions/run-0/000001.jsonl"))).length;
  return {
    fileMinusMemoryMicrosAStep: medianOf(differences) / steps,
    barriersAStep: syncs / (rounds * steps),
    bytesAStep: bytes / steps,
    resume200StepsMs: await resumeCost(folder),
  };
}

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

function counting(store: RunStore, onFlush: () => void): RunStore {
  return {
    ...store,
    async open(id, options) {
      const log = await store.open(id, options);
      return new Proxy(log, {
        get(target, name) {
          const value = Reflect.get(target, name, target) as unknown;
          if (name === "flush") onFlush();
          return typeof value === "function" ? value.bind(target) : value;
        },
      }) as StoredLog;
    },
  };
}

/** Measures a resume. The run is cut off before its last step, so that one step is left. */
async function resumeCost(folder: string): Promise<number> {
  const store = fileStore(join(folder, "runs"), { key });
  const found = await store.open("run-0", { readonly: true });
  const events = [];
  for await (const event of found.read()) events.push(event);
  const cut = events.slice(
    0,
    events.findLastIndex(({ type }) => type === "step-start"),
  );
  const stored: number[] = [];
  const inMemory: number[] = [];
  for (let round = 0; round < 5; round++) {
    const id = `cut-${round}`;
    {
      await using log = await store.open(id);
      for (const { seq: _, runId: __, path, time, ...body } of cut)
        log.append(body as never, { runId: id, path, time });
      await log.flush();
    }
    const timed = async (resume: () => Promise<unknown>): Promise<number> => {
      const start = performance.now();
      await resume();
      return performance.now() - start;
    };
    const agent = new CodeAgent({ model: printing(0), store, maxSteps: steps + 5 });
    const finishing = agent.with({
      model: {
        id: "bench/printing",
        async *stream() {
          yield* says("finalAnswer(total)");
        },
      },
    });
    inMemory.push(await timed(async () => finishing.resume(memoryLog({ events: cut }))));
    stored.push(await timed(async () => finishing.resume(id)));
  }
  // Only the shortest time of each kind counts, because longer times include other work of the
  // machine.
  return Math.max(0, Math.min(...stored) - Math.min(...inMemory));
}

async function listing(folder: string): Promise<Readonly<Record<string, number>>> {
  const store = fileStore(join(folder, "many"), { key });
  for (let from = 0; from < 10_000; from += 100) {
    await Promise.all(
      Array.from({ length: 100 }, async (_unused, index) => {
        const id = `run-${from + index}`;
        await using log = await store.open(id);
        log.append(runStart, { runId: id, path: ["agent"], time: 1_700_000_000_000 + from + index });
      }),
    );
  }
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    const rows = await store.list({ limit: 50 });
    if (rows.length !== 50) throw new Error(`expected 50 rows, got ${rows.length}`);
    times.push(performance.now() - start);
  }
  return { list50Of10000Ms: Math.min(...times) };
}

const runStart = {
  type: "run-start",
  definitionDigest: "",
  model: "bench/none",
  task: [{ type: "text", text: "Nothing." }],
  systemPrompt: "",
  variables: {},
  maxSteps: 1,
  seed: "",
  lineage: "",
} as const;

/** Runs 1,000 steps that print 2,000 characters each, with a context of 12,000 tokens. */
async function longRun(folder: string): Promise<Readonly<Record<string, number>>> {
  const store = fileStore(join(folder, "long"), { key });
  let [asked, most, total, half] = [0, 0, 0, 0];
  const heaps: number[] = [];
  const model = printing(1_000, '"x".repeat(2_000) + total', (characters) => {
    asked += 1;
    most = Math.max(most, characters / 4);
    total += characters / 4;
    if (asked === 500) half = total;
    if (asked === 200 || asked === 1_000) heaps.push(collectedHeap());
  });
  const agent = new CodeAgent({ model, store, maxSteps: 1_005, context: { windowTokens: 12_000 } });
  await agent.run("Add.", { runId: "long" });
  const [early = 1, late = 0] = heaps;
  return {
    requestTokensOf1000Steps: most,
    tokensOf1000To500Steps: total / half,
    ...(heaps.length === 2 && early > 0 ? { heapStep1000To200: late / early } : {}),
  };
}

/**
 * Returns the size of the heap after a garbage collection. Zero if Node was not started with
 * --expose-gc.
 */
function collectedHeap(): number {
  if (!globalThis.gc) return 0;
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
