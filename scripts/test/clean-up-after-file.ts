// Runs with each test file that shares its process with others. After the file, it undoes what
// vitest has replaced for the tests. A file that leaves another environment or folder fails,
// because the next file would find it.

import { afterAll, expect, vi } from "vitest";

const { env } = process;
const before = stateOfProcess();

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  expect(stateOfProcess(), "what the file left behind").toEqual(before);
  expect(process.env, "a copy has replaced process.env").toBe(env);
});

function stateOfProcess() {
  return { environment: { ...process.env }, folder: process.cwd(), exitCode: process.exitCode };
}
