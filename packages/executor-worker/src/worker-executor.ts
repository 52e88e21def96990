// The host's side: an Executor whose code runs in a thread.
//
// The thread is killed when it is out of memory, does not heed an abort, or answers nothing for longer than the code may compute. The session outlives
// it: the next execution gets another thread, in which the earlier ones are repeated from what they were given. A killed execution changes nothing.

import type { InterpreterLimits } from "@smolts/interpreter";
import {
  AgentError,
  type CallOutcome,
  type ExecuteOptions,
  type ExecutionEnvironment,
  type ExecutionResult,
  type Executor,
  type ImportableModules,
  type StopReason,
  type VariableSummary,
  type VariablesOptions,
} from "@smolts/protocol";
import type { GuestThread, ThreadEnd } from "./guest-thread.ts";
import { killedExecution, type PastDelivery, type PastExecution, pastExecution } from "./history.ts";
import { killedResult } from "./killed-result.ts";
import type { ExecutionData, FromGuest } from "./message.ts";
import { Watch } from "./watch.ts";

/** What an executor needs. */
export interface WorkerExecutorOptions {
  takeThread(): GuestThread;
  readonly limits: InterpreterLimits;
  /** What programs may import where `start` does not say. */
  readonly imports: ImportableModules;
  /** How long a thread may hear nothing while code runs. */
  readonly hangMs: number;
  readonly signal: AbortSignal;
  isProgram(code: string): Promise<boolean>;
}

/** The execution that is going on. */
interface Current {
  readonly execution: number;
  readonly code: string;
  readonly data: ExecutionData;
  readonly options: ExecuteOptions;
  readonly deliveries: PastDelivery[];
  readonly abort: () => void;
  resolve(result: ExecutionResult): void;
  reject(reason: unknown): void;
}

// From an abort to the kill: code that runs hears of it much sooner.
const abortGraceMs = 300;

