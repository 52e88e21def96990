import { docker } from "@smolts/executor-docker";
import { executorContract } from "@smolts/testing";
import { describe, expect, test } from "vitest";

const image = process.env["SMOLTS_TEST_NODE_IMAGE"];
describe.skipIf(!image)("Docker with Node fulfils the contract of an executor (runs by scripts/test-docker.sh)", () => {
  const executor = docker({ image: image ?? "" });
  for (const { title, run } of executorContract(executor)) test(title, run);
});

const pythonImage = process.env["SMOLTS_TEST_PYTHON_IMAGE"];
describe.skipIf(!pythonImage)(
  "Docker with Python fulfils the contract of an executor (runs by scripts/test-docker.sh)",
  () => {
    const executor = docker({ image: pythonImage ?? "", language: "python" });
    for (const { title, run } of executorContract(executor)) test(title, run);
  },
);

test("a missing daemon is a typed error with a hint", async () => {
  const executor = docker({ image: "node:22", host: "unix:///nowhere/docker.sock" });
  const { signal } = new AbortController();
  const opening = executor.open({ signal }).then((sandbox) => sandbox.start({ tools: [] }));
  await expect(opening).rejects.toMatchObject({ code: "executor", hint: expect.any(String) });
});
