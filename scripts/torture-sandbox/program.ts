// The messages between the parent and the watched process: programs in, reports out, one JSON text
// a line.

import type { InterpreterLimits } from "@smolts/interpreter";

/** Where a program runs: on the main thread, in a thread of its own, or in a process of its own. */
export type Mode = "process" | "worker" | "child";

/** A hostile program: blocks that run one after the other in one session. */
export interface Program {
  readonly id: string;
  readonly blocks: readonly Block[];
  readonly limits?: InterpreterLimits;
  /** Size of the heap, for workers and children. */
  readonly heapMb?: number;
}

/** A block of a program. */
export interface Block {
  readonly code: string;
  /** A name of its own, for a block that can run without those before it. */
  readonly id?: string;
  /**
   * Makes the variables that the block uses. Run before it unless the block before left them as
   * they were.
   */
  readonly setup?: string;
  /** Whether the block may change the variables of its setup. */
  readonly spoils?: boolean;
}

/** How one block ended. */
export interface BlockReport {
  /** `value`, `error`, or the reason of a stop. */
  readonly ended: string;
  readonly operations: number;
  /** A digest of everything that the block gave and printed. */
  readonly digest: string;
  readonly cpuMs: number;
}

/** The watched process's report on a program. */
export interface ProgramReport {
  readonly id: string;
  readonly blocks: readonly BlockReport[];
  /** The sandbox itself failed, or refused the options. */
  readonly failed?: string;
}

/** The parent's report on a program. */
export interface Observation extends ProgramReport {
  /** The process ended, or had to be killed. */
  readonly death?: string;
  readonly highestMb: number;
}
