import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import { memoryLog, memoryStore } from "@smolts/memory";
import type { DurableEvent, RunLog, Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const code = (text: string): string => `<code>\n${text}\n</code>`;

async function eventsOf(log: RunLog): Promise<readonly DurableEvent[]> {
  const events: DurableEvent[] = [];
  for await (const event of log.read()) events.push(event);
  return events;
}

function world(effects: "none" | "once" = "none") {
  const asked: string[] = [];
  const keys: string[] = [];
  const look = tool({
    name: "look",
    description: "Looks something up.",
    input: { what: "string" },
    effects,
    execute: (input, { idempotencyKey }) => {
      const { what } = input as { what: string };
      asked.push(what);
      keys.push(idempotencyKey);
      return `${what}!`;
    },
  }) as Tool;
  return { look, asked, keys };
}

const steps = [
  code('const first = await look({ what: "a" }); const drawn = Math.random(); const at = Date.now(); print(drawn, at)'),
  code('const second = await look({ what: "b" }); print(Math.random())'),
  code("finalAnswer([first, second, drawn, at])"),
];

/** A run of three steps. */
async function threeSteps(effects?: "once") {
  const made = world(effects);
  const { log, output } = await new CodeAgent({ model: scriptedModel(steps), tools: [made.look] }).run("Go.").result;
  return { ...made, log, output: output as unknown[] };
}

const printedBy = async (log: RunLog): Promise<string[]> =>
  (await eventsOf(log)).flatMap((event) => (event.type === "console" ? [event.text] : []));

test("shares the earlier steps with their values, and runs other code in the step", async () => {
  const { log, look, asked, output } = await threeSteps();
  const before = JSON.stringify(await eventsOf(log));
  const model = scriptedModel([code("finalAnswer([first, second, drawn, at])")]);
  const fork = new CodeAgent({ model, tools: [look] }).fork(log, {
    atStep: 2,
    code: 'const second = await look({ what: "c" });',
  });
  expect(await fork).toEqual([output[0], "c!", output[2], output[3]]);
  expect(asked).toEqual(["a", "b", "c"]);
  expect(JSON.stringify(await eventsOf(log))).toBe(before);
  // The model reads the code as if it had written the code itself.
  const written = model.requests[0]?.messages.flatMap(({ content }) => content.map((part) => JSON.stringify(part)));
  expect(written?.filter((text) => text.includes('what: \\"c\\"'))).toHaveLength(1);
  expect(written?.filter((text) => text.includes('what: \\"b\\"'))).toHaveLength(0);
});

test("asks the model again with the message, and uses other random numbers from there on", async () => {
  const { log, look } = await threeSteps();
  const model = scriptedModel(steps.slice(1));
  const { log: forked, steps: remembered } = await new CodeAgent({ model, tools: [look] }).fork(log, {
    atStep: 2,
    message: "Look at b with more care.",
  }).result;
  expect(JSON.stringify(model.requests[0]?.messages.at(-1))).toContain("with more care");
  const [first, second] = await printedBy(log);
  const [sharedFirst, newSecond] = await printedBy(forked);
  expect(sharedFirst).toBe(first);
  expect(newSecond).not.toBe(second);
  expect(remembered.at(-1)?.type).toBe("final-answer");
});

test("continues after the last step of a run that has ended", async () => {
  const { log, look } = await threeSteps();
  const model = scriptedModel([code("finalAnswer(first.repeat(2))")]);
  const fork = new CodeAgent({ model, tools: [look] }).fork(log, { atStep: 4, message: "Now say it twice." });
  expect(await fork).toBe("a!a!");
});

test("refuses to repeat effects without repeatEffects, and lists them", async () => {
  const { log, look, asked, keys } = await threeSteps("once");
  const agent = (script: string[]) => new CodeAgent({ model: scriptedModel(script), tools: [look] });
  const { error } = await agent([]).fork(log, { atStep: 2 }).result;
  expect(error).toMatchObject({
    code: "effects-repeat",
    message: expect.stringContaining('look({"what":"b"})'),
    details: [{ id: "agent/2.1", name: "look", input: { what: "b" } }],
  });
  expect(asked).toEqual(["a", "b"]);
  // The effects of the shared steps are not repeated, so the fork needs no permission for them.
  expect(await agent([code("finalAnswer(second)")]).fork(log, { atStep: 3 })).toBe("b!");
  expect(await agent(steps.slice(1)).fork(log, { atStep: 2, repeatEffects: true })).toHaveLength(4);
  expect(asked).toEqual(["a", "b", "b"]);
  expect(keys[2]).not.toBe(keys[1]);
});

test("keeps a fork in the store, with images, and resumes it like any other run", async () => {
  const store = memoryStore();
  const { look } = world();
  const { image } = await import("@smolts/core");
  const pixel = image(new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]), { mediaType: "image/png" });
  const agent = (script: string[]) => new CodeAgent({ model: scriptedModel(script), tools: [look], store });
  await agent(steps).run([{ type: "text", text: "What is it?" }, pixel], { runId: "r1" });
  const fork = agent(["no code", "no code either"]).fork("r1", { atStep: 3, runId: "r2" });
  // The script has no more replies, so the model fails.
  expect((await fork.result).status).toBe("failed");
  expect(await agent([code("finalAnswer(second)")]).resume("r2")).toBe("b!");
  expect((await store.list()).map(({ runId, status }) => [runId, status])).toEqual(
    expect.arrayContaining([
      ["r1", "success"],
      ["r2", "success"],
    ]),
  );
  const again = agent([code("finalAnswer(3)")]).fork("r2", { atStep: 2, runId: "r3" });
  expect(await again).toBe(3);
  expect((await eventsOf((await again.result).log)).filter(({ type }) => type === "fork")).toHaveLength(2);
});

