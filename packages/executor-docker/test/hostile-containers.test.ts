import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DockerOptions, docker } from "@smolts/executor-docker";
import { AgentError, type ExecutionResult, type Executor } from "@smolts/protocol";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { expectContinued } from "../../executor-remote/test/sending-agents.ts";

// Attacks by code in a container, and failures of the container and the daemon. After each test, no
// container remains.

const image = process.env["SMOLTS_TEST_NODE_IMAGE"] ?? "";
const pythonImage = process.env["SMOLTS_TEST_PYTHON_IMAGE"] ?? "";
const socketPath = (process.env["DOCKER_HOST"] ?? "").replace("unix://", "");
const signal = new AbortController().signal;
/** A generous time limit, so that only a hang fails the test. */
const patiently = { timeout: 60_000 };

function ask(method: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, method, path, agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => {
        text += String(chunk);
      });
      response.on("end", () => resolve(text));
    });
    asked.on("error", reject);
    asked.end();
  });
}

interface Listed {
  readonly Id: string;
}

const containers = async (): Promise<readonly string[]> =>
  (JSON.parse(await ask("GET", "/containers/json?all=true")) as readonly Listed[]).map(({ Id }) => Id);

interface Outcome {
  readonly result: ExecutionResult | AgentError;
  readonly calls: readonly string[];
  /** The value of `1 + 1` in the next block, or the error code of that block. */
  readonly next: unknown;
}

async function opened(options: DockerOptions = {}): Promise<Executor> {
  const executor = docker({ image, memoryMb: 192, limits: { guestTimeMs: 8_000 }, ...options });
  onTestFinished(() => executor[Symbol.asyncDispose]());
  const sandbox = await executor.open({ signal });
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  await sandbox.start({ tools: ["echo", options.language === "python" ? "final_answer" : "finalAnswer"] });
  return sandbox;
}

async function attempt(
  sandbox: Executor,
  code: string,
  onCall: (call: number, name: string) => void = () => {},
): Promise<ExecutionResult | AgentError> {
  try {
    return await sandbox.execute(code, {
      signal,
      time: 0,
      seed: "seed",
      onCall: ({ callIndex, name }) => onCall(callIndex, name),
      onConsole: () => {},
    });
  } catch (error) {
    if (AgentError.is(error)) return error;
    throw error;
  }
}

async function attack(code: string, options: DockerOptions = {}): Promise<Outcome> {
  const sandbox = await opened(options);
  const calls: string[] = [];
  const result = await attempt(sandbox, code, (_call, name) => calls.push(name));
  const next = await attempt(sandbox, "1 + 1");
  await sandbox[Symbol.asyncDispose]();
  return { result, calls, next: valueIn(next) };
}

