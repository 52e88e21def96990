import type { SerializedError } from "./error.ts";
import type { EncodedValue } from "./functions/value-codec.ts";
import type { JsonValue } from "./json.ts";
import type { BlobRef } from "./message.ts";
import type { ImportableModules, Modules } from "./module.ts";

/**
 * The outcome of a call, as the log keeps it. `refused`: it never began (bad input, unknown tool).
 * `denied`: a person or a policy said no. `cancelled`: it had not begun when its block ended.
 * `unknown`: it began and nobody knows how it ended (time-out, abort): it may have happened.
 */
export type CallOutcome =
  | { readonly type: "ok"; readonly value: EncodedValue }
  | {
      readonly type: "error" | "refused" | "denied" | "cancelled" | "unknown";
      readonly error: SerializedError;
    };

/** A call that leaves the sandbox. */
export interface HostCall {
  /** 1-based within its execution, given at once when the program asks. */
  readonly callIndex: number;
  /** Which execution of the sandbox asked, 1-based; pass it to `deliver`. */
  readonly execution?: number;
  readonly name: string;
  /** The arguments as the program passed them, copied at the ask. */
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
   * Names that the program may call; each is a host call. `finalAnswer` among them ends the block
   * instead.
   */
  readonly tools: readonly string[];
  /** What programs may import; nothing when absent. */
  readonly imports?: ImportableModules;
}

/** One execution. */
export interface ExecuteOptions {
  /** Aborts when the sandbox is no longer wanted. */
  readonly signal: AbortSignal;
  /**
   * Names this block for ever, within a session. A sandbox that outlives its host
   * (`replay: "never"`) runs no id twice: asked again for the last one, it repeats what that
   * execution has reported so far and continues from there.
   */
  readonly id?: string;
  /** Bindings made before the code runs, such as a run's `additionalArgs`. */
  readonly variables?: { readonly [name: string]: EncodedValue };
  /** The program's clock, in epoch ms. Only `deliver` moves it. */
  readonly time: number;
  /** The seed of the program's random numbers. */
  readonly seed: string;
  /** Called synchronously at each ask; must not throw. */
  onCall(call: HostCall): void;
  /** Called synchronously at each print; must not throw. */
  onConsole(line: ConsoleLine): void;
  /**
   * For a replay of a block that was stopped: no limit decides, and the block is stopped where the
   * record says.
   */
  readonly replayStop?: { readonly reason: StopReason; readonly operations: number };
  /** For a replay of a block that ended by itself: no limit of real time decides. */
  readonly replay?: boolean;
}

/** Why a block was stopped. */
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

/** Facts about an execution that are in its result, however it ended. */
export interface ExecutionFacts {
  /** Counted by the sandbox; 0 where it cannot count. */
  readonly operations: number;
  /** Numbers of the calls that the program never awaited and that were completed after its end. */
  readonly unawaited: readonly number[];
  /**
   * What makes the result doubtful though the code did not fail, such as a promise that was taken
   * for its value: texts for the model, with the lines they are about. A final answer with doubts
   * is held back once. Absent when there is none.
   */
  readonly doubts?: readonly string[];
}

/**
 * An image, a sound or a file that a block made. An executor returns the bytes; the log holds them
 * once and refers to them.
 */
export type OutputMedia =
  | BlobRef
  | {
      /** Such as `image/png`. */
      readonly mediaType: string;
      /** The bytes in base64. */
      readonly data: string;
    };

/** The last value of a block, for the log and for the model. */
export interface BlockOutput {
  /** How the value reads, uncut; made by the sandbox in its own realm. */
  readonly text: string;
  /** Absent where the value is not plain data, such as a function. */
  readonly value?: EncodedValue;
  /** Shown to the model beside the text, such as the figures that a block drew. */
  readonly media?: readonly OutputMedia[];
}

/**
 * How an execution ended. Failures of the code are returned; failures of the sandbox are thrown.
 *
 * `final-answer` has the arguments of the program's first `finalAnswer(...)`. An `error` or
 * `stopped` has an error with code `code-execution` whose message is made for the model: the
 * failing line, type and message, a hint. An import that was refused has the code `import-refused`.
 */
export type ExecutionResult = ExecutionFacts &
  (
    | { readonly type: "value"; readonly output: BlockOutput | null }
    | {
        readonly type: "final-answer";
        readonly args: readonly EncodedValue[];
        /** Arguments passed by name, in languages that have such. */
        readonly keywords?: { readonly [name: string]: EncodedValue };
      }
    | { readonly type: "error"; readonly error: SerializedError }
    | { readonly type: "stopped"; readonly reason: StopReason; readonly error: SerializedError }
  );

