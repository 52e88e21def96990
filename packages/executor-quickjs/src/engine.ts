// Runs QuickJS with two realms: the reader parses and rewrites blocks, and the guest runs them. A
// block's code has no access to the reader. Only texts are passed between the realms.

import type { FromWorker, SharedMemory, ToGuest } from "@smolts/executor-remote/worker";
import { newQuickJSWASMModuleFromVariant, type QuickJSContext, type QuickJSHandle } from "quickjs-emscripten-core";
import { guestRealmSource } from "./guest-realm.gen.ts";
import { readerRealmSource } from "./reader-realm.gen.ts";

/** The first message to the thread. */
export interface Setup extends SharedMemory {
  readonly type: "setup";
  readonly memoryBytes: number;
}

/** How long the remaining jobs of a stopped block may take, in ms. */
const drainLimitMs = 150;
const stackBytes = 512 * 1024;
const maxTimerMs = 2 ** 31 - 1;

/** Starts QuickJS. Returns the function that receives the host's messages. */
export async function startEngine(setup: Setup, send: (text: string) => void): Promise<(text: string) => void> {
  const quickJs = await newQuickJSWASMModuleFromVariant(import("@jitl/quickjs-ng-wasmfile-release-sync"));
  const runtime = quickJs.newRuntime();
  if (setup.memoryBytes > 0) runtime.setMemoryLimit(setup.memoryBytes);
  runtime.setMaxStackSize(stackBytes);
  const engine = new Engine(runtime.newContext(), runtime.newContext(), setup, send);
  send(JSON.stringify({ type: "ready", canWait: false } satisfies FromWorker));
  return (text) => engine.take(text);
}

/**
 * A block after the reader has rewritten it. `broken` is set if the block is not a valid program.
 */
interface ReadBlock {
  readonly text: string | null;
  readonly names: readonly string[];
  readonly broken?: object;
}

interface ErrorWithStack {
  readonly message: string;
  readonly stack?: string;
}

class Engine {
  readonly #guest: QuickJSContext;
  readonly #takeInGuest: QuickJSHandle;
  readonly #reader: QuickJSContext;
  readonly #read: QuickJSHandle;
  readonly #send: (text: string) => void;
  readonly #interrupt: Uint8Array | null;
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();
  /** The id of the execution that is running or waiting. */
  #execution = 0;
  #isRunning = false;

