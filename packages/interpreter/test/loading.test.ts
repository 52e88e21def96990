import { interpreter } from "@smolts/interpreter";
import type { Executor } from "@smolts/protocol";
import { expect, test, vi } from "vitest";

const loaded = vi.hoisted(() => [] as string[]);

vi.mock("@sveltejs/acorn-typescript", (load) => {
  loaded.push("the parser of types");
  return load();
});

const signal = new AbortController().signal;
const options = { signal, time: 0, seed: "", onCall: () => {}, onConsole: () => {} };

async function open(): Promise<Executor> {
  const executor = await interpreter().open({ signal });
  await executor.start({ tools: [] });
  return executor;
}

test("the parser for types is loaded by the first program that is not JavaScript, and does not affect other programs", async () => {
  const plain = "const a = 1, b = 2, c = 3; [a < b > (c), a<b]";
  await using before = await open();
  expect(await before.isProgram?.(plain)).toBe(true);
  const first = await before.execute(plain, options);
  expect(first).toMatchObject({ output: { value: [false, true] } });
  expect(loaded).toEqual([]);

  const typed = "const n: number = 41; n + 1";
  expect(await before.isProgram?.(typed)).toBe(true);
  for (let count = 0; count < 2; count++)
    expect(await before.execute(typed, options)).toMatchObject({ output: { value: 42 } });
  expect(loaded).toEqual(["the parser of types"]);

  await using after = await open();
  expect(await after.isProgram?.(plain)).toBe(true);
  expect(await after.execute(plain, options)).toEqual(first);
});

test("warm() may be called any number of times, and nothing waits for it", async () => {
  const factory = interpreter();
  factory.warm?.();
  expect(factory.warm?.()).toBeUndefined();
  await using executor = await factory.open({ signal });
  await executor.start({ tools: [] });
  expect(await executor.execute("1 + 1", options)).toMatchObject({ output: { value: 2 } });
});
