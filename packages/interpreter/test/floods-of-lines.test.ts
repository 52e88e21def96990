// Programs that print a lot: from a number of lines on the host gets many as one text.

import { expect, test } from "vitest";
import { openSession } from "./open-session.ts";

const flood = "for (let i = 1; i <= 30_000; i++) print(i);";
const numbers = (count: number): string => Array.from({ length: count }, (_, index) => index + 1).join("\n");

test("a few lines are handed over one by one", async () => {
  await using session = await openSession();
  const { lines } = await session.run("for (let i = 0; i < 100; i++) print(i)");
  expect(lines).toHaveLength(100);
});

test("a flood is handed over many lines at once, and none is lost", async () => {
  await using session = await openSession();
  const { lines } = await session.run(flood);
  expect(lines.map(({ text }) => text).join("\n")).toBe(numbers(30_000));
  expect(lines.length).toBeLessThan(1_200);
});

test("lines keep their levels and their places among calls, also in a replay", async () => {
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

test("what was printed before a failure or a limit is handed over", async () => {
  await using session = await openSession({}, { outputCharacters: 200_000 });
  expect((await session.run(`${flood} throw new Error("enough")`)).lines.at(-1)?.text).toMatch(/\n30000$/);
  const { result, lines } = await session.run("for (let i = 1; ; i++) print(i)");
  expect(result).toMatchObject({ type: "stopped", reason: "output" });
  expect(lines.map(({ text }) => text).join("\n").length).toBeGreaterThan(199_900);
});
