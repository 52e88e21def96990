/**
 * Runs at most a fixed number of tasks at the same time. Other tasks wait in the order in which
 * they arrived.
 */
export interface ParallelLimit {
  run<Result>(task: () => Promise<Result>): Promise<Result>;
}

/** Creates a {@link ParallelLimit} of `size` tasks; 0 or Infinity means no limit. */
export function parallelLimit(size: number): ParallelLimit {
  const free = size === 0 ? Number.POSITIVE_INFINITY : size;
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(task) {
      if (running >= free) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        return await task();
      } finally {
        // The free slot goes directly to the next waiting task, so that no new task can overtake
        // it.
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
