// Tests the SSH executor of docs/contributing/add-an-executor.md with the tests that every executor
// must pass. Its code is taken from that page unchanged.

import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { RemoteExecutorFactory, RemoteOptions } from "@smolts/executor-remote";
import { executorContract } from "@smolts/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const page = new URL("../../../docs/contributing/add-an-executor.md", import.meta.url);
const [, program = ""] = /```ts\n(import \{ spawn \}[\s\S]*?)```/.exec(readFileSync(page, "utf8")) ?? [];
const folder = mkdtempSync(join(tmpdir(), "smolts-ssh-"));
// The page's code is written to a file in this folder, so that it can import the packages.
const module = new URL(`./documented-executor.${process.pid}.gen.ts`, import.meta.url);
const { PATH } = process.env;

// A fake `ssh`. Like sshd, it passes the command to a shell, but on this machine.
const sshProgram =
  '#!/bin/sh\n[ "$1" = gone ] && { echo "ssh: no such machine" >&2; exit 255; }\nexec sh -c "exec $2"\n';

beforeAll(() => {
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin", "ssh"), sshProgram);
  chmodSync(join(folder, "bin", "ssh"), 0o755);
  process.env["PATH"] = join(folder, "bin") + delimiter + PATH;
  writeFileSync(module, program);
});

afterAll(() => {
  process.env["PATH"] = PATH;
  rmSync(folder, { recursive: true });
  rmSync(module);
});

async function ssh(machine: string, options: RemoteOptions = {}): Promise<RemoteExecutorFactory> {
  const documented = (await import(module.href)) as {
    ssh(machine: string, options: RemoteOptions): RemoteExecutorFactory;
  };
  return documented.ssh(machine, options);
}

const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;

describe.skipIf(!hasPython)("the executor over SSH of the guide (skipped: there is no python3 >= 3.9)", () => {
  const shape = { language: "python", replay: "never" } as const;
  const open: RemoteExecutorFactory["open"] = async (options) =>
    (await ssh("here", { language: "python" })).open(options);
  for (const { title, run } of executorContract({ ...shape, open })) test(title, run);
});

test("an unreachable machine is an error with the message of ssh", async () => {
  const executor = await ssh("gone");
  const error = await executor.open({ signal: new AbortController().signal }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "executor", message: expect.stringContaining("ssh: no such machine") });
});
