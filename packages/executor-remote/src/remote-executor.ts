// An Executor that runs code in a remote sandbox.

import {
  AgentError,
  type CallOutcome,
  type ExecuteOptions,
  type ExecutionEnvironment,
  type ExecutionResult,
  type Executor,
  invalidOption,
  type JsonValue,
  type StopReason,
  type VariableSummary,
  type VariablesOptions,
} from "@smolts/protocol";
import { Connection } from "./connection.ts";
import type { GuestLimits, GuestResult, HostMessage, RunnerMessage } from "./frames.ts";
import type { RemoteSandbox } from "./remote-sandbox.ts";
import type { Runner } from "./runner.ts";

/** The sandbox of an executor, and its settings. */
export interface RemoteExecutorParts {
  readonly sandbox: RemoteSandbox;
  readonly runner: Runner;
  /** The secret id of the session. */
  readonly session: string;
  readonly isAttached: boolean;
  readonly limits: GuestLimits;
  /** The modules that programs may import. Null for all. */
  readonly imports: readonly string[] | null;
  /** How long the sandbox stays open without messages from the host, in ms. */
  readonly keepMs: number;
}

/** The current execution. */
interface Current {
  readonly execution: number;
  readonly options: ExecuteOptions;
  readonly openCalls: Set<number>;
  callCount: number;
  printedChars: number;
  /** How long the block has run without an open call, measured by the host, in ms. */
  elapsedMs: number;
  readonly abort: () => void;
  resolve(result: ExecutionResult): void;
  reject(reason: unknown): void;
}

interface Question {
  answer(given: unknown): void;
  /** Called if the execution or the sandbox ends before the answer arrives. */
  giveUp(): void;
  /** Whether this question to the sandbox is dropped when the execution ends. */
  readonly endsWithExecution: boolean;
}

const startLimitMs = 30_000;
/**
 * The time between an abort and killing the whole sandbox, in ms. A working runner stops within 300
 * ms.
 */
const abortGraceMs = 800;
/**
 * By how much a block may exceed its time limit, in ms. A runner that allows more does not work
 * correctly.
 */
const timeGraceMs = 10_000;
const tickMs = 1_000;
const answerLimitMs = 5_000;
const finalAnswerNames = ["finalAnswer", "final_answer"];
/**
 * The characters that are allowed beyond `outputChars`, for line breaks and notes of the runner.
 */
const outputSlack = 65_536;

/** Runs code in a remote sandbox. */
export class RemoteExecutor implements Executor {
  readonly #parts: RemoteExecutorParts;
  readonly #connection: Connection;
  #state: "opened" | "started" | "disposed" = "opened";
  #failure: AgentError | null = null;
  #tools: ReadonlySet<string> = new Set();
  #current: Current | null = null;
  // The sandbox may have had an earlier host, and answers to that host may still arrive. The first
  // number is random, so that such an answer is not taken for an answer to this host.
  #executionCount: number;
  #requestCount: number;
  readonly #questions = new Map<number, Question>();
  #onStarted: { resolve(): void; reject(error: unknown): void } | null = null;
  #killTimer: ReturnType<typeof setTimeout> | undefined;
  #ticks: ReturnType<typeof setInterval> | undefined;
  #signal: AbortSignal | null = null;
  #killing: Promise<void> | null = null;
  #noteEnded: () => void = () => {};
  /** Resolves when the sandbox is killed, or released for another host. */
  readonly ended: Promise<void> = new Promise((resolve) => {
    this.#noteEnded = resolve;
  });
  readonly #sessionAborted = (): void => this.#current?.abort();

