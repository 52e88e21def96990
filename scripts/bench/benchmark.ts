/** One benchmark: a file of this folder whose `benchmark` is exported. */
export interface Benchmark {
  /** The key of its figures with `--json`. It is asked for by its file's name. */
  readonly name: string;
  /** One sentence on what is measured and how, printed above the figures. */
  readonly method: string;
  /**
   * At most so much, for the figures that have a goal. A missed goal is shown and fails nothing.
   */
  readonly goals: Readonly<Record<string, number>>;
  /** Left out unless it is asked for by name. */
  readonly onlyByName?: boolean;
  /** Measures. The name of each figure ends with its unit. */
  run(): Promise<Readonly<Record<string, number>>>;
}

/** The middle of some numbers; of an even count the lower of the two. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((left, right) => left - right);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)];
  if (middle === undefined) throw new Error("the median of no numbers");
  return middle;
}
