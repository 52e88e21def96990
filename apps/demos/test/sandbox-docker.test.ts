import { docker } from "@smolts/executor-docker";
import { expect, test } from "vitest";
import { openDemoModel } from "../src/demo-model.ts";
import { sandboxDocker, script } from "../src/sandbox-docker.ts";

const image = process.env["SMOLTS_TEST_PYTHON_IMAGE"] ?? "";

test.skipIf(!image)(
  "the container asks its database, has no network, and the warning is approved (runs by scripts/test-docker.sh)",
  async () => {
    await using demo = await openDemoModel(script);
    await using executor = docker({ image, language: "python", memoryMb: 192 });
    expect(await sandboxDocker({ model: demo.model, executor, level: "off" })).toEqual(["bern", 23]);
  },
);

test("without a daemon the error says what to start", async () => {
  await using demo = await openDemoModel(script);
  await using executor = docker({ language: "python", host: "unix:///nowhere/docker.sock" });
  await expect(sandboxDocker({ model: demo.model, executor, level: "off" })).rejects.toMatchObject({
    code: "executor",
    message: expect.stringContaining("no Docker daemon answers at unix:///nowhere/docker.sock"),
    hint: expect.stringContaining("start Docker or Podman"),
  });
});

test("the script does not know the place with the largest rise", () => expect(script.join("\n")).not.toContain("23"));