  constructor(guest: QuickJSContext, reader: QuickJSContext, setup: Setup, send: (text: string) => void) {
    this.#guest = guest;
    this.#reader = reader;
    this.#send = send;
    this.#interrupt = setup.interrupt ? new Uint8Array(setup.interrupt) : null;
    guest.runtime.setInterruptHandler(() => this.#isInterrupted);
    this.#takeInGuest = this.#open(guest, guestRealmSource, {
      send: (text) => this.#forward(text),
      startTimer: (text) => this.#startTimer(text),
      stopTimer: (text) => this.#stopTimer(Number(text)),
    });
    this.#read = this.#open(reader, readerRealmSource, {});
  }

  take(text: string): void {
    const message = JSON.parse(text) as ToGuest; // the cast is safe: our own host wrote this text
    switch (message.type) {
      case "execute":
        return this.#execute(message);
      case "stop":
        if (this.#isRunning && message.execution === this.#execution) this.#endExecution();
        return;
      case "deliver":
        this.#enter({ ...message });
        return this.#tell({ type: "rested", request: message.request });
      case "is-program":
        return this.#tell({ type: "is-program", request: message.request, isProgram: this.#isProgram(message.code) });
      case "start":
        this.#tools = message.tools;
        this.#enter({ ...message });
        return this.#tell({ type: "started" });
      default:
        return this.#enter({ ...message });
    }
  }

  #tools: readonly string[] = [];

  get #isInterrupted(): boolean {
    return this.#interrupt !== null && Atomics.load(this.#interrupt, 0) !== 0;
  }

  #execute(message: Extract<ToGuest, { type: "execute" }>): void {
    this.#execution = message.execution;
    this.#isRunning = true;
    const name = `block ${message.execution}`;
    const read = this.#askReader<ReadBlock>({ type: "read", code: message.code, name, tools: this.#tools });
    if (read === null) return this.#endExecution();
    const { execution, variables } = message;
    const block = { type: "execute", execution, variables, names: read.names, broken: read.broken };
    if (read.text === null) return this.#enter(block);
    const compiled = this.#guest.evalCode(read.text, name, { type: "global" });
    if (!compiled.error) {
      this.#enter(block, compiled.value);
      return compiled.dispose();
    }
    // The parser (Acorn) accepts this code, but QuickJS does not. Report the error of QuickJS.
    const thrown = this.#guest.dump(compiled.error) as { readonly name?: unknown; readonly message?: unknown };
    compiled.dispose();
    const text = `${String(thrown.name)}: ${String(thrown.message)}`;
    this.#enter({ ...block, broken: { code: "code-execution", name: String(thrown.name), message: text } });
  }

  #isProgram(code: string): boolean {
    return this.#askReader<{ readonly isProgram: boolean }>({ type: "check", code })?.isProgram !== false;
  }

  #askReader<Answer>(message: object): Answer | null {
    const text = this.#ask(this.#reader, this.#read, message);
    return text === null ? null : (JSON.parse(text) as Answer); // the cast is safe: the reader is our own code
  }

  /** Passes a message to the guest's realm, and runs the guest until it is idle. */
  #enter(message: object, program?: QuickJSHandle): void {
    const isTaken = this.#ask(this.#guest, this.#takeInGuest, message, program) !== null;
    if (!isTaken && !this.#isInterrupted) this.#reportFullMemory();
    if (!isTaken || !this.#runJobs()) return this.#endExecution();
    // The guest is idle. Ask it whether the block has ended.
    const state = this.#ask(this.#guest, this.#takeInGuest, { type: "rest", hasTimers: this.#timers.size > 0 });
    if (state === null && !this.#isInterrupted) this.#reportFullMemory();
    if (state === null || state === "over") this.#endExecution();
  }

  /** Runs all jobs that are waiting. Returns false if they were interrupted. */
  #runJobs(): boolean {
    while (this.#guest.runtime.hasPendingJob()) {
      const result = this.#guest.runtime.executePendingJobs(100);
      result.dispose();
      if (this.#isInterrupted) return false;
    }
    return true;
  }

  /**
   * Ends the block. Its remaining jobs are run, but cannot send messages. If they do not end, the
   * host ends the thread.
   */
  #endExecution(): void {
    if (!this.#isRunning) return;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#ask(this.#guest, this.#takeInGuest, { type: "end" });
    const until = performance.now() + drainLimitMs;
    while (this.#guest.runtime.hasPendingJob()) {
      if (performance.now() > until) return;
      this.#guest.runtime.executePendingJobs(10).dispose();
    }
    this.#isRunning = false;
    this.#tell({ type: "unwound", execution: this.#execution });
  }

  #reportFullMemory(): void {
    const error = { code: "code-execution" as const, message: "the code ran out of memory" };
    this.#tell({ type: "result", execution: this.#execution, result: { type: "error", error, unawaited: [] } });
  }

  /**
   * Passes a message of the guest's realm on to the host. If it reports an error, the line
   * number is added here, because the realm does not know the source code of the blocks.
   */
  #forward(text: string): void {
    const message = JSON.parse(text) as { readonly result?: { readonly error?: ErrorWithStack } };
    const error = message.result?.error;
    if (typeof error !== "object" || error === null || typeof error.stack !== "string") return this.#send(text);
    const { stack, ...rest } = error;
    const present = `block ${this.#execution}`;
    const place = this.#askReader<{ readonly place: string | null }>({ type: "place", stack, present })?.place;
    const placed = { ...rest, message: place ? `${error.message}\n${place}` : error.message };
    this.#send(JSON.stringify({ ...message, result: { ...message.result, error: placed } }));
  }

  #tell(message: FromWorker): void {
    this.#send(JSON.stringify(message));
  }

  #startTimer(text: string): void {
    // The cast is safe: our own code in the realm wrote this text.
    const { id, delayMs } = JSON.parse(text) as { readonly id: number; readonly delayMs: number };
    const delay = Number.isFinite(delayMs) ? Math.min(Math.max(0, delayMs), maxTimerMs) : 0;
    const fire = (): void => {
      this.#timers.delete(id);
      this.#enter({ type: "timer", id });
    };
    this.#timers.set(id, setTimeout(fire, delay));
  }

  #stopTimer(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /**
   * Runs the script of a realm. The script evaluates to a function. Calls that function with
   * `hostFunctions`, and returns its result: the function that receives messages.
   */
  #open(
    context: QuickJSContext,
    source: string,
    hostFunctions: { readonly [name: string]: (text: string) => void },
  ): QuickJSHandle {
    const realm = context.unwrapResult(context.evalCode(source, "smolts", { type: "global" }));
    const object = context.newObject();
    for (const [name, act] of Object.entries(hostFunctions)) {
      const hostFunction = context.newFunction(name, (text) => {
        act(context.getString(text));
        return context.undefined;
      });
      context.setProp(object, name, hostFunction);
      hostFunction.dispose();
    }
    const take = context.unwrapResult(context.callFunction(realm, context.undefined, object));
    realm.dispose();
    object.dispose();
    return take;
  }

  /**
   * Calls the message function of a realm. Returns null if the call was interrupted, or if memory
   * was full.
   */
  #ask(context: QuickJSContext, take: QuickJSHandle, message: object, program?: QuickJSHandle): string | null {
    const text = context.newString(JSON.stringify(message));
    const result = context.callFunction(take, context.undefined, text, ...(program ? [program] : []));
    text.dispose();
    if (result.error) {
      result.dispose();
      return null;
    }
    const answer = context.getString(result.value);
    result.dispose();
    return answer;
  }
}
