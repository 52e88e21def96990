// The watched process. It runs each program that arrives on standard input, in the mode that its
// argument names, and reports on standard output.

import { createHash } from "node:crypto";
import { readFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { interpreter } from "@smolts/interpreter";
import type { ExecutionResult, Executor, ExecutorFactory, HostCall } from "@smolts/protocol";
import { worker } from "../../packages/executor-worker/src/index.ts";
import { process as childProcess } from "../../packages/executor-worker/src/process.node.ts";
import type { BlockReport, Mode, Program, ProgramReport } from "./program.ts";

const mode = process.argv[2] as Mode;
const guestEntry = new URL("./guest.mjs", import.meta.url);
const childEntry = new URL("./guest-process.mjs", import.meta.url);

function factoryFor({ limits = {}, heapMb }: Program): ExecutorFactory {
  const heap = heapMb === undefined ? {} : { heapMb };
  switch (mode) {
    case "process":
      return interpreter({ limits });
    case "worker":
      return worker({ limits, ...heap, pool: 0, entry: guestEntry });
    case "child":
      return childProcess({ limits, ...heap, pool: 0, entry: childEntry });
    default:
      return mode satisfies never;
  }
}

async function runProgram(program: Program): Promise<ProgramReport> {
  const { id } = program;
  const blocks: BlockReport[] = [];
  try {
    const { signal } = new AbortController();
    await using executor = await factoryFor(program).open({ signal });
    await executor.start({ tools: ["echo", "finalAnswer"] });
    let isPrepared = false;
    for (const { code, setup, spoils = false } of program.blocks) {
      const setupEnded: string | undefined = setup && !isPrepared ? await prepare(executor, setup, signal) : undefined;
      const report = await runBlock(executor, code, signal);
      blocks.push(setupEnded === undefined ? report : { ...report, setupEnded });
      isPrepared = !spoils && setupEnded === undefined;
    }
    return { id, blocks };
  } catch (error) {
    return { id, blocks, failed: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

/** Runs the setup of a block. Returns how it ended if it did not end with a value. */
async function prepare(executor: Executor, setup: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  for (const code of setup) {
    const { ended } = await runBlock(executor, code, signal);
    if (ended !== "value") return ended;
  }
  return undefined;
}

async function runBlock(executor: Executor, code: string, signal: AbortSignal): Promise<BlockReport> {
  const hash = createHash("sha256");
  const before = cpuMs();
  const echo = async ({ args, callIndex, execution }: HostCall): Promise<void> => {
    await null;
    await executor.deliver(callIndex, { type: "ok", value: args[0] ?? null }, 1_000, execution);
  };
  const result = await executor.execute(code, {
    signal,
    time: 1_000,
    seed: "seed",
    onCall: (call) => void echo(call),
    onConsole: ({ text }) => void hash.update(text),
  });
  // Read the CPU time before computing the digest, because the digest of a large result takes long.
  const usedMs = cpuMs() - before;
  return {
    ended: result.type === "stopped" ? result.reason : result.type,
    operations: result.operations,
    digest: hash.update(textOf(result)).digest("hex").slice(0, 16),
    cpuMs: Math.round(usedMs),
  };
}

/**
 * Returns how much CPU time the programs have used so far, in ms. If the programs run on the main
 * thread, this is the time of that thread alone, because that is how long they block the process.
 * It does not include the host's threads for garbage collection and compilation. In the other
 * modes, this is the time of this process and of its child processes.
 */
function cpuMs(): number {
  return mode === "process" ? mainThreadMs() : processMs() + childProcessesMs();
}

/**
 * Returns the CPU time of the main thread. If the system does not report it, returns the time of
 * the whole process.
 */
function mainThreadMs(): number {
  try {
    return Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[0]) / 1e6;
  } catch {
    return processMs();
  }
}

function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

// Linux reports CPU time in hundredths of a second.
const msOfTick = 10;

/** Returns the CPU time of the child processes, in ms; 0 if the system does not report it. */
function childProcessesMs(): number {
  try {
    const running = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ").filter(Boolean);
    return (
      msOfTick * running.map((pid) => ticksOf(pid, "self")).reduce((sum, each) => sum + each, ticksOf("self", "ended"))
    );
  } catch {
    return 0;
  }
}

/** Returns the CPU ticks of a process, or of its child processes that have ended. */
function ticksOf(pid: string, which: "self" | "ended"): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // Skip the process id and the program's name, which is in parentheses. The next field is the
  // state.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const first = which === "self" ? 11 : 13;
  return Number(fields[first]) + Number(fields[first + 1]);
}

function textOf(result: ExecutionResult): string {
  switch (result.type) {
    case "value":
      return JSON.stringify(result.output);
    case "error":
      return JSON.stringify(result.error);
    case "final-answer":
      return JSON.stringify(result.args);
    case "stopped":
      return result.reason;
    default:
      return result satisfies never;
  }
}

const say = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`);

// Runs a small program first: the memory that the interpreter itself needs must not count for the
// first real program.
await runProgram({ id: "warm-up", blocks: [{ code: "1 + 1" }] });
say({ ready: true });
for await (const line of createInterface({ input: process.stdin })) say(await runProgram(JSON.parse(line) as Program));
process.exit();
