import type { SerializedError } from "./error.ts";
import type { EncodedValue } from "./functions/value-codec.ts";
import type { JsonValue } from "./json.ts";
import type { BlobRef } from "./message.ts";
import type { ImportableModules, Modules } from "./module.ts";

/**
 * The outcome of a call, as the log keeps it. `refused`: the call never began, because of a bad
 * input or an unknown tool. `denied`: a person or a policy did not allow it. `cancelled`: the block
 * ended before the call began. `unknown`: the call began and a timeout or an abort interrupted it,
 * so it may have taken effect.
 */
export type CallOutcome =
  | { readonly type: "ok"; readonly value: EncodedValue }
  | {
      readonly type: "error" | "refused" | "denied" | "cancelled" | "unknown";
      readonly error: SerializedError;
    };

/** A call that the program in the sandbox makes to a function of the host. */
export interface HostCall {
  /**
   * The number of the call within its execution, from 1. It is assigned at the moment of the call.
   */
  readonly callIndex: number;
  /** The number of the execution that made the call, from 1. Pass it to `deliver`. */
  readonly execution?: number;
  readonly name: string;
  /** The arguments that the program passed, copied at the moment of the call. */
  readonly args: readonly EncodedValue[];
  /** Arguments passed by name, in languages that have them, such as Python. */
  readonly keywords?: { readonly [name: string]: EncodedValue };
}

/** A line that the program printed. */
export interface ConsoleLine {
  readonly level: "log" | "info" | "warn" | "error" | "debug";
  readonly text: string;
}

/** The tools and modules of a sandbox, set once before any code runs. */
export interface ExecutionEnvironment {
  /**
   * The names of the functions that the program may call. Calling a function makes a host call.
   * Calling `finalAnswer` ends the block.
   */
  readonly tools: readonly string[];
  /** The modules that programs may import; none if absent. */
  readonly imports?: ImportableModules;
}

/** One execution. */
export interface ExecuteOptions {
  /** Aborts when the sandbox is no longer needed. */
  readonly signal: AbortSignal;
  /**
   * A permanent id of this block within its session. A sandbox that outlives its host (`replay:
   * "never"`) never runs the same id twice. If the host passes the last id again, the sandbox
   * repeats what that execution has reported so far and continues from there.
   */
  readonly id?: string;
  /** Variables that are defined before the code runs, such as a run's `additionalArgs`. */
  readonly variables?: { readonly [name: string]: EncodedValue };
  /**
   * The time of the program's clock when the block starts, in epoch ms. Only `deliver` moves the
   * clock.
   */
  readonly time: number;
  /** The seed of the program's random numbers. */
  readonly seed: string;
  /** Called synchronously each time the program calls the host. Must not throw. */
  onCall(call: HostCall): void;
  /** Called synchronously each time the program prints a line. Must not throw. */
  onConsole(line: ConsoleLine): void;
  /**
   * Set for the replay of a block that was stopped. The replay ignores limits. It stops after the
   * recorded number of operations instead, for the recorded reason.
   */
  readonly replayStop?: { readonly reason: StopReason; readonly operations: number };
  /** Set for the replay of a block that no limit stopped. The replay ignores time limits. */
  readonly replay?: boolean;
}

/** The reason why a block was stopped. */
export type StopReason =
  | "operations"
  | "guest-time"
  | "memory"
  | "call-depth"
  | "output"
  | "microtasks"
  | "pending-calls"
  | "sent-bytes"
  | "source-size"
  | "aborted";

/** Facts that the result of every execution has, however the execution ended. */
export interface ExecutionFacts {
  /** The number of operations, as the sandbox counts them; 0 if the sandbox cannot count. */
  readonly operations: number;
  /**
   * The numbers of the calls that the program never awaited. They were completed after the program
   * ended.
   */
  readonly unawaited: readonly number[];
  /**
   * Reasons to doubt the result although the code did not fail, for example a promise that was used
   * like its value. The texts are for the model and name the lines. A final answer with doubts is
   * sent back to the model once, so that the model can correct it. Absent when there are none.
   */
  readonly doubts?: readonly string[];
}

/**
 * An image, a sound or a file that a block made. An executor returns the bytes. The log stores them
 * once and refers to them by digest.
 */
export type OutputMedia =
  | BlobRef
  | {
      /** The media type, such as `image/png`. */
      readonly mediaType: string;
      /** The bytes in base64. */
      readonly data: string;
    };

/** The last value of a block, for the log and for the model. */
export interface BlockOutput {
  /**
   * The whole value as text. The sandbox formats it, because the value is an object of the sandbox.
   */
  readonly text: string;
  /** The value itself. Absent if it is not plain data, for example a function. */
  readonly value?: EncodedValue;
  /** Media that the model is shown next to the text, such as the charts that a block drew. */
  readonly media?: readonly OutputMedia[];
}

/**
 * How an execution ended. `execute` returns failures of the code, and throws failures of the
 * sandbox.
 *
 * `final-answer` has the arguments of the program's first `finalAnswer(...)`. A result of type
 * `error` or `stopped` has an error with the code `code-execution`. The error's message is written
 * for the model: the failing line, the error's type and message, and a hint. If an import was
 * refused, the code is `import-refused`.
 */