  constructor(parts: RemoteExecutorParts) {
    this.#parts = parts;
    this.#executionCount = this.#requestCount = parts.isAttached ? randomBase() : 0;
    const { sandbox, runner, session, isAttached, keepMs } = parts;
    this.#connection = new Connection({
      sandbox,
      runner,
      session,
      isAttached,
      keepMs,
      onMessage: (message) => this.#take(message),
      onFailure: (error) => this.#fail(error),
    });
  }

  /** Whether the sandbox can still be used. */
  get isAlive(): boolean {
    return this.#failure === null && this.#state !== "disposed";
  }

  /** Connects to the runner. If that fails, the sandbox is killed. */
  async connect(): Promise<void> {
    try {
      await this.#connection.open();
      this.#connection.keepAlive(false);
    } catch (error) {
      this.#state = "disposed";
      await this.#parts.sandbox.kill();
      throw error;
    }
  }

  /** Sets the signal of the session that uses this executor. */
  use(signal: AbortSignal): void {
    this.#signal = signal;
    signal.addEventListener("abort", this.#sessionAborted);
  }

  async start({ tools, imports }: ExecutionEnvironment): Promise<void> {
    if (this.#state !== "opened") throw misuse(`start() was called on an executor that is already ${this.#state}`);
    this.#throwFailure();
    const hostModules: { [name: string]: readonly string[] } = {};
    for (const module of imports?.modules ?? []) {
      if (module.type === "guest-module") throw noGuestModules(module.name);
      hostModules[module.name] = module.functions;
    }
    const functions = Object.entries(hostModules).flatMap(([module, names]) =>
      names.map((name) => `${module}.${name}`),
    );
    const finalAnswer = finalAnswerNames.find((name) => tools.includes(name)) ?? null;
    this.#tools = new Set([...tools, ...functions].filter((name) => name !== finalAnswer));
    this.#state = "started";
    const { limits, keepMs } = this.#parts;
    const message: HostMessage = {
      type: "start",
      tools: [...tools, ...functions],
      finalAnswer,
      imports: this.#importable(imports),
      limits,
      leashMs: keepMs,
      options: { hostModules },
    };
    if (!this.#connection.send(message)) throw tooLarge("the list of tools");
    this.#updateKeepAlive();
    await this.#started();
    this.#updateKeepAlive();
  }

  /**
   * Returns the modules that programs may import. If the language is Python and the agent has a
   * list of modules, that list is used. Otherwise it is the list in this executor's options.
   */
  #importable(imports: ExecutionEnvironment["imports"]): readonly string[] | null {
    const named = this.#parts.runner.language === "python" ? imports?.authorizedImports : undefined;
    return named ?? this.#parts.imports;
  }

  async execute(code: string, options: ExecuteOptions): Promise<ExecutionResult> {
    if (this.#state !== "started") throw misuse(`execute() was called on an executor that is ${this.#state}`);
    if (this.#current) throw misuse("execute() was called while another execution is running");
    this.#throwFailure();
    return await new Promise<ExecutionResult>((resolve, reject) => this.#begin(code, options, resolve, reject));
  }

  async deliver(callIndex: number, outcome: CallOutcome, _time: number, execution?: number): Promise<void> {
    const current = this.#current;
    if (!current || (execution ?? current.execution) !== current.execution) return;
    current.openCalls.delete(callIndex);
    await this.#ask<null>(null, true, (request) => {
      const delivery = { type: "deliver", request, execution: current.execution, call: callIndex } as const;
      return { message: { ...delivery, outcome }, ifTooLarge: { ...delivery, outcome: tooLargeOutcome } };
    });
  }

  async variables({ newest, previews = true }: VariablesOptions = {}): Promise<readonly VariableSummary[]> {
    if (this.#state !== "started" || this.#failure) return [];
    return await this.#ask<readonly VariableSummary[]>([], false, (request) => ({
      message: { type: "variables", request, previews, ...(newest !== undefined && { newest }) },
    }));
  }

  /**
   * Returns whether the code is a valid program. If the sandbox is lost during the check, returns
   * true: the execution will then report the error.
   */
  async isProgram(code: string): Promise<boolean> {
    if (this.#state !== "started" || this.#failure) return true;
    return await this.#ask<boolean>(true, false, (request) => ({ message: { type: "is-program", request, code } }));
  }

  attachment(): JsonValue {
    const { session, sandbox } = this.#parts;
    return sandbox.attachment === undefined ? null : { session, sandbox: sandbox.attachment };
  }

  async detach(): Promise<boolean> {
    const { sandbox } = this.#parts;
    if (sandbox.attachment === undefined || this.#state !== "started" || this.#failure) {
      await this[Symbol.asyncDispose]();
      return false;
    }
    this.#release();
    try {
      await sandbox.release?.();
      return true;
    } catch {
      await sandbox.kill();
      return false;
    } finally {
      this.#noteEnded();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#state === "disposed") return;
    this.#release();
    await this.#killing;
    await this.#parts.sandbox.kill();
    this.#noteEnded();
  }

  /** Releases this object. The sandbox itself may continue to run. */
  #release(): void {
    this.#state = "disposed";
    this.#signal?.removeEventListener("abort", this.#sessionAborted);
    this.#end()?.resolve(stopped("aborted"));
    this.#giveUp(() => true);
    this.#connection.close();
  }

  #started(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new AgentError("executor", `the sandbox did not start within ${startLimitMs / 1_000} s`));
      }, startLimitMs);
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        this.#onStarted = null;
        act();
      };
      this.#onStarted = { resolve: () => settle(resolve), reject: (error) => settle(() => reject(error)) };
    });
  }

  #begin(
    code: string,
    options: ExecuteOptions,
    resolve: (result: ExecutionResult) => void,
    reject: (reason: unknown) => void,
  ): void {
    const execution = ++this.#executionCount;
    const abort = (): void => this.#abort(execution);
    const counts = { openCalls: new Set<number>(), callCount: 0, printedChars: 0, elapsedMs: 0 };
    const current: Current = { execution, options, ...counts, abort, resolve, reject };
    const { id = crypto.randomUUID(), variables = {} } = options;
    if (!this.#connection.send({ type: "execute", execution, id, code, variables })) {
      return reject(tooLarge("the code with its variables"));
    }
    this.#current = current;
    this.#updateKeepAlive();
    this.#ticks = setInterval(() => this.#tick(current), tickMs);
    options.signal.addEventListener("abort", abort);
    if (options.signal.aborted || this.#signal?.aborted) abort();
  }

  #take(message: RunnerMessage): void {
    switch (message.type) {
      case "started":
        return this.#onStarted?.resolve();
      case "call":
        return this.#takeCall(message);
      case "console":
        return this.#takeConsole(message);
      case "result":
        if (message.execution === this.#current?.execution) this.#end()?.resolve(resultOf(message.result));
        return;
      case "rested":
        return this.#answer(message.request, null);
      case "variables":
        return this.#answer(message.request, message.variables);
      case "is-program":
        return this.#answer(message.request, message.isProgram);
      case "failed": {
        const error = new AgentError("executor", message.error.message, { hint: message.error.hint });
        if (message.execution === undefined) this.#onStarted?.reject(error);
        else if (message.execution === this.#current?.execution) this.#end()?.reject(error);
        return;
      }
      default:
        message satisfies never;
    }
  }

  #takeCall({ execution, call, name, args, keywords }: Extract<RunnerMessage, { type: "call" }>): void {
    const current = this.#current;
    if (execution !== current?.execution) return;
    const { pendingCalls } = this.#parts.limits;
    if (call !== current.callCount + 1) return this.#breach(`call ${call} came after call ${current.callCount}`);
    if (!this.#tools.has(name)) return this.#breach(`it called "${name.slice(0, 100)}", which is not a tool`);
    current.callCount = call;
    current.openCalls.add(call);
    if (pendingCalls > 0 && current.openCalls.size > pendingCalls) return this.#breach("too many calls are open");
    current.options.onCall({ callIndex: call, execution, name, args, ...(keywords && { keywords }) });
  }

  #takeConsole({ execution, level, text }: Extract<RunnerMessage, { type: "console" }>): void {
    const current = this.#current;
    if (execution !== current?.execution) return;
    const { outputChars } = this.#parts.limits;
    current.printedChars += text.length;
    if (outputChars > 0 && current.printedChars > outputChars + outputSlack) return this.#breach("it printed too much");
    current.options.onConsole({ level, text });
  }

  /** Ends the sandbox after its runner has done something that the protocol forbids. */
  #breach(what: string): void {
    this.#connection.close();
    this.#fail(
      new AgentError("executor", `the sandbox broke the protocol and was closed: ${what}`, {
        hint: "the code in it may have tampered with its runner; start again with a new sandbox",
      }),
    );
  }

  #tick(current: Current): void {
    const { timeMs } = this.#parts.limits;
    if (current.openCalls.size === 0) current.elapsedMs += tickMs;
    if (timeMs > 0 && current.elapsedMs > timeMs + timeGraceMs)
      this.#breach("it did not stop a block at its time limit");
  }

  #abort(execution: number): void {
    const current = this.#current;
    if (current?.execution !== execution) return;
    // If the run is suspended until a person decides, its block stays in the sandbox and waits.
    if (isSuspension(current.options.signal.reason)) return this.#end()?.resolve(stopped("aborted"));
    this.#connection.send({ type: "stop", execution, reason: "aborted" });
    this.#killTimer ??= setTimeout(() => {
      this.#end()?.resolve(stopped("aborted"));
      this.#connection.close();
      this.#fail(
        new AgentError("executor", "the sandbox did not react to an abort and was killed", {
          hint: "start again with a new sandbox",
        }),
      );
    }, abortGraceMs);
  }

  #fail(error: AgentError): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#killing = this.#parts.sandbox.kill();
    this.#onStarted?.reject(error);
    this.#end()?.reject(error);
    this.#giveUp(() => true);
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure;
  }

  /** Ends the current execution. None of its callbacks is called after this. */
  #end(): Current | null {
    const current = this.#current;
    if (!current) return null;
    this.#current = null;
    clearTimeout(this.#killTimer);
    this.#killTimer = undefined;
    clearInterval(this.#ticks);
    current.options.signal.removeEventListener("abort", current.abort);
    this.#giveUp(({ endsWithExecution }) => endsWithExecution);
    return current;
  }

  #ask<Answer>(
    ifLost: Answer,
    endsWithExecution: boolean,
    messagesOf: (request: number) => { readonly message: HostMessage; readonly ifTooLarge?: HostMessage },
  ): Promise<Answer> {
    const request = ++this.#requestCount;
    return new Promise<Answer>((resolve) => {
      const { message, ifTooLarge } = messagesOf(request);
      const isSent = this.#connection.send(message) || (ifTooLarge !== undefined && this.#connection.send(ifTooLarge));
      if (!isSent) return resolve(ifLost);
      // A program may have left its guest unable to answer, so there is a time limit. During an
      // execution, the limits of the execution are enough.
      const timer = endsWithExecution ? undefined : setTimeout(() => this.#answer(request, ifLost), answerLimitMs);
      const settle = (answer: Answer): void => {
        clearTimeout(timer);
        resolve(answer);
      };
      // The cast is safe: a runner answers this kind of request with an `Answer`.
      const answer = (given: unknown): void => settle(given as Answer);
      this.#questions.set(request, { answer, giveUp: () => settle(ifLost), endsWithExecution });
      this.#updateKeepAlive();
    });
  }

  #answer(request: number, given: unknown): void {
    this.#questions.get(request)?.answer(given);
    this.#questions.delete(request);
    this.#updateKeepAlive();
  }

  #giveUp(isMeant: (question: Question) => boolean): void {
    for (const [request, question] of this.#questions) {
      if (!isMeant(question)) continue;
      this.#questions.delete(request);
      question.giveUp();
    }
    this.#updateKeepAlive();
  }

  /** Allows this process to exit while its sandboxes are idle. */
  #updateKeepAlive(): void {
    this.#connection.keepAlive(this.#current !== null || this.#questions.size > 0 || this.#onStarted !== null);
  }
}

