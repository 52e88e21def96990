// Tests runs whose sandbox was lost and whose code cannot run again. Such a run continues only if
// the caller accepts the loss. Then the log records it and the model is informed.

import { CodeAgent } from "@smolts/core";
import { memoryLog } from "@smolts/memory";
import type { DurableEvent, RunLog } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";
import { childProcess, livingRunners } from "./child-process.ts";

const code = (text: string): string => `<code>\n${text}\n</code>`;
const isThere = code('finalAnswer([typeof total, typeof given === "undefined" ? null : given])');

function sending({ needsApproval = false, onSend = () => {} }: { needsApproval?: boolean; onSend?: () => void } = {}) {
  const sent: string[] = [];
  const send = tool({
    name: "send",
    description: "Sends a text.",
    input: { text: "string" },
    needsApproval,
    execute: ({ text }) => {
      sent.push(text);
      onSend();
      return "sent";
    },
  });
  return { sent, send };
}

async function eventsOf(log: RunLog): Promise<readonly DurableEvent[]> {
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  return events;
}

async function killAll(): Promise<void> {
  for (const pid of livingRunners()) process.kill(pid, "SIGKILL");
  await expect.poll(livingRunners, { timeout: 60_000 }).toEqual([]);
}

/** A run of two blocks. The second one waits for an approval when its sandbox is killed. */
async function lostRun() {
  const { sent, send } = sending({ needsApproval: true });
  const agentWith = (replies: readonly string[]) =>
    new CodeAgent({ executor: childProcess(), model: scriptedModel(replies), tools: [send] });
  const begun = await agentWith([code("let total = 1;"), code('total += 1; await send({ text: "hello" });')]).run(
    "Go.",
    { additionalArgs: { given: 7 } },
  ).result;
  expect(begun.status).toBe("suspended");
  await killAll();
  return { sent, log: begun.log, pending: begun.pending ?? [], agentWith };
}

test("a run whose sandbox is lost continues in an empty one if its caller asks for that", async () => {
  const { sent, log, agentWith } = await lostRun();
  const model = scriptedModel([isThere]);
  const { send } = sending({ needsApproval: true });
  const agent = new CodeAgent({ executor: childProcess(), model, tools: [send] });
  await expect(Promise.resolve(agentWith([]).resume(log))).rejects.toMatchObject({ code: "executor" });
  expect(await agent.resume(log, { emptySandbox: true })).toEqual(["undefined", 7]);
  expect(sent).toEqual([]);
  const events = await eventsOf(log);
  expect(events.findLast(({ type }) => type === "run-resume")).toMatchObject({ emptySandbox: true });
  const asked = JSON.stringify(model.requests[0]?.messages);
  expect(asked).toContain("The sandbox that ran your code was lost");
  expect(asked).toContain("the sandbox was lost while the code ran");
});

test("calls that were approved for a lost block are not made", async () => {
  const { sent, log, pending, agentWith } = await lostRun();
  const decisions = pending.map(({ id, digest }) => ({ id, digest, type: "approve" as const }));
  expect(await agentWith([isThere]).resume(log, { decisions, emptySandbox: true })).toEqual(["undefined", 7]);
  expect(sent).toEqual([]);
  const outcomes = (await eventsOf(log)).flatMap((event) => (event.type === "tool-result" ? [event.outcome.type] : []));
  expect(outcomes).toContain("cancelled");
});

test("a call that had started in a lost block may have happened, and is not made again", async () => {
  let atCrash: readonly DurableEvent[] = [];
  const log = memoryLog();
  const { sent, send } = sending({ onSend: () => (atCrash = [...log.events]) });
  const agentWith = (replies: readonly string[]) =>
    new CodeAgent({ executor: childProcess(), model: scriptedModel(replies), tools: [send] });
  await using session = agentWith([code('await send({ text: "hello" })'), code("finalAnswer(1)")]).session({ log });
  await session.run("Go.");
  await killAll();
  const crashed = memoryLog({ events: atCrash });
  expect(await agentWith([code("finalAnswer(2)")]).resume(crashed, { emptySandbox: true })).toBe(2);
  expect(sent).toEqual(["hello"]);
  const outcome = crashed.events.find((event) => event.type === "tool-result" && event.outcome.type === "unknown");
  expect(outcome).toBeDefined();
});

