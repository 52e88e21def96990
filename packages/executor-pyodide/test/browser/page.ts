// The page of the test: what a page of anybody's would do, bundled with the executor.

import { CodeAgent, modelFromFunction } from "@smolts/core";
import { pyodide } from "@smolts/executor-pyodide/web";
import type { Executor } from "@smolts/protocol";
import { tool } from "@smolts/tools";

const factory = pyodide({
  indexUrl: "/pyodide/",
  createWorker: () => new Worker("/guest.js", { type: "module" }),
  limits: { guestTimeMs: 3_000 },
});

let sandbox: Executor | null = null;

async function opened(): Promise<Executor> {
  if (sandbox) return sandbox;
  sandbox = await factory.open({ signal: new AbortController().signal });
  await sandbox.start({ tools: ["echo", "final_answer"] });
  return sandbox;
}

/** What the test calls. Each returns plain data. */
const page = {
  isIsolated: () => globalThis.crossOriginIsolated,

  /** Runs a block in one sandbox for all of them; the tool `echo` returns what it gets. */
  async run(code: string) {
    const executor = await opened();
    const prints: string[] = [];
    let calls = 0;
    const result = await executor.execute(code, {
      signal: new AbortController().signal,
      time: 0,
      seed: "",
      onConsole: ({ text }) => void prints.push(text),
      onCall: ({ callIndex, args, execution }) => {
        calls++;
        void executor.deliver(callIndex, { type: "ok", value: args[0] ?? null }, 0, execution);
      },
    });
    return { result, prints, calls };
  },

  /** Answers with the messages of a scripted model. */
  async runAgent(replies: readonly string[]) {
    let step = 0;
    const add = tool({
      name: "addNumbers",
      description: "Adds two numbers.",
      input: { a: "number", b: "number" },
      execute: ({ a, b }) => a + b,
    });
    const agent = new CodeAgent({
      model: modelFromFunction(() => replies[step++] ?? ""),
      executor: factory,
      tools: [add],
    });
    return await agent.run("Go.");
  },
};

export type Page = typeof page;

Object.assign(globalThis, { smolts: page });
