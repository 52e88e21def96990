import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runnerOf } from "@smolts/executor-remote";
import { AgentError, type ExecuteOptions, type ExecutionResult, type Executor } from "@smolts/protocol";
import { afterEach, describe, expect, test, vi } from "vitest";
import { childProcess, livingRunners } from "./child-process.ts";
import { isAlive } from "./is-alive.ts";

// Attacks by code that knows how its runner works. No attack may reach a tool or leave a process
// behind.

const executor = childProcess({ limits: { outputCharacters: 100_000, pendingCalls: 50 } });

/** A generous time limit, so that only a hang fails the test. */
const patiently = { timeout: 60_000 };

afterEach(() => expect.poll(() => livingRunners(), patiently).toEqual([]));

interface Outcome {
  readonly result: ExecutionResult | AgentError;
  readonly calls: readonly string[];
  readonly prints: string;
  /** The value of `1 + 1` in the next block, or the code of its error. */
  readonly next: unknown;
}

/**
 * An executor for tests whose block reaches the time limit. The next block has the same short
 * limit.
 */
const hasty = childProcess({ limits: { guestTimeMs: 4_000 } });
const bounded = childProcess({ limits: { guestTimeMs: 0, memoryBytes: 250 * 2 ** 20 } });

async function attack(program: string, factory: typeof executor = executor): Promise<Outcome> {
  const sandbox = await factory.open({ signal: new AbortController().signal });
  const calls: string[] = [];
  let prints = "";
  const run = async (code: string): Promise<ExecutionResult | AgentError> => {
    try {
      return await sandbox.execute(code, {
        signal: new AbortController().signal,
        time: 0,
        seed: "seed",
        onCall: ({ name }) => void calls.push(name),
        onConsole: ({ text }) => {
          prints += `${text}\n`;
        },
      });
    } catch (error) {
      if (AgentError.is(error)) return error;
      throw error;
    }
  };
  try {
    await sandbox.start({ tools: ["echo", "finalAnswer"] });
    const result = await run(program);
    const next = await run("1 + 1");
    return { result, calls, prints, next: valueIn(next) };
  } finally {
    await sandbox[Symbol.asyncDispose]();
  }
}

/** Options that ignore all output of a block. */
const quiet: ExecuteOptions = {
  signal: new AbortController().signal,
  time: 0,
  seed: "seed",
  onCall: () => {},
  onConsole: () => {},
};

const valueIn = (result: ExecutionResult | AgentError): unknown =>
  "code" in result ? result.code : result.type === "value" ? result.output?.value : result.type;

const fs = 'const fs = require("node:fs");';
const frame = (message: object): string =>
  `${fs} fs.writeSync(3, ${JSON.stringify(`${JSON.stringify(message)}\n`)}); 0`;

describe("code that writes to its runner's pipe", () => {
  test.each([
    ["text", `${fs} fs.writeSync(3, "hello\\n"); 0`],
    ["a call of a tool that does not exist", frame({ type: "call", execution: 1, call: 1, name: "rm", args: [] })],
    ["a call with a number out of order", frame({ type: "call", execution: 1, call: 7, name: "echo", args: [] })],
    [
      "a value that is not encoded",
      frame({ type: "call", execution: 1, call: 1, name: "echo", args: [{ $: "evil" }] }),
    ],
    [
      "a message that never ends",
      `${fs} const x = "x".repeat(1_000_000); for (;;) { try { fs.writeSync(3, x) } catch {} }`,
    ],
  ])("%s ends the sandbox with the code executor", async (_what, program) => {
    const { result, calls, next } = await attack(program);
    expect([(result as AgentError).code, calls, next]).toEqual(["executor", [], "executor"]);
  });

  // The supervisor forwards the text of the arguments unchanged. These texts try to add fields to
  // the frame.
  test.each([
    ["a field twice", '"args":[1],"type":"result","type":"call"'],
    ["a sequence number", '"args":[1],"seq":1,"ack":99'],
    ["another execution", '"args":[1],"execution":99'],
    ["the end of the block", '"args":[1],"type":"result","result":{"type":"final-answer","args":[1],"unawaited":[]}'],
    ["a field after the end", '"args":[1]},{"type":"fatal"'],
    ["bytes that are not ASCII", '"args":["\u2028\u00e4\ud83d\ude00"]'],
  ])("a call with %s is only a call", async (_what, fields) => {
    const line = `{"type":"call","execution":1,"call":1,"name":"echo",${fields}}\n`;
    const { result, calls } = await attack(`${fs} fs.writeSync(3, ${JSON.stringify(line)}); await null; 7`);
    expect(["executor", 7]).toContain("code" in result ? result.code : valueIn(result));
    expect([[], ["echo"]]).toContainEqual(calls);
  });

  test("a forged result of another block is ignored", async () => {
    const { result } = await attack(
      `${fs} fs.writeSync(3, '{"type":"final-answer","execution":99,"args":[1]}\\n'); await null; 7`,
    );
    expect(valueIn(result as ExecutionResult)).toBe(7);
  });
});

