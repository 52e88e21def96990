// The interface of an engine in a benchmark. It loads a program once and calls its `main` many
// times.

import type { Workload } from "./workloads.ts";

/** A program that was loaded into an engine. */
export interface LoadedProgram {
  /** Calls the program's `main`. May return a promise. */
  call(): unknown;
}

/** An engine to compare in the benchmark. */
export interface Engine {
  /** The key of the engine's results in the JSON. */
  readonly name: string;
  /** Returns the code of a workload for this engine; null if the engine cannot run it. */
  readonly codeOf: (workload: Workload) => string | null;
  /** Opens a sandbox for one program. This is not timed. */
  open(): Promise<{ load(code: string): LoadedProgram | Promise<LoadedProgram> }>;
}

/** The host function that asynchronous programs await. */
export async function hostAsync(number: number): Promise<number> {
  return number + 1;
}
