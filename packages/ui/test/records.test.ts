// Tests the records of sessions with a store that is slow or cannot write.

import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CodeAgent } from "@smolts/core";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { createUIHandler, memorySessions, type SessionRecord, type SessionStore } from "@smolts/ui";
import { fileSessions } from "@smolts/ui/files";
import { expect, onTestFinished, test } from "vitest";
import { isIdleAfterRun, PageClient, until } from "./page-client.ts";

const agent = (): CodeAgent =>
  new CodeAgent({ model: scriptedModel(() => "I think.\n<code>\nfinalAnswer(1)\n</code>") });

/** Creates a store that calls a function before it writes a record. */
function storeThat(save: (record: SessionRecord) => Promise<void>): SessionStore {
  const store = memorySessions();
  return {
    ...store,
    async save(record) {
      await save(record);
      await store.save(record);
    },
  };
}

test("a record that could not be written at the end of a run is written with the next change", async () => {
  let isFull = false;
  const store = storeThat(async () => {
    if (isFull) throw new Error("the disk is full");
  });
  const ui = createUIHandler(agent(), { store });
  const client = await PageClient.enter(ui);
  const { id } = await client.newSession();
  isFull = true;
  await client.start(id, "One.");
  await until(client, id, ({ message }) => isIdleAfterRun(message));
  expect((await client.send("PATCH", `api/sessions/${id}`, { title: "Mine" })).status).toBe(500);
  expect(await store.records()).toMatchObject([{ status: "empty" }]);
  isFull = false;
  expect((await client.send("PATCH", `api/sessions/${id}`, { title: "Mine" })).status).toBe(200);
  expect(await store.records()).toMatchObject([{ status: "done", runCount: 1, title: "Mine" }]);
});

test("a session whose record cannot be written can be deleted", async () => {
  let isFull = false;
  const store = storeThat(async () => {
    if (isFull) throw new Error("the disk is full");
  });
  const client = await PageClient.enter(createUIHandler(agent(), { store }));
  const { id } = await client.newSession();
  isFull = true;
  await client.start(id, "One.");
  await until(client, id, ({ message }) => isIdleAfterRun(message));
  expect((await client.send("DELETE", `api/sessions/${id}`)).status).toBe(204);
  expect(await store.records()).toEqual([]);
});

test("records are written in the order of the changes, and all of them before the page closes", async () => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const store = storeThat(({ status }) => (status === "running" ? opened : Promise.resolve()));
  const ui = createUIHandler(agent(), { store });
  const client = await PageClient.enter(ui);
  const { id } = await client.newSession();
  await client.start(id, "One.");
  await until(client, id, ({ message }) => isIdleAfterRun(message));
  const closing = ui.close();
  open();
  await closing;
  expect(await store.records()).toMatchObject([{ status: "done", runCount: 1, title: "One." }]);
});

test("a run that is cut off by the end of its server writes no record after that", async () => {
  const store = memorySessions();
  let [open, end] = [(): void => {}, (): void => {}];
  const opened = new Promise<number>((resolve) => {
    open = () => resolve(1);
  });
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const wait = tool({ name: "wait", description: "Waits.", input: {}, output: "number", execute: () => opened });
  const model = scriptedModel(() => "<code>\nfinalAnswer(await wait({}))\n</code>");
  const reader = async (events: AsyncIterable<unknown>): Promise<void> => {
    for await (const _ of events);
    end();
  };
  const ui = createUIHandler(new CodeAgent({ model, tools: [wait], reader }), { store });
  const client = await PageClient.enter(ui);
  const { id } = await client.newSession();
  await client.start(id, "One.");
  await until(
    client,
    id,
    ({ message }) => message.type === "events" && message.events.some(({ type }) => type === "tool-start"),
  );
  await ui.close();
  expect((await client.send("GET", `api/sessions/${id}/events`)).status).toBe(500);
  open();
  await ended;
  await new Promise((resolve) => setTimeout(resolve));
  expect(await store.records()).toMatchObject([{ status: "running" }]);
});

test("a message that is undone is gone, even if its record cannot be written", async () => {
  let isFull = false;
  const store = storeThat(async () => {
    if (isFull) throw new Error("the disk is full");
  });
  const client = await PageClient.enter(createUIHandler(agent(), { store }));
  const { id } = await client.newSession();
  const runId = await client.start(id, "One.");
  await until(client, id, ({ message }) => isIdleAfterRun(message));
  isFull = true;
  expect((await client.send("POST", `api/sessions/${id}/rewind`, { runId })).status).toBe(500);
  isFull = false;
  await client.start(id, "Two.");
  const shown: string[] = [];
  for await (const { message } of client.messages(id)) {
    if (message.type === "events") {
      for (const event of message.events) if (event.type === "run-start") shown.push(JSON.stringify(event.task));
    }
    if (isIdleAfterRun(message)) break;
  }
  expect(shown).toEqual([expect.stringContaining("Two.")]);
  await client.send("PATCH", `api/sessions/${id}`, { title: "Mine" });
  expect(await store.records()).toMatchObject([{ status: "done", runCount: 1 }]);
});

test("records that cannot be read at first appear when they can be read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "smolts-records-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const serve = () => {
    const ui = createUIHandler(agent(), { store: fileSessions(folder) });
    onTestFinished(() => ui.close());
    return ui;
  };
  const before = await PageClient.enter(serve());
  const { id } = await before.newSession();
  const records = join(folder, "sessions");
  await rename(records, `${records}-kept`);
  await writeFile(records, "");
  const client = before.at(serve());
  expect((await client.send("GET", "api/sessions")).status).toBe(500);
  await rm(records);
  await rename(`${records}-kept`, records);
  expect(await client.json("GET", "api/sessions")).toMatchObject({ sessions: [{ id }] });
});