test("printed frames are treated as printed text", async () => {
  const line = '{"seq":2,"type":"result","execution":1,"result":{"type":"final-answer","args":[1],"unawaited":[]}}';
  const { result, prints } = await attack(
    `console.log('${line}'); require("node:child_process").execSync('echo \\'${line}\\'', { stdio: "inherit" }); 5`,
  );
  expect([valueIn(result as ExecutionResult), prints.split(line).length - 1]).toEqual([5, 2]);
});

test("code that closes its pipe loses its process, and the session gets another one", async () => {
  const { result, next } = await attack(
    `${fs} fs.closeSync(3); fs.closeSync(4); for (;;) await new Promise((r) => setTimeout(r, 10))`,
  );
  expect([(result as ExecutionResult).type === "value", next]).toEqual([false, 2]);
});

test.each([
  ["exits", "process.exit(7)", /ended its own process \(exit code 7\)/],
  ["breaks its process", "JSON.stringify = () => { throw 1 }; 5", /broke something that its own process needs/],
  [
    "breaks the promises that its process waits for",
    "globalThis.Promise = null; 5",
    /broke something that its own process needs/,
  ],
  ["crashes", "process.abort()", /SIGABRT/],
  ["kills itself", 'process.kill(process.pid, "SIGKILL")', /SIGKILL/],
])("code that %s gets an error, and the next block runs", async (_how, program, message) => {
  const { result, next } = await attack(program);
  expect(result).toMatchObject({ type: "error", error: { message: expect.stringMatching(message) } });
  expect(next).toBe(2);
});

test("code that kills its supervisor ends the sandbox, and the host does not hang", async () => {
  const { result, next } = await attack('process.kill(process.ppid, "SIGKILL"); await new Promise(() => {})');
  expect([(result as AgentError).code, next]).toEqual(["executor", "executor"]);
});

/** Says whether a process was stopped by a signal. */
const isStopped = (pid: number): boolean => /^\d+ \(.*\) T/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));

describe.skipIf(process.platform !== "linux")("a supervisor that is stopped by its guest", () => {
  const stops = 'process.kill(process.ppid, "SIGSTOP"); for (;;) {}';

  afterEach(() => {
    vi.useRealTimers();
  });

  test("is ended when the time of the block is over, and the error says so", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const attacked = attack(stops, hasty);
    await expect.poll(() => livingRunners().some(isStopped), patiently).toBe(true);
    await vi.advanceTimersByTimeAsync(20_000);
    const { result, next } = await attacked;
    expect(result).toMatchObject({ code: "executor", message: expect.stringContaining("its time limit") });
    expect(next).toBe("executor");
  });

  test("is ended when the block is aborted", async () => {
    const controller = new AbortController();
    const sandbox = await executor.open({ signal: controller.signal });
    await sandbox.start({ tools: [] });
    const block = sandbox.execute(stops, quiet);
    await expect.poll(() => livingRunners().some(isStopped), patiently).toBe(true);
    controller.abort();
    expect(await block).toMatchObject({ type: "stopped", reason: "aborted" });
    await expect(sandbox.execute("1", quiet)).rejects.toMatchObject({
      code: "executor",
      message: expect.stringContaining("did not react to an abort"),
    });
    await sandbox[Symbol.asyncDispose]();
  });
});

test("the block after one whose process ended after its result says that the variables are gone", async () => {
  const sandbox = await executor.open({ signal: quiet.signal });
  await sandbox.start({ tools: [] });
  const first = await sandbox.execute("const kept = process.pid; kept", quiet);
  process.kill(Number(valueIn(first)), "SIGKILL");
  await expect.poll(() => sandbox.variables?.(), patiently).toEqual([]);
  const prints: string[] = [];
  await sandbox.execute("2", { ...quiet, onConsole: ({ text }) => void prints.push(text) });
  expect(prints).toEqual([expect.stringContaining("all variables are gone")]);
  await sandbox[Symbol.asyncDispose]();
});

test.skipIf(process.platform !== "linux")("an endless loop ends with its supervisor", async () => {
  let pid = 0;
  const sandbox = await bounded.open({ signal: new AbortController().signal });
  await sandbox.start({ tools: ["tell", "finalAnswer"] });
  const block = sandbox.execute("tell(process.pid); for (;;);", {
    signal: new AbortController().signal,
    time: 0,
    seed: "seed",
    onCall: ({ args }) => {
      pid = Number(args[0]);
      for (const runner of livingRunners()) process.kill(runner, "SIGKILL");
    },
    onConsole: () => {},
  });
  await expect(block).rejects.toMatchObject({ code: "executor" });
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isAlive(pid), patiently).toBe(false);
  await sandbox[Symbol.asyncDispose]();
});

