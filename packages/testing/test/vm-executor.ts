// A minimal executor over node:vm. It tests the executor contract itself. It is not a sandbox.

import vm from "node:vm";
import {
  AgentError,
  type CallOutcome,
  decodeValue,
  type ExecuteOptions,
  type ExecutionResult,
  type Executor,
  type ExecutorFactory,
  encodeValue,
  type StopReason,
} from "@smolts/protocol";

/** Faults that a test adds, to check that the contract detects them. */
export interface Faults {
  readonly losesState?: boolean;
  readonly mixesOrder?: boolean;
  readonly ignoresAbort?: boolean;
  readonly forgetsUnawaited?: boolean;
  readonly randomIsReal?: boolean;
  readonly clockIsReal?: boolean;
  readonly deliversLate?: boolean;
  readonly throwsOnDispose?: boolean;
  readonly keepsReferences?: boolean;
  readonly secondAnswerWins?: boolean;
  readonly mixesExecutions?: boolean;
  readonly idlesTooEarly?: boolean;
}

interface OpenCall {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export function vmExecutor(faults: Faults = {}): ExecutorFactory {
  return { language: "javascript", replay: "exact", open: async () => createExecutor(faults) };
}

const mostPrinted = 1_000_000;

/** Resolves when the guest is idle: in the next task of the event loop. */
const whenIdle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function createExecutor(faults: Faults): Executor {
  let context = vm.createContext({});
  let tools: readonly string[] = [];
  let block: Block | null = null;
  let executions = 0;
  let isRunning = false;
  let disposals = 0;
  return {
    async start(environment) {
      tools = environment.tools;
    },
    async execute(code, options) {
      if (isRunning) throw new AgentError("executor", "another block runs");
      if (faults.losesState) context = vm.createContext({});
      block = new Block(context, tools, { ...options, execution: ++executions }, faults);
      isRunning = true;
      const result = await block.run(code);
      isRunning = false;
      if (!faults.deliversLate) block = null;
      return result;
    },
    async deliver(callIndex, outcome, time, execution = executions) {
      if (callIndex === 0 && faults.idlesTooEarly) return;
      await whenIdle();
      if (execution !== executions && !faults.mixesExecutions) return;
      block?.deliver(callIndex, outcome, time);
      await whenIdle();
    },
    async [Symbol.asyncDispose]() {
      if (disposals++ > 0 && faults.throwsOnDispose) throw new Error("disposed already");
    },
  };
}

type BlockOptions = ExecuteOptions & { readonly execution: number };

class Block {
  readonly #context: vm.Context;
  readonly #options: BlockOptions;
  readonly #faults: Faults;
  readonly #open = new Map<number, OpenCall>();
  readonly #endings = deferred<ExecutionResult>();
  #callCount = 0;
  #time: number;
  #random: number;
  #printed = 0;
  #hasAnswered = false;
  #settled: Extract<ExecutionResult, { type: "value" | "error" }> | null = null;

