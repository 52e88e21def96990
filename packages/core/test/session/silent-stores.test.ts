// Stores that fail with their own errors, and stores that do not answer, for example because the
// connection to a database is gone.

import { CodeAgent } from "@smolts/core";
import { memoryStore } from "@smolts/memory";
import type { RunStore, StoredLog } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { expect, test } from "vitest";

const answering = () => scriptedModel(() => "<code>finalAnswer(1)</code>");
const never = new Promise<never>(() => {});

/** A store in memory with some methods of its logs replaced. */
function storeWith(changed: (log: StoredLog) => Partial<StoredLog>): RunStore {
  const inner = memoryStore();
  return {
    ...inner,
    open: async (id, options) => {
      const log = await inner.open(id, options);
      return { ...log, lost: log.lost, ...changed(log) };
    },
  };
}

test("an abort ends a run whose log cannot be read because the store does not answer", async () => {
  let isAsked = false;
  const read: StoredLog["read"] = async function* () {
    isAsked = true;
    yield await never;
  };
  const run = new CodeAgent({ model: answering(), store: storeWith(() => ({ read })) }).run("Answer.");
  await expect.poll(() => isAsked).toBe(true);
  run.abort();
  expect((await run.result).status).toBe("aborted");
});

test("an answer that is stored does not wait for a store that never closes the log", async () => {
  const store = storeWith(() => ({ [Symbol.asyncDispose]: () => never }));
  expect(await new CodeAgent({ model: answering(), store }).run("Answer.")).toBe(1);
});

const fail = () => Promise.reject(new Error("no database"));
const failing: [what: string, store: RunStore, message: RegExp][] = [
  ["find the run", { ...memoryStore(), find: fail }, /the run log could not be opened: no database/],
  ["open the log", { ...memoryStore(), open: fail }, /the run log could not be opened: no database/],
  [
    "read the log",
    storeWith(() => ({
      // biome-ignore lint/correctness/useYield: this source fails before its first item
      async *read() {
        await fail();
      },
    })),
    /the run log could not be read: no database/,
  ],
];

test.each(failing)(
  "a store that cannot %s is an error of the log, and not of the sandbox",
  async (what, store, message) => {
    const agent = new CodeAgent({ model: answering(), store });
    const run = what === "find the run" ? agent.resume("r1") : agent.run("Answer.");
    const { status, error } = await run.result;
    expect([status, error?.code]).toEqual(["failed", "log"]);
    expect(error?.message).toMatch(message);
    expect(error?.cause).toMatchObject({ message: "no database" });
  },
);