const randomBase = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) + 1_000_000;

/** Adds the count of operations, which is always 0: remote sandboxes do not count operations. */
const resultOf = (result: GuestResult): ExecutionResult => ({ ...result, operations: 0 });

function stopped(reason: StopReason): ExecutionResult {
  const error = {
    code: "code-execution" as const,
    message: "the code was stopped from outside",
    hint: "part of it may have run",
  };
  return { type: "stopped", reason, error, operations: 0, unawaited: [] };
}

const isSuspension = (reason: unknown): boolean => AgentError.is(reason) && reason.code === "suspended";

const tooLargeOutcome: CallOutcome = {
  type: "error",
  error: {
    code: "tool-execution",
    message: "the result of the call is too large to be passed into the sandbox",
    hint: "ask for less at once",
  },
};

const tooLarge = (what: string): AgentError =>
  new AgentError("executor", `${what} is too large to be passed into the sandbox`, {
    hint: "pass less at once, such as a path or a URL instead of the data",
  });

const noGuestModules = (name: string): AgentError =>
  invalidOption(
    `the module "${name}" runs in the interpreter only`,
    "install the package in the sandbox with { packages }, or use a module of host functions",
  );

const misuse = (message: string): AgentError =>
  new AgentError("executor", message, {
    hint: "open one executor for each session, start it once, and await each execution",
  });
