import { CodeAgent } from "@smolts/core";
import { worker } from "@smolts/executor-worker";
import type { Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const code = (text: string): string => `<code>\n${text}\n</code>`;

test("agents whose code runs in threads manage agents, wait for people and continue", async () => {
  const sent: string[] = [];
  const send = tool({
    name: "send",
    description: "Sends a text.",
    input: { text: "string" },
    needsApproval: ({ text }) => text === "second",
    execute: ({ text }) => void sent.push(text),
  }) as Tool;
  const executor = worker();
  const team = (manager: readonly string[], clerk: readonly string[]) =>
    new CodeAgent({
      executor,
      model: scriptedModel(manager),
      managedAgents: [
        new CodeAgent({ executor, model: scriptedModel(clerk), name: "clerk", description: "Sends.", tools: [send] }),
      ],
    });
  const result = await team(
    [code('finalAnswer(await clerk({ task: "Send two." }))')],
    [code('await Promise.all([send({ text: "second" }), send({ text: "first" })]); finalAnswer("both sent")')],
  ).run("Go.").result;
  expect([result.status, sent]).toEqual(["suspended", ["first"]]);
  const decisions = (result.pending ?? []).map(({ id, digest }) => ({ id, digest, type: "approve" as const }));
  expect(await team([], []).resume(result.log, { decisions })).toBe("both sent");
  expect(sent).toEqual(["first", "second"]);
});
