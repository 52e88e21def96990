// The parts of a realm that come from outside: the clock, random numbers, timers and a place to
// print to. The session provides them. So that a replay behaves the same, they depend only on the
// recorded start and on the outcomes that the host delivers. They never depend on the host's clock
// or random numbers.

import type { ConsoleLine } from "@smolts/protocol";

/** The services that built-ins need from outside the program. */
export interface Surroundings {
  /**
   * Returns the time of the program's clock, in epoch ms. The time changes only when a host result
   * or a timer arrives.
   */
  now(): number;
  /** The time from which `performance.now()` counts, in epoch ms. */
  readonly timeOrigin: number;
  /** Returns the next seeded random number, at least 0 and below 1. */
  random(): number;
  /** Prints a line. `operations` is the cost of formatting its text. */
  print(line: ConsoleLine, operations: number): void;
  /**
   * Calls `run` in a separate job when the program's clock has advanced by `delayMs`. Returns the
   * timer's number.
   */
  setTimer(timer: TimerRequest): number;
  /** Removes a timer. Ignores unknown numbers. */
  clearTimer(id: number): void;
}

/** A callback to run later. */
export interface TimerRequest {
  readonly delayMs: number;
  /** Whether the timer starts again after each run, as with `setInterval`. */
  readonly repeats: boolean;
  /** The guest function that `run` calls. */
  readonly calls: unknown;
  run(): void;
}

/**
 * The surroundings of a realm that does not belong to a session yet: the clock is at 0, and
 * printing does nothing.
 */
export const noSurroundings: Surroundings = {
  now: () => 0,
  timeOrigin: 0,
  random: () => 0.5,
  print: () => {},
  setTimer: () => 0,
  clearTimer: () => {},
};
