// The supervisor. It owns standard input and output, implements the guest protocol (FRAMES.md), and
// runs code in a guest process.

import type { JsonValue, SerializedError, StopReason } from "@smolts/protocol";
import {
  defaultMaxFrameBytes,
  defaultWindowBytes,
  type GuestLimits,
  type GuestResult,
  type HostMessage,
  lastFieldOf,
  protocolVersion,
  type RunnerMessage,
} from "../../src/frames.ts";
import { type AnyFrame, Link } from "../../src/link.ts";
import { Block, type BlockMessage, endedResult, type Report, stoppedResult } from "./block.ts";
import { checkHostHello, checkHostMessage } from "./check-host-frame.ts";
import { type GuestEnd, GuestProcess } from "./guest-process.ts";
import { brokenExitCode, type FromGuest, type ToGuestBeside } from "./messages.ts";
import { graceTickMs, StopGrace } from "./stop-grace.ts";

const tickMs = 50;
const leashBeforeStartMs = 60_000;
/** The maximum number of guests in a row that may end before they are ready. */
const maxFailedStarts = 3;
/** The number of characters that a frame may use in addition to the value that it carries. */
const frameOverheadChars = 65_536;

/** Serves the host through standard input and output, until standard input ends. */
export function supervise(runnerUrl: string): void {
  new Supervisor(runnerUrl);
}

class Supervisor {
  readonly #runnerUrl: string;
  readonly #link: Link;
  readonly #executed: string[] = [];
  #session: string | null = null;
  #start: Extract<HostMessage, { type: "start" }> | null = null;
  #guest: GuestProcess;
  #isGuestReady = false;
  #wasStartReported = false;
  /** Messages that wait until the guest is ready. */
  #waiting: { readonly message: ToGuestBeside; readonly lastField: string | undefined }[] = [];
  #failedStarts = 0;
  #guestExecutions = 0;
  #block: Block | null = null;
  /**
   * Requests that the guest has not answered yet. Each value is the answer to send if the guest
   * never answers.
   */
  readonly #requests = new Map<number, RunnerMessage>();
  /** The timers that run while a block is being ended. */
  #dropTimers: ReturnType<typeof setTimeout>[] = [];
  #areVariablesLost = false;
  #processorMs = 0;
  #tickedAt = 0;
  /**
   * The time since the last message of the host, in ms. Time in which the whole sandbox was paused
   * does not count.
   */
  #silentMs = 0;
  #isPaused = false;
  #isOver = false;