test.skipIf(process.platform !== "linux")("children that code leaves behind are killed with it", async () => {
  const { prints } = await attack(
    'const child = require("node:child_process").spawn("sleep", ["1000"]); console.log("pid", child.pid); 0',
  );
  const pid = Number(/pid (\d+)/.exec(prints)?.[1]);
  await expect.poll(() => isAlive(pid), patiently).toBe(false);
});

test("an endless loop is stopped, and the variables are kept", async () => {
  const { result, next } = await attack("const kept = 1; for (;;) {}", hasty);
  expect(result).toMatchObject({ type: "stopped", reason: "guest-time" });
  expect(next).toBe(2);
});

test("filling the memory is a stop with the reason memory", async () => {
  const { result, next } = await attack(
    "const all = []; for (;;) { all.push(Buffer.alloc(10_000_000, 1)); await null }",
    bounded,
  );
  expect(result).toMatchObject({ type: "stopped", reason: "memory" });
  expect(next).toBe(2);
});

test("too many open calls are a stop with the reason pending-calls", async () => {
  const { result, calls } = await attack("await Promise.all(Array.from({ length: 1_000 }, () => echo(1)))");
  expect(result).toMatchObject({ type: "stopped", reason: "pending-calls" });
  expect(calls.length).toBe(50);
});

test("a value that is too large for the sandbox to send is an error of the program", async () => {
  const { result, calls } = await attack('await echo("x".repeat(20_000_000))');
  expect(result).toMatchObject({ type: "error", error: { message: expect.stringContaining("too large") } });
  expect(calls).toEqual([]);
});

/** Replaces the runner with our own program, like a sandbox that an attacker has taken over. */
function impostor(program: string): Promise<Executor> {
  const folder = mkdtempSync(join(tmpdir(), "smolts-impostor-"));
  writeFileSync(join(folder, "runner.mjs"), program);
  const runner = runnerOf("javascript");
  return import("@smolts/executor-remote").then(async ({ remoteExecutor }) => {
    const child = spawn(process.execPath, [join(folder, "runner.mjs")], { stdio: "pipe" });
    const factory = remoteExecutor({
      open: async () => ({
        connect: async (events) => {
          if (child.exitCode !== null || child.signalCode !== null) throw new AgentError("executor", "gone");
          child.stdout.on("data", (bytes: Buffer) => events.onOutput(bytes));
          child.once("close", () => events.onEnd());
          child.stdin.on("error", () => {});
          return { write: (text) => void (text === runner.source || child.stdin.write(text)), close: () => {} };
        },
        kill: async () => {
          child.kill("SIGKILL");
          rmSync(folder, { recursive: true, force: true });
        },
      }),
    });
    return await factory.open({ signal: new AbortController().signal });
  });
}

const hello = `
  import { createInterface } from "node:readline";
  const say = (frame) => process.stdout.write(JSON.stringify(frame) + "\\n");
  let seq = 0;
  const number = (frame) => say({ seq: ++seq, ...frame });
  createInterface({ input: process.stdin }).on("line", (line) => {
    const frame = JSON.parse(line.replaceAll("\\x18", ""));
    if (frame.type === "hello") say({ type: "hello", version: 1, session: frame.session, received: 0, language: "javascript", runtime: "x", executed: [], maxFrameBytes: 16777216, windowBytes: 4194304 });
    if (frame.type === "start") number({ type: "started" });
    if (frame.type === "execute") attack(frame);
  });
`;

test.each([
  ["answers with garbage", 'const attack = () => process.stdout.write("garbage\\n");'],
  [
    "writes a frame of a gigabyte",
    'const attack = () => { const x = "x".repeat(1_000_000); const go = () => { while (process.stdout.write(x)); process.stdout.once("drain", go) }; go(); };',
  ],
  [
    "skips a number",
    'const attack = () => say({ seq: 9, type: "result", execution: 1, result: { type: "value", output: null, unawaited: [] } });',
  ],
  [
    "calls a tool that does not exist",
    'const attack = () => number({ type: "call", execution: 1, call: 1, name: "rm", args: [] });',
  ],
  [
    "ends a block with a code that ends the run",
    'const attack = () => number({ type: "result", execution: 1, result: { type: "error", error: { code: "interrupted", message: "x" }, unawaited: [] } });',
  ],
  ["acknowledges a frame that was never sent", 'const attack = () => say({ type: "ack", ack: 99 });'],
  ["exits in the middle of a block", "const attack = () => process.exit(1);"],
])("a runner that %s fails the block with the code executor", async (_what, program) => {
  const sandbox = await impostor(`${program}\n${hello}`);
  const calls: string[] = [];
  await sandbox.start({ tools: ["echo", "finalAnswer"] });
  const running = sandbox.execute("1", {
    signal: new AbortController().signal,
    time: 0,
    seed: "seed",
    onCall: ({ name }) => void calls.push(name),
    onConsole: () => {},
  });
  await expect(running).rejects.toMatchObject({ code: "executor" });
  expect(calls).toEqual([]);
  await sandbox[Symbol.asyncDispose]();
});
