import {
  AgentError,
  type CallOutcome,
  type ConsoleLine,
  decodeValue,
  type EncodedValue,
  type ExecuteOptions,
  type ExecutionResult,
  type Executor,
  type ExecutorFactory,
  encodeValue,
  type HostCall,
} from "@smolts/protocol";
import { type ContractCase, expectSame, expectThat } from "./contract-case.ts";
import { type Programs, programsIn } from "./executor-programs.ts";

/**
 * Returns the tests that every executor must pass. The programs are JavaScript or Python, as the
 * factory's `language` says.
 *
 * The programs use only tool calls, `await` and printing. If the executor replays exactly, the
 * programs also use random numbers and the clock.
 *
 * @param factory - opens a fresh executor for each case
 * @example
 * ```ts
 * import { executorContract } from "@smolts/testing";
 * import type { ExecutorFactory } from "@smolts/protocol";
 *
 * function runContract(factory: ExecutorFactory, test: (title: string, run: () => Promise<void>) => void): void {
 *   for (const { title, run } of executorContract(factory)) test(title, run);
 * }
 * console.log(typeof runContract); // function
 * ```
 */
export function executorContract(factory: ExecutorFactory): readonly ContractCase[] {
  const { language, replay } = factory;
  const code = programsIn(language);
  const cases = Object.entries(checks).map(([title, check]) => ({
    title,
    run: () => withExecutor(factory, (executor) => check(executor, code)),
  }));
  if (replay === "never") {
    return [...cases, { title: "never runs a block twice", run: () => withExecutor(factory, checkNeverTwice(code)) }];
  }
  return [
    ...cases,
    { title: "moves its clock only by deliveries", run: () => withExecutor(factory, checkClock) },
    { title: "repeats a block exactly with the same deliveries", run: () => checkReplay(factory) },
  ];
}

/** The calls and the printed lines of a block of code, and its result. */
interface Trace {
  readonly calls: HostCall[];
  readonly lines: ConsoleLine[];
  readonly result: ExecutionResult;
}

/**
 * Options of one block of code. `outcome` answers a tool call, or returns null to leave it
 * unanswered. The other options are those of `ExecuteOptions`.
 */
interface BlockOptions extends Partial<Pick<ExecuteOptions, "id" | "signal" | "variables" | "seed" | "time">> {
  readonly outcome?: (call: HostCall) => CallOutcome | null;
  readonly onCall?: (call: HostCall) => void;
  readonly onLine?: (text: string) => void;
}

