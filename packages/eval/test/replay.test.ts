import { CodeAgent } from "@smolts/core";
import { compare, replay } from "@smolts/eval";
import { memoryStore } from "@smolts/memory";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

/** Creates an agent that makes payments, and the list of its payments. */
function payer(codes: readonly string[]) {
  const payments: number[] = [];
  const pay = tool({
    name: "pay",
    description: "Pays.",
    input: { amount: "number" },
    execute: ({ amount }) => {
      payments.push(amount);
      return `receipt ${payments.length}`;
    },
  });
  const model = scriptedModel(codes.map((code) => `<code>${code}</code>`));
  return { payments, agent: new CodeAgent({ model, tools: [pay] }) };
}

const twice = "finalAnswer([await pay({ amount: 5 }), await pay({ amount: 5 })])";

async function recorded() {
  const runs = memoryStore();
  await payer([twice]).agent.with({ store: runs }).run("Pay 5 twice.");
  return runs;
}

test("a changed agent repeats the tasks of stored runs, and no payment is made again", async () => {
  const { agent, payments } = payer([
    "const first = await pay({ amount: 5 })",
    "finalAnswer([first, await pay({ amount: 5 })])",
  ]);
  const { before, after } = await replay({ runs: await recorded(), agent });
  expect(after.rows[0]).toMatchObject({ input: "Pay 5 twice.", answer: '["receipt 1","receipt 2"]', steps: 2 });
  expect(compare(before, after).scores["exact"]).toMatchObject({ before: 1, after: 1 });
  expect(payments).toEqual([]);
});

test("the recorded runs have the tokens and steps that they took when they ran", async () => {
  const { agent } = payer([twice]);
  const { before, after } = await replay({ runs: await recorded(), agent });
  expect(before.rows[0]).toMatchObject({ steps: 1, usage: after.rows[0]?.usage });
  expect(before.summary.usage).toEqual(after.summary.usage);
  expect(compare(before, after).tokens).toMatchObject({ difference: 0, before: after.rows[0]?.usage?.totalTokens });
});

test("a payment that was not recorded is refused, and the model sees why", async () => {
  const { agent, payments } = payer(["await pay({ amount: 6 })", 'finalAnswer("gave up")']);
  const { after } = await replay({ runs: await recorded(), agent });
  expect(after.rows[0]).toMatchObject({ answer: "gave up", scores: { exact: { value: 0 } } });
  expect(payments).toEqual([]);
});

test("tools have their effects again when the caller asks for it", async () => {
  const { agent, payments } = payer([twice]);
  await replay({ runs: await recorded(), agent, effects: "live" });
  expect(payments).toEqual([5, 5]);
});

test("an agent whose managed agents could have effects is refused", async () => {
  const { agent } = payer([]);
  const worker = agent.with({ name: "worker", description: "Works." });
  const model = scriptedModel([]);
  const runs = await recorded();
  for (const manager of [{ managedAgents: [worker] }, { tools: [worker.asTool()] }]) {
    const replaying = replay({ runs, agent: new CodeAgent({ model, ...manager }) });
    await expect(replaying).rejects.toThrow("cannot replace the tools of managed agents");
  }
});

test("an unknown run and an empty store are refused", async () => {
  const { agent } = payer([]);
  await expect(replay({ runs: memoryStore(), agent })).rejects.toThrow("no run that ended with an answer");
  await expect(replay({ runs: memoryStore(), agent, runIds: ["x"] })).rejects.toThrow('no run "x"');
});
