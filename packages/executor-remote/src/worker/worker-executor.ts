import {
  AgentError,
  type CallOutcome,
  type ExecuteOptions,
  type ExecutionEnvironment,
  type ExecutionResult,
  type Executor,
  type SerializedError,
  type StopReason,
  type VariableSummary,
  type VariablesOptions,
} from "@smolts/protocol";
import { isEncoded } from "../check-runner-frame.ts";
import type { FromWorker, GuestResult, ToGuest } from "./message.ts";
import type { WorkerHost } from "./worker-host.ts";

/** The limits of a block of code, with all defaults filled in. 0 disables a limit. */
export interface BlockLimits {
  readonly guestTimeMs: number;
  readonly outputCharacters: number;
  readonly pendingCalls: number;
}

const interruptMs = 50;
/**
 * How many interrupts a stopped block gets before its worker is killed and all variables are lost.
 * One interrupt is sent every 50 ms, so all of them take about 800 ms. This is not a time limit,
 * because on a busy machine the time could be over before this thread has sent any interrupt.
 */
const maxInterrupts = 16;
/**
 * How many interrupts a block gets after it has called `finalAnswer`. The number is higher, because
 * the caller already has the result and does not wait for the end of the code.
 */
const maxInterruptsAfterAnswer = 40;
/**
 * The minimum CPU time that a worker must have used since the first interrupt before it is killed,
 * in ms. If it has used less, the machine is busy and the worker may not have noticed the
 * interrupt. A worker that only waits notices an interrupt immediately.
 */
const minGraceMs = 300;
/** After this many interrupts (30 s), a worker is killed even if it has used little CPU time. */
const maxInterruptsWithoutProcessor = 600;
/** How long a block's code may continue to run after the block has reported its result, in ms. */
const unwindLimitMs = 30_000;
const answerLimitMs = 5_000;

/** A block that is running, or that has reported its result while some of its code still runs. */
interface Block {
  readonly execution: number;
  /** The worker that runs the block. The executor may use another worker by now. */
  readonly worker: WorkerHost;
  readonly options: ExecuteOptions;
  readonly end: (result: ExecutionResult) => void;
  readonly fail: (error: unknown) => void;
  readonly open: Set<number>;
  calls: number;
  printed: number;
  /** How long the block had run when its clock was last started, in ms. */
  usedMs: number;
  /** The time at which the clock was started. Null while a call is open. */
  since: number | null;
  /**
   * While the block runs, the timer of its time limit. After the block's result, its code may still
   * be running. Then this is the timer of the next attempt to stop that code.
   */
  timer: ReturnType<typeof setTimeout> | undefined;
  stop: { readonly reason: StopReason; readonly error: SerializedError } | null;
  isOver: boolean;
}

/** The recorded output and result of a block. */
interface BlockRecord {
  readonly code: string;
  readonly reports: ((to: ExecuteOptions) => void)[];
  result: ExecutionResult | null;
}

function recording(options: ExecuteOptions, { reports }: BlockRecord): ExecuteOptions {
  return {
    ...options,
    onCall(call) {
      reports.push((to) => to.onCall(call));
      options.onCall(call);
    },
    onConsole(line) {
      reports.push((to) => to.onConsole(line));
      options.onConsole(line);
    },
  };
}

/** Runs code in a worker. A worker that had to be killed is replaced. */
export class WorkerExecutor implements Executor {
  readonly #open: () => WorkerHost;
  readonly #limits: BlockLimits;
  readonly #lostNote: string;
  #worker: WorkerHost;
  #environment: ExecutionEnvironment | null = null;
  #executions = 0;
  #requests = 0;
  #block: Block | null = null;
  /** Resolves when all code of the last block has ended. */
  #unwound: Promise<void> = Promise.resolve();
  #noteUnwound: () => void = () => {};
  readonly #answers = new Map<number, (answer: FromWorker | null) => void>();
  #noteStarted: () => void = () => {};
  #noteNotStarted: (error: unknown) => void = () => {};
  /** Whether code of a block is still running in the guest. */
  #isRunning = false;
  /**
   * Whether variables were lost after the last block had its result. The next block reports the
   * loss.
   */
  #mustReportLoss = false;
  #isDisposed = false;
  #isExecuting = false;
  /** The records of blocks with an id. Null for all but the last block. */
  readonly #records = new Map<string, BlockRecord | null>();

