import { worker } from "@smolts/executor-worker";
import { openSandbox } from "@smolts/interpreter";
import { expect, test } from "vitest";
import { bundledGuest } from "./bundled-guest.ts";

test("a sandbox without an agent runs its programs in a thread, calls the host, and survives a killed program", async () => {
  using executor = worker({ entry: await bundledGuest("guest.node"), limits: { operations: 0, guestTimeMs: 0 } });
  await using sandbox = await openSandbox({ executor, functions: { double: (n: number) => n * 2 } });
  expect(await sandbox.run("const kept = await double(21); kept")).toMatchObject({ type: "value", value: 42 });
  const signal = AbortSignal.timeout(50);
  expect(await sandbox.run("for (;;);", { signal })).toMatchObject({ type: "stopped", reason: "aborted" });
  expect(await sandbox.run("kept + 1")).toMatchObject({ type: "value", value: 43 });
});