const checks: { readonly [title: string]: (executor: Executor, code: Programs) => Promise<void> } = {
  "returns the value of the last expression": async (executor, code) => {
    expectSame(valueFrom(await run(executor, code.lastValue)), 42, "the value");
  },
  "keeps bindings from block to block": async (executor, code) => {
    await run(executor, code.bind);
    expectSame(valueFrom(await run(executor, code.rebind)), 42, "the value");
  },
  "binds the variables that are passed to it": async (executor, code) => {
    const variables = { given: encodeValue([1, 2n]) };
    expectSame(valueFrom(await run(executor, code.given, { variables })), "12", "the value");
  },
  "returns an error of the program as a result, and stays usable": async (executor, code) => {
    const { result } = await run(executor, code.fails);
    expectSame(result.type, "error", "the result");
    if (result.type !== "error") return;
    expectSame(result.error.code, "code-execution", "the code");
    expectThat(result.error.message.includes("odd"), `the message is "${result.error.message}"`);
    expectSame(valueFrom(await run(executor, code.two)), 2, "the value of the next block");
  },
  "returns an error for a text that is not a program": async (executor, code) => {
    const { result } = await run(executor, code.mistyped);
    expectSame(result.type === "error" && result.error.code, "code-execution", "the code");
    if (executor.isProgram) {
      expectSame(
        [await executor.isProgram(code.mistyped), await executor.isProgram(code.two)],
        [false, true],
        "isProgram",
      );
    }
  },
  "ends with the first final answer": async (executor, code) => {
    const { result, lines } = await run(executor, code.answers);
    expectSame(result.type === "final-answer" ? decoded(result.args) : result, [42], "the answer");
    expectSame(lines, [], "what was printed after it");
  },
  "ends with a final answer from within functions": async (executor, code) => {
    const { result, lines } = await run(executor, code.answersWithin);
    expectSame(result.type === "final-answer" ? decoded(result.args) : result, ["deep"], "the answer");
    expectSame(lines, [], "what was printed after it");
    expectSame(valueFrom(await run(executor, code.two)), 2, "the value of the next block");
  },
  "reports printed lines in their order": async (executor, code) => {
    const { lines } = await run(executor, code.prints);
    expectSame(
      lines.map(({ text }) => text),
      ["a 1", "b"],
      "the lines",
    );
    expectSame(lines[1]?.level, "error", "the level");
  },
  "makes calls in the order of the code, with copies of their arguments": async (executor, code) => {
    const { calls } = await run(executor, code.callsInOrder);
    expectSame(
      calls.map(({ callIndex, name, args }) => [callIndex, name, decoded(args)]),
      [
        [1, "echo", [{ n: 1 }]],
        [2, "other", ["b"]],
      ],
      "the calls",
    );
  },
  "resumes the program in the order of the deliveries": async (executor, code) => {
    const { lines } = await runInOrder(executor, code.threeCalls, [3, 1, 2]);
    expectSame(
      lines.map(({ text }) => text),
      ["c", "a", "b"],
      "the order",
    );
  },
  "completes a delivery to the call 0, which does not exist, when the program is idle": async (executor, code) => {
    const idle = await runUntilIdle(executor, code.becomesIdle);
    expectSame([idle.calls, idle.lines], [2, ["went on"]], "the calls and lines before it was idle");
    expectSame(valueFrom(idle.trace), "ab", "the value");
  },
  "throws a failed call's error in the program": async (executor, code) => {
    const outcome = (): CallOutcome => ({ type: "error", error: { code: "tool-execution", message: "no such city" } });
    const said = valueFrom(await run(executor, code.catches, { outcome }));
    expectThat(String(said).includes("no such city"), `the program caught ${JSON.stringify(said)}`);
  },
  "completes calls that the program did not await, and lists them": async (executor, code) => {
    const { result, lines } = await run(executor, code.unawaited);
    expectSame(result.type === "value" && result.unawaited, [1], "the calls that were not awaited");
    expectSame(
      lines.map(({ text }) => text),
      ["late"],
      "what their continuation printed",
    );
  },
  "makes 200 calls at once": async (executor, code) => {
    const { calls, result } = await run(executor, code.manyCalls);
    expectSame(calls.length, 200, "the calls");
    expectSame(result.type === "value" && result.output?.value, (200 * 199) / 2, "the sum");
  },
  "passes a megabyte in both directions": async (executor, code) => {
    expectSame(valueFrom(await run(executor, code.megabyte)), 1_000_000, "the length");
  },
  "passes dates, bytes, sets, NaN and shared references in both directions": async (executor, code) => {
    const { calls, result } = await run(executor, code.values);
    const shared = { $: "shared", id: 1, value: [1] };
    const expected = {
      when: { $: "date", value: 0 },
      bytes: { $: "bytes", value: "AQI=" },
      set: { $: "set", values: [1] },
      nan: { $: "number", value: "NaN" },
      pair: [shared, { $: "ref", id: 1 }],
    };
    expectSame(calls[0]?.args[0], expected, "the argument");
    expectSame(result.type === "value" && result.output?.value, expected, "the value");
  },
  "refuses a cycle with an error of the program": async (executor, code) => {
    const { calls, result } = await run(executor, code.cycle);
    expectSame([calls.length, result.type], [0, "error"], "the calls and the result");
    const message = result.type === "error" ? result.error.message : "";
    expectThat(/cycle/.test(message), `the message is "${message}"`);
  },
  "stops soon after an abort, and stays usable": async (executor, code) => {
    const controller = new AbortController();
    const aborted = new Promise<void>((resolve) => controller.signal.addEventListener("abort", () => resolve()));
    const onCall = (): void => void setTimeout(() => controller.abort(new Error("enough")), 5);
    const outcome = (): null => null;
    const running = run(executor, code.waits, { signal: controller.signal, onCall, outcome });
    await Promise.race([aborted, running]);
    const { result } = await within(running, stopLimitMs);
    expectSame(result.type === "stopped" && result.reason, "aborted", "the result");
    expectSame(valueFrom(await run(executor, code.two)), 2, "the value of the next block");
  },
  "stops a flood of prints, and stays usable": async (executor, code) => {
    const { result, lines } = await run(executor, code.floods);
    expectSame(result.type, "stopped", "the result");
    const printed = lines.reduce((sum, { text }) => sum + text.length, 0);
    expectThat(printed < 4_000_000, `it let ${printed} characters through`);
    expectSame(valueFrom(await run(executor, code.two)), 2, "the value of the next block");
  },
  "describes variables": async (executor, code) => {
    if (!executor.variables) return;
    await run(executor, code.declares);
    const variables = await executor.variables();
    expectSame(
      variables
        .filter(({ name }) => name === "names" || name === "total")
        .map(({ name, size }) => [name, size ?? null]),
      [
        ["names", 2],
        ["total", null],
      ],
      "the variables",
    );
    const [newest] = await executor.variables({ newest: 1, previews: false });
    expectSame([newest?.name, newest?.preview], ["total", ""], "the newest variable");
  },
  "ignores deliveries after the end of the execution": async (executor, code) => {
    const outcome = (): null => null;
    const { lines } = await run(executor, code.answersEarly, { outcome });
    await executor.deliver(1, ok("late"), 2_000);
    const next = await run(executor, code.printsNext);
    expectSame(
      [...lines, ...next.lines].map(({ text }) => text),
      ["next"],
      "the lines",
    );
  },
  "never uses an outcome of an earlier execution for a call of the next": async (executor, code) => {
    const earlier: HostCall[] = [];
    const hold = { outcome: () => null, onCall: (call: HostCall) => void earlier.push(call) };
    await run(executor, code.answersEarly, hold);
    const execution = earlier[0]?.execution;
    if (execution === undefined) return; // this executor does not number its executions
    const outcome = (call: HostCall): CallOutcome => {
      void executor.deliver(1, ok("late"), 2_000, execution);
      return echoOf(call);
    };
    expectSame(valueFrom(await run(executor, code.callsNow, { outcome })), "now", "the value of the call");
  },
  "refuses another execution while a program runs": async (executor, code) => {
    const attempts: Promise<unknown>[] = [];
    const onCall = (): void => void attempts.push(run(executor, code.bind).catch((error: unknown) => error));
    const { result } = await run(executor, code.callsNow, { onCall });
    const [error] = await Promise.all(attempts);
    expectSame(AgentError.is(error) ? error.code : error, "executor", "the error of the other execution");
    expectSame(result.type, "value", "how the program ended");
  },
  "can be disposed twice": async (executor) => {
    await executor[Symbol.asyncDispose]();
    await executor[Symbol.asyncDispose]();
  },
};

