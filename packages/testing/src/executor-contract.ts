import {
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

/**
 * The promises that every executor keeps, as tests, with programs in its own language.
 *
 * Those of JavaScript use no more than calls, `await`, `console.log`, `Math.random` and `Date.now`, those of Python no module but `asyncio` and `sys`.
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
  const programs = programsOf[factory.language];
  const cases = Object.entries(promises).map(([title, check]) => ({
    title,
    run: () => withExecutor(factory, (executor) => check(executor, programs)),
  }));
  if (factory.replay === "never") return cases;
  return [
    ...cases,
    { title: "moves its clock only by deliveries", run: () => withExecutor(factory, checkClock) },
    { title: "does the same again with the same deliveries", run: () => checkReplay(factory) },
  ];
}

/** What happened while a block ran. */
interface Trace {
  readonly calls: HostCall[];
  readonly lines: ConsoleLine[];
  readonly result: ExecutionResult;
}

/** How a block is run: `outcome` answers a call, null leaves it open; `signal` and the rest as in `ExecuteOptions`. */
interface BlockOptions extends Partial<Pick<ExecuteOptions, "signal" | "variables" | "seed" | "time">> {
  readonly outcome?: (call: HostCall) => CallOutcome | null;
  readonly onCall?: (call: HostCall) => void;
  readonly onLine?: (text: string) => void;
}

const promises: { readonly [title: string]: (executor: Executor, programs: Programs) => Promise<void> } = {
  "gives the value of the last expression": async (executor, programs) => {
    expectSame(valueFrom(await run(executor, programs.lastValue)), 42, "the value");
  },
  "keeps bindings from block to block": async (executor, programs) => {
    await run(executor, programs.keep);
    expectSame(valueFrom(await run(executor, programs.kept)), 42, "the value");
  },
  "binds the variables it is given": async (executor, programs) => {
    const variables = { given: encodeValue([1, 2n]) };
    expectSame(valueFrom(await run(executor, programs.given, { variables })), "12", "the value");
  },
  "gives an error of the program as a result, and lives on": async (executor, programs) => {
    const { result } = await run(executor, programs.error);
    expectSame(result.type, "error", "the result");
    if (result.type !== "error") return;
    expectSame(result.error.code, "code-execution", "the code");
    expectThat(result.error.message.includes("odd"), `the message is "${result.error.message}"`);
    expectSame(valueFrom(await run(executor, "1 + 1")), 2, "the value of the next block");
  },
  "ends with the first final answer": async (executor, programs) => {
    const { result, lines } = await run(executor, programs.answer);
    expectSame(result.type === "final-answer" ? decoded(result.args) : result, [42], "the answer");
    expectSame(lines, [], "what was printed after it");
  },
  "tells of prints in their order": async (executor, programs) => {
    const { lines } = await run(executor, programs.prints);
    expectSame(
      lines.map(({ text }) => text),
      ["a 1", "b"],
      "the lines",
    );
    expectSame(lines[1]?.level, "error", "the level");
  },
  "lets calls out in the order of asking, with copies of their arguments": async (executor, programs) => {
    const { calls } = await run(executor, programs.copies);
    expectSame(
      calls.map(({ callIndex, name, args }) => [callIndex, name, decoded(args)]),
      [
        [1, "echo", [{ n: 1 }]],
        [2, "other", ["b"]],
      ],
      "the calls",
    );
  },
  "lets the program go on in the order of delivery": async (executor, programs) => {
    const { lines } = await runInOrder(executor, programs.threeCalls, [3, 1, 2]);
    expectSame(
      lines.map(({ text }) => text),
      ["c", "a", "b"],
      "the order",
    );
  },
  "tells by a delivery with the number 0, which reaches nobody, when the program is at rest": async (
    executor,
    programs,
  ) => {
    const atRest = await runToRest(executor, programs.atRest);
    expectSame([atRest.calls, atRest.lines], [2, ["went on"]], "the calls and lines before it was at rest");
    expectSame(valueFrom(atRest.trace), "ab", "the value");
  },
  "throws a failed call's error in the program": async (executor, programs) => {
    const outcome = (): CallOutcome => ({ type: "error", error: { code: "tool-execution", message: "no such city" } });
    const said = valueFrom(await run(executor, programs.failedCall, { outcome }));
    expectThat(String(said).includes("no such city"), `the program caught ${JSON.stringify(said)}`);
  },
  "completes what the program did not await, and names it": async (executor, programs) => {
    const { result, lines } = await run(executor, programs.unawaited);
    expectSame(result.type === "value" && result.unawaited, [1], "the calls that were not awaited");
    expectSame(
      lines.map(({ text }) => text),
      ["late"],
      "what their continuation printed",
    );
  },
  "stops soon after an abort, and lives on": async (executor, programs) => {
    const controller = new AbortController();
    const aborted = new Promise<void>((resolve) => controller.signal.addEventListener("abort", () => resolve()));
    const onCall = (): void => void setTimeout(() => controller.abort(new Error("enough")), 5);
    const outcome = (): null => null;
    const running = run(executor, programs.oneCall, { signal: controller.signal, onCall, outcome });
    await Promise.race([aborted, running]);
    const { result } = await within(running, stopLimitMs);
    expectSame(result.type === "stopped" && result.reason, "aborted", "the result");
    expectSame(valueFrom(await run(executor, "1 + 1")), 2, "the value of the next block");
  },
  "delivers to nobody when the execution is over": async (executor, programs) => {
    const outcome = (): null => null;
    const { lines } = await run(executor, programs.answerBeforeOutcome, { outcome });
    await executor.deliver(1, ok("late"), 2_000);
    const next = await run(executor, programs.next);
    expectSame(
      [...lines, ...next.lines].map(({ text }) => text),
      ["next"],
      "the lines",
    );
  },
  "takes an outcome of an earlier execution for none of the calls of the next": async (executor, programs) => {
    const earlier: HostCall[] = [];
    const hold = { outcome: () => null, onCall: (call: HostCall) => void earlier.push(call) };
    await run(executor, programs.answerBeforeOutcome, hold);
    const execution = earlier[0]?.execution;
    if (execution === undefined) return; // a sandbox that does not number its executions
    const outcome = (call: HostCall): CallOutcome => {
      void executor.deliver(1, ok("late"), 2_000, execution);
      return echoOf(call);
    };
    expectSame(valueFrom(await run(executor, programs.now, { outcome })), "now", "the value of the call");
  },
  "is disposed twice without harm": async (executor) => {
    await executor[Symbol.asyncDispose]();
    await executor[Symbol.asyncDispose]();
  },
};

const deliveryStepMs = 500;
/** So that an executor that never ends fails a case instead of a test runner. */
const caseLimitMs = 10_000;
/** The contract's second, and as much again as a busy machine may add. */
const stopLimitMs = 5_000;
/** The programs of one language. */
interface Programs {
  readonly tools: readonly string[];
  readonly lastValue: string;
  readonly keep: string;
  readonly kept: string;
  readonly given: string;
  readonly error: string;
  readonly answer: string;
  readonly prints: string;
  readonly copies: string;
  readonly threeCalls: string;
  readonly atRest: string;
  readonly failedCall: string;
  readonly unawaited: string;
  readonly oneCall: string;
  readonly answerBeforeOutcome: string;
  readonly next: string;
  readonly now: string;
}

const threeCalls = [
  "const show = (text) => { console.log(text); return text };",
  'const all = Promise.all([echo("a").then(show), echo("b").then(show), echo("c").then(show)]);',
  '(await all).join("")',
].join("\n");

const programsOf: { readonly [Language in ExecutorFactory["language"]]: Programs } = {
  javascript: {
    tools: ["echo", "other", "finalAnswer"],
    lastValue: "const n = 6;\nn * 7",
    keep: "const kept = { n: 41 };\nkept.n",
    kept: "kept.n += 1;\nkept.n",
    given: "String(given[0]) + given[1]",
    error: 'throw new TypeError("odd");',
    answer: 'finalAnswer(42);\nconsole.log("after");\nfinalAnswer(43)',
    prints: 'console.log("a", 1);\nconsole.error("b");\n0',
    copies: 'const at = { n: 1 };\nconst open = [echo(at), other("b")];\nat.n = 2;\n(await Promise.all(open)).length',
    threeCalls,
    atRest: [
      'const first = echo("a");',
      "for (let n = 0; n < 50; n++) await null;",
      'console.log("went on");',
      '(await Promise.all([first, echo("b")])).join("")',
    ].join("\n"),
    failedCall: 'let said = "";\ntry { await echo(1) } catch (error) { said = error.message }\nsaid',
    unawaited: 'echo("late").then((text) => console.log(text));\n"done"',
    oneCall: "await echo(1)",
    answerBeforeOutcome: 'echo("late").then((text) => console.log(text));\nfinalAnswer("done")',
    next: "console.log('next');\n1",
    now: 'await echo("now")',
  },
  python: {
    tools: ["echo", "other", "final_answer"],
    lastValue: "n = 6\nn * 7",
    keep: 'kept = {"n": 41}\nkept["n"]',
    kept: 'kept["n"] += 1\nkept["n"]',
    given: "str(given[0]) + str(given[1])",
    error: 'raise TypeError("odd")',
    answer: 'final_answer(42)\nprint("after")\nfinal_answer(43)',
    prints: 'import sys\nprint("a", 1)\nprint("b", file=sys.stderr)\n0',
    copies: [
      "import asyncio",
      'at = {"n": 1}',
      'asked = [echo.aio(at), other.aio("b")]',
      'at["n"] = 2',
      "len(await asyncio.gather(*asked))",
    ].join("\n"),
    threeCalls: [
      "import asyncio",
      "async def show(call):",
      "    text = await call",
      "    print(text)",
      "    return text",
      '"".join(await asyncio.gather(*[show(echo.aio(text)) for text in "abc"]))',
    ].join("\n"),
    atRest: [
      "import asyncio",
      'first = echo.aio("a")',
      "for n in range(50):",
      "    await asyncio.sleep(0)",
      'print("went on")',
      '"".join(await asyncio.gather(first, echo.aio("b")))',
    ].join("\n"),
    failedCall: 'said = ""\ntry:\n    echo(1)\nexcept Exception as error:\n    said = str(error)\nsaid',
    unawaited: [
      "import asyncio",
      "async def show(call):",
      "    print(await call)",
      'late = asyncio.ensure_future(show(echo.aio("late")))',
      "await asyncio.sleep(0)",
      '"done"',
    ].join("\n"),
    oneCall: "echo(1)",
    answerBeforeOutcome: 'late = echo.aio("late")\nfinal_answer("done")',
    next: "print('next')\n1",
    now: 'echo("now")',
  },
};

async function withExecutor(factory: ExecutorFactory, check: (executor: Executor) => Promise<void>): Promise<void> {
  const executor = await factory.open({ signal: new AbortController().signal });
  try {
    await executor.start({ tools: programsOf[factory.language].tools });
    await within(check(executor), caseLimitMs);
  } finally {
    await executor[Symbol.asyncDispose]();
  }
}

/** Runs a block; each call is answered with its first argument, in the order of asking. */
async function run(executor: Executor, code: string, options: BlockOptions = {}): Promise<Trace> {
  const { outcome = echoOf, onCall = () => {}, signal = new AbortController().signal } = options;
  const { time = 1_000, seed = "seed", variables, onLine = () => {} } = options;
  const calls: HostCall[] = [];
  const lines: ConsoleLine[] = [];
  let deliveries: Promise<void> = Promise.resolve();
  const result = await executor.execute(code, {
    signal,
    time,
    seed,
    ...(variables && { variables }),
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

/** Runs a block whose calls are answered in the given order, once all of them are asked. */
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

/** Runs a block that asks twice, answers when it is at rest, and tells how far it had come by then. */
async function runToRest(executor: Executor, code: string) {
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
      const first = await runInOrder(executor, threeCalls, [2, 3, 1]);
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
  if (result.type !== "value") throw new Error(`the block gave no value: ${JSON.stringify(result)}`);
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
