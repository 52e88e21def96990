/** One benchmark: a file of this folder that exports `benchmark`. */
export interface Benchmark {
  /**
   * The key of the benchmark's figures in the output of `--json`. The command line uses the file
   * name instead.
   */
  readonly name: string;
  /** One sentence that says what is measured and how. It is printed above the figures. */
  readonly method: string;
  /**
   * The goals: the highest acceptable value of some figures. A missed goal is reported, but fails
   * nothing.
   */
  readonly goals: Readonly<Record<string, number>>;
  /** Whether the benchmark runs only if it is named on the command line. */
  readonly onlyByName?: boolean;
  /** Measures, and returns figures. The name of each figure ends with its unit. */
  run(): Promise<Readonly<Record<string, number>>>;
}

/**
 * Returns the median of some numbers. For an even count, returns the lower one of the two in the
 * middle.
 */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((left, right) => left - right);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new Error("the median of no numbers");
  return middle;
}
