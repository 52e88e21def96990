// A session for tests. The session answers tool calls itself and records all output.

import { type InterpreterLimits, type InterpreterOptions, interpreter } from "@smolts/interpreter";
import {
  type CallOutcome,
  type ConsoleLine,
  decodeValue,
  type ExecuteOptions,
  type ExecutionResult,
  type Executor,
  type ExecutorFactory,
  encodeValue,
  type HostCall,
} from "@smolts/protocol";

/**
 * A tool of a test. Its outcome is the value that it returns or throws. A call of `hang` never
 * ends.
 */
export type TestTool = (...args: unknown[]) => unknown;

/** A delivered outcome, with the fields that a log would record. */
export interface RecordedDelivery {
  readonly callIndex: number;
  readonly outcome: CallOutcome;
  readonly time: number;
}

/** The outcome of a block. */
export interface BlockRun {
  readonly result: ExecutionResult;
  readonly lines: readonly ConsoleLine[];
  /** The printed text, joined. */
  readonly printed: string;
  readonly calls: readonly HostCall[];
  readonly deliveries: readonly RecordedDelivery[];
}

/** A tool that never ends. */
export const hang: TestTool = () => new Promise(() => {});

/** An opened executor for tests. */
export interface TestSession extends AsyncDisposable {
  readonly executor: Executor;
  run(code: string, options?: Partial<ExecuteOptions>): Promise<BlockRun>;
  /** Runs a block and answers its calls from a record. */
  replay(code: string, deliveries: readonly RecordedDelivery[], options?: Partial<ExecuteOptions>): Promise<BlockRun>;
}

/**
 * Opens a session. `factory` creates its executor; by default, that is the interpreter. The tool
 * `finalAnswer` is always available. The functions of host modules in `options.modules` are tools
 * named `module.function`.
 */
export async function openSession(
  tools: { readonly [name: string]: TestTool } = {},
  limits: InterpreterLimits = {},
  { factory, ...options }: InterpreterOptions & { readonly factory?: ExecutorFactory } = {},
): Promise<TestSession> {
  const signal = new AbortController().signal;
  const executor = await (factory ?? interpreter({ limits, ...options })).open({ signal });
  const names = Object.keys(tools).filter((name) => !name.includes("."));
  await executor.start({ tools: [...names, "finalAnswer"] });

  async function runWith(
    code: string,
    options: Partial<ExecuteOptions>,
    answer: (call: HostCall) => Promise<RecordedDelivery | null>,
    script: readonly RecordedDelivery[] = [],
  ): Promise<BlockRun> {
    const lines: ConsoleLine[] = [];
    const calls: HostCall[] = [];
    const deliveries: RecordedDelivery[] = [];
    const pending = new Set<Promise<void>>();
    const execution = executor.execute(code, {
      signal,
      time: 1_000_000,
      seed: "seed",
      onConsole: (line) => lines.push(line),
      onCall(call) {
        calls.push(call);
        pending.add(
          answer(call).then(async (delivery) => {
            if (!delivery) return;
            deliveries.push(delivery);
            await executor.deliver(delivery.callIndex, delivery.outcome, delivery.time);
          }),
        );
      },
      ...options,
    });
    for (const { callIndex, outcome, time } of script) await executor.deliver(callIndex, outcome, time);
    const result = await execution;
    return { result, lines, printed: lines.map(({ text }) => text).join("\n"), calls, deliveries };
  }

  let time = 1_000_000;
  const perform = async ({ callIndex, name, args }: HostCall): Promise<RecordedDelivery> => {
    const outcome = await outcomeOf(
      tools[name],
      args.map((argument) => decodeValue(argument)),
    );
    time += 1_000;
    return { callIndex, outcome, time };
  };
  return {
    executor,
    run: (code, options = {}) => runWith(code, options, perform),
    replay: (code, deliveries, options = {}) =>
      runWith(code, { replay: true, ...options }, async () => null, deliveries),
    [Symbol.asyncDispose]: () => executor[Symbol.asyncDispose](),
  };
}

/** Runs one block in a new session. */
export async function runBlock(
  code: string,
  tools: { readonly [name: string]: TestTool } = {},
  limits: InterpreterLimits = {},
): Promise<BlockRun> {
  await using session = await openSession(tools, limits);
  return await session.run(code);
}

/** Runs a block and returns its value. If the block fails, the test fails. */
export async function valueOf(code: string, tools: { readonly [name: string]: TestTool } = {}): Promise<unknown> {
  const { result } = await runBlock(code, tools);
  if (result.type !== "value") throw new Error(`${code}: ${JSON.stringify(result)}`);
  return result.output?.value === undefined ? undefined : decodeValue(result.output.value);
}

/** Runs a block and returns the text of its last value. */
export async function textOf(code: string, tools: { readonly [name: string]: TestTool } = {}): Promise<string> {
  const { result } = await runBlock(code, tools);
  if (result.type !== "value") throw new Error(`${code}: ${JSON.stringify(result)}`);
  return result.output?.text ?? "undefined";
}

async function outcomeOf(tool: TestTool | undefined, args: readonly unknown[]): Promise<CallOutcome> {
  try {
    return { type: "ok", value: encodeValue(await tool?.(...args)) };
  } catch (error) {
    const { name, message } = error as Error; // the tools of tests throw only errors
    return { type: "error", error: { code: "tool-execution", name, message } };
  }
}
