import { Worker } from "node:worker_threads";
import { CodeAgent } from "@smolts/core";
import { pyodide } from "@smolts/executor-pyodide";
import { pyodide as webPyodide } from "@smolts/executor-pyodide/web";
import {
  type ExecuteOptions,
  type ExecutionResult,
  type Executor,
  type ExecutorFactory,
  encodeValue,
} from "@smolts/protocol";
import { executorContract, scriptedModel } from "@smolts/testing";
import { jsonSchema, tool } from "@smolts/tools";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefused } from "../../executor-remote/test/sending-agents.ts";

// Python takes seconds to start. So the tests of this file share one sandbox, except the tests
// about pages without shared memory, which share another.

const tinyWheel =
  "UEsDBBQAAAAIAJV1dl3mDOIVDgAAAAwAAAAKAAAAdGlueW1vZC5weXP0Cw53DVKwVTAx4gIAUEsDBBQAAAAIAJV1dl3k1tzlLAAAADEAAAAeAAAAdGlueW1vZC0xLjAuZGlzdC1pbmZvL01FVEFEQVRB800tSUxJLEnUDUstKs7Mz7NSMNIz5PJLzE21UijJzKvMzU/hgksZ6hlwAQBQSwMEFAAAAAgAlXV2XQTslBg6AAAAawAAABwAAAB0aW55bW9kLTEuMC5kaXN0LWluZm8vUkVDT1JEK8nMq8zNT9ErqNTR4SqBcHQN9Qz0UjKLS3Qz89Ly9X1dQxxdHEMccSoI93B19cEpG+Tq7B/kApQGAFBLAwQUAAAACACVdXZdN+GsoE0AAABLAAAAGwAAAHRpbnltb2QtMS4wLmRpc3QtaW5mby9XSEVFTAvPSE3N0Q1LLSrOzM+zUjDUM+ByT81LLUosyS+yUshIzEvhCsrPL9H1LNYNKC1KzclMslIoKSpN5QpJTLdSKKg01s3Lz0vVTcyr5AIAUEsBAhQDFAAAAAgAlXV2XeYM4hUOAAAADAAAAAoAAAAAAAAAAAAAAKSBAAAAAHRpbnltb2QucHlQSwECFAMUAAAACACVdXZd5Nbc5SwAAAAxAAAAHgAAAAAAAAAAAAAApIE2AAAAdGlueW1vZC0xLjAuZGlzdC1pbmZvL01FVEFEQVRBUEsBAhQDFAAAAAgAlXV2XQTslBg6AAAAawAAABwAAAAAAAAAAAAAAKSBngAAAHRpbnltb2QtMS4wLmRpc3QtaW5mby9SRUNPUkRQSwECFAMUAAAACACVdXZdN+GsoE0AAABLAAAAGwAAAAAAAAAAAAAApIESAQAAdGlueW1vZC0xLjAuZGlzdC1pbmZvL1dIRUVMUEsFBgAAAAAEAAQAFwEAAJgBAAAAAA==";
const signal = new AbortController().signal;
const factory = pyodide({
  limits: { memoryBytes: 200_000_000, outputCharacters: 20_000, pendingCalls: 300 },
  wheels: { "tinymod-1.0-py3-none-any.whl": Buffer.from(tinyWheel, "base64") },
});
let sandbox: Executor;

beforeAll(async () => {
  sandbox = await factory.open({ signal });
  const imports = { modules: [], authorizedImports: ["*"] };
  await sandbox.start({ tools: ["echo", "other", "final_answer"], imports });
});

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  await factory[Symbol.asyncDispose]();
});

/** An executor that returns the same sandbox each time. */
const shared: ExecutorFactory = {
  language: "python",
  replay: "never",
  open: async () => ({
    start: async () => {},
    execute: (code, options) => sandbox.execute(code, options),
    deliver: (...args) => sandbox.deliver(...args),
    variables: (options) => sandbox.variables?.(options) ?? Promise.resolve([]),
    isProgram: (code) => sandbox.isProgram?.(code) ?? Promise.resolve(true),
    [Symbol.asyncDispose]: async () => {},
  }),
};

