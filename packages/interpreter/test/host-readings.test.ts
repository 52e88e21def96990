// On some hosts, the functions of `process` that report memory and CPU time throw an error. The
// test runner needs the real functions, so the test replaces them only while the sandbox works.

import { openSandbox } from "@smolts/interpreter";
import { expect, test, vi } from "vitest";

test("code runs even if the host refuses to report its heap and its CPU time", async () => {
  const refuse = (): never => {
    throw new Error("not supported in this runtime");
  };
  const readings = [
    vi.spyOn(process, "memoryUsage").mockImplementation(refuse as never),
    vi.spyOn(process, "cpuUsage").mockImplementation(refuse),
  ];
  try {
    await using sandbox = await openSandbox();
    const result = await sandbox.run("6 * 7");
    expect(result).toMatchObject({ value: 42 });
  } finally {
    for (const reading of readings) reading.mockRestore();
  }
});