  constructor(context: vm.Context, tools: readonly string[], options: BlockOptions, faults: Faults) {
    this.#context = context;
    this.#options = options;
    this.#faults = faults;
    this.#time = options.time;
    this.#random = options.seed.length;
    for (const name of tools) context[name] = (...args: unknown[]) => this.#call(name, args);
    for (const [name, value] of Object.entries(options.variables ?? {})) context[name] = decodeValue(value);
    const print = (level: "log" | "error", values: unknown[]): void => {
      const text = values.map(String).join(" ");
      if (this.#hasAnswered) return;
      this.#printed += text.length;
      if (this.#printed > mostPrinted) throw this.#stop("output");
      options.onConsole({ level, text });
    };
    context["console"] = {
      log: (...values: unknown[]) => print("log", values),
      error: (...values: unknown[]) => print("error", values),
    };
    context["print"] = (...values: unknown[]) => print("log", values);
    context["finalAnswer"] = (...args: unknown[]) => this.#answer(args);
    context["now"] = () => (faults.clockIsReal ? globalThis.Date.now() : this.#time);
    context["random"] = () => this.#nextRandom();
    vm.runInContext("Date.now = now; Math.random = random;", context);
  }

  async run(code: string): Promise<ExecutionResult> {
    const { signal } = this.#options;
    const stop = (): void => void this.#stop("aborted");
    if (!this.#faults.ignoresAbort) signal.addEventListener("abort", stop, { once: true });
    // The program runs in the next task, so that `execute` has returned before the first call is
    // reported.
    setImmediate(() => this.#evaluate(code));
    return this.#endings.promise;
  }

  deliver(callIndex: number, outcome: CallOutcome, time: number): void {
    const call = this.#open.get(callIndex);
    this.#open.delete(callIndex);
    this.#time = Math.max(this.#time, time);
    if (outcome.type === "ok") call?.resolve(decodeValue(outcome.value));
    else call?.reject(new Error(outcome.error.message));
    void whenIdle().then(() => this.#endWhenQuiet());
  }

  #evaluate(code: string): void {
    // Top-level variables become properties of the global object. The value of the last line is the
    // block's result.
    const lines = code.split("\n").map((line) => line.replace(/^(const|let) (\w+) =/, "globalThis.$2 ="));
    const last = lines.pop() ?? "";
    const body = /^(?:throw|for)/.test(last) ? last : `return (${last.replace(/;$/, "")});`;
    const program = started(`(async () => {\n${lines.join("\n")}\n${body}\n})()`, this.#context);
    const settle = (result: Extract<ExecutionResult, { type: "value" | "error" }>): void => {
      this.#settled = result;
      void whenIdle().then(() => this.#endWhenQuiet());
    };
    const facts = (): { operations: number; unawaited: number[] } => ({
      operations: 0,
      unawaited: this.#faults.forgetsUnawaited ? [] : [...this.#open.keys()],
    });
    program.then(
      (value) => {
        const plain = encodable(value);
        settle({
          type: "value",
          output: plain === undefined ? null : { text: String(value), value: plain },
          ...facts(),
        });
      },
      (error: unknown) =>
        settle({ type: "error", error: { code: "code-execution", message: String(error) }, ...facts() }),
    );
  }

  #stop(reason: StopReason): Error {
    const error = { code: "code-execution", message: "stopped" } as const;
    this.#endings.resolve({ type: "stopped", reason, error, operations: 0, unawaited: [] });
    return new Error("stopped");
  }

  #endWhenQuiet(): void {
    if (this.#settled && (this.#open.size === 0 || this.#faults.forgetsUnawaited)) this.#endings.resolve(this.#settled);
  }

  #call(name: string, args: readonly unknown[]): Promise<unknown> {
    const { promise, resolve, reject } = deferred<unknown>();
    const copies = args.map((arg) => encodeValue(structuredClone(arg)));
    const callIndex = ++this.#callCount;
    this.#open.set(callIndex, { resolve, reject });
    const { execution } = this.#options;
    const ask = (values: typeof copies): void => this.#options.onCall({ callIndex, name, args: values, execution });
    if (this.#faults.keepsReferences) queueMicrotask(() => ask(args.map((arg) => encodeValue(structuredClone(arg)))));
    else if (this.#faults.mixesOrder && callIndex === 1) queueMicrotask(() => ask(copies));
    else ask(copies);
    return promise;
  }

  #answer(args: readonly unknown[]): Promise<never> {
    const answer = args.map((arg) => encodeValue(arg));
    const end = (): void => this.#endings.resolve({ type: "final-answer", args: answer, operations: 0, unawaited: [] });
    if (this.#faults.secondAnswerWins) void whenIdle().then(whenIdle).then(end);
    else end();
    this.#hasAnswered = !this.#faults.secondAnswerWins && !this.#faults.deliversLate;
    return new Promise(() => {});
  }

  #nextRandom(): number {
    if (this.#faults.randomIsReal) return globalThis.Math.random();
    this.#random = (this.#random * 48_271) % 2_147_483_647;
    return this.#random / 2_147_483_647;
  }
}

function started(program: string, context: vm.Context): Promise<unknown> {
  try {
    // The cast is safe: the program calls an async function, which returns a promise.
    return vm.runInContext(program, context) as Promise<unknown>;
  } catch (error) {
    return Promise.reject(error);
  }
}

function encodable(value: unknown): ReturnType<typeof encodeValue> | undefined {
  try {
    return encodeValue(structuredClone(value));
  } catch {
    return undefined;
  }
}

/** Returns a promise, and the function that resolves it. */
function deferred<Value>(): { promise: Promise<Value>; resolve(value: Value): void; reject(error: unknown): void } {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
