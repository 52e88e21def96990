import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore } from "@smolts/memory";
import { fileStore } from "@smolts/memory/files";
import { storeContract } from "@smolts/testing";
import { afterAll, beforeAll, describe, test } from "vitest";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "smolts-stores-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("a store in memory", () => {
  for (const { title, run } of storeContract(async () => memoryStore())) test(title, run);
});

describe("a store of files", () => {
  let count = 0;
  const newStore = async () =>
    fileStore(join(folder, String(++count)), { key: "a key of more than sixteen characters" });
  for (const { title, run } of storeContract(newStore)) test(title, run);
});

describe("a store of files without a key", () => {
  let count = 0;
  for (const { title, run } of storeContract(async () => fileStore(join(folder, `open-${++count}`)))) test(title, run);
});
