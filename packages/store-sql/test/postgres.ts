// Tests the store with a real PostgreSQL. Uses Node's own test runner, because Vitest cannot load
// `pg`. `pnpm test:postgres` starts a server and runs this file.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { postgresStore } from "@smolts/store-sql";
import { storeContract } from "@smolts/testing";
import pg from "pg";

const address = process.env["SMOLTS_POSTGRES"];
const skip = address === undefined ? "no PostgreSQL: SMOLTS_POSTGRES is not set" : false;
const at = { runId: "r", path: ["agent"] };

let pool: pg.Pool | undefined;
let schemas = 0;
async function newSchema(): Promise<string> {
  const schema = `smolts_test_${process.pid}_${++schemas}`;
  await pool?.query(`CREATE SCHEMA ${schema}`);
  return schema;
}

const open: pg.Pool[] = [];
before(() => {
  if (!skip) pool = new pg.Pool({ connectionString: address });
});
after(async () => {
  await Promise.all(open.map((own) => own.end()));
  await pool?.end();
});

/** Creates tables for one case, in a schema that only this case's connections use. */
async function clientOf(schema: string): Promise<pg.Pool> {
  const own = new pg.Pool({ connectionString: address, options: `-c search_path=${schema}`, max: 4 });
  own.on("error", () => {});
  open.push(own);
  return own;
}

for (const { title, run } of storeContract(async () => postgresStore(await clientOf(await newSchema()))))
  test(title, { skip }, run);

test("two processes that create the tables at once both succeed", { skip }, async () => {
  const schema = await newSchema();
  const stores = await Promise.all([1, 2, 3, 4].map(async () => postgresStore(await clientOf(schema))));
  assert.deepEqual(await Promise.all(stores.map((store) => store.list())), [[], [], [], []]);
});

test("if eight processes open one session, one gets it", { skip }, async () => {
  const schema = await newSchema();
  const stores = await Promise.all(Array.from({ length: 8 }, async () => postgresStore(await clientOf(schema))));
  const opened = await Promise.allSettled(stores.map((store) => store.open("s")));
  const codes = opened.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
  assert.deepEqual(codes, Array(7).fill("lease"));
  for (const one of opened) if (one.status === "fulfilled") await one.value[Symbol.asyncDispose]();
});

test("the writes of a replaced holder are refused", { skip }, async () => {
  const client = await clientOf(await newSchema());
  const old = await postgresStore(client, { host: "one" }).open("s");
  old.append({ type: "step-start", stepNumber: 1 }, at);
  await old.flush();
  const log = await postgresStore(client, { host: "two", leaseMs: 50 }).open("s");
  old.append({ type: "step-start", stepNumber: 9 }, at);
  await assert.rejects(old.flush(), { code: "lease" });
  assert.equal(log.append({ type: "step-start", stepNumber: 2 }, at).seq, 2);
  await log[Symbol.asyncDispose]();
});

test("a connection that is cut is a typed error, and the session can be opened again", { skip }, async () => {
  const client = await clientOf(await newSchema());
  const store = postgresStore(client);
  const log = await store.open("s");
  log.append({ type: "step-start", stepNumber: 1 }, at);
  await log.flush();
  const broken = postgresStore({
    query: async () => {
      throw new Error("Connection terminated unexpectedly");
    },
  });
  await assert.rejects(broken.open("s"), { code: "log" });
  await log[Symbol.asyncDispose]();
  await using again = await store.open("s");
  assert.equal(again.append({ type: "step-start", stepNumber: 2 }, at).seq, 2);
});