/**
 * Checks that a sandbox runs each block only once. If a block is requested again, the sandbox must
 * report the same result without running the block.
 */
const checkNeverTwice =
  (code: Programs) =>
  async (executor: Executor): Promise<void> => {
    await run(executor, code.bind, { id: "first" });
    const second = await run(executor, code.rebind, { id: "second" });
    const again = await run(executor, code.rebind, { id: "second" });
    expectSame([valueFrom(second), valueFrom(again)], [42, 42], "the value of the block that was asked for twice");
    const earlier = await run(executor, code.bind, { id: "first" }).then(
      () => "ran",
      (error: unknown) => (AgentError.is(error) ? error.code : String(error)),
    );
    expectSame(earlier, "executor", "the code of the error for a block that ran before the last one");
    expectSame(valueFrom(await run(executor, code.rebind, { id: "third" })), 43, "the value of the next block");
  };

const tools = ["echo", "other"];
const deliveryStepMs = 500;
/**
 * The time limit of one case, in ms. With it, an executor that hangs fails one case and does not
 * block the test runner.
 */
const caseLimitMs = 100_000;
/**
 * The time limit for an executor to stop, in ms. The contract allows one second, but busy machines
 * need more.
 */
const stopLimitMs = 20_000;

async function withExecutor(factory: ExecutorFactory, check: (executor: Executor) => Promise<void>): Promise<void> {
  const executor = await factory.open({ signal: new AbortController().signal });
  try {
    await executor.start({ tools: [...tools, factory.language === "python" ? "final_answer" : "finalAnswer"] });
    await within(check(executor), caseLimitMs);
  } finally {
    await executor[Symbol.asyncDispose]();
  }
}