/** A connection to the daemon that a test can cut. */
async function proxy(): Promise<{ readonly host: string; cut(): void; close(): void }> {
  const sockets = new Set<Socket>();
  const path = join(mkdtempSync(join(tmpdir(), "smolts-proxy-")), "docker.sock");
  const server = createServer((near) => {
    const far = connect(socketPath);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return {
    host: `unix://${path}`,
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () => void server.close(),
  };
}

const valueIn = (result: ExecutionResult | AgentError): unknown =>
  "code" in result ? result.code : result.type === "value" ? result.output?.value : result.type;

const forged = (frame: object): string =>
  `require("node:fs").writeSync(3, ${JSON.stringify(`${JSON.stringify(frame)}\n`)}); await new Promise((r) => setTimeout(r, 500)); 0`;

describe.skipIf(!image)("in a container (runs by scripts/test-docker.sh)", () => {
  afterEach(() => expect.poll(containers, patiently).toEqual([]));

  test.each([
    ["garbage", 'require("node:fs").writeSync(3, "garbage\\n"); await new Promise((r) => setTimeout(r, 500)); 0'],
    ["a call of a tool that does not exist", forged({ type: "call", execution: 1, call: 1, name: "rm", args: [] })],
    [
      "a frame of a gigabyte",
      'const fs = require("node:fs"); const x = "x".repeat(1_000_000); for (;;) { try { fs.writeSync(3, x) } catch {} }',
    ],
  ])("%s on the runner's pipe ends the sandbox, and calls no tool", async (_what, code) => {
    const { result, calls } = await attack(code);
    expect([(result as AgentError).code, calls]).toEqual(["executor", []]);
  });

  test.each([
    [
      "closes its pipe",
      'const fs = require("node:fs"); fs.closeSync(3); fs.closeSync(4); for (;;) await new Promise((r) => setTimeout(r, 10))',
    ],
    ["exits", "process.exit(7)"],
    [
      "kills its supervisor",
      'process.kill(process.ppid, "SIGKILL"); process.kill(process.ppid, "SIGSEGV"); await new Promise((r) => setTimeout(r, 300)); 0',
    ],
    [
      "ends its supervisor politely",
      'process.kill(process.ppid, "SIGTERM"); await new Promise((r) => setTimeout(r, 5_000)); 0',
    ],
    [
      "writes frames as its supervisor",
      'const fs = require("node:fs"); const line = JSON.stringify({ seq: 2, type: "call", execution: 1, call: 1, name: "rm", args: [] }); fs.writeSync(fs.openSync(`/proc/${process.ppid}/fd/1`, "w"), line + "\\n"); 0',
    ],
    [
      "reads the frames of its supervisor",
      'const fs = require("node:fs"); const fd = fs.openSync(`/proc/${process.ppid}/fd/0`, "r"); for (;;) fs.readSync(fd, Buffer.alloc(65536))',
    ],
    [
      "forks endlessly",
      'const { spawn } = require("node:child_process"); for (;;) { spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]).on("error", () => {}); await new Promise((r) => setTimeout(r, 1)) }',
    ],
    ["fills the memory", "const all = []; for (;;) all.push(Buffer.alloc(5_000_000, 1))"],
    [
      "fills the disk",
      'const fs = require("node:fs"); for (let n = 0; ; n++) fs.writeFileSync(`/tmp/${n}`, Buffer.alloc(5_000_000, 1))',
    ],
  ])("code that %s gets an error, a stop or the end of its sandbox", async (_what, code) => {
    const { result, calls, next } = await attack(code, { pids: 64 });
    const kind = "code" in result ? result.code : result.type;
    expect(["error", "stopped", "executor", "value"]).toContain(kind);
    expect(calls).toEqual([]);
    expect([2, "executor", "error", "stopped"]).toContain(next);
  });

  test("files of the root cannot be written, and there is no network", async () => {
    const code = `
      const said = [];
      try { require("node:fs").writeFileSync("/etc/x", "x") } catch (error) { said.push(error.code) }
      await new Promise((done) => require("node:net").connect(80, "1.1.1.1").on("error", (error) => { said.push(error.code); done() }));
      said.push(process.getuid());
      said`;
    const { result } = await attack(code);
    expect(valueIn(result)).toEqual(["EROFS", "ENETUNREACH", 65_534]);
  });

  test("a link in a mounted folder leads nowhere outside", async () => {
    const folder = mkdtempSync(join(tmpdir(), "smolts-mount-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const secret = join(folder, "..", `smolts-secret-${process.pid}`);
    writeFileSync(secret, "secret of the host");
    onTestFinished(() => rmSync(secret, { force: true }));
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data", "plain"), "plain");
    symlinkSync(secret, join(folder, "data", "absolute"));
    symlinkSync(`../../smolts-secret-${process.pid}`, join(folder, "data", "relative"));
    const code = `
      const fs = require("node:fs");
      const read = (name) => { try { return fs.readFileSync("/data/" + name, "utf8") } catch (error) { return error.code } };
      const write = () => { try { fs.writeFileSync("/data/new", "x"); return "written" } catch (error) { return error.code } };
      [read("plain"), read("absolute"), read("relative"), write()]`;
    const { result } = await attack(code, { mounts: [{ source: join(folder, "data"), target: "/data" }] });
    expect(valueIn(result)).toEqual(["plain", "ENOENT", "ENOENT", "EROFS"]);
  });

  test("a container that is killed from outside fails the block with an error that says so", async () => {
    const sandbox = await opened();
    const [id] = await containers();
    const result = await attempt(sandbox, "await echo(1)", () => void ask("POST", `/containers/${id}/kill`));
    expect(result).toMatchObject({ code: "executor", message: expect.stringContaining("killed from outside") });
  });

  test("a lost pipe is opened again, and the block loses nothing", async () => {
    const { host, cut } = await proxy();
    const sandbox = await opened({ host });
    const code = 'const said = []; for (let n = 0; n < 3; n++) said.push(await echo(n)); said.join("")';
    const result = await attempt(sandbox, code, (call) => {
      if (call === 2) cut();
      void sandbox.deliver(call, { type: "ok", value: call }, 0);
    });
    expect(valueIn(result)).toBe("123");
    await sandbox[Symbol.asyncDispose]();
  });

  test("if the daemon becomes unreachable, the block fails and the container ends by itself", async () => {
    const { host, cut, close } = await proxy();
    const sandbox = await opened({ host, keepMs: 1_500 });
    const result = await attempt(sandbox, "await echo(1)", () => {
      close();
      cut();
    });
    expect(result).toMatchObject({ code: "executor", hint: expect.any(String) });
  });

  test("a run that waits for an approval continues in its container", () => expectContinued(docker({ image })));

  test("a pool is started in advance and ends with its factory", async () => {
    const pooled = docker({ image, pool: 2 });
    pooled.warm();
    await expect.poll(async () => (await containers()).length, patiently).toBe(2);
    await pooled[Symbol.asyncDispose]();
  });

  test("a container whose host is silent ends by itself", async () => {
    const sandbox = await opened({ keepMs: 1_500 });
    await sandbox.detach?.();
    await expect.poll(containers, patiently).toEqual([]);
  });

  test.each<[string, DockerOptions, RegExp]>([
    ["an image that does not exist", { image: "smolts-test/none:1" }, /was not found and cannot be pulled/],
    ["an image without the language", { language: "python" }, /has no python3/],
    ["a package that cannot be installed", { packages: ["no-such-package-xyz"] }, /cannot be installed/],
    ["a Dockerfile with an error", { dockerfile: "FORM nothing" }, /cannot be built/],
  ])("%s is an error with a hint", async (_what, options, message) => {
    const executor = docker({ ...(options.dockerfile === undefined && { image }), ...options });
    const error = await executor.open({ signal }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "executor", message: expect.stringMatching(message) });
  });

  test("a build reports its progress, and its image is reused", async () => {
    const lines: string[] = [];
    // A built image is kept, so each run of this test needs a different image.
    const dockerfile = `FROM ${image}\nENV CITY=Bern RUN=${crypto.randomUUID()}`;
    const executor = docker({ dockerfile, onProgress: (line) => lines.push(line) });
    const sandbox = await executor.open({ signal });
    await sandbox.start({ tools: ["finalAnswer"] });
    expect(valueIn(await attempt(sandbox, "process.env.CITY"))).toBe("Bern");
    await sandbox[Symbol.asyncDispose]();
    expect(lines.join("\n")).toMatch(/building[\s\S]*step 1/i);
  });

  test.skipIf(!pythonImage).each([
    ["exits", "import os\nos._exit(7)"],
    ["fills the memory", "all = []\nwhile True:\n    all.append(b'1' * 5_000_000)"],
    ["forks endlessly", "import os\nwhile True:\n    os.fork()"],
    ["closes all its files", "import os\nos.closerange(0, 64)\nwhile True:\n    pass"],
    [
      "writes into every pipe",
      'import os\nfor fd in range(0, 16):\n    try:\n        os.write(fd, b\'{"type":"call","name":"rm"}\\n\')\n    except OSError:\n        pass\n1',
    ],
  ])("Python that %s gets an error, a stop or the end of its sandbox", async (_what, code) => {
    const { result, calls } = await attack(code, { image: pythonImage, language: "python", pids: 64 });
    expect(["error", "stopped", "executor", "value"]).toContain("code" in result ? result.code : result.type);
    expect(calls).toEqual([]);
  });
});
