// Programs that print a lot. The host gets the first lines one by one, and later ones in batches.

import { describe, expect, test } from "vitest";
import { openSession } from "./open-session.ts";

const flood = "for (let i = 1; i <= 30_000; i++) print(i);";
const numbers = (count: number): string => Array.from({ length: count }, (_, index) => index + 1).join("\n");

test("a few lines are sent one by one", async () => {
  await using session = await openSession();
  const { lines } = await session.run("for (let i = 0; i < 100; i++) print(i)");
  expect(lines).toHaveLength(100);
});

test("a flood of lines is sent many at once, and none is lost", async () => {
  await using session = await openSession();
  const { lines } = await session.run(flood);
  expect(lines.map(({ text }) => text).join("\n")).toBe(numbers(30_000));
  expect(lines.length).toBeLessThan(1_200);
});

test("lines keep their levels and their order among calls, also in a replay", async () => {
  await using session = await openSession({ look: async (n) => n });
  const code = `${flood} console.error("half"); print("a"); print("b"); await look(1); print("c"); print("d"); await look(2); print("e")`;
  const { lines, deliveries } = await session.run(code);
  expect(lines.slice(-5)).toEqual([
    { level: "log", text: expect.stringMatching(/\n30000$/) },
    { level: "error", text: "half" },
    { level: "log", text: "a\nb" },
    { level: "log", text: "c\nd" },
    { level: "log", text: "e" },
  ]);
  await using again = await openSession({ look: async (n) => n });
  expect((await again.replay(code, deliveries)).lines).toEqual(lines);
});

test("lines printed before a failure or a limit are sent", async () => {
  await using session = await openSession({}, { outputCharacters: 200_000 });
  expect((await session.run(`${flood} throw new Error("enough")`)).lines.at(-1)?.text).toMatch(/\n30000$/);
  const { result, lines } = await session.run("for (let i = 1; ; i++) print(i)");
  expect(result).toMatchObject({ type: "stopped", reason: "output" });
  expect(lines.map(({ text }) => text).join("\n").length).toBeGreaterThan(199_900);
});

describe("values that are slow to print reach the output limit before they take the host long", () => {
  // While these programs print, no limit but the one on output can end them.
  const floods: [what: string, code: string, maxCharacters: number][] = [
    ["objects", "for (;;) print({ a: [1, 2, 3] })", 30_000],
    ["empty objects", "for (;;) print({})", 15_000],
    ["maps", 'const map = new Map([["a", { b: 1 }]]); for (;;) print(map)', 75_000],
    ["errors", 'for (;;) print(new Error("x"))', 35_000],
    ["instances", "class Point { x = 1 } for (;;) print(new Point(), Point)", 60_000],
    ["nested objects", "let nest = {}; for (let i = 0; i < 9; i++) nest = { nest }; for (;;) print(nest)", 60_000],
    [
      "hidden keys",
      'const o = {}; for (let i = 0; i < 999; i++) Object.defineProperty(o, "k" + i, {}); for (;;) print(o)',
      200,
    ],
    ["long chains", "let o = null; for (let i = 0; i < 99; i++) o = Object.create(o); for (;;) print(o)", 15_000],
    ["holes", "const list = []; list[1e6] = 1; for (;;) print(list)", 4_000],
    ["tables", "const rows = [{ a: {} }, { b: {} }]; for (;;) console.table(rows)", 75_000],
    ["levels by turns", 'for (;;) { console.log("a"); console.error("b") }', 4_100],
  ];
  test.each(floods)("%s", async (_what, code, maxCharacters) => {
    await using session = await openSession({}, { outputCharacters: 100_000 });
    const { result, lines } = await session.run(code);
    expect(result).toMatchObject({ type: "stopped", reason: "output" });
    expect(lines.map(({ text }) => text).join("\n").length).toBeLessThan(maxCharacters);
  });

  test("a replay stops at the same place", async () => {
    await using session = await openSession({}, { outputCharacters: 50_000 });
    const code = "for (let i = 0; ; i++) { print({ i }); console.error([i]) }";
    const { result, lines } = await session.run(code);
    if (result.type !== "stopped") throw new Error(`it was not stopped: ${result.type}`);
    await using again = await openSession({}, { outputCharacters: 50_000 });
    const replayed = await again.replay(code, [], {
      replayStop: { reason: result.reason, operations: result.operations },
    });
    expect(replayed.lines).toEqual(lines);
  });
});

test.each([
  "const next = () => { print({}); setTimeout(next, 1) }; next()",
  "setInterval(() => {}, 1); setTimeout(() => {}, 2e9)",
])("an endless chain of timers reacts to an abort: %s", async (code) => {
  const off = { guestTimeMs: 0, microtasks: 0, operations: 0, outputCharacters: 0, memoryBytes: 0 };
  await using session = await openSession({}, off);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  const { result } = await session.run(code, { signal: controller.signal });
  expect(result).toMatchObject({ type: "stopped", reason: "aborted" });
});