/** A variable of the sandbox, described and not dumped. */
export interface VariableSummary {
  readonly name: string;
  /** In TypeScript's words: `string`, `number[]`, `Map<string, number>`, `function`. */
  readonly type: string;
  /** Characters, elements or entries, where that makes sense. */
  readonly size?: number;
  readonly preview: string;
}

/** The variables that {@link Executor.variables} lists, and how much it says of each. */
export interface VariablesOptions {
  /** Lists only this many, the last declared ones; all when absent. */
  readonly newest?: number;
  /** False leaves the previews empty, which saves most of the time; true when absent. */
  readonly previews?: boolean;
}

/**
 * Runs model-written code somewhere.
 *
 * Contract:
 * - `start` is called once, first. `execute` calls never overlap; top-level bindings persist
 *   between them until disposal.
 * - Tools stay on the host: a call in the code is reported by `onCall`, and `deliver` passes its
 *   outcome in. Deliveries happen one at a time, while the guest is idle. `deliver` resolves when
 *   the guest is idle again. A delivery for an execution that has ended is ignored. So is one with
 *   the number 0, whose promise only waits for the guest to be idle.
 * - `execute` ends when the program has ended and no call is in flight: what it did not await is
 *   delivered, and its continuations run. It ends at once when the program called `finalAnswer` or
 *   was stopped.
 * - With the same code, variables, time, seed and deliveries it does the same again, if `replay` is
 *   `exact`.
 * - When `signal` aborts, `execute` ends with `stopped` within 1 s. It may take longer while the
 *   sandbox gets no processor time. It throws only when the sandbox itself failed.
 * - A sandbox whose factory says `replay: "never"` never runs a block twice.
 * - Disposing twice is harmless.
 */
export interface Executor extends AsyncDisposable {
  start(environment: ExecutionEnvironment): Promise<void>;
  execute(code: string, options: ExecuteOptions): Promise<ExecutionResult>;
  /**
   * `time`: epoch ms, the program's clock moves forward to it. `execution`: the one that made the
   * call. An outcome for an execution that has ended is ignored. Absent, as from a record, it means
   * the current execution.
   */
  deliver(callIndex: number, outcome: CallOutcome, time: number, execution?: number): Promise<void>;
  variables?(options?: VariablesOptions): Promise<readonly VariableSummary[]>;
  /** Whether a text parses as a program of this sandbox's language. */
  isProgram?(code: string): Promise<boolean>;
  /**
   * How `open({ attach })` finds this sandbox again from another process: plain data for the log.
   * Known after `start`. Holds no key of the user's.
   */
  attachment?(): JsonValue;
  /**
   * Leaves the sandbox alive for `open({ attach })`, with the block that may be waiting in it, and
   * disposes this object. Returns false when the sandbox cannot be left alive and was closed
   * instead.
   */
  detach?(): Promise<boolean>;
}

/**
 * Opens executors for an agent. Each session opens its own executor and disposes it. A run without
 * a session is a session of its own.
 */
export interface ExecutorFactory {
  readonly language: "javascript" | "python";
  /** Whether running recorded code again with recorded outcomes rebuilds the same state. */
  readonly replay: "exact" | "never";
  /**
   * The versions that the results of programs rest on, by name, such as `engine` and `unicode`. A
   * log names them, so that a replay that does not match can say what has changed.
   */
  readonly environment?: { readonly [part: string]: string };
  /**
   * Modules that all its sandboxes have. The caller of `execute` answers the calls of their host
   * modules.
   */
  readonly modules?: Modules;
  /** Which of its modules programs may import, as in {@link ImportableModules}; all when absent. */
  readonly authorizedImports?: readonly string[];
  /**
   * Prepares what `open` needs. Called when a run begins, so that the sandbox is ready when the
   * model has answered. `open` reports failures.
   */
  warm?(): void;
  open(options: OpenOptions): Promise<Executor>;
}

/** What {@link ExecutorFactory.open} needs. */
export interface OpenOptions {
  /** Aborts when the code is to stop. */
  readonly signal: AbortSignal;
  /**
   * What {@link Executor.attachment} returned: opens that very sandbox again, with all its state.
   * Rejects with the code `executor` when it is gone. Factories whose executors have no
   * `attachment` never get it.
   */
  readonly attach?: JsonValue;
}
