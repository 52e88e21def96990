import { memoryStore } from "@smolts/memory";
import type { RunStore } from "@smolts/protocol";
import { expect, test } from "vitest";
import { findSession } from "../src/store/stored-run.ts";
import { runStart } from "./recorded-run.ts";

test("a run is found by the beginning of its id while other sessions are deleted", async () => {
  const store = memoryStore();
  await begin(store, "wanted-run");
  for (let count = 1; count <= 1_001; count++) await begin(store, `other-${count}`);
  const deleting: RunStore = {
    ...store,
    async list(options) {
      const rows = await store.list(options);
      const last = rows.findLast(({ sessionId }) => sessionId.startsWith("other-"));
      if (last) await store.delete(last.sessionId);
      return rows;
    },
  };
  expect(await findSession(deleting, "want")).toEqual({ runId: "wanted-run", sessionId: "wanted-run" });
});

async function begin(store: RunStore, runId: string): Promise<void> {
  await using log = await store.open(runId);
  log.append(runStart("Go."), { runId, path: ["agent"] });
}