test("does not share `always` approvals or requests", async () => {
  const { look, asked } = world("once");
  const guarded = { ...look, needsApproval: () => true };
  const agent = (script: string[], approve?: () => { type: "always" }) =>
    new CodeAgent({ model: scriptedModel(script), tools: [guarded], ...(approve && { approve }) });
  const { log } = await agent(steps, () => ({ type: "always" })).run("Go.").result;
  const { status, pending } = await agent(steps.slice(1)).fork(log, { atStep: 2, repeatEffects: true }).result;
  expect([status, pending?.length, asked]).toEqual(["suspended", 1, ["a", "b"]]);
});

test("forks an agent that makes JSON calls, with a managed agent in the shared steps", async () => {
  const { look, asked } = world();
  const helperModel = scriptedModel([code('finalAnswer(await look({ what: "x" }))')]);
  const helper = new CodeAgent({ model: helperModel, tools: [look], name: "helper", description: "Helps." });
  const call = (name: string, input: object) => ({ toolCalls: [{ name, input }] });
  const script = [call("helper", { task: "Look." }), call("look", { what: "y" }), call("finalAnswer", { answer: 1 })];
  const agent = (some: typeof script) =>
    new ToolCallingAgent({ model: scriptedModel(some as never), tools: [look], managedAgents: [helper] });
  const { log } = await agent(script as never).run("Go.").result;
  expect(await agent([call("finalAnswer", { answer: 2 })] as never).fork(log, { atStep: 2 })).toBe(2);
  expect(asked).toEqual(["x", "y"]);
  await expect(agent([]).fork(log, { atStep: 2, code: "1" })).rejects.toMatchObject({ code: "invalid-option" });
});

test("says what is wrong with a fork, and starts nothing", async () => {
  const { log, look } = await threeSteps();
  const agent = new CodeAgent({ model: scriptedModel([]), tools: [look] });
  expect(() => agent.fork(log, {} as never)).toThrow(/atStep is undefined/);
  expect(() => agent.fork(log, { atStep: 1, code: " " })).toThrow(/code is empty/);
  expect(() => agent.fork("r1", { atStep: 1 })).toThrow(/fork\("r1"\) needs a store/);
  await expect(agent.fork(log, { atStep: 9 })).rejects.toThrow(/no step 9/);
  await expect(agent.fork(memoryLog(), { atStep: 1 })).rejects.toMatchObject({ code: "log" });
});

test("refuses a fork whose copy is incomplete", async () => {
  const { log, look } = await threeSteps();
  const agent = (script: string[]) => new CodeAgent({ model: scriptedModel(script), tools: [look] });
  const { log: forked } = await agent(steps.slice(2)).fork(log, { atStep: 3 }).result;
  const events = (await eventsOf(forked)).slice(0, 6);
  await expect(agent([]).resume(memoryLog({ events }))).rejects.toMatchObject({ code: "log-truncated" });
});

test("a session that has had a run refuses a fork", async () => {
  const agent = new CodeAgent({ model: scriptedModel([code("const x = 1"), code("finalAnswer(2)")]) });
  const { log } = await agent.run("Go.").result;
  const session = new CodeAgent({ model: scriptedModel([code("finalAnswer(1)")]) }).session();
  await session.run("One.");
  expect((await session.fork(log, { atStep: 2 }).result).error?.code).toBe("invalid-option");
  await session[Symbol.asyncDispose]();
});