export type ExecutionResult = ExecutionFacts &
  (
    | { readonly type: "value"; readonly output: BlockOutput | null }
    | {
        readonly type: "final-answer";
        readonly args: readonly EncodedValue[];
        /** Arguments passed by name, in languages that have them, such as Python. */
        readonly keywords?: { readonly [name: string]: EncodedValue };
      }
    | { readonly type: "error"; readonly error: SerializedError }
    | { readonly type: "stopped"; readonly reason: StopReason; readonly error: SerializedError }
  );

/** A variable of the sandbox: its name, its type and a short preview of its value. */
export interface VariableSummary {
  readonly name: string;
  /** The type in TypeScript's notation: `string`, `number[]`, `Map<string, number>`, `function`. */
  readonly type: string;
  /** The number of characters, elements or entries, for values that have any. */
  readonly size?: number;
  /** The value as a short text; empty if `previews` is false. */
  readonly preview: string;
}

/**
 * Options of {@link Executor.variables}: how many variables it lists, and how much it says about
 * each.
 */
export interface VariablesOptions {
  /** How many variables to list, counted from the most recently declared one; all if absent. */
  readonly newest?: number;
  /** Whether to create previews; true if absent. The list is much faster without them. */
  readonly previews?: boolean;
}

/**
 * Runs code that a model wrote, in a sandbox.
 *
 * Contract:
 * - `start` is called once, first. Top-level bindings persist between executions until disposal.
 * - `execute` calls never overlap. While a program runs, another call fails with the code
 *   `executor`, and the program continues.
 * - Tools stay on the host: the executor reports a call in the code through `onCall`, and the
 *   caller passes the outcome in with `deliver`. Deliveries happen one at a time, while the program
 *   is idle. `deliver` resolves when the program is idle again. A delivery for an execution that
 *   has ended is ignored. A delivery with the call number 0 passes nothing in: its promise only
 *   waits until the program is idle.
 * - `execute` ends when the program has ended and no call is in flight. Outcomes of calls that the
 *   program did not await are still delivered, and the code that waits for them runs. `execute`
 *   ends immediately when the program called `finalAnswer` or was stopped.
 * - If `replay` is `exact`, the same code, variables, time, seed and deliveries always have the
 *   same result.
 * - When `signal` aborts, `execute` ends with `stopped` within 1 s. `execute` may take longer while
 *   the sandbox gets no processor time. It throws only if the sandbox itself failed.
 * - A sandbox whose factory says `replay: "never"` never runs a block twice.
 * - Disposing twice is harmless.
 */
export interface Executor extends AsyncDisposable {
  start(environment: ExecutionEnvironment): Promise<void>;
  execute(code: string, options: ExecuteOptions): Promise<ExecutionResult>;
  /**
   * Passes the outcome of a call to the program, and moves the program's clock forward to `time`
   * (epoch ms). `execution` is the number of the execution that made the call. An outcome for an
   * execution that has ended is ignored. If `execution` is absent, the outcome is for the current
   * execution. A replay of a log leaves it out.
   */
  deliver(callIndex: number, outcome: CallOutcome, time: number, execution?: number): Promise<void>;
  variables?(options?: VariablesOptions): Promise<readonly VariableSummary[]>;
  /** Says whether a text parses as a program in this sandbox's language. */
  isProgram?(code: string): Promise<boolean>;
  /**
   * Returns plain data for the log. With this data, `open({ attach })` finds this sandbox again
   * from another process. Available after `start`. It must not contain the user's API key.
   */
  attachment?(): JsonValue;
  /**
   * Leaves the sandbox alive, with the block that may be waiting in it, and disposes this object.
   * `open({ attach })` finds the sandbox again. Returns false when the sandbox cannot be left alive
   * and was closed instead.
   */
  detach?(): Promise<boolean>;
}

/**
 * Opens executors for an agent. Each session opens its own executor and disposes it. A single run
 * without a session counts as a session.
 */
export interface ExecutorFactory {
  readonly language: "javascript" | "python";
  /**
   * `exact`: running the recorded code again, with the recorded outcomes, rebuilds the same state.
   */
  readonly replay: "exact" | "never";
  /**
   * The versions on which the results of programs depend, by name, such as `engine` and `unicode`.
   * The log records them. If a replay differs from its record, the error can then say which version
   * has changed.
   */
  readonly environment?: { readonly [part: string]: string };
  /**
   * The modules that every sandbox of this factory has. If a program calls a function of a host
   * module, the caller of `execute` answers that call.
   */
  readonly modules?: Modules;
  /**
   * The modules that programs may import, written as in {@link ImportableModules}; all if absent.
   */
  readonly authorizedImports?: readonly string[];
  /**
   * Prepares what `open` needs. Called when a run begins, so that the sandbox is ready when the
   * model has answered. Reports no failures, because `open` reports them.
   */
  warm?(): void;
  open(options: OpenOptions): Promise<Executor>;
}

/** Options of {@link ExecutorFactory.open}. */
export interface OpenOptions {
  /** Aborts when the code must stop. */
  readonly signal: AbortSignal;
  /**
   * The data that {@link Executor.attachment} returned. Opens that same sandbox again, with all its
   * state. Rejects with the code `executor` when the sandbox no longer exists. Factories whose
   * executors have no `attachment` never get this option.
   */
  readonly attach?: JsonValue;
}