  constructor(runnerUrl: string) {
    this.#runnerUrl = runnerUrl;
    this.#link = new Link(
      { maxFrameBytes: defaultMaxFrameBytes, windowBytes: defaultWindowBytes },
      {
        onMessage: (frame, line) => this.#takeNumbered(frame, line),
        onBare: (frame) => this.#takeBare(frame),
        onGarbage: (why) => this.#fatal("executor", why),
        onRoom: () => this.#setPaused(false),
      },
    );
    this.#guest = this.#openGuest();
    process.stdin.setEncoding("latin1");
    process.stdin.on("data", (text: string) => {
      this.#silentMs = 0;
      this.#link.take(text);
    });
    process.stdin.on("end", () => this.#exit(0));
    process.stdin.on("error", () => this.#exit(0));
    process.stdout.on("error", () => {});
    process.on("SIGTERM", () => this.#exit(0));
    process.on("uncaughtException", (error) => this.#fatal("executor", `the runner failed: ${error.message}`));
    setInterval(() => this.#tick(), tickMs);
  }

  #openGuest(): GuestProcess {
    this.#isGuestReady = false;
    return new GuestProcess(this.#runnerUrl, defaultMaxFrameBytes, {
      onMessage: (message, line) => this.#hear(message, line),
      onPrint: (level, text) => this.#print(level, text),
      onGarbage: (why) => this.#fatal("executor", why),
      onEnd: (end) => this.#guestEnded(end),
    });
  }

  #takeBare(frame: AnyFrame): void {
    if (frame.type === "ping") return this.#link.sendBare({ type: "pong" });
    if (frame.type === "hello") this.#hello(frame);
  }

  #hello(frame: AnyFrame): void {
    const sizes = { maxFrameBytes: defaultMaxFrameBytes, windowBytes: defaultWindowBytes };
    const hello = checkHostHello(frame, sizes);
    if (!hello) return this.#fatal("executor", "a hello with wrong fields");
    const { session, received, maxFrameBytes, windowBytes } = hello;
    if (this.#session !== null && this.#session !== session) {
      return writeError("this sandbox belongs to another session");
    }
    if (hello.version !== protocolVersion) {
      return writeError(
        `the host speaks version ${hello.version} of the protocol, and the runner version ${protocolVersion}`,
      );
    }
    this.#session = session;
    this.#link.attach((text) => process.stdout.write(text, "latin1"));
    if (hello.fresh) {
      this.#link.renew();
      this.#requests.clear();
    }
    this.#link.sendBare({
      type: "hello",
      version: protocolVersion,
      session,
      received: this.#link.received,
      language: "javascript",
      runtime: `node ${process.version}`,
      executed: this.#executed,
      ...sizes,
    } as { readonly type: string });
    this.#link.resume({ received, maxFrameBytes, windowBytes });
  }

  #takeNumbered(frame: AnyFrame, line: string): void {
    const message = checkHostMessage(frame);
    if (!message) return this.#fatal("executor", `a frame of the type "${frame.type.slice(0, 40)}" with wrong fields`);
    if (!this.#start && message.type !== "start" && message.type !== "end") {
      return this.#fatal("executor", `a frame of the type "${message.type}" came before "start"`);
    }
    this.#take(message, line);
  }

  #take(message: HostMessage, line: string): void {
    switch (message.type) {
      case "start":
        this.#start = message;
        this.#wasStartReported = false;
        return this.#configureGuest();
      case "execute":
        return this.#execute(message);
      case "deliver":
        return this.#deliver(message, line);
      case "stop":
        if (this.#block?.execution === message.execution) this.#stop(message.reason);
        return;
      case "variables":
      case "is-program":
        return this.#ask(message);
      case "end":
        return this.#exit(0);
      default:
        message satisfies never;
    }
  }

  /** Sends the guest its settings, once it is ready and the host has sent them. */
  #configureGuest(): void {
    if (!this.#isGuestReady || !this.#start) return;
    const { tools, finalAnswer, imports, limits, options } = this.#start;
    // the host is trusted
    const hostModules = (options["hostModules"] ?? {}) as { readonly [name: string]: readonly string[] };
    const maxValueChars = Math.floor(this.#link.maxFrameBytes / 6) - frameOverheadChars;
    this.#guest.send({
      type: "start",
      tools,
      finalAnswer,
      imports,
      hostModules,
      maxValueChars,
      outputChars: limits.outputChars,
    });
    if (!this.#wasStartReported) this.#send({ type: "started" });
    this.#wasStartReported = true;
    for (const { message, lastField } of this.#waiting.splice(0)) this.#guest.send(message, lastField);
    this.#tickedAt = performance.now();
  }

  /** Sends a message to the guest, or stores it until the guest is ready. */
  #toGuest(message: ToGuestBeside, lastField?: string): void {
    if (this.#isGuestReady && this.#wasStartReported) this.#guest.send(message, lastField);
    else this.#waiting.push({ message, lastField });
  }

  #execute({ execution, id, code, variables }: Extract<HostMessage, { type: "execute" }>): void {
    const last = this.#block;
    if (last?.id === id) return this.#rejoin(last, execution, code);
    if (last && !last.isOver) return this.#failed(execution, "another block is running");
    if (this.#executed.includes(id))
      return this.#failed(execution, "this block of code ran before, and never runs twice");
    this.#executed.push(id);
    this.#block = new Block(execution, ++this.#guestExecutions, id, code);
    this.#processorMs = this.#guest.processorMs;
    if (this.#areVariablesLost)
      this.#print("warn", "the sandbox's process had ended between two blocks: all variables are gone");
    this.#areVariablesLost = false;
    this.#toGuest({ type: "execute", execution: this.#guestExecutions, code, variables });
  }

  #rejoin(block: Block, execution: number, code: string): void {
    if (block.code !== code) return this.#failed(execution, "a block of the same id ran before, with other code");
    block.execution = execution;
    const { reports } = block;
    if (!reports) return this.#failed(execution, "the block has reported too much, so a host cannot rejoin it");
    for (const { frame, lastField } of reports) this.#send(frame, lastField);
  }

  #failed(execution: number, message: string): void {
    this.#send({ type: "failed", execution, error: { code: "executor", message } });
  }

  #deliver({ request, execution, call, outcome }: Extract<HostMessage, { type: "deliver" }>, line: string): void {
    const block = this.#block;
    const isForBlock = block !== null && block.execution === execution && !block.isOver;
    if (!isForBlock || (call !== 0 && !block.openCalls.delete(call))) return this.#send({ type: "rested", request });
    this.#requests.set(request, { type: "rested", request });
    const message = { type: "deliver", execution: block.guestExecution, call, request } as const;
    const asText = lastFieldOf(
      line,
      { seq: this.#link.received, type: "deliver", request, execution, call },
      "outcome",
    );
    if (asText === undefined) this.#toGuest({ ...message, outcome });
    else this.#toGuest(message, asText);
  }

  #ask(message: Extract<HostMessage, { type: "variables" | "is-program" }>): void {
    const { request } = message;
    const isLost: RunnerMessage =
      message.type === "variables"
        ? { type: "variables", request, variables: [] }
        : { type: "is-program", request, isProgram: true };
    this.#requests.set(request, isLost);
    this.#toGuest(message);
  }

  #hear(message: FromGuest, line: string): void {
    switch (message.type) {
      case "ready":
        this.#isGuestReady = true;
        this.#failedStarts = 0;
        return this.#configureGuest();
      case "call":
        return this.#onCall(message, line);
      case "console":
        if (this.#isCurrent(message.execution)) this.#print(message.level, message.text);
        return;
      case "final-answer":
        if (!this.#isCurrent(message.execution)) return;
        this.#finish({ type: "final-answer", args: message.args, unawaited: [] }, line.length);
        // Other code of this block may still be running. It must stop before the next block begins.
        return this.#drop(message.execution, false);
      case "ended":
        return void this.#onGuestEnd(message, line.length);
      case "dropped":
        return this.#onDropped(message.execution);
      case "rested":
      case "variables":
      case "is-program":
        // Answers without a request are dropped.
        if (this.#requests.delete(message.request)) this.#send(message);
        return;
      default:
        message satisfies never;
    }
  }

  #isCurrent(guestExecution: number): boolean {
    return this.#block?.guestExecution === guestExecution && !this.#block.isOver;
  }

  #onCall(message: Extract<FromGuest, { type: "call" }>, line: string): void {
    const { execution, call, name, args } = message;
    const block = this.#block;
    if (!block || !this.#isCurrent(execution) || block.stopReason) return;
    if (call !== block.callCount + 1 || !this.#start?.tools.includes(name)) {
      return this.#fatal(
        "executor",
        `the code wrote to the sandbox's own pipe: call ${call} of "${name.slice(0, 100)}"`,
      );
    }
    block.callCount = call;
    block.openCalls.add(call);
    const { pendingCalls } = this.#limits;
    if (pendingCalls > 0 && block.openCalls.size > pendingCalls) return this.#stop("pending-calls");
    const frame = { type: "call", execution: block.execution, call, name } as const;
    const chars = line.length;
    const asText = hasOnly(message, 5) ? lastFieldOf(line, { type: "call", execution, call, name }, "args") : undefined;
    if (asText === undefined) this.#report(block, { frame: { ...frame, args }, chars });
    else this.#report(block, { frame, lastField: asText, chars });
  }

  async #onGuestEnd(message: Extract<FromGuest, { type: "ended" }>, chars: number): Promise<void> {
    const { execution, output, error, unawaited } = message;
    // Wait for one turn of the event loop, because the pipe may still contain text that child
    // processes of the guest printed.
    await turn();
    this.#guest.flushPrints();
    if (!this.#isCurrent(execution) || this.#block?.stopReason) return;
    this.#finish(error ? { type: "error", error, unawaited } : { type: "value", output, unawaited }, chars);
  }

  #print(level: "log" | "info" | "warn" | "error" | "debug", text: string): void {
    const block = this.#block;
    if (!block || block.isOver || block.stopReason) return;
    const { outputChars } = this.#limits;
    const left = outputChars > 0 ? outputChars - block.printedChars : text.length;
    block.printedChars += text.length + 1;
    const frame = { type: "console", execution: block.execution, level, text: text.slice(0, left) } as const;
    if (left > 0) this.#report(block, { frame, chars: frame.text.length });
    if (text.length > left) this.#stop("output");
  }

  get #limits(): GuestLimits {
    return this.#start?.limits ?? { timeMs: 0, memoryBytes: 0, outputChars: 0, pendingCalls: 0 };
  }

  /**
   * Stops the block. The guest first gets the chance to stop by itself. If it does, its variables
   * are kept.
   */
  #stop(reason: StopReason): void {
    const block = this.#block;
    if (!block || block.isOver || block.stopReason) return;
    block.stopReason = reason;
    // Reading from the guest may be paused. Resume it, so that the guest's answer can arrive.
    this.#setPaused(false);
    if (reason === "memory") this.#guest.kill();
    else this.#drop(block.guestExecution, reason === "aborted");
  }

  #drop(execution: number, isAbort: boolean): void {
    const guest = this.#guest;
    this.#toGuest({ type: "drop", execution });
    const grace = new StopGrace(guest, isAbort);
    this.#dropTimers.push(setInterval(() => grace.check(), graceTickMs));
  }

  #onDropped(execution: number): void {
    this.#clearDrop();
    const block = this.#block;
    if (block?.stopReason && this.#isCurrent(execution)) this.#finish(stoppedResult(block.stopReason, false));
  }

  #clearDrop(): void {
    for (const timer of this.#dropTimers) clearTimeout(timer);
    this.#dropTimers = [];
  }

  #finish(result: GuestResult, chars = 0): void {
    const block = this.#block;
    if (!block || block.isOver) return;
    block.isOver = true;
    block.openCalls.clear();
    this.#report(block, { frame: { type: "result", execution: block.execution, result }, chars });
  }

  #report(block: Block, report: Report): void {
    block.keep(report);
    this.#send(report.frame, report.lastField);
  }

  #guestEnded({ code, signal, isOutOfMemory }: GuestEnd): void {
    this.#clearDrop();
    if (!this.#isGuestReady && ++this.#failedStarts >= maxFailedStarts) {
      return this.#fatal("executor", `the guest process does not start (${signal ?? `exit code ${code}`})`);
    }
    if (this.#isOver) return;
    const block = this.#block;
    if (block && !block.isOver) {
      const reason = block.stopReason ?? (isOutOfMemory ? "memory" : null);
      this.#finish(
        reason ? stoppedResult(reason, true) : endedResult(signal ?? `exit code ${code}`, code === brokenExitCode),
      );
    } else if (this.#executed.length > 0) this.#areVariablesLost = true;
    for (const answer of this.#requests.values()) this.#send(answer);
    this.#requests.clear();
    this.#waiting = [];
    this.#guest = this.#openGuest();
  }

  /** Counts the time of the block. While it waits for a call, only its processor time counts. */
  #tick(): void {
    const now = performance.now();
    const passedMs = Math.min(now - this.#tickedAt, tickMs * 4);
    this.#tickedAt = now;
    this.#silentMs += passedMs;
    if (this.#silentMs >= (this.#start?.leashMs ?? leashBeforeStartMs)) return this.#exit(0);
    const block = this.#block;
    if (!block || block.isOver || block.stopReason || !this.#isGuestReady) return;
    const { timeMs, memoryBytes } = this.#limits;
    const processorMs = this.#guest.processorMs;
    block.elapsedMs += block.openCalls.size === 0 ? passedMs : processorMs - this.#processorMs;
    this.#processorMs = processorMs;
    if (timeMs > 0 && block.elapsedMs > timeMs) this.#stop("guest-time");
    else if (memoryBytes > 0 && this.#guest.memoryBytes > memoryBytes) this.#stop("memory");
  }

  #send(message: RunnerMessage | BlockMessage, lastField?: string): void {
    if (!this.#link.send(message, lastField))
      return this.#fatal("executor", "a message of the code is too large for a frame");
    if (this.#link.isFull && !this.#block?.stopReason) this.#setPaused(true);
  }

  #setPaused(isPaused: boolean): void {
    if (this.#isPaused === isPaused) return;
    this.#isPaused = isPaused;
    this.#guest.setPaused(isPaused);
  }

  #fatal(code: SerializedError["code"], message: string): void {
    if (this.#isOver) return;
    this.#link.sendBare({ type: "fatal", error: { code, message } } as {
      readonly type: string;
      readonly error: JsonValue;
    });
    this.#exit(1);
  }

  #exit(code: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#guest.kill();
    this.#link.close();
    // Give the system some time to write the last bytes, because the host may have stopped reading.
    setTimeout(() => process.exit(code), 1_000);
    if (process.stdout.writableLength === 0) process.exit(code);
    process.stdout.write("", () => process.exit(code));
  }
}

function writeError(message: string): void {
  process.stdout.write(`\x18${JSON.stringify({ type: "fatal", error: { code: "executor", message } })}\n`);
}

/**
 * Returns whether a message has only its known fields. If a field is unknown or appears twice, the
 * text of the line is not passed on to the host. The known fields are encoded again instead.
 */
const hasOnly = (message: object, count: number): boolean => Object.keys(message).length === count;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
