/** Runs tasks, at most so many at the same time; the others wait in the order of their coming. */
export interface ParallelLimit {
  run<Result>(task: () => Promise<Result>): Promise<Result>;
}

/** Makes a {@link ParallelLimit} of `size` tasks at once; 0 or Infinity for any number. */
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
        // The place goes straight to the next in line, so nobody who comes now can overtake.
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
