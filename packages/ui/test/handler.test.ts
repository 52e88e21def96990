import { CodeAgent } from "@smolts/core";
import type { RunEvent } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { createUIHandler } from "@smolts/ui";
import { expect, test } from "vitest";
import { isAtRest, PageClient } from "./page-client.ts";

test("serves the page, starts a run and streams its events", async () => {
  const agent = new CodeAgent({ model: scriptedModel(["I add.\n<code>\nfinalAnswer(1 + 1)\n</code>"]) });
  const ui = createUIHandler(agent);
  const client = await PageClient.enter(ui);
  const page = await client.send("GET", "");
  expect(await page.text()).toContain("<agent-ui");
  const { id } = await client.newSession();
  await client.start(id, "Add.");
  const events: RunEvent[] = [];
  for await (const { message } of client.messages(id)) {
    if (message.type === "events") events.push(...message.events);
    if (isAtRest(message)) break;
  }
  const types = events.map(({ type }) => type);
  expect(types).toContain("model-response");
  expect(events.at(-1)).toMatchObject({ type: "run-end", status: "success", answer: 2 });
});
