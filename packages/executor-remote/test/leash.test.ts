import { spawn } from "node:child_process";
import { frameLine, type GuestLanguage, runnerOf } from "@smolts/executor-remote";
import { expect, test } from "vitest";
import { childProcess } from "./child-process.ts";

// A runner ends itself if its host is silent for too long, but not if its sandbox was paused during
// that time. Each of these tests has to wait, so they run concurrently.

// Long enough for a busy machine: even there, this process sends messages more often than that.
const leashMs = 10_000;

function startRunner(language: GuestLanguage) {
  const { command, source } = runnerOf(language);
  const child = spawn(command[0] ?? "", command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (bytes: Buffer) => {
    said += String(bytes);
  });
  const hello = {
    type: "hello",
    version: 1,
    session: "s",
    received: 0,
    fresh: true,
    maxFrameBytes: 2 ** 24,
    windowBytes: 2 ** 22,
  };
  const limits = { timeMs: 0, memoryBytes: 0, outputChars: 0, pendingCalls: 0 };
  const start = { seq: 1, type: "start", tools: [], finalAnswer: null, imports: null, limits, leashMs, options: {} };
  child.stdin.on("error", () => {});
  child.stdin.write(source + frameLine(hello) + frameLine(start));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, ended, outputSoFar: () => said };
}

const patiently = { timeout: 60_000 };

test.concurrent.each(["javascript", "python"] as const)(
  "a %s runner that hears nothing ends by itself",
  async (language) => {
    const { ended } = startRunner(language);
    expect(await ended).toBe(0);
  },
);

test.concurrent.for(["javascript", "python"] as const)(
  "time in which a %s runner is paused does not count",
  async (language, { expect }) => {
    const { child, ended, outputSoFar } = startRunner(language);
    const ping = (): void => void child.stdin.write(frameLine({ type: "ping" }));
    let pings = setInterval(ping, 50);
    await expect.poll(outputSoFar, patiently).toContain('"started"');
    clearInterval(pings);
    process.kill(child.pid ?? 0, "SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, leashMs * 1.5));
    process.kill(child.pid ?? 0, "SIGCONT");
    const before = outputSoFar().length;
    pings = setInterval(ping, 50);
    await expect.poll(() => outputSoFar().slice(before), patiently).toContain('"pong"');
    clearInterval(pings);
    child.stdin.end();
    await ended;
  },
);

test.concurrent("a sandbox with an idle host stays for longer than keepMs", async () => {
  const signal = new AbortController().signal;
  const sandbox = await childProcess({ keepMs: leashMs }).open({ signal });
  await sandbox.start({ tools: [] });
  const run = (code: string) =>
    sandbox.execute(code, { signal, time: 0, seed: "", onCall: () => {}, onConsole: () => {} });
  await run("const kept = 41");
  await new Promise((resolve) => setTimeout(resolve, leashMs * 2));
  expect(await run("kept + 1")).toMatchObject({ type: "value", output: { value: 42 } });
  await sandbox[Symbol.asyncDispose]();
});
