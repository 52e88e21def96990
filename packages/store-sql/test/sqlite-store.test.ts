import { mkdir, mkdtemp, rm, rmdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresStore, sqliteStore } from "@smolts/store-sql";
import { storeContract } from "@smolts/testing";
import sqliteWasm from "node-sqlite3-wasm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

describe("a store in SQLite by node-sqlite3-wasm", () => {
  for (const { title, run } of storeContract(async () => sqliteStore(new sqliteWasm.Database() as never))) {
    test(title, run);
  }
});

const [major = 0] = process.versions.node.split(".").map(Number);

describe.skipIf(major < 24)("a store in SQLite by node:sqlite (Node 24 has it)", () => {
  const newStore = async () => {
    const { DatabaseSync } = createRequire(import.meta.url)("node:sqlite") as {
      DatabaseSync: new (path: string) => never;
    };
    return sqliteStore(new DatabaseSync(":memory:"));
  };
  for (const { title, run } of storeContract(newStore)) test(title, run);
});

test("a changed line is refused", async () => {
  const database = new sqliteWasm.Database();
  const store = sqliteStore(database as never, { key: "a key of more than sixteen characters" });
  {
    await using log = await store.open("s");
    log.append({ type: "step-start", stepNumber: 1 }, { runId: "r", path: ["agent"] });
  }
  database.run(`UPDATE smolts_record SET line = replace(line, '"stepNumber":1', '"stepNumber":2')`);
  await expect(store.open("s")).rejects.toMatchObject({ code: "log-corrupt" });
});

test("a log with another key can be read but not continued", async () => {
  const database = new sqliteWasm.Database();
  {
    await using log = await sqliteStore(database as never, { key: "a key of more than sixteen characters" }).open("s");
    log.append({ type: "step-start", stepNumber: 1 }, { runId: "r", path: ["agent"] });
  }
  const stranger = sqliteStore(database as never, { key: "quite another key, long enough" });
  expect((await stranger.open("s", { readonly: true })).isOwn).toBe(false);
  await expect(stranger.open("s")).rejects.toMatchObject({ code: "log" });
});

test("the writes of a replaced holder are refused", async () => {
  const database = new sqliteWasm.Database();
  const old = await sqliteStore(database as never, { host: "one" }).open("s");
  old.append({ type: "step-start", stepNumber: 1 }, { runId: "r", path: ["agent"] });
  await old.flush();
  const log = await sqliteStore(database as never, { host: "two", leaseMs: 50 }).open("s");
  old.append({ type: "step-start", stepNumber: 9 }, { runId: "r", path: ["agent"] });
  await expect(old.flush()).rejects.toMatchObject({ code: "lease" });
  expect(old.lost.aborted).toBe(true);
  expect(log.append({ type: "step-start", stepNumber: 2 }, { runId: "r", path: ["agent"] }).seq).toBe(2);
  await log[Symbol.asyncDispose]();
});

describe("if a statement of a deletion fails", () => {
  const at = { runId: "r", path: ["agent"] };
  const facts = { definitionDigest: "", model: "m", task: [], systemPrompt: "", variables: {} };
  const start = { type: "run-start", ...facts, maxSteps: 1, seed: "", lineage: "" } as const;

  /**
   * Returns a database with a session, and a store on it. The store fails at statement number
   * `failing`.
   */
  async function storeThatFails(failing: number) {
    const database = new sqliteWasm.Database();
    const log = await sqliteStore(database as never).open("s");
    log.append(start, at);
    await log.putBlob(new Uint8Array([1]), "image/png");
    await log[Symbol.asyncDispose]();
    let statements = 0;
    const prepare = (statement: string) => {
      statements += 1;
      if (statements === failing) throw new Error("the connection is closed");
      return database.prepare(statement);
    };
    const failed = await sqliteStore({ prepare } as never)
      .delete("s")
      .then(
        () => statements >= failing,
        () => true,
      );
    const left = ["session", "record", "run", "blob"].map((name) => () => database.all(`SELECT * FROM smolts_${name}`));
    return { store: sqliteStore(database as never), failed, left };
  }

  test("the next one finishes it, and nothing is left", async () => {
    let failures = 0;
    for (;;) {
      const { store, failed, left } = await storeThatFails(failures + 1);
      if (!failed) break;
      failures += 1;
      await store.delete("s");
      expect([await store.list(), await store.find("r")]).toEqual([[], null]);
      expect(left.map((rows) => rows())).toEqual([[], [], [], []]);
    }
    expect(failures).toBeGreaterThan(10);
  });

  test("the session is whole or gone, and a new session with its id is empty", async () => {
    for (let failing = 1; ; failing++) {
      const { store, failed } = await storeThatFails(failing);
      if (!failed) break;
      const rows = await store.list();
      expect(await store.find("r")).toBe(rows.length === 1 ? "s" : null);
      await using log = await store.open("s");
      expect(log.append({ type: "step-start", stepNumber: 1 }, at).seq).toBe(rows.length + 1);
    }
  });
});

