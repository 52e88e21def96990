// A sandbox without an agent. It runs code, and returns the last value and everything that the code
// printed. Programs can call the functions that the sandbox was opened with.

import {
  AgentError,
  type CallOutcome,
  type ConsoleLine,
  decodeValue,
  type ExecutionResult,
  type Executor,
  type ExecutorFactory,
  type ExplainedMembers,
  encodeValue,
  explainMembers,
  explainPromise,
  type HostCall,
  type HostFunction,
  invalidOption,
  type Modules,
  type OptionTable,
  readOptions,
  type SerializedError,
  type StopReason,
  wrongArgument,
} from "@smolts/protocol";
import { interpreter } from "./executor.ts";

/** Options of {@link openSandbox}. */
export interface SandboxOptions {
  /**
   * The functions that programs may call, by name. A call returns a promise to the program.
   * Arguments and result are copied as plain data. If a function throws, the program sees the
   * error's name and message.
   */
  readonly functions?: { readonly [name: string]: HostFunction };
  /**
   * The executor that runs programs, with its limits and modules.
   *
   * @defaultValue `interpreter()`
   */
  readonly executor?: ExecutorFactory;
}

/** Options of {@link Sandbox.run}. */
export interface SandboxRunOptions {
  /** Variables to define before the code runs: plain data, which is copied. */
  readonly variables?: { readonly [name: string]: unknown };
  /**
   * When the signal aborts, the program ends. The result is `stopped` with the reason `aborted`.
   */
  readonly signal?: AbortSignal;
}

/**
 * The outcome of a program. If the program fails, the result contains the error. The error's
 * message contains the failing line and a hint. `stopped` means that a limit or the signal ended
 * the program.
 */
export type SandboxResult = {
  /** The lines that the program printed. */
  readonly console: readonly ConsoleLine[];
} & (
  | {
      readonly type: "value";
      /**
       * A copy of the last expression's value; undefined if the value is not plain data. For
       * example, a function is not plain data.
       */
      readonly value: unknown;
      /** The last expression's value as text, for any value. */
      readonly text: string;
    }
  | { readonly type: "error"; readonly error: AgentError }
  | { readonly type: "stopped"; readonly reason: StopReason; readonly error: AgentError }
);

/** Runs programs one after the other. Top-level variables are kept from one program to the next. */
export interface Sandbox extends AsyncDisposable {
  /**
   * Runs a program to its end.
   *
   * @throws AgentError `executor` when the sandbox itself failed, is disposed, or is already
   *   running another program
   */
  run(code: string, options?: SandboxRunOptions): Promise<SandboxResult>;
}

/**
 * Opens a sandbox for JavaScript. TypeScript types are ignored. Programs can reach only the
 * functions given here, and nothing else of the host.
 *
 * The clock shows the real time, but stands still while a program computes. Random numbers are
 * different in each sandbox.
 *
 * @throws AgentError `invalid-option` when the name of a function is not valid in a program
 * @example
 * ```ts
 * import { openSandbox } from "@smolts/interpreter";
 *
 * const price = async (item: string) => ({ tea: 4, cake: 6 })[item];
 * await using sandbox = await openSandbox({ functions: { price } });
 * const result = await sandbox.run('const sum = (await price("tea")) + (await price("cake")); sum * 2');
 * if (result.type === "value") console.log(result.value); // 20
 * ```
 */
export function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return explainPromise(openedSandbox(options), "openSandbox()");
}

const ofSandbox: ExplainedMembers = {
  methods: [
    ["execute exec eval evaluate runCode run_code call runPython", "write await sandbox.run(code)"],
    [
      "close dispose destroy kill stop terminate",
      "write await using sandbox = await openSandbox(), or await sandbox[Symbol.asyncDispose]()",
    ],
    ["set setGlobal define", "write await sandbox.run(code, { variables: { name: value } })"],
  ],
};

const ofResult: ExplainedMembers = {
  values: [
    ["output result answer", 'write result.value, if result.type is "value"'],
    ["logs stdout stderr printed", "write result.console, the lines that the program printed"],
  ],
};

