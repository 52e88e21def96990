// Tests the list of waiting calls while sessions of the store are added and removed.

import { memoryStore } from "@smolts/memory";
import type { RunStore } from "@smolts/protocol";
import { type ServeHandler, serveHandler } from "@smolts/serve";
import { expect, test } from "vitest";
import { agentOf, code, sendEmail } from "./example-agents.ts";

const key = "ana-0123456789abcdef";

/**
 * Starts a run that waits for approval. Its session is the oldest of many waiting sessions in the
 * store.
 */
async function waitingAmongOthers(store: RunStore): Promise<ServeHandler> {
  const agent = agentOf(() => code("finalAnswer(await sendEmail({ to: 'ana' }))"), [sendEmail([])]);
  const handler = serveHandler(agent, { auth: { key }, approvers: "clients", store, approvalWaitMs: 1 });
  await handler(
    new Request("http://localhost/v1/chat/completions", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: "helper", messages: [{ role: "user", content: "Go." }] }),
    }),
  );
  // The other sessions started later, so they are listed first.
  const [{ sessionId = "" } = {}] = await store.list();
  await using log = await store.open(sessionId, { readonly: true });
  for (let count = 1; count <= 120; count++) {
    await using other = await store.open(`other-${count}`);
    for await (const { seq: _, runId: _run, ...event } of log.read()) {
      if (event.type === "run-start" || event.type === "run-suspend")
        other.append(event, { ...event, runId: other.id });
    }
  }
  return handler;
}

async function listed(handler: ServeHandler): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await handler(new Request("http://localhost/v1/approvals", { headers }));
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { readonly data: readonly { readonly tool: string }[] };
  return data.map(({ tool }) => tool);
}

test("the list contains a waiting call after a session that is deleted while the list is read", async () => {
  const store = memoryStore();
  const deleting: RunStore = {
    ...store,
    async list(options) {
      const rows = await store.list(options);
      const last = rows.findLast(({ sessionId }) => sessionId.startsWith("other-"));
      if (last) await store.delete(last.sessionId);
      return rows;
    },
  };
  expect(await listed(await waitingAmongOthers(deleting))).toEqual(["sendEmail"]);
});

test("the list leaves out a run that is deleted while it is read", async () => {
  const store = memoryStore();
  let isDeleting = false;
  const deleting: RunStore = {
    ...store,
    async open(id, options) {
      const log = await store.open(id, options);
      if (!isDeleting || id.startsWith("other-")) return log;
      const read = (): AsyncIterable<never> => {
        throw new Error("ENOENT: the files are gone");
      };
      return { ...log, read };
    },
  };
  const handler = await waitingAmongOthers(deleting);
  expect(await listed(handler)).toEqual(["sendEmail"]);
  isDeleting = true;
  expect(await listed(handler)).toEqual([]);
});
