// Runs with each test file that shares its process with others. After the file, restores everything
// that vitest has replaced. If the file has changed the environment or the working directory and
// not changed it back, the file fails, because the next file would see the change.

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