async function openedSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { functions = {}, executor: factory = interpreter() } = readOptions(
    options,
    "openSandbox()",
    openSandboxOptions,
  );
  const disposal = new AbortController();
  const executor = await factory.open({ signal: disposal.signal });
  try {
    for (const name of Object.keys(functions)) await checkName(executor, name);
    await executor.start({ tools: Object.keys(functions) });
  } catch (error) {
    await executor[Symbol.asyncDispose]();
    throw error;
  }
  const callable = new Map([...Object.entries(functions), ...hostFunctions(factory.modules)]);
  const sandbox: Sandbox = {
    async run(code, options = {}) {
      if (typeof code !== "string") throw wrongArgument("sandbox.run()", code, "code as a string", 'write "1 + 1"');
      const result = await runProgram(executor, callable, code, readOptions(options, "sandbox.run()", runOptions));
      return explainMembers(result, "the result of a program", ofResult);
    },
    async [Symbol.asyncDispose](): Promise<void> {
      disposal.abort();
      await executor[Symbol.asyncDispose]();
    },
  };
  return explainMembers(sandbox, "a sandbox", ofSandbox);
}

const runOptions: OptionTable<SandboxRunOptions> = { variables: true, signal: true };

const openSandboxOptions: OptionTable<SandboxOptions> = { functions: "object", executor: "object" };

async function checkName(executor: Executor, name: string): Promise<void> {
  if (name === "finalAnswer") {
    throw invalidName(name, "an agent's code ends with it", "answer");
  }
  const isIdentifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);
  if (!isIdentifier || name === "undefined" || (await executor.isProgram?.(`let ${name};`)) === false) {
    throw invalidName(name, "programs cannot call it by that name", "look");
  }
}

const invalidName = (name: string, why: string, better: string): AgentError =>
  invalidOption(`"${name}" is not a valid name for a function: ${why}`, `give it another name, such as "${better}"`);

function hostFunctions(modules: Modules = {}): (readonly [name: string, run: HostFunction])[] {
  return Object.entries(modules).flatMap(([name, module]) => {
    if (module.type !== "host-module") return [];
    return Object.entries(module.functions).map(([key, run]) => [`${name}.${key}`, run] as const);
  });
}

async function runProgram(
  executor: Executor,
  functions: ReadonlyMap<string, HostFunction>,
  code: string,
  { variables = {}, signal }: SandboxRunOptions = {},
): Promise<SandboxResult> {
  const console: ConsoleLine[] = [];
  const failure = new AbortController();
  let deliveries = Promise.resolve();
  const answer = async (call: HostCall): Promise<void> => {
    const outcome = await outcomeOf(functions.get(call.name), call);
    // Deliver the outcomes of calls one at a time: the next outcome waits until the program is idle
    // again.
    deliveries = deliveries
      .then(() => executor.deliver(call.callIndex, outcome, Date.now(), call.execution))
      .catch((error: unknown) => failure.abort(error));
  };
  const result = await executor.execute(code, {
    signal: signal ? AbortSignal.any([signal, failure.signal]) : failure.signal,
    time: Date.now(),
    seed: crypto.randomUUID(),
    variables: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, encodeValue(value)])),
    onCall: (call) => void answer(call),
    onConsole: (line) => void console.push(line),
  });
  failure.signal.throwIfAborted();
  return { console, ...endOf(result) };
}

async function outcomeOf(run: HostFunction | undefined, { name, args }: HostCall): Promise<CallOutcome> {
  try {
    if (!run) throw new TypeError(`"${name}" is not a function of this sandbox`);
    const copies = args.map((argument) => decodeValue(argument));
    return { type: "ok", value: encodeValue(await run(...(copies as never[]))) }; // the function checks its arguments itself
  } catch (error) {
    return { type: "error", error: describe(error) };
  }
}

function describe(error: unknown): SerializedError {
  try {
    if (AgentError.is(error)) return error.toJSON();
    if (error instanceof Error) return { code: "tool-execution", name: `${error.name}`, message: `${error.message}` };
  } catch {
    // A getter of the error, or its conversion to text, threw. The program gets the general message
    // below.
  }
  return {
    code: "tool-execution",
    message: typeof error === "string" ? error : "the function threw a value that is not an error",
  };
}

function endOf(result: ExecutionResult): DistributiveOmit<SandboxResult, "console"> {
  switch (result.type) {
    case "value": {
      const { value, text = "undefined" } = result.output ?? {};
      return { type: "value", value: value === undefined ? undefined : decodeValue(value), text };
    }
    case "error":
      return { type: "error", error: AgentError.from(result.error) };
    case "stopped":
      return { type: "stopped", reason: result.reason, error: AgentError.from(result.error) };
    case "final-answer":
      throw new AgentError(
        "executor",
        "the program ended with finalAnswer, a function that this sandbox does not have",
      );
    default:
      return result satisfies never;
  }
}

/** Omits a property from each member of a union. */
type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;
