// The page of the test. It uses the executor as any user's page would, in one bundle.

import { CodeAgent, modelFromFunction } from "@smolts/core";
import { pyodide } from "@smolts/executor-pyodide/web";
import type { Executor } from "@smolts/protocol";
import { tool } from "@smolts/tools";

const factoryWith = (guestTimeMs: number): ReturnType<typeof pyodide> =>
  pyodide({
    indexUrl: "/pyodide/",
    createWorker: () => new Worker("/guest.js", { type: "module" }),
    limits: { guestTimeMs },
  });

/**
 * Time limits count real time, and even a short block takes long on a busy machine. So only endless
 * blocks get a short limit.
 */
const factories = { patient: factoryWith(120_000), hasty: factoryWith(15_000) };

export type Patience = keyof typeof factories;

const sandboxes: { [Name in Patience]?: Executor } = {};

async function opened(patience: Patience): Promise<Executor> {
  const known = sandboxes[patience];
  if (known) return known;
  const sandbox = await factories[patience].open({ signal: new AbortController().signal });
  sandboxes[patience] = sandbox;
  await sandbox.start({ tools: ["echo", "final_answer"] });
  return sandbox;
}

/** The functions that the test calls. Each returns plain data. */
const page = {
  isIsolated: () => globalThis.crossOriginIsolated,

  /**
   * Runs a block in the shared sandbox, with a long or a short time limit. The tool `echo` returns
   * its input.
   */
  async run(code: string, patience: Patience = "patient") {
    const executor = await opened(patience);
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

  /** Runs an agent with a scripted model that sends these replies. */
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
      executor: factories.patient,
      tools: [add],
    });
    return await agent.run("Go.");
  },
};

export type Page = typeof page;

Object.assign(globalThis, { smolts: page });
