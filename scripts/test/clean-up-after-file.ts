// Runs with each test file that shares its process. After the file, it undoes what its tests have
// replaced, so that the next file finds the real clock, environment and functions.

import { afterAll, vi } from "vitest";

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
