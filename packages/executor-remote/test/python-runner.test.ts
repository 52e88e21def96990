// The Python runner alone on a pipe: guests that lie, and hosts that reconnect. Invalid frames are
// tested in fuzzed-frames.test.ts.

import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { frameLine, protocolVersion, runnerOf } from "@smolts/executor-remote";
import { afterEach, describe, expect, test } from "vitest";
import { isAlive } from "./is-alive.ts";

const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;

interface Frame {
  readonly type: string;
  readonly [name: string]: unknown;
}

const running = new Set<RunnerOnPipe>();
afterEach(async () => {
  for (const runner of running) await runner.end();
  running.clear();
});

class RunnerOnPipe {
  readonly frames: Frame[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<unknown>;
  #rest = "";
  #seq = 0;
  #isGreeted = false;
  #look: () => void = () => {};

  constructor() {
    const { command, source } = runnerOf("python");
    const [name = "", ...args] = command;
    this.#child = spawn(name, args, { stdio: "pipe" });
    this.#exited = once(this.#child, "exit");
    this.#child.stdin.on("error", () => {}); // the runner may exit before it has read everything
    this.#child.stdout.on("data", (bytes: Buffer) => this.#hear(String(bytes)));
    this.#child.stdin.write(source);
    running.add(this);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  write(text: string): void {
    this.#child.stdin.write(text);
  }

  hello(fresh = true, session = "secret"): void {
    if (fresh) this.#seq = 0;
    this.#isGreeted = false;
    const sizes = { maxFrameBytes: 1 << 24, windowBytes: 1 << 22 };
    this.write(`\x18${frameLine({ type: "hello", version: protocolVersion, session, received: 0, fresh, ...sizes })}`);
  }

  send(message: object): void {
    this.write(frameLine({ ...message, seq: ++this.#seq }));
  }

  start(limits: object = {}): void {
    const own = { timeMs: 60_000, memoryBytes: 0, outputChars: 100_000, pendingCalls: 100, ...limits };
    const start = { type: "start", tools: ["echo", "final_answer"], finalAnswer: "final_answer", imports: null };
    this.send({ ...start, limits: own, leashMs: 60_000, options: {} });
  }

  /** Runs a block until its result. Each call is answered with its first argument. */
  async run(code: string, { id = code, execution = 1 } = {}): Promise<Frame> {
    const from = this.frames.length;
    this.send({ type: "execute", execution, id, code, variables: {} });
    let answered = 0;
    const result = await this.until((frame) => {
      for (const call of this.frames
        .slice(from)
        .filter(({ type }) => type === "call")
        .slice(answered)) {
        answered++;
        const [value = null] = call["args"] as unknown[];
        this.send({
          type: "deliver",
          request: 1_000 + answered,
          execution,
          call: call["call"],
          outcome: { type: "ok", value },
        });
      }
      return frame.type === "result" && this.frames.indexOf(frame) >= from;
    });
    return result["result"] as Frame;
  }

  async until(isIt: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.findLast(isIt);
      if (found) return found;
      const change = new Promise<void>((resolve) => {
        this.#look = resolve;
      });
      await Promise.race([change, this.#exited.then(() => Promise.reject(new Error("the runner has ended")))]);
    }
  }

  exited(): Promise<unknown> {
    return this.#exited;
  }

  async end(): Promise<void> {
    this.#child.stdin.destroy();
    await this.#exited;
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const frame = JSON.parse(line.slice(line.lastIndexOf("\x18") + 1)) as Frame; // the runner wrote the line
      this.#isGreeted ||= frame.type === "hello" || frame.type === "fatal";
      if (!this.#isGreeted) continue; // the frame was sent before the new host connected
      this.frames.push(frame);
      if (typeof frame["seq"] === "number") this.write(frameLine({ type: "ack", ack: frame["seq"] }));
    }
    this.#look();
  }
}

/** Says whether a process exists. A process that has ended exists until its parent reaps it. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function startedRunner(limits?: object): Promise<RunnerOnPipe> {
  const runner = new RunnerOnPipe();
  runner.hello();
  runner.start(limits);
  await runner.until(({ type }) => type === "started");
  return runner;
}

describe.skipIf(!hasPython)("the Python runner alone on a pipe (skipped: there is no python3 >= 3.9)", () => {
  test("never takes printed text for a frame", async () => {
    const runner = await startedRunner();
    const forged = JSON.stringify({ type: "call", execution: 1, call: 1, name: "echo", args: [], seq: 99 });
    const code = `import os, subprocess\nprint(${JSON.stringify(forged)})\nos.write(1, ${JSON.stringify(`${forged}\n`)}.encode())\nsubprocess.run(["echo", ${JSON.stringify(forged)}])\n1`;
    expect(await runner.run(code)).toMatchObject({ type: "value", output: { value: 1 } });
    expect(runner.frames.filter(({ type }) => type === "call")).toEqual([]);
    const printed = runner.frames.filter(({ type }) => type === "console").map(({ text }) => String(text));
    // A frame can contain several lines if they arrived together, so compare the single lines.
    expect(printed.join("\n").split("\n")).toEqual([forged, forged, forged]);
  });

  test("ends the sandbox when its guest writes garbage into its own pipe", async () => {
    const runner = await startedRunner();
    const code =
      "import os\nfor n in range(3, 64):\n    try:\n        os.write(n, b'garbage\\n')\n    except OSError:\n        pass";
    runner.send({ type: "execute", execution: 1, id: "a", code, variables: {} });
    expect(await runner.until(({ type }) => type === "fatal")).toMatchObject({ error: { code: "executor" } });
    await runner.exited();
  });

  test("accepts only calls that a program could make, whatever its guest writes", async () => {
    for (const call of [{ name: "other" }, { call: 7 }, { args: 5 }, { keywords: [] }]) {
      const runner = await startedRunner();
      const frame = JSON.stringify({ type: "call", execution: 1, call: 1, name: "echo", args: [], ...call });
      const code = `echo._guest.port.send(__import__("json").loads(${JSON.stringify(frame)}))\necho(1)`;
      runner.send({ type: "execute", execution: 1, id: "a", code, variables: {} });
      await runner.until(({ type }) => type === "fatal");
      expect(runner.frames.filter(({ type }) => type === "call")).toEqual([]);
      await runner.exited();
    }
  });

  test("stops a block that takes too long, and restarts a guest that does not stop", async () => {
    const runner = await startedRunner({ timeMs: 4_000 });
    await runner.run("kept = 1", { execution: 1 });
    expect(await runner.run("while True: pass", { execution: 2 })).toMatchObject({
      type: "stopped",
      reason: "guest-time",
    });
    expect(await runner.run("kept", { execution: 3 })).toMatchObject({ output: { value: 1 } });
    const deaf = "sum(range(10**12))";
    expect(await runner.run(deaf, { execution: 4 })).toMatchObject({
      reason: "guest-time",
      error: { hint: expect.stringContaining("variables of earlier steps are gone") },
    });
    expect(await runner.run("'kept' in globals()", { execution: 5 })).toMatchObject({ output: { value: false } });
  });

  test("stops a block that uses too much memory or prints too much, and survives the end of its guest", async () => {
    const runner = await startedRunner({ memoryBytes: 150_000_000, outputChars: 1_000 });
    const hoard = "hoard = []\nwhile True: hoard.append(bytearray(10**7))";
    expect(await runner.run(hoard, { execution: 1 })).toMatchObject({ type: "stopped", reason: "memory" });
    expect(await runner.run("while True: print('x' * 100)", { execution: 2 })).toMatchObject({ reason: "output" });
    expect(await runner.run("import os\nos._exit(3)", { execution: 3 })).toMatchObject({
      type: "error",
      error: { message: "the process of the code ended with exit code 3" },
    });
    expect(await runner.run("2", { execution: 4 })).toMatchObject({ output: { value: 2 } });
  });

  test.each([
    [
      "closes its pipes and continues to compute",
      "import os\nos.closerange(0, 64)\nwhile True: pass",
      "closed the pipe",
    ],
    [
      "ends while its child holds the pipes",
      "import os, time\nif os.fork() == 0: time.sleep(987)\nos._exit(3)",
      "exit code 3",
    ],
  ])("ends a guest that %s, long before its time limit", async (_what, code, message) => {
    const runner = await startedRunner({ timeMs: 600_000 });
    expect(await runner.run(code, { execution: 1 })).toMatchObject({
      type: "error",
      error: { name: "ProcessEnded", message: expect.stringContaining(message) },
    });
    expect(await runner.run("2", { execution: 2 })).toMatchObject({ output: { value: 2 } });
  });

  test("reports in the next block that the variables are gone, if its guest ended after a result", async () => {
    const runner = await startedRunner();
    const { output } = await runner.run("import os\nkept = os.getpid()\nkept", { execution: 1 });
    const pid = (output as { readonly value: number }).value;
    process.kill(pid, "SIGKILL");
    await expect.poll(() => isThere(pid), { timeout: 60_000 }).toBe(false);
    for (const execution of [2, 3]) await runner.run(`${execution}`, { execution });
    const printed = runner.frames.filter(({ type }) => type === "console");
    const text = expect.stringContaining("the variables of earlier steps are gone");
    expect(printed).toEqual([expect.objectContaining({ execution: 2, level: "warn", text })]);
  });

  test("a process that a program forks can print, and can neither call a tool nor end the block", async () => {
    const runner = await startedRunner();
    const forks = "import os\nchild = os.fork()\n";
    const calls = "if child == 0:\n    try: echo(1)\n    except RuntimeError as error: print(error)\n";
    const answers = "if child == 0: final_answer(6)\nos.waitpid(child, 0)\necho(5)";
    const result = await runner.run(forks + calls + answers, { execution: 1 });
    expect(result).toMatchObject({ type: "value", output: { value: 5 } });
    const printed = runner.frames.filter(({ type }) => type === "console").map(({ text }) => text);
    expect(printed).toEqual([expect.stringMatching(/^a forked process cannot call tools/)]);
    expect(await runner.run("2", { execution: 2 })).toMatchObject({ output: { value: 2 } });
  });

  test("leaves no process behind, not even one that left its process group", async () => {
    const runner = await startedRunner();
    const code =
      "import subprocess\n[subprocess.Popen(['sleep', '987'], start_new_session=own).pid for own in (True, False)]";
    const result = await runner.run(code);
    const pids = (result["output"] as { value: number[] }).value;
    await runner.end();
    await expect.poll(() => pids.filter(isAlive), { timeout: 60_000 }).toEqual([]);
  });

  test("repeats the reports of the last block to a new host, and runs no block twice", async () => {
    const runner = await startedRunner();
    await runner.run("n = 1\nprint('once')\necho(n)", { id: "a" });
    runner.hello(true);
    expect(
      await runner.until(({ type, executed }) => type === "hello" && Array.isArray(executed) && executed.length === 1),
    ).toBeDefined();
    runner.start();
    const from = runner.frames.length;
    expect(await runner.run("n = 1\nprint('once')\necho(n)", { id: "a" })).toMatchObject({ output: { value: 1 } });
    expect(runner.frames.slice(from).filter(({ type }) => type === "call" || type === "console")).toHaveLength(2);
    await runner.run("n += 1", { id: "b", execution: 2 });
    runner.send({ type: "execute", execution: 3, id: "a", code: "n", variables: {} });
    await runner.until(({ type }) => type === "failed");
    expect(await runner.run("n", { id: "c", execution: 4 })).toMatchObject({ output: { value: 2 } });
    runner.hello(true, "another");
    await runner.until(({ type }) => type === "fatal");
  });

  test.each([
    ["of a task that has not run since", ["time.sleep(0.3)", "await asyncio.sleep(0)", "1"], [1], ["late"]],
    ["that nothing awaited", ["forgotten = echo.aio(2)", "time.sleep(0.3)", "1"], [1, 2], ["late"]],
    ["of a task that was awaited", ["time.sleep(0.3)", "await task", "1"], [], ["late"]],
    ["of a task that was polled", ["while not task.done(): await asyncio.sleep(0)", "1"], [], ["late"]],
    [
      "of a call that follows another",
      [
        "async def two():",
        "    print(await echo.aio(await echo.aio('two')))",
        "other = asyncio.ensure_future(two())",
        "1",
      ],
      [1],
      ["late", "two"],
    ],
  ])("knows whether the outcome %s was awaited, however fast the host is", async (_whose, rest, unawaited, printed) => {
    const runner = await startedRunner();
    const late = ["async def late():", "    print(await echo.aio('late'))", "task = asyncio.ensure_future(late())"];
    const code = ["import asyncio, time", ...late, "await asyncio.sleep(0)", ...rest].join("\n");
    expect(await runner.run(code)).toMatchObject({ type: "value", unawaited });
    expect(runner.frames.filter(({ type }) => type === "console").map(({ text }) => text)).toEqual(printed);
  });

  test("lets threads call tools, and gathers calls", async () => {
    const runner = await startedRunner();
    const threads = [
      "import threading",
      "found = []",
      "threads = [threading.Thread(target=lambda n=n: found.append(echo(n))) for n in range(5)]",
      "[thread.start() for thread in threads]",
      "[thread.join() for thread in threads]",
      "sorted(found)",
    ].join("\n");
    expect(await runner.run(threads)).toMatchObject({ output: { value: [0, 1, 2, 3, 4] } });
  });

  test("shows objects that have an image, and tables as text", async () => {
    const runner = await startedRunner();
    const code = ["class Picture:", "    def _repr_png_(self):", "        return b'png'", "Picture()"].join("\n");
    expect(await runner.run(code, { execution: 1 })).toMatchObject({
      output: { media: [{ mediaType: "image/png", data: "cG5n" }] },
    });
    const table = [
      "class Frame:",
      "    columns = ['a']",
      "    def to_string(self): return 'a\\n1'",
      "    def to_dict(self, orient): return [{'a': 1}]",
      "Frame.__module__ = 'pandas.core.frame'",
      "Frame()",
    ].join("\n");
    expect(await runner.run(table, { execution: 2 })).toMatchObject({ output: { text: "a\n1", value: [{ a: 1 }] } });
  });

  test("refuses imports that are not allowed, and assignments to the name of a tool", async () => {
    const runner = new RunnerOnPipe();
    runner.hello();
    const limits = { timeMs: 0, memoryBytes: 0, outputChars: 0, pendingCalls: 0 };
    const imports = ["math.*", "os.path"];
    runner.send({ type: "start", tools: ["echo"], finalAnswer: null, imports, limits, leashMs: 60_000, options: {} });
    expect(await runner.run("import math, os.path\nmath.floor(2.5)", { execution: 1 })).toMatchObject({
      output: { value: 2 },
    });
    expect(await runner.run("import subprocess", { execution: 2 })).toMatchObject({
      error: { code: "import-refused", message: expect.stringContaining('the import of "subprocess" is not allowed') },
    });
    expect(await runner.run("echo = 5", { execution: 3 })).toMatchObject({
      error: { message: expect.stringContaining('"echo" is a function that you can call') },
    });
  });
});
