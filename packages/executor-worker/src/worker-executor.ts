// The host's side: an Executor that runs code in a thread.
//
// The thread is killed if it runs out of memory, ignores an abort, or does not answer for longer
// than code may compute. The session survives, but the changes of the killed execution are lost.
// The next execution gets another thread, which first repeats the earlier executions with their
// recorded inputs.

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
import type { ExecutionData, FromGuest, ToGuest } from "./message.ts";
import { Watch } from "./watch.ts";

/** The parts of a {@link WorkerExecutor}. */
export interface WorkerExecutorOptions {
  takeThread(): GuestThread;
  readonly limits: InterpreterLimits;
  /** The modules that programs may import, if `start` names none. */
  readonly imports: ImportableModules;
  /** How long a thread may leave messages unanswered while code runs, in ms. */
  readonly hangMs: number;
  readonly signal: AbortSignal;
}

/** A request that the thread has not answered yet. */
interface Question {
  answer(given: unknown): void;
  /** Called if the thread ends before it has answered. */
  giveUp(): void;
}

/** The current execution. */
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

// The time from an abort until the thread is killed, in ms. Running code normally notices an abort
// much sooner.
const abortGraceMs = 300;

/** Runs code in a thread. */
export class WorkerExecutor implements Executor {
  readonly #options: WorkerExecutorOptions;
  readonly #watch: Watch;
  readonly #abortListener = (): void => this.#abort();
  #state: "opened" | "started" | "disposed" = "opened";
  #environment: ExecutionEnvironment = { tools: [] };
  #thread: GuestThread | null = null;
  /**
   * Whether the thread has sent a message yet. Until then the thread is starting and runs no code.
   * It is not watched, because starting may take long on a busy machine.
   */
  #hasSentMessage = false;
  #history: PastExecution[] = [];
  #current: Current | null = null;
  #executionCount = 0;
  #requestCount = 0;
  /** The open requests by number. Deliveries are requests, too. */
  readonly #questions = new Map<number, Question>();
  /** Whether the thread still has something to answer. */
  #hasUnanswered = false;
  #killTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: WorkerExecutorOptions) {
    this.#options = options;
    this.#watch = new Watch(options.hangMs, {
      ping: () => this.#thread?.post({ type: "ping" }),
      usedMs: () => this.#thread?.usedMs() ?? null,
      onHang: () => this.#kill("guest-time"),
    });
    options.signal.addEventListener("abort", this.#abortListener);
  }

  async start(environment: ExecutionEnvironment): Promise<void> {
    if (this.#state !== "opened") throw misuse(`start() was called on an executor that is already ${this.#state}`);
    this.#environment = { imports: this.#options.imports, ...environment };
    this.#state = "started";
    this.#openThread();
  }

  async execute(code: string, options: ExecuteOptions): Promise<ExecutionResult> {
    if (this.#state !== "started") throw misuse(`execute() was called on an executor that is ${this.#state}`);
    if (this.#current) throw misuse("execute() was called while another execution is running");
    return await new Promise<ExecutionResult>((resolve, reject) => this.#begin(code, options, resolve, reject));
  }

  async deliver(callIndex: number, outcome: CallOutcome, time: number, execution?: number): Promise<void> {
    const current = this.#current;
    if (!current || (execution ?? current.execution) !== current.execution) return;
    current.deliveries.push({ callIndex, outcome, time });
    await this.#ask<null>(null, (delivery) => ({
      type: "deliver",
      execution: current.execution,
      delivery,
      callIndex,
      outcome,
      time,
    }));
  }

  async variables(options: VariablesOptions = {}): Promise<readonly VariableSummary[]> {
    if (this.#state !== "started") return [];
    this.#openThread();
    return await this.#ask<readonly VariableSummary[]>([], (request) => ({ type: "variables", request, options }));
  }

  /**
   * Returns whether the code is a valid program. If the thread is lost during the check, returns
   * true: the execution will then report the error.
   */
  async isProgram(code: string): Promise<boolean> {
    if (this.#state !== "started") return true;
    this.#openThread();
    return await this.#ask<boolean>(true, (request) => ({ type: "is-program", request, code }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#state === "disposed") return;
    this.#state = "disposed";
    this.#options.signal.removeEventListener("abort", this.#abortListener);
    this.#kill("aborted");
    this.#history = [];
  }

  /** Gets another thread if there is none, and repeats the session's earlier executions in it. */
  #openThread(): void {
    if (this.#thread) return;
    const thread = this.#options.takeThread();
    this.#thread = thread;
    this.#hasSentMessage = false;
    thread.listener = { onMessage: (message) => this.#hear(message), onEnd: (end) => this.#threadEnded(end) };
    thread.keepAlive(false);
    thread.post({ type: "ping" });
    const { limits } = this.#options;
    thread.post({ type: "start", limits, callMs: thread.callMs, environment: this.#environment });
    for (const past of this.#history) this.#repeat(thread, past);
  }

  #repeat(thread: GuestThread, { code, data, deliveries }: PastExecution): void {
    const execution = ++this.#executionCount;
    thread.post({ type: "execute", execution, code, data, isRepeated: true });
    // These deliveries need no answer, so they all have the number 0.
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
    this.#thread?.post({ type: "execute", execution, code, data, isRepeated: false });
    this.#updateKeepAlive();
    options.signal.addEventListener("abort", abort);
    if (options.signal.aborted || this.#options.signal.aborted) this.#abort();
  }

  #hear(message: FromGuest): void {
    if (!this.#hasSentMessage && this.#hasUnanswered) this.#watch.start();
    this.#hasSentMessage = true;
    this.#take(message);
  }

  #take(message: FromGuest): void {
    switch (message.type) {
      case "ready":
        return;
      case "pong":
        return this.#watch.answered();
      case "delivered":
        return this.#answer(message.delivery, null);
      case "variables":
        return this.#answer(message.request, message.variables);
      case "is-program":
        return this.#answer(message.request, message.isProgram);
      case "call":
        // `message.call` contains the number that the thread uses for the execution. Each thread
        // counts from 1, so replace it with the number that this executor uses.
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
    else this.#failed(threadFailure(end));
    this.#giveUpQuestions();
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
    this.#giveUpQuestions();
  }

  #endKilled(reason: StopReason): void {
    const current = this.#close();
    if (!current) return;
    this.#history.push(killedExecution(current.code, current.data, reason));
    current.resolve(killedResult(reason));
  }

  /** Ends the current execution. None of its callbacks is called after this. */
  #close(): Current | null {
    const current = this.#current;
    if (!current) return null;
    this.#current = null;
    clearTimeout(this.#killTimer);
    this.#killTimer = undefined;
    current.options.signal.removeEventListener("abort", current.abort);
    this.#thread?.setAborted(false);
    this.#giveUpQuestions();
    return current;
  }

  #ask<Answer>(ifLost: Answer, messageOf: (request: number) => ToGuest): Promise<Answer> {
    const request = ++this.#requestCount;
    return new Promise<Answer>((resolve) => {
      // The cast is safe: the thread answers this kind of request with an `Answer`.
      const answer = (given: unknown): void => resolve(given as Answer);
      this.#questions.set(request, { answer, giveUp: () => resolve(ifLost) });
      this.#thread?.post(messageOf(request));
      this.#updateKeepAlive();
    });
  }

  #answer(request: number, given: unknown): void {
    this.#questions.get(request)?.answer(given);
    this.#questions.delete(request);
    this.#updateKeepAlive();
  }

  #giveUpQuestions(): void {
    for (const question of this.#questions.values()) question.giveUp();
    this.#questions.clear();
    this.#updateKeepAlive();
  }

  /**
   * Watches the thread while it has something to answer, and keeps this process alive until then.
   * While the thread is idle, this process may exit.
   */
  #updateKeepAlive(): void {
    const hasUnanswered = this.#current !== null || this.#questions.size > 0;
    if (hasUnanswered === this.#hasUnanswered) return;
    this.#hasUnanswered = hasUnanswered;
    this.#thread?.keepAlive(hasUnanswered);
    if (!hasUnanswered) this.#watch.stop();
    else if (this.#hasSentMessage) this.#watch.start();
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

const threadFailure = ({ message, hint }: Extract<ThreadEnd, { readonly type: "failed" }>): AgentError =>
  new AgentError("executor", `the sandbox's thread ended: ${message}`, hint === undefined ? {} : { hint });
