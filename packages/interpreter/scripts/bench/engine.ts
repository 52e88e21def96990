// The engine that a bench times: it loads a program once and calls its `main` many times.

import type { Workload } from "./workloads.ts";

/** A program that has been loaded. */
export interface LoadedProgram {
  /** Calls `main`. */
  call(): unknown;
}

/** An engine. */
export interface Engine {
  /** The key of its numbers in the JSON. */
  readonly name: string;
  /** Null: it cannot run this program at all. */
  readonly codeOf: (workload: Workload) => string | null;
  /** A new sandbox, ready to load one program. Its making is not timed. */
  open(): Promise<{ load(code: string): LoadedProgram | Promise<LoadedProgram> }>;
}

/** The host function that asynchronous programs await. */
export async function hostAsync(number: number): Promise<number> {
  return number + 1;
}
