// Many calls in parallel: in batches, in a pool of workers, and with retries.

async function fetchItem(id) {
  const value = await hostAsync(id);
  return { id, value, isEven: value % 2 === 0 };
}

async function retried(act, attempts) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act(attempt);
    } catch (error) {
      if (attempt === attempts) throw error;
    }
  }
}

async function pooled(tasks, size) {
  const results = new Array(tasks.length);
  let next = 0;
  const worker = async () => {
    while (next < tasks.length) {
      const index = next++;
      results[index] = await tasks[index]();
    }
  };
  await Promise.all(Array.from({ length: size }, worker));
  return results;
}

async function* pages(count) {
  for (let page = 0; page < count; page++) yield await Promise.all([0, 1, 2, 3].map((i) => fetchItem(page * 4 + i)));
}

async function main() {
  const all = await Promise.all(Array.from({ length: 600 }, (_, i) => fetchItem(i)));
  const flaky = await Promise.allSettled(
    Array.from({ length: 200 }, (_, i) =>
      retried(async (attempt) => {
        const { value } = await fetchItem(i);
        if ((value + attempt) % 3 === 0) throw new Error(`attempt ${attempt} failed`);
        return value;
      }, 2),
    ),
  );
  const byPool = await pooled(
    Array.from({ length: 400 }, (_, i) => async () => (await fetchItem(i)).value),
    8,
  );
  let sum = 0;
  for await (const page of pages(60)) for (const { value, isEven } of page) sum += isEven ? value : 1;
  let steps = 0;
  for (let i = 0; i < 3_000; i++) steps += await Promise.resolve(i % 3);
  return (
    sum +
    steps +
    all.filter(({ isEven }) => isEven).length +
    byPool.reduce((a, b) => a + b, 0) +
    flaky.filter(({ status }) => status === "fulfilled").length
  );
}