test("a later resume finds the new sandbox again, without a notice about the old one", async () => {
  const { log, agentWith } = await lostRun();
  const again = [code("let total = 5;"), code('await send({ text: "again" }); finalAnswer(total)')];
  const second = await agentWith(again).resume(log, { emptySandbox: true }).result;
  expect(second.status).toBe("suspended");
  const decisions = (second.pending ?? []).map(({ id, digest }) => ({ id, digest, type: "approve" as const }));
  const third = agentWith([]).resume(log, { decisions });
  expect(await third).toBe(5);
  const notices = (await eventsOf(log)).filter((event) => JSON.stringify(event).includes("ran your code was lost"));
  expect(notices).toHaveLength(1);
});

test("a session continues after its sandbox was killed, in an empty one", async () => {
  const replies = [code("let total = 1; finalAnswer(total)"), code("finalAnswer(total)"), isThere];
  await using session = new CodeAgent({ executor: childProcess(), model: scriptedModel(replies) }).session();
  expect(await session.run("Go.")).toBe(1);
  await killAll();
  await expect(Promise.resolve(session.run("Go on."))).rejects.toMatchObject({ code: "executor" });
  expect(await session.run("Go on.", { emptySandbox: true })).toEqual(["undefined", null]);
  const messages = session.steps.filter(({ type }) => type === "message");
  expect(JSON.stringify(messages)).toContain("ran your code was lost");
});

test("another process continues a session whose sandbox has ended", async () => {
  const agentWith = (reply: string) => new CodeAgent({ executor: childProcess(), model: scriptedModel([reply]) });
  const log = memoryLog();
  await using first = agentWith(code("let total = 1; finalAnswer(total)")).session({ log });
  await first.run("Go.");
  await killAll();
  await using second = agentWith(isThere).session({ log: memoryLog({ events: log.events }) });
  expect(await second.run("Go on.", { emptySandbox: true })).toEqual(["undefined", null]);
});

test("the model of a managed agent learns about its own sandbox", async () => {
  const { sent, send } = sending({ needsApproval: true });
  const clerkModel = scriptedModel([code("let total = 1;"), code('await send({ text: "a" })')]);
  const team = (model: typeof clerkModel, replies: readonly string[]) => {
    const named = { name: "clerk", description: "Sends." };
    const clerk = new CodeAgent({ executor: childProcess(), model, tools: [send], ...named });
    return new CodeAgent({ model: scriptedModel(replies), managedAgents: [clerk] });
  };
  const begun = await team(clerkModel, [code('finalAnswer(await clerk({ task: "Send it." }))')]).run("Go.").result;
  expect(begun.status).toBe("suspended");
  await killAll();
  const later = scriptedModel([code("finalAnswer(typeof total)")]);
  expect(await team(later, []).resume(begun.log, { emptySandbox: true })).toBe("undefined");
  expect(JSON.stringify(later.requests[0]?.messages)).toContain("ran your code was lost");
  expect(sent).toEqual([]);
});

test("a fork repeats steps in an empty sandbox", async () => {
  const { log, agentWith } = await lostRun();
  await expect(Promise.resolve(agentWith([]).fork(log, { atStep: 2 }))).rejects.toMatchObject({ code: "executor" });
  expect(await agentWith([isThere]).fork(log, { atStep: 2, emptySandbox: true })).toEqual(["undefined", 7]);
});

test("a sandbox that the log can rebuild keeps its variables", async () => {
  const begun = new CodeAgent({ model: scriptedModel([code("let total = 3;")]) });
  const { log } = await begun.run("Go.", { maxSteps: 2 }).result;
  const agent = new CodeAgent({ model: scriptedModel([code("finalAnswer(total)")]) });
  expect(await agent.resume(log, { emptySandbox: true })).toBe(3);
});

test("any other type than a boolean is refused", () => {
  const agent = new CodeAgent({ model: scriptedModel([]) });
  expect(() => agent.resume(memoryLog(), { emptySandbox: "yes" as never })).toThrow(/emptySandbox/);
});