/** Runs code in a thread. */
export class WorkerExecutor implements Executor {
  readonly #options: WorkerExecutorOptions;
  readonly #watch: Watch;
  readonly #abortListener = (): void => this.#abort();
  #state: "opened" | "started" | "disposed" = "opened";
  #environment: ExecutionEnvironment = { tools: [] };
  #thread: GuestThread | null = null;
  #history: PastExecution[] = [];
  #current: Current | null = null;
  #executionCount = 0;
  #requestCount = 0;
  /** What waits for an answer of the thread: deliveries and questions. */
  readonly #waiting = new Map<number, (answer: readonly VariableSummary[]) => void>();
  #killTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: WorkerExecutorOptions) {
    this.#options = options;
    this.#watch = new Watch(options.hangMs, {
      ping: () => this.#thread?.post({ type: "ping" }),
      onHang: () => this.#kill("guest-time"),
    });
    options.signal.addEventListener("abort", this.#abortListener);
  }

  async start(environment: ExecutionEnvironment): Promise<void> {
    if (this.#state !== "opened") throw misuse(`start() was called on an executor that is ${this.#state} already`);
    this.#environment = { imports: this.#options.imports, ...environment };
    this.#state = "started";
    this.#openThread();
  }

  async execute(code: string, options: ExecuteOptions): Promise<ExecutionResult> {
    if (this.#state !== "started") throw misuse(`execute() was called on an executor that is ${this.#state}`);
    if (this.#current) throw misuse("execute() was called while another execution is going on");
    return await new Promise<ExecutionResult>((resolve, reject) => this.#begin(code, options, resolve, reject));
  }

  async deliver(callIndex: number, outcome: CallOutcome, time: number, execution?: number): Promise<void> {
    const current = this.#current;
    if (!current || (execution ?? current.execution) !== current.execution) return;
    current.deliveries.push({ callIndex, outcome, time });
    await this.#ask((delivery) =>
      this.#thread?.post({ type: "deliver", execution: current.execution, delivery, callIndex, outcome, time }),
    );
  }

  async variables(options: VariablesOptions = {}): Promise<readonly VariableSummary[]> {
    if (this.#state !== "started") return [];
    this.#openThread();
    return await this.#ask((request) => this.#thread?.post({ type: "variables", request, options }));
  }

  isProgram(code: string): Promise<boolean> {
    return this.#options.isProgram(code);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#state === "disposed") return;
    this.#state = "disposed";
    this.#options.signal.removeEventListener("abort", this.#abortListener);
    this.#kill("aborted");
    this.#history = [];
  }

  /** Another thread where there is none, brought to where the session is. */
  #openThread(): void {
    if (this.#thread) return;
    const thread = this.#options.takeThread();
    this.#thread = thread;
    thread.listener = { onMessage: (message) => this.#take(message), onEnd: (end) => this.#threadEnded(end) };
    thread.keepAlive(false);
    thread.post({ type: "start", limits: this.#options.limits, environment: this.#environment });
    for (const past of this.#history) this.#repeat(thread, past);
  }

  #repeat(thread: GuestThread, { code, data, deliveries }: PastExecution): void {
    const execution = ++this.#executionCount;
    thread.post({ type: "execute", execution, code, data });
    // Nobody waits for these.
    for (const delivery of deliveries) thread.post({ type: "deliver", execution, delivery: 0, ...delivery });
  }

  #begin(
    code: string,
    options: ExecuteOptions,
    resolve: (result: ExecutionResult) => void,
    reject: (reason: unknown) => void,
  ): void {
    this.#openThread();
    const execution = ++this.#executionCount;
    const abort = (): void => this.#abort();
    const data = dataOf(options);
    this.#current = { execution, code, data, options, deliveries: [], abort, resolve, reject };
    this.#keepAlive();
    this.#thread?.post({ type: "execute", execution, code, data });
    this.#watch.start();
    options.signal.addEventListener("abort", abort);
    if (options.signal.aborted || this.#options.signal.aborted) this.#abort();
  }

  #take(message: FromGuest): void {
    switch (message.type) {
      case "ready":
        return;
      case "pong":
        return this.#watch.answered();
      case "delivered":
        return this.#answer(message.delivery, []);
      case "variables":
        return this.#answer(message.request, message.variables);
      case "call":
        // Executions that were repeated count in the thread, too: the number is ours.
        if (this.#isCurrent(message.execution))
          this.#current?.options.onCall({ ...message.call, execution: message.execution });
        return;
      case "console":
        if (this.#isCurrent(message.execution)) this.#current?.options.onConsole(message.line);
        return;
      case "ended":
        if (this.#isCurrent(message.execution)) this.#ended(message.result);
        return;
      case "failed":
        if (this.#isCurrent(message.execution)) this.#failed(AgentError.from(message.error));
        return;
      default:
        message satisfies never;
    }
  }

  #isCurrent(execution: number): boolean {
    return this.#current?.execution === execution;
  }

  #ended(result: ExecutionResult): void {
    const current = this.#close();
    if (!current) return;
    this.#history.push(pastExecution(current.code, current.data, current.deliveries, result));
    current.resolve(result);
  }

  #failed(reason: unknown): void {
    const current = this.#close();
    if (current) this.#history.push(killedExecution(current.code, current.data, "aborted"));
    current?.reject(reason);
  }

  #threadEnded(end: ThreadEnd): void {
    this.#thread = null;
    if (end.type === "memory") this.#endKilled("memory");
    else this.#failed(new AgentError("executor", `the sandbox's thread ended: ${end.message}`));
    this.#answerAll();
  }

  #abort(): void {
    if (!this.#current) return;
    this.#thread?.setAborted(true);
    this.#thread?.post({ type: "abort", execution: this.#current.execution });
    this.#killTimer ??= setTimeout(() => this.#kill("aborted"), abortGraceMs);
  }

  #kill(reason: StopReason): void {
    this.#thread?.terminate();
    this.#thread = null;
    this.#endKilled(reason);
    this.#answerAll();
  }

  #endKilled(reason: StopReason): void {
    const current = this.#close();
    if (!current) return;
    this.#history.push(killedExecution(current.code, current.data, reason));
    current.resolve(killedResult(reason));
  }

  /** Nothing of the execution that is going on happens after this. */
  #close(): Current | null {
    const current = this.#current;
    if (!current) return null;
    this.#current = null;
    this.#watch.stop();
    clearTimeout(this.#killTimer);
    this.#killTimer = undefined;
    current.options.signal.removeEventListener("abort", current.abort);
    this.#thread?.setAborted(false);
    this.#answerAll();
    return current;
  }

  #ask(post: (request: number) => void): Promise<readonly VariableSummary[]> {
    const request = ++this.#requestCount;
    return new Promise((resolve) => {
      this.#waiting.set(request, resolve);
      this.#keepAlive();
      post(request);
    });
  }

  #answer(request: number, answer: readonly VariableSummary[]): void {
    this.#waiting.get(request)?.(answer);
    this.#waiting.delete(request);
    this.#keepAlive();
  }

  #answerAll(): void {
    for (const request of [...this.#waiting.keys()]) this.#answer(request, []);
    this.#keepAlive();
  }

  /** A process must not end while the thread owes an answer, and is not kept from its end by a thread that rests. */
  #keepAlive(): void {
    this.#thread?.keepAlive(this.#current !== null || this.#waiting.size > 0);
  }
}

function dataOf({ variables, time, seed, replayStop, replay }: ExecuteOptions): ExecutionData {
  return {
    time,
    seed,
    ...(variables && { variables }),
    ...(replayStop && { replayStop }),
    ...(replay !== undefined && { replay }),
  };
}

const misuse = (message: string): AgentError =>
  new AgentError("executor", message, {
    hint: "open one executor for each session, start it once, and await each execution",
  });
