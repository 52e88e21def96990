// Tests the worker's side of a mailbox. Each test simulates the host.

import { Worker } from "node:worker_threads";
import { MailboxReader } from "@smolts/executor-remote/worker";
import { expect, test } from "vitest";

const headerBytes = 8;

/** Notifies until the waiting reader has woken up, and only then writes the message. */
const lateHost = `
  const { workerData: { memory, text } } = require("node:worker_threads");
  const state = new Int32Array(memory, 0, 2);
  while (Atomics.notify(state, 0) === 0);
  const bytes = new TextEncoder().encode(text);
  new Uint8Array(memory, ${headerBytes}).set(bytes);
  Atomics.store(state, 1, bytes.length);
  Atomics.store(state, 0, 1);
  Atomics.notify(state, 0);
`;

test("a signal that arrives after its message was taken repeats no part of it", async () => {
  const memory = new SharedArrayBuffer(headerBytes + 100);
  const state = new Int32Array(memory, 0, 2);
  const reader = new MailboxReader(memory, () => {});
  new Uint8Array(memory, headerBytes).set(new TextEncoder().encode("first"));
  state.set([1, 5]);
  expect(reader.read(-1)).toBe("first");

  const host = new Worker(lateHost, { eval: true, workerData: { memory, text: "second" } });
  // The first read may return no message, because a notification without a message may have woken
  // the reader. So a second read follows. The time limit is only there to end a test that hangs.
  expect(reader.read(60_000) ?? reader.read(60_000)).toBe("second");
  await host.terminate();
});