/**
 * Runs a block. By default, each call is answered with its first argument, in the order of the
 * calls.
 */
async function run(executor: Executor, code: string, options: BlockOptions = {}): Promise<Trace> {
  const { outcome = echoOf, onCall = () => {}, signal = new AbortController().signal } = options;
  const { time = 1_000, seed = "seed", id, variables, onLine = () => {} } = options;
  const calls: HostCall[] = [];
  const lines: ConsoleLine[] = [];
  let deliveries: Promise<void> = Promise.resolve();
  const result = await executor.execute(code, {
    signal,
    time,
    seed,
    ...(variables && { variables }),
    ...(id !== undefined && { id }),
    onConsole(line) {
      lines.push(line);
      onLine(line.text);
    },
    onCall(call) {
      const count = calls.push(call);
      onCall(call);
      const answer = outcome(call);
      if (answer === null) return;
      deliveries = deliveries.then(() => executor.deliver(call.callIndex, answer, time + count * deliveryStepMs));
    },
  });
  await deliveries;
  return { calls, lines, result };
}

/** Runs a block and waits until it has made all its calls. Then answers them in the given order. */
async function runInOrder(executor: Executor, code: string, order: readonly number[]): Promise<Trace> {
  const asked: HostCall[] = [];
  const deliverAll = async (): Promise<void> => {
    for (const callIndex of order) {
      const call = asked.find((other) => other.callIndex === callIndex);
      if (call) await executor.deliver(callIndex, echoOf(call), 2_000);
    }
  };
  let delivered: Promise<void> = Promise.resolve();
  const onCall = (call: HostCall): void => {
    if (asked.push(call) === order.length) delivered = delivered.then(deliverAll);
  };
  const trace = await run(executor, code, { onCall, outcome: () => null });
  await delivered;
  return trace;
}

/**
 * Runs a block that makes two calls, and answers them when the block is idle. Also returns how many
 * calls it had made, and which lines it had printed, before the first answer.
 */
async function runUntilIdle(executor: Executor, code: string) {
  const asked: HostCall[] = [];
  const lines: string[] = [];
  const seen = { calls: 0, lines: [] as readonly string[] };
  const answer = async (): Promise<void> => {
    await executor.deliver(0, ok("nobody"), 0);
    Object.assign(seen, { calls: asked.length, lines: [...lines] });
    for (const call of asked) await executor.deliver(call.callIndex, echoOf(call), 2_000);
  };
  let answered: Promise<void> = Promise.resolve();
  const onCall = (call: HostCall): void => {
    if (asked.push(call) === 1) answered = answer();
  };
  const trace = await run(executor, code, { onCall, outcome: () => null, onLine: (text) => lines.push(text) });
  await answered;
  return { ...seen, trace };
}

async function checkClock(executor: Executor): Promise<void> {
  const code = "const times = [Date.now()];\nawait echo(1);\ntimes.push(Date.now());\ntimes";
  expectSame(valueFrom(await run(executor, code, { time: 1_000 })), [1_000, 1_000 + deliveryStepMs], "the times");
}

async function checkReplay(factory: ExecutorFactory): Promise<void> {
  const traces: string[] = [];
  for (let round = 0; round < 2; round++) {
    await withExecutor(factory, async (executor) => {
      const first = await runInOrder(executor, programsIn("javascript").threeCalls, [2, 3, 1]);
      const second = await run(
        executor,
        "[Math.random(), Math.random(), Date.now(), await echo(all instanceof Promise)]",
      );
      traces.push(JSON.stringify([first, second]));
    });
  }
  expectSame(traces[1], traces[0], "the second round");
}

const ok = (value: EncodedValue): CallOutcome => ({ type: "ok", value });

const echoOf = ({ args }: HostCall): CallOutcome => ok(args[0] ?? null);

const decoded = (args: readonly EncodedValue[]): readonly unknown[] => args.map((arg) => decodeValue(arg));

function valueFrom({ result }: Trace): unknown {
  if (result.type !== "value") throw new Error(`the block returned no value: ${JSON.stringify(result)}`);
  return result.output?.value === undefined ? undefined : decodeValue(result.output.value);
}

async function within<Value>(promise: Promise<Value>, limitMs: number): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it took more than ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