  /**
   * @param open - returns a worker, for example from a pool
   * @param language - the name of the language, for people
   */
  constructor(open: () => WorkerHost, limits: BlockLimits, language: string) {
    this.#open = open;
    this.#limits = limits;
    this.#lostNote = `${language} was started again, so the variables of earlier steps are gone`;
    this.#worker = this.#taken();
  }

  /** Starts the guest. See `Executor` of `@smolts/protocol`. */
  async start(environment: ExecutionEnvironment): Promise<void> {
    this.#environment = environment;
    await this.#startGuest();
  }

  /** Runs one block. See `Executor` of `@smolts/protocol`. */
  async execute(code: string, options: ExecuteOptions): Promise<ExecutionResult> {
    if (this.#isExecuting) {
      throw new AgentError("executor", "execute() was called while another execution is running", {
        hint: "open one executor for each session, and await each execution",
      });
    }
    this.#isExecuting = true;
    try {
      return await this.#execute(code, options);
    } finally {
      this.#isExecuting = false;
    }
  }

  async #execute(code: string, options: ExecuteOptions): Promise<ExecutionResult> {
    const { id } = options;
    if (id !== undefined && this.#records.has(id)) return this.#repeat(id, code, options);
    await this.#unwound;
    if (this.#isDisposed) throw new AgentError("executor", "the sandbox was disposed");
    if (this.#worker.isOver) await this.#replace();
    if (options.signal.aborted) return stoppedResult("aborted", "the block was stopped before it began", undefined);
    const record: BlockRecord = { code, reports: [], result: null };
    // Drop the records of all earlier blocks, but remember their ids.
    for (const known of this.#records.keys()) this.#records.set(known, null);
    if (id !== undefined) this.#records.set(id, record);
    const result = await new Promise<ExecutionResult>((resolve, reject) => {
      this.#begin(code, recording(options, record), resolve, reject);
    });
    record.result = result;
    return result;
  }

  /** Reports the recorded output of the last block again. No block runs twice. */
  #repeat(id: string, code: string, options: ExecuteOptions): ExecutionResult {
    const record = this.#records.get(id);
    if (!record?.result || record.code !== code) {
      throw new AgentError("executor", "that block ran before, and its results cannot be repeated", {
        hint: "start a new session: this sandbox already has the variables of a later block",
      });
    }
    for (const report of record.reports) report(options);
    return record.result;
  }

  async deliver(callIndex: number, outcome: CallOutcome, _time: number, execution?: number): Promise<void> {
    const block = this.#block;
    if (!block || block.isOver || (execution !== undefined && execution !== block.execution)) return;
    if (block.open.delete(callIndex)) this.#setClock(block);
    await this.#ask((request) => ({
      type: "deliver",
      request,
      execution: block.execution,
      call: callIndex,
      outcome,
    }));
  }

  /** Lists the guest's top-level variables. */
  async variables({ newest, previews = true }: VariablesOptions = {}): Promise<readonly VariableSummary[]> {
    await this.#unwound;
    if (this.#worker.isOver) return [];
    const answer = await this.#ask((request) => ({ type: "variables", request, newest: newest ?? null, previews }));
    return answer?.type === "variables" ? answer.variables : [];
  }

  async isProgram(code: string): Promise<boolean> {
    await this.#unwound;
    if (this.#worker.isOver) await this.#replace();
    const answer = await this.#ask((request) => ({ type: "is-program", request, code }));
    return answer?.type !== "is-program" || answer.isProgram;
  }

  /** Ends the worker. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#worker.terminate();
    this.#lose(new AgentError("executor", "the sandbox was disposed"));
  }

  #taken(): WorkerHost {
    const worker = this.#open();
    worker.onMessage = (message) => this.#take(message);
    worker.onEnd = (error) => this.#lose(error);
    return worker;
  }

  async #startGuest(): Promise<void> {
    const { tools, imports } = this.#environment ?? { tools: [] };
    this.#worker.keepAlive(true);
    const started = new Promise<void>((resolve, reject) => {
      this.#noteStarted = resolve;
      this.#noteNotStarted = reject;
    });
    started.catch(() => {}); // if the worker ends before it is ready, the next line throws
    await this.#worker.ready;
    this.#worker.post({
      type: "start",
      tools,
      finalAnswer: ["final_answer", "finalAnswer"].find((name) => tools.includes(name)) ?? null,
      imports: imports?.authorizedImports ?? null,
      limits: { outputChars: this.#limits.outputCharacters },
    });
    await started;
    this.#worker.keepAlive(false);
  }

  /** Replaces the worker. The variables of the old one are lost. */
  async #replace(): Promise<void> {
    this.#worker = this.#taken();
    await this.#startGuest();
  }

  // A block

  #begin(
    code: string,
    options: ExecuteOptions,
    resolve: (result: ExecutionResult) => void,
    reject: (error: unknown) => void,
  ): void {
    const onAbort = (): void => this.#stop(block, "aborted", "the block was stopped");
    const settled = (): void => {
      options.signal.removeEventListener("abort", onAbort);
      this.#answerAll();
    };
    const block: Block = {
      execution: ++this.#executions,
      worker: this.#worker,
      options,
      open: new Set(),
      calls: 0,
      printed: 0,
      usedMs: 0,
      since: null,
      timer: undefined,
      stop: null,
      isOver: false,
      end: (result) => {
        block.isOver = true;
        settled();
        resolve(result);
      },
      fail: (error) => {
        block.isOver = true;
        settled();
        reject(error);
      },
    };
    this.#block = block;
    this.#unwound = new Promise((done) => {
      this.#noteUnwound = done;
    });
    this.#isRunning = true;
    this.#keepAlive();
    this.#reportLoss(options);
    block.worker.post({ type: "execute", execution: block.execution, code, variables: options.variables ?? {} });
    options.signal.addEventListener("abort", onAbort);
    this.#setClock(block);
  }

  /**
   * Warns that variables were lost after the last block. That block had already ended normally, so
   * it could not report the loss.
   */
  #reportLoss({ onConsole }: ExecuteOptions): void {
    if (this.#mustReportLoss) onConsole({ level: "warn", text: this.#lostNote });
    this.#mustReportLoss = false;
  }

  /** Starts the block's clock, or stops it while one of its calls is open. */
  #setClock(block: Block): void {
    if (block.stop) return; // the timer is already in use for the stop
    const now = performance.now();
    if (block.since !== null) block.usedMs += now - block.since;
    clearTimeout(block.timer);
    block.since = block.open.size === 0 ? now : null;
    const { guestTimeMs } = this.#limits;
    if (block.since === null || guestTimeMs === 0) return;
    const hint = "do less in one step, or find a faster way";
    block.timer = setTimeout(
      () => this.#stop(block, "guest-time", `the code took longer than ${guestTimeMs / 1_000} s`, hint),
      Math.max(0, guestTimeMs - block.usedMs),
    );
  }

  #stop(block: Block, reason: StopReason, message: string, hint?: string): void {
    if (block.isOver || block.stop) return;
    block.stop = { reason, error: { code: "code-execution", message, ...(hint && { hint }) } };
    this.#interrupt(block, maxInterrupts);
  }

  /**
   * Interrupts the block several times, and finally kills the worker. One interrupt is not enough:
   * the code may catch it, or may not have begun when it is sent.
   */
  #interrupt(block: Block, most: number): void {
    const { worker } = block;
    worker.interrupt(block.execution);
    const usedBeforeMs = worker.usedMs();
    const hadProcessor = (): boolean => {
      const usedMs = worker.usedMs();
      return usedMs === null || usedBeforeMs === null || usedMs - usedBeforeMs >= minGraceMs;
    };
    let count = 1;
    const again = (): void => {
      const isDue = ++count > most && (hadProcessor() || count > maxInterruptsWithoutProcessor);
      if (isDue) return this.#kill(block);
      block.worker.interrupt(block.execution);
      block.timer = setTimeout(again, interruptMs);
    };
    clearTimeout(block.timer);
    block.timer = setTimeout(again, interruptMs);
  }

  #kill(block: Block): void {
    block.worker.terminate();
    this.#setUnwound();
    if (block.isOver || !block.stop) {
      this.#mustReportLoss = true;
      return;
    }
    const { reason, error } = block.stop;
    block.end(stoppedResult(reason, error.message, [error.hint, this.#lostNote].filter(Boolean).join("; ")));
  }

  /** Handles a worker that has ended on its own. */
  #lose(error: unknown): void {
    this.#setUnwound();
    this.#noteNotStarted(error);
    if (this.#block && !this.#block.isOver) this.#block.fail(error);
    else this.#mustReportLoss = this.#block !== null;
    this.#answerAll();
  }

  /** Records that the block's code has ended, in whatever way. */
  #setUnwound(): void {
    clearTimeout(this.#block?.timer);
    this.#isRunning = false;
    this.#keepAlive();
    this.#noteUnwound();
  }

  /** Keeps this process alive only while the worker has something to do. */
  #keepAlive(): void {
    this.#worker.keepAlive(this.#isRunning || this.#answers.size > 0);
  }

  // Messages

  /**
   * Sends a request to the guest. Returns null if the block or the worker ends before the guest
   * answers.
   */
  #ask(message: (request: number) => ToGuest): Promise<FromWorker | null> {
    const request = ++this.#requests;
    return new Promise((resolve) => {
      // A program may have left its guest unable to answer, so there is a time limit. While a block
      // runs, the limits of the block are enough.
      const timer = this.#isRunning ? undefined : setTimeout(() => this.#answer(request, null), answerLimitMs);
      this.#answers.set(request, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      this.#keepAlive();
      this.#worker.post(message(request));
    });
  }

  #answer(request: number, answer: FromWorker | null): void {
    this.#answers.get(request)?.(answer);
    this.#answers.delete(request);
    this.#keepAlive();
  }

  #answerAll(): void {
    for (const answer of this.#answers.values()) answer(null);
    this.#answers.clear();
  }

  #take(message: FromWorker): void {
    switch (message.type) {
      case "started":
        this.#noteStarted();
        return;
      case "rested":
      case "variables":
      case "is-program":
        return this.#answer(message.request, message);
      case "call":
      case "console":
      case "result":
      case "unwound":
        if (this.#block?.execution === message.execution) this.#takeFromBlock(this.#block, message);
        return;
      default:
        return;
    }
  }

  #takeFromBlock(
    block: Block,
    message: Extract<FromWorker, { readonly type: "call" | "console" | "result" | "unwound" }>,
  ): void {
    if (message.type === "unwound") return this.#takeUnwound(block);
    if (block.isOver || block.stop) return;
    switch (message.type) {
      case "call":
        return this.#takeCall(block, message);
      case "console":
        return this.#takeLine(block, message);
      case "result":
        return this.#endWith(block, message.result);
      default:
        message satisfies never;
    }
  }

  #endWith(block: Block, result: GuestResult): void {
    clearTimeout(block.timer);
    // Interrupt the code, because it may continue after its final answer and even catch the error
    // that should end it.
    if (result.type === "final-answer") this.#interrupt(block, maxInterruptsAfterAnswer);
    else block.timer = setTimeout(() => this.#kill(block), unwindLimitMs);
    block.end({ ...result, operations: 0 });
  }

  #takeUnwound(block: Block): void {
    this.#setUnwound();
    if (block.isOver) return;
    if (block.stop) block.end(stoppedResult(block.stop.reason, block.stop.error.message, block.stop.error.hint));
    else block.fail(new AgentError("executor", "the sandbox ended a block without a result"));
  }

  #takeCall(block: Block, { call, name, args, keywords }: Extract<FromWorker, { readonly type: "call" }>): void {
    const isKnown = this.#environment?.tools.includes(name) === true && call === block.calls + 1;
    if (!isKnown || ![...args, ...Object.values(keywords ?? {})].every(isEncoded)) {
      this.#worker.terminate();
      this.#lose(new AgentError("executor", "the sandbox sent an invalid call"));
      return;
    }
    block.calls = call;
    block.open.add(call);
    this.#setClock(block);
    const { pendingCalls } = this.#limits;
    if (pendingCalls > 0 && block.open.size > pendingCalls) {
      const hint = "await some calls before you make others";
      this.#stop(block, "pending-calls", `more than ${pendingCalls} calls were open at the same time`, hint);
      return;
    }
    const { execution, options } = block;
    options.onCall({ callIndex: call, execution, name, args, ...(keywords && { keywords }) });
  }

  #takeLine(block: Block, { level, text }: Extract<FromWorker, { readonly type: "console" }>): void {
    const { outputCharacters } = this.#limits;
    const room = outputCharacters === 0 ? text.length : outputCharacters - block.printed;
    block.printed += text.length + 1;
    if (room > 0) block.options.onConsole({ level, text: text.slice(0, room) });
    if (text.length <= room) return;
    this.#stop(block, "output", `the code printed more than ${outputCharacters} characters`, "print less");
  }
}

function stoppedResult(reason: StopReason, message: string, hint: string | undefined): ExecutionResult {
  const error: SerializedError = { code: "code-execution", message, ...(hint && { hint }) };
  return { type: "stopped", reason, error, operations: 0, unawaited: [] };
}
