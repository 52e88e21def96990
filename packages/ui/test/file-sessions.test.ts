import fs, { existsSync, readdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileSessions } from "@smolts/ui/files";
import { afterEach, beforeEach, expect, test } from "vitest";

const { mkdirSync } = fs;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-secret-"));
});
afterEach(async () => {
  fs.mkdirSync = mkdirSync;
  syncBuiltinESMExports();
  await rm(folder, { recursive: true, force: true });
});

test("two processes that start in a new folder at the same time have the same secret", async () => {
  const path = join(folder, "state", "secret");
  // Acts like another process that creates the folder and the secret just before our process does.
  const other = (...given: Parameters<typeof mkdirSync>): ReturnType<typeof mkdirSync> => {
    const made = mkdirSync(...given);
    writeFileSync(path, "the other one's");
    return made;
  };
  // The cast is safe: only the overloads of mkdirSync are missing.
  fs.mkdirSync = other as typeof mkdirSync;
  syncBuiltinESMExports();
  expect(existsSync(path)).toBe(false);
  expect(await fileSessions(join(folder, "state")).secret()).toBe("the other one's");
  expect(readdirSync(join(folder, "state"))).toEqual(["secret"]);
});

test("a secret is created once, and only its owner may read it", async () => {
  const secret = await fileSessions(folder).secret();
  expect(secret).toHaveLength(72);
  expect(await fileSessions(folder).secret()).toBe(secret);
  expect(fs.statSync(join(folder, "secret")).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["secret"]);
});
