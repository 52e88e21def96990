import { spawnSync } from "node:child_process";
import { e2b } from "@smolts/executor-e2b";
import { executorContract } from "@smolts/testing";
import { type E2bServer, startE2bServer } from "@smolts/testing/e2b";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

// The SDK, its requests, and the runner in a process are real. Only the cloud service is a fake.

let server: E2bServer;
beforeAll(async () => {
  server = await startE2bServer();
});
afterAll(async () => {
  const left = [server.sandboxes, server.processes];
  await server.close();
  expect(left).toEqual([[], []]);
});

const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;

describe.each([
  { language: "javascript", isHere: true },
  { language: "python", isHere: hasPython },
] as const)(
  "E2B with $language fulfils the contract of an executor (over the SDK, with a server on loopback)",
  ({ language, isHere }) => {
    const options = () => ({ language, apiKey: server.apiKey, apiUrl: server.url, sandboxUrl: server.url });
    const factory = {
      language,
      replay: "never" as const,
      open: (open: Parameters<ReturnType<typeof e2b>["open"]>[0]) => e2b(options()).open(open),
    };
    for (const { title, run } of executorContract(factory)) test.skipIf(!isHere)(title, run);
  },
);
