// The outside of a realm: the clock, randomness, timers and a place to print to. The session
// provides it; everything in it is a function of the recorded start and deliveries, never of the
// host's clock or randomness.

import type { ConsoleLine } from "@smolts/protocol";

/** What built-ins ask for whatever the program alone cannot know. */
export interface Surroundings {
  /**
   * Epoch ms: where the program's clock stands. It moves only when a host result or a timer
   * arrives.
   */
  now(): number;
  /** Epoch ms: where `performance.now()` counts from. */
  readonly timeOrigin: number;
  /** At least 0, below 1; seeded. */
  random(): number;
  /** Where printed lines go. `operations`: the work of making the text. */
  print(line: ConsoleLine, operations: number): void;
  /**
   * Has `run` called, as a job of its own, when the program's clock has moved on by `delayMs`.
   * Gives the timer's number.
   */
  setTimer(timer: TimerRequest): number;
  /** Forgets a timer; unknown numbers are ignored. */
  clearTimer(id: number): void;
}

/** A callback to run later. */
export interface TimerRequest {
  readonly delayMs: number;
  /** Whether it starts again each time, like `setInterval`. */
  readonly repeats: boolean;
  /** The function of the program that `run` calls. */
  readonly calls: unknown;
  run(): void;
}

/**
 * The surroundings of a realm that no session has taken over: the clock is at 0, and printing does
 * nothing.
 */
export const noSurroundings: Surroundings = {
  now: () => 0,
  timeOrigin: 0,
  random: () => 0.5,
  print: () => {},
  setTimer: () => 0,
  clearTimer: () => {},
};