test("using a closed database is a typed error", async () => {
  const database = new sqliteWasm.Database();
  const store = sqliteStore(database as never);
  const log = await store.open("s");
  database.close();
  log.append({ type: "step-start", stepNumber: 1 }, { runId: "r", path: ["agent"] });
  await expect(log.flush()).rejects.toMatchObject({ code: "log" });
  await log[Symbol.asyncDispose]();
});

test("a process can open its session again after the database was unavailable for a while", async () => {
  const database = new sqliteWasm.Database();
  let isGone = false;
  const prepare = (statement: string) => {
    if (isGone) throw new Error("the connection is closed");
    return database.prepare(statement);
  };
  const store = sqliteStore({ prepare } as never);
  const log = await store.open("s");
  log.append({ type: "step-start", stepNumber: 1 }, { runId: "r", path: ["agent"] });
  isGone = true;
  await expect(log.flush()).rejects.toMatchObject({ code: "log" });
  await log[Symbol.asyncDispose]();
  isGone = false;
  await using again = await store.open("s");
  expect(again.append({ type: "step-start", stepNumber: 1 }, { runId: "r", path: ["agent"] }).seq).toBe(1);
});

test("a table that lost its last rows is refused, for reading and for continuing", async () => {
  const database = new sqliteWasm.Database();
  const store = sqliteStore(database as never);
  {
    await using log = await store.open("s");
    for (const stepNumber of [1, 2, 3]) log.append({ type: "step-start", stepNumber }, { runId: "r", path: ["agent"] });
  }
  database.run("DELETE FROM smolts_record WHERE seq = 3");
  await expect(store.open("s")).rejects.toMatchObject({ code: "log-truncated" });
  await expect(store.open("s", { readonly: true })).rejects.toMatchObject({ code: "log-truncated" });
  // The first call released the lease when it failed. Otherwise this call would fail because of the
  // lease.
  await expect(store.open("s")).rejects.toMatchObject({ code: "log-truncated" });
});

test("a holder that renews its lease right before it would be replaced keeps its session", async () => {
  const database = new sqliteWasm.Database();
  const old = await sqliteStore(database as never, { host: "one" }).open("s");
  const prepare = database.prepare.bind(database);
  const waking = {
    prepare: (statement: string) => {
      const isTakeover = statement.includes("SET epoch = epoch + 1");
      if (isTakeover) database.run("UPDATE smolts_session SET counter = counter + 1");
      return prepare(statement);
    },
  };
  const other = sqliteStore(waking as never, { host: "two", leaseMs: 50 });
  await expect(other.open("s")).rejects.toMatchObject({ code: "lease" });
  old.append({ type: "step-start", stepNumber: 1 }, { runId: "r", path: ["agent"] });
  await old.flush();
  await old[Symbol.asyncDispose]();
});

test("a holder whose database does not answer stops", async () => {
  const database = new sqliteWasm.Database();
  const log = await sqliteStore(database as never, { leaseMs: 120 }).open("s");
  database.close();
  await new Promise((resolve) => log.lost.addEventListener("abort", resolve));
  expect(log.lost.reason).toMatchObject({ code: "lease", message: expect.stringContaining("could not be renewed") });
  await log[Symbol.asyncDispose]();
});

describe("a database that another connection has locked", () => {
  const at = { runId: "r", path: ["agent"] };
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "smolts-sqlite-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("is used once the lock is released", async () => {
    const path = join(folder, "shared.sqlite");
    const store = sqliteStore(new sqliteWasm.Database(path) as never);
    await using log = await store.open("s");
    const other = new sqliteWasm.Database(path);
    other.exec("BEGIN IMMEDIATE");
    log.append({ type: "step-start", stepNumber: 1 }, at);
    const flushed = log.flush();
    setTimeout(() => other.exec("COMMIT"), 50);
    await flushed;
    other.close();
  });

  test("by a process that was killed causes an error that names the folder to remove", async () => {
    const path = join(folder, "left.sqlite");
    const database = new sqliteWasm.Database(path);
    await (await sqliteStore(database as never).open("s"))[Symbol.asyncDispose]();
    await mkdir(`${path}.lock`);
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
    const listed = sqliteStore(database as never)
      .list()
      .catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await listed).toMatchObject({ code: "log", hint: expect.stringContaining("<database>.lock") });
    vi.useRealTimers();
    await rmdir(`${path}.lock`);
    expect(await sqliteStore(database as never).list()).toEqual([]);
    database.close();
  });
});

test("a statement with a serialization failure is repeated, and any other failure is not", async () => {
  const failing = (code: string) => {
    let asked = 0;
    const query = async () => {
      asked += 1;
      if (asked === 1) throw Object.assign(new Error("could not serialize access"), { code });
      return { rows: [], rowCount: 0 };
    };
    return { store: postgresStore({ query }), asked: () => asked };
  };
  const disturbed = failing("40001");
  expect(await disturbed.store.list()).toEqual([]);
  const timedOut = failing("57014");
  await expect(timedOut.store.list()).rejects.toMatchObject({ code: "log" });
  expect(timedOut.asked()).toBe(1);
});
