// The messages between the parent and the watched process: programs in one direction, reports in
// the other. Each is JSON text on one line.

import type { InterpreterLimits } from "@smolts/interpreter";

/** Where a program runs: on the main thread, in another thread, or in another process. */
export type Mode = "process" | "worker" | "child";

/** A hostile program: blocks that run one after the other in one session. */
export interface Program {
  readonly id: string;
  readonly blocks: readonly Block[];
  readonly limits?: InterpreterLimits;
  /** The heap size for workers and child processes, in MB. */
  readonly heapMb?: number;
}

/** A block of a program. */
export interface Block {
  readonly code: string;
  /** The name of the block. Only blocks that can run without the earlier blocks have one. */
  readonly id?: string;
  /**
   * Pieces of code that create the variables for the block. They run in this order before the
   * block. They are skipped if the block before has the same variables and has left them unchanged.
   */
  readonly setup?: readonly string[];
  /** Whether the block may change the variables of its setup. */
  readonly spoils?: boolean;
}

/** The result of one block. */
export interface BlockReport {
  /** `value`, `error`, or the reason of a stop. */
  readonly ended: string;
  /**
   * How the setup of the block ended, if it did not end with a value. Some variables of the block
   * were then missing.
   */
  readonly setupEnded?: string;
  readonly operations: number;
  /** A hash of everything that the block returned and printed. */
  readonly digest: string;
  /** The CPU time of the main thread if the block ran there, otherwise of all processes. */
  readonly cpuMs: number;
}

/** The watched process's report about a program. */
export interface ProgramReport {
  readonly id: string;
  readonly blocks: readonly BlockReport[];
  /** Why the sandbox itself failed or refused the options; absent if neither happened. */
  readonly failed?: string;
}

/** The parent's report about a program. */
export interface Observation extends ProgramReport {
  /** How the process ended or why it was killed. Absent if it survived. */
  readonly death?: string;
  readonly highestMb: number;
}
