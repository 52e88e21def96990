import { describe, expect, test } from "vitest";
import { type BlockRun, openSession } from "./open-session.ts";

const mebi = 2 ** 20;
const limits = { memoryBytes: 4 * mebi };
const dropped = "let n = 0; for (; n < 100_000; n++) ({ n, text: 'row ' + n }); n";
const kept = "let n = 0; const all = []; for (;; n++) all.push('x'.repeat(100) + n);";
const nobodyTells = (): number => Number.POSITIVE_INFINITY;

const runWith = async (code: string, heldBytes: () => number): Promise<BlockRun> => {
  await using session = await openSession({}, limits, { heldBytes });
  return await session.run(code);
};

describe("the memory limit", () => {
  test("lets a program go on that dropped what it made, where the platform tells what is held", async () => {
    expect((await runWith(dropped, () => mebi)).result).toMatchObject({ type: "value", output: { value: 100_000 } });
  });

  test("is a limit of what is allocated where nobody tells", async () => {
    expect((await runWith(dropped, nobodyTells)).result).toMatchObject({ type: "stopped", reason: "memory" });
  });

  test("stops a program that holds more, however little of it was counted", async () => {
    let held = 50 * mebi; // the host's own
    const { result } = await runWith(dropped, () => {
      held += 2 * mebi; // since the last look
      return held;
    });
    expect(result).toMatchObject({ type: "stopped", reason: "memory" });
    expect(held).toBeLessThan(60 * mebi);
  });

  test("does not stop early a program that shares the heap with much else", async () => {
    const heldElsewhere = await runWith(kept, () => 500 * mebi);
    const untold = await runWith(kept, nobodyTells);
    expect(heldElsewhere.result).toMatchObject({ type: "stopped", reason: "memory" });
    expect(heldElsewhere.result.operations).toBeGreaterThanOrEqual(untold.result.operations);
  });

  test("does not stop a program for what others made while they had their turns", async () => {
    let held = 0;
    await using other = await openSession({}, limits);
    const elsewhere = async (): Promise<void> => {
      await other.run("1");
      held += 20 * mebi;
    };
    await using session = await openSession({ elsewhere }, limits, { heldBytes: () => held });
    const some = "for (let n = 0; n < 15_000; n++) ({ n });";
    const { result } = await session.run(`${some} await elsewhere(); ${some} 7`);
    expect(result).toMatchObject({ type: "value", output: { value: 7 } });
  });

  test("stops a replay where it stopped the record, whatever is held then", async () => {
    let looks = 0;
    await using live = await openSession({}, limits, { heldBytes: () => (++looks > 40 ? 9 : 1) * mebi });
    const { result } = await live.run(kept);
    expect(result).toMatchObject({ type: "stopped", reason: "memory" });
    if (result.type !== "stopped") return;
    for (const heldBytes of [() => 0, () => 400 * mebi, nobodyTells]) {
      await using again = await openSession({}, limits, { heldBytes });
      const replayStop = { reason: result.reason, operations: result.operations };
      const replayed = await again.replay(kept, [], { replayStop });
      expect(JSON.stringify(replayed.result)).toBe(JSON.stringify(result));
      expect((await again.run("n")).result).toEqual((await live.run("n")).result);
    }
  });

  test("ends a growing list before the place it moves into is asked for", async () => {
    await using session = await openSession({}, limits, { heldBytes: nobodyTells });
    const { result } = await session.run("const all = []; for (;;) all.push(1);");
    expect(result).toMatchObject({ type: "stopped", reason: "memory" });
    const bytesOfOneAndAHalfMore = 20;
    const { result: end } = await session.run(`all.length * ${bytesOfOneAndAHalfMore} < ${limits.memoryBytes}`);
    expect(end).toMatchObject({ output: { value: true } });
  });
});
