// A child process with an interpreter in it. The host uses it in the same way as a thread.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { execPath, versions } from "node:process";
import type { ResourceLimits } from "node:worker_threads";
import type { FromChild, ToChild } from "./child-message.node.ts";
import { type GuestThread, silentListener, type ThreadEnd } from "./guest-thread.ts";
import type { FromGuest } from "./message.ts";

/** Options for starting a child process. */
export interface ChildOptions {
  /** The heap limits of the thread in the child. */
  readonly resourceLimits: ResourceLimits;
  /** The memory limit of the whole process, in bytes. */
  readonly maxMemoryBytes: number;
  readonly entry: URL | undefined;
}

// Node needs a loader for TypeScript. The published package is JavaScript and needs none.
const isSource = import.meta.url.endsWith(".ts");
// Newer versions of V8 reserve half a gigabyte for compiled code. The system would count that as
// used memory, so the system's limit is not used with these versions.
const isHeldBySystem = Number.parseInt(versions.node, 10) < 22;
const maxErrorTextLength = 2_000;
// The interpreter asks V8 to collect garbage before it stops a block for its memory. Without this
// flag, it would have to allocate a large buffer, which the system's limit refuses.
const flags = ["--expose-gc"];
// How long a small call takes to the host and back, in ms, as measured. Each message passes through
// a pipe and two threads of the child.
const callMs = 0.1;

/**
 * Starts a child process without environment variables. The end of the child is always reported,
 * whatever its cause.
 */
export function startChild({ resourceLimits, maxMemoryBytes, entry }: ChildOptions): GuestThread {
  const limit = isHeldBySystem ? memoryLimiter(maxMemoryBytes) : [];
  const command = [...limit, execPath, ...nodeArguments(entry)];
  const child = spawn(command[0] ?? "", command.slice(1), {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "advanced",
    env: {},
    windowsHide: true,
  });
  const errorText = lastText(child);
  let isReady = false;
  let isOver = false;
  const send = (message: ToChild): void => {
    // Errors of `send` are ignored: if the child has ended, its exit is reported separately.
    if (child.connected) child.send(message, () => {});
  };
  const end = (reason: ThreadEnd): void => {
    if (isOver) return;
    isOver = true;
    child.kill("SIGKILL");
    thread.listener.onEnd(reason);
  };
  const thread: GuestThread = {
    listener: silentListener,
    callMs,
    post: (message) => send(JSON.stringify(message)),
    setAborted: (isAborted) => send({ type: "set-aborted", isAborted }),
    keepAlive: (isKept) => keepAlive(child, isKept),
    usedMs: () => (child.pid === undefined ? null : processMs(child.pid)),
    terminate() {
      isOver = true;
      child.kill("SIGKILL");
      keepAlive(child, false);
    },
  };
  child.on("message", (message: FromChild) => {
    if (isOver) return;
    isReady = true;
    if (typeof message !== "string") return end(message.end);
    // The cast is safe: our own code in the child wrote this text.
    thread.listener.onMessage(JSON.parse(message) as FromGuest);
  });
  // The end is reported only after the last messages were read, because the channel may stay open
  // longer than the process.
  const gone = (): void => {
    if (child.connected || (child.exitCode === null && child.signalCode === null)) return;
    end(isReady ? { type: "memory" } : { type: "failed", message: startFailure(child, errorText()) });
  };
  child.on("exit", gone);
  child.on("disconnect", gone);
  child.on("error", ({ message }) => end({ type: "failed", message }));
  send({ type: "start", resourceLimits, ...(limit.length === 0 && { maxRssBytes: maxMemoryBytes }) });
  return thread;
}

// Linux reports CPU time in hundredths of a second.
const msPerTick = 10;

/** Returns the CPU time of a process, in ms. Null if the system is not Linux. */
function processMs(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ");
    return (Number(fields?.[11]) + Number(fields?.[12])) * msPerTick;
  } catch {
    return null; // the system is not Linux, or the process has ended
  }
}

/** Returns the command that limits the memory on Linux. Empty if the command is not installed. */
function memoryLimiter(maxMemoryBytes: number): readonly string[] {
  const file = ["/usr/bin/prlimit", "/bin/prlimit"].find((path) => existsSync(path));
  return file ? [file, `--data=${maxMemoryBytes}`, "--core=0"] : [];
}

function nodeArguments(entry: URL | undefined): readonly string[] {
  if (!isSource || entry) {
    const file = entry ?? new URL("./guest-process.node.js", import.meta.url);
    return [...flags, "--input-type=module", "--eval", `import ${JSON.stringify(file.href)}`];
  }
  const source = JSON.stringify(new URL("./guest-process.node.ts", import.meta.url).href);
  const script = `import("tsx/esm/api").then(({ register }) => { register(); return import(${source}); })`;
  return [...flags, "--conditions=@smolts/source", "--eval", script];
}

function keepAlive(child: ChildProcess, isKept: boolean): void {
  if (isKept) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

/**
 * Returns a function that returns the last text that the child wrote to standard error. Reading the
 * text does not keep this process alive.
 */
function lastText({ stderr }: ChildProcess): () => string {
  let text = "";
  stderr?.setEncoding("utf8").on("data", (more: string) => {
    text = (text + more).slice(-maxErrorTextLength);
  });
  if (stderr && "unref" in stderr && typeof stderr.unref === "function") stderr.unref();
  return () => text.trim();
}

function startFailure({ exitCode, signalCode }: ChildProcess, errorText: string): string {
  const how = signalCode ? `signal ${signalCode}` : `exit code ${exitCode}`;
  return `its process ended with ${how} before it was ready${errorText ? `: ${errorText}` : ""}`;
}
