import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { docker } from "@smolts/executor-docker";
import { fileStore } from "@smolts/memory/files";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-mounts-"));
  await using log = await fileStore(join(folder, "project", "data", "runs")).open("s");
  expect(log.epoch).toBe(1);
  await mkdir(join(folder, "elsewhere"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the error of opening a container with this mount. The daemon does not answer. */
async function errorOf(source: string): Promise<{ readonly code: string; readonly message: string }> {
  const factory = docker({ mounts: [{ source: join(folder, source), target: "/data" }], host: "tcp://127.0.0.1:9" });
  const { signal } = new AbortController();
  const opened = factory.open({ signal }).then(async (executor) => executor.start({ tools: [] }));
  return opened.then(
    () => ({ code: "none", message: "" }),
    ({ code, message }) => ({ code, message }),
  );
}

test.each([
  ["that is a store", "project/data/runs"],
  ["that is inside a store", "project/data/runs/sessions"],
  ["that contains a store", "project"],
])("refuses a mount %s", async (_how, source) => {
  expect(await errorOf(source)).toEqual({
    code: "invalid-option",
    message: expect.stringContaining(join(folder, "project/data/runs")),
  });
});

test("accepts other mounts", async () => {
  expect((await errorOf("elsewhere")).code).toBe("executor");
});
