// Programs whose text takes long to process before any code runs. The time limit also applies to
// this processing, even if the program itself does little. The host's event loop is not blocked for
// longer than the limit.

import { describe, expect, it, vi } from "vitest";
import { openSession } from "./open-session.ts";

// Each program ends with a syntax error. So if a program is parsed completely, its result is an
// error.
const slowToRead = {
  "types that may be comparisons": `${"f<a>(1);".repeat(60_000)}@`,
  "arrow functions that may be calls": `let t: number = 1; ${"async<a>(b);".repeat(40_000)}@`,
  "types with many members": `interface A { ${"a: b;".repeat(90_000)} } @`,
  "a class with many methods": `class A { ${"m() {} ".repeat(70_000)} } @`,
};

const limits = { guestTimeMs: 20 };

describe("the time limit", () => {
  it.each(Object.entries(slowToRead))("ends the reading of %s", async (_name, code) => {
    await using session = await openSession({}, limits);
    const { result } = await session.run(code);
    expect(result).toMatchObject({ type: "stopped", reason: "guest-time" });
  });

  it("ends the compiling of a program, and of a function at its first call", async () => {
    await using session = await openSession({}, limits);
    const long = `x${"``".repeat(200_000)}`;
    expect((await session.run(`let before = 1; ${long}`)).result).toMatchObject({ reason: "guest-time" });
    expect((await session.run(`() => { ${long} }; 1`)).result).toMatchObject({ type: "stopped" });
  });

  it("stops a replay where it stopped the record, with the same variables", async () => {
    await using record = await openSession({}, limits);
    const code = `let kept = 1; ${"async<a>(b);".repeat(6_000)}`;
    const { result } = await record.run(code);
    if (result.type !== "stopped") throw new Error("it was not stopped");
    await using replay = await openSession({}, limits);
    const replayStop = { reason: result.reason, operations: result.operations };
    const { result: again } = await replay.replay(code, [], { replayStop });
    expect(again).toMatchObject({ type: "stopped", reason: "guest-time", operations: result.operations });
    const variables = await Promise.all([record, replay].map(({ executor }) => executor.variables?.()));
    expect(variables[1]).toEqual(variables[0]);
  });

  it("takes a text that is too long to be read for a program, which its run then stops", async () => {
    await using session = await openSession({}, { sourceCharacters: 1_000 });
    expect(await session.executor.isProgram?.(" no program".repeat(200))).toBe(true);
    expect((await session.run(" no program".repeat(200))).result).toMatchObject({ reason: "source-size" });
    expect(await session.executor.isProgram?.("no program")).toBe(false);
  });

  it("takes no text for a program because others had the processor while it was read", async () => {
    await using session = await openSession();
    let nowMs = 0; // other processes run for 10 s between two clock checks
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 10_000));
    const idle = vi.spyOn(process, "cpuUsage").mockReturnValue({ user: 1_000, system: 0 });
    const isProgram = await session.executor.isProgram?.(`${"a;".repeat(1_000)} no program`);
    clock.mockRestore();
    idle.mockRestore();
    expect(isProgram).toBe(false);
  });
});