function run(executor: Executor, code: string, own: Partial<ExecuteOptions> = {}): Promise<ExecutionResult> {
  return executor.execute(code, {
    signal,
    time: 0,
    seed: "",
    onConsole: () => {},
    onCall: ({ callIndex, args, execution }) =>
      void executor.deliver(callIndex, { type: "ok", value: args[0] ?? null }, 0, execution),
    ...own,
  });
}

async function lastValue(executor: Executor, code: string): Promise<unknown> {
  const result = await run(executor, code);
  return result.type === "value" ? result.output?.value : result;
}

describe("Python in WebAssembly fulfils the contract of an executor", () => {
  for (const { title, run: check } of executorContract(shared)) test(title, check);
});

describe("a sandbox of Python in WebAssembly", () => {
  test("makes 200 calls at once, and passes a megabyte each way", async () => {
    expect(
      await lastValue(sandbox, "import asyncio\nlen(await asyncio.gather(*[echo.aio(n) for n in range(200)]))"),
    ).toBe(200);
    expect(await lastValue(sandbox, "len(echo('ä' * 1_000_000))")).toBe(1_000_000);
  });

  test("runs programs with their own event loop", async () => {
    const code =
      "async def main():\n    return await echo.aio(3)\nimport asyncio\nasyncio.run(main()) + await echo.aio(1)";
    expect(
      await lastValue(sandbox, "async def main():\n    return await echo.aio(3)\nimport asyncio\nasyncio.run(main())"),
    ).toBe(3);
    expect(await run(sandbox, code)).toMatchObject({ type: "error" });
  });

  test("passes dates, bytes, sets, big integers, special numbers and shared references", async () => {
    const value = {
      when: new Date(0),
      bytes: new Uint8Array([1, 2]),
      set: new Set([1]),
      big: 2n ** 70n,
      none: Number.NaN,
    };
    const both = { first: value, again: value };
    expect(
      await run(sandbox, "given['first'] is given['again'], given", { variables: { given: encodeValue(both) } }),
    ).toMatchObject({
      output: { value: [true, encodeValue(both)] },
    });
    expect(await run(sandbox, "loop = [1]\nloop.append({'a': loop})\necho(loop)")).toMatchObject({
      type: "error",
      error: { message: expect.stringContaining('value[1]["a"] is a cycle') },
    });
  });

  test("installs wheels, and has the standard library", async () => {
    expect(await lastValue(sandbox, "import tinymod, statistics\n[tinymod.ANSWER, statistics.mean([1, 3])]")).toEqual([
      42, 2,
    ]);
  });

  test("stops a block that computes without end or waits, and keeps the variables", async () => {
    await run(sandbox, "kept = 5");
    for (const code of ["while True: pass", "echo(1)"]) {
      const controller = new AbortController();
      const running = run(sandbox, code, { signal: controller.signal, onCall: () => {} });
      setTimeout(() => controller.abort(), 50);
      expect(await running).toMatchObject({ type: "stopped", reason: "aborted" });
      expect(await lastValue(sandbox, "kept")).toBe(5);
    }
  });

  test("stops a block that catches the first interrupt, and keeps the variables", async () => {
    await run(sandbox, "kept = 5");
    const controller = new AbortController();
    const code = "try:\n    print('in')\n    while True: pass\nexcept BaseException:\n    while True: pass";
    const running = run(sandbox, code, { signal: controller.signal, onConsole: () => controller.abort() });
    expect(await running).toMatchObject({ type: "stopped", reason: "aborted" });
    expect(await lastValue(sandbox, "kept")).toBe(5);
  });

  test("ends a block at its answer, even if the block catches everything", async () => {
    await run(sandbox, "kept = 5");
    const code = "try:\n    final_answer(7)\nexcept:\n    while True: pass";
    expect(await run(sandbox, code)).toMatchObject({ type: "final-answer", args: [7] });
    expect(await lastValue(sandbox, "kept")).toBe(5);
  });

  test("has limits on memory, output and calls", async () => {
    expect(await run(sandbox, "[0] * 10**9")).toMatchObject({ type: "error", error: { name: "MemoryError" } });
    expect(await run(sandbox, "while True: print('x' * 1000)")).toMatchObject({ type: "stopped", reason: "output" });
    const many = "import asyncio\nawait asyncio.gather(*[echo.aio(n) for n in range(400)])";
    expect(await run(sandbox, many, { onCall: () => {} })).toMatchObject({ type: "stopped", reason: "pending-calls" });
    expect(await lastValue(sandbox, "1 + 1")).toBe(2);
  });

  test("gives programs no JavaScript", async () => {
    for (const code of ["import js", "import pyodide_js", "from pyodide.code import run_js", "import ctypes"]) {
      expect(await run(sandbox, code), code).toMatchObject({ type: "error", error: { name: "ModuleNotFoundError" } });
    }
    expect(await run(sandbox, "echo._guest.port._send.constructor")).toMatchObject({
      error: { name: "AttributeError" },
    });
  });

  test("lists its variables, and recognises programs", async () => {
    await run(sandbox, "words = ['a', 'b']");
    expect(await sandbox.variables?.()).toContainEqual({
      name: "words",
      type: "list[str]",
      size: 2,
      preview: "['a', 'b']",
    });
    expect([await sandbox.isProgram?.("x = await f()"), await sandbox.isProgram?.("x = = 1")]).toEqual([true, false]);
  });

  test("runs the code of an agent, whose tools, managed agents and approvals stay on the host", async () => {
    const worker = new CodeAgent({
      name: "summer",
      description: "Adds numbers.",
      model: scriptedModel(["<code>\nfinalAnswer(1 + 2)\n</code>", "<code>\nfinalAnswer(3)\n</code>"]),
    });
    const fetchPage = tool({
      name: "fetchPage",
      description: "Fetches a page.",
      input: jsonSchema<{ url: string }>({
        type: "object",
        properties: { url: { type: "string" } },
        required: ["url"],
      }),
      needsApproval: () => true,
      execute: ({ url }) => ({ url, words: ["a", "b"] }),
    });
    const replies = [
      "page = fetch_page('x')\nprint(page['words'])",
      "import asyncio\nsums = await asyncio.gather(summer.aio(task='1 + 2'), summer.aio(task='the same'))\nfinal_answer({'words': len(page['words']), 'sums': sums})",
    ];
    const agent = new CodeAgent({
      model: scriptedModel(replies.map((code) => `I go on.\n<code>\n${code}\n</code>`)),
      tools: [fetchPage],
      managedAgents: [worker],
      executor: {
        ...shared,
        open: async () => ({ ...(await shared.open({ signal })), start: (own) => sandbox.start(own) }),
      },
      approve: () => true,
    });
    const run = agent.run("Count.");
    const { steps } = await run.result;
    expect(steps.flatMap((step) => (step.type === "action" && step.error ? [step.error.message] : []))).toEqual([]);
    expect(await run).toEqual({ words: 2, sums: ["3", "3"] });
  });

  test("ends the worker of a block that does not react", async () => {
    const controller = new AbortController();
    const running = run(sandbox, "sum(range(10**12))", { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    expect(await running).toMatchObject({
      type: "stopped",
      reason: "aborted",
      error: { hint: expect.stringContaining("the variables of earlier steps are gone") },
    });
  });
});

test.each([
  [
    "a wheel that is not an archive",
    { wheels: { "odd-1.0-py3-none-any.whl": new Uint8Array([1, 2, 3]) } },
    /the wheel "odd-1.0-py3-none-any.whl" cannot be installed: .* is not a zip file$/,
  ],
  ["a package that cannot be fetched", { packages: ["http://127.0.0.1:9/odd-1.0-py3-none-any.whl"] }, /odd/],
])("%s fails before any code runs", async (_title, options, message) => {
  await using broken = pyodide(options);
  const firstBlock = async (): Promise<unknown> => {
    await using executor = await broken.open({ signal });
    await executor.start({ tools: [], imports: { modules: [], authorizedImports: ["*"] } });
    return await run(executor, "1");
  };
  await expect(firstBlock()).rejects.toMatchObject({
    code: "executor",
    message: expect.stringMatching(message),
    hint: expect.stringContaining("indexUrl, packages and wheels"),
  });
});

test.each([
  ["numpy", new Uint8Array(), "is not the file name of a wheel"],
  ["numpy-2.0-cp312-cp312-manylinux_x86_64.whl", new Uint8Array(), "is not a wheel of pure Python"],
  ["tiny-1.0-py3-none-any.whl", "./tiny-1.0-py3-none-any.whl", "has no bytes"],
])("a wheel named %s is refused immediately", (name, bytes, problem) => {
  const wheels = { [name]: bytes as Uint8Array };
  expect(() => pyodide({ wheels })).toThrow(expect.objectContaining({ message: expect.stringContaining(problem) }));
});

test("on a page without shared memory, calls must be awaited", async () => {
  const bridge = `
    const { parentPort } = require("node:worker_threads");
    globalThis.postMessage = (text) => parentPort.postMessage(text);
    const start = import("tsx/esm/api").then(({ register }) => { register(); return import(${JSON.stringify(new URL("../src/guest.web.ts", import.meta.url).href)}); });
    // Like a worker in a browser, this one holds back messages until its script has run.
    parentPort.on("message", (data) => start.then(() => globalThis.onmessage({ data })));
  `;
  const createWorker = (): Pick<globalThis.Worker, "postMessage" | "terminate" | "onmessage" | "onerror"> => {
    const worker = new Worker(bridge, { eval: true, env: {}, execArgv: ["--conditions=@smolts/source"] });
    const web = {
      onmessage: null as ((event: MessageEvent<string>) => void) | null,
      onerror: null as ((event: ErrorEvent) => void) | null,
      postMessage: (message: unknown) => worker.postMessage(message),
      terminate: () => void worker.terminate(),
    };
    worker.on("message", (data: string) => web.onmessage?.({ data } as MessageEvent<string>));
    worker.on("error", (error) => web.onerror?.({ message: String(error) } as ErrorEvent));
    return web;
  };
  const web = webPyodide({ createWorker, indexUrl: new URL("../node_modules/pyodide/", import.meta.url).pathname });
  const executor = await web.open({ signal });
  await executor.start({ tools: ["echo", "final_answer"] });
  expect(await lastValue(executor, "n = await echo.aio(20)\nn + 1")).toBe(21);
  expect(
    await lastValue(executor, "import asyncio\nlen(await asyncio.gather(*[echo.aio(n) for n in range(50)]))"),
  ).toBe(50);
  expect(await run(executor, "echo(1)")).toMatchObject({
    error: { message: expect.stringContaining("write await echo.aio(...)") },
  });
  expect(await run(executor, "await echo.aio(1)\nfinal_answer(n)\nprint(1)")).toMatchObject({
    type: "final-answer",
    args: [20],
  });
  await executor[Symbol.asyncDispose]();
});

test.each([
  [{}, 'pass its address: pyodide({ indexUrl: "/pyodide/" })'],
  [{ indexUrl: "/wrong/" }, "check indexUrl"],
])("on a page, %j says how to provide the files of Python", async (options, hint) => {
  const createWorker = () => {
    const broken = {
      onmessage: null,
      onerror: null as ((event: Event) => unknown) | null,
      postMessage: () => queueMicrotask(() => broken.onerror?.(new Event("error"))),
      terminate: () => {},
    };
    return broken;
  };
  const executor = await webPyodide({ ...options, createWorker }).open({ signal });
  await expect(run(executor, "1")).rejects.toMatchObject({ code: "executor", hint: expect.stringContaining(hint) });
});

test("a resumed run is refused, since its variables ended with its process, and continues without them only on request", () =>
  expectRefused(factory, { asks: 'await send.aio(text="hello")', answers: 'final_answer("again")' }));
