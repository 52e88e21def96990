import { CodeAgent } from "@smolts/core";
import { AgentError, type Executor } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { expect, test } from "vitest";
import { childProcess } from "./child-process.ts";
import { approvals, code, sendingAgents } from "./sending-agents.ts";

const agents = () => sendingAgents(childProcess());

const program = [
  code("let runs = 0; const secret = new (class Opaque { n = 41 })(); runs"),
  code('runs++; console.log("before"); const said = await send({ text: "hello" }); runs++; console.log(said);'),
];

test("a block that waits for an approval continues in its sandbox, and no part of it runs twice", async () => {
  const { sent, agent } = agents();
  const result = await agent(program).run("Go.").result;
  expect([result.status, sent]).toEqual(["suspended", []]);
  const decisions = approvals(result);
  const answer = await agent([code("finalAnswer([runs, secret.n, said])")]).resume(result.log, { decisions });
  expect(answer).toEqual([2, 41, "sent"]);
  expect(sent).toEqual(["hello"]);
});

test("a managed agent and an approval work from a remote sandbox", async () => {
  const { sent, agent } = agents();
  const clerk = agent([code('finalAnswer(await send({ text: "from the clerk" }))')], {
    name: "clerk",
    description: "Sends.",
  });
  const manager = new CodeAgent({
    executor: childProcess(),
    model: scriptedModel([code('finalAnswer(await clerk({ task: "Send it." }))')]),
    managedAgents: [clerk],
    approve: async () => ({ type: "approve" }),
  });
  const result = await manager.run("Go.").result;
  expect([result.status, result.output, sent]).toEqual(["success", "sent", ["from the clerk"]]);
});

test("a run whose sandbox is gone is refused with a typed error", async () => {
  const { agent, sent } = agents();
  const result = await agent(program).run("Go.").result;
  const { livingRunners } = await import("./child-process.ts");
  for (const pid of livingRunners()) process.kill(pid, "SIGKILL");
  await expect.poll(() => livingRunners(), { timeout: 60_000 }).toEqual([]);
  const decisions = approvals(result);
  const resumed = agent([]).resume(result.log, { decisions });
  await expect(Promise.resolve(resumed)).rejects.toMatchObject({ code: "executor" });
  expect(sent).toEqual([]);
});

test("a host that attaches again gets all reports of the running block, and then the new ones", async () => {
  const factory = childProcess();
  const signal = new AbortController().signal;
  const first = await factory.open({ signal });
  await first.start({ tools: ["ask", "finalAnswer"] });
  const attachment = first.attachment?.() ?? null;
  const suspension = new AbortController();
  const source = 'console.log("a"); const x = await ask(1); console.log("b"); const y = await ask(2); [x, y]';
  const seen: string[] = [];
  const waiting = execute(
    first,
    source,
    suspension.signal,
    async ({ call, deliver }) => {
      if (call === 1) return await deliver("one");
      suspension.abort(new AgentError("suspended", "people decide"));
    },
    seen,
  );
  expect(await waiting).toMatchObject({ type: "stopped" });
  expect(await first.detach?.()).toBe(true);
  const second = await factory.open({ signal, attach: attachment });
  await second.start({ tools: ["ask", "finalAnswer"] });
  const result = await execute(
    second,
    source,
    signal,
    ({ call, deliver }) => deliver(call === 1 ? "again" : "two"),
    seen,
  );
  expect(result).toMatchObject({ type: "value", output: { value: ["one", "two"] } });
  expect(seen).toEqual(["a", "call 1", "b", "call 2", "a", "call 1", "b", "call 2"]);
  await second[Symbol.asyncDispose]();
});

interface Asked {
  readonly call: number;
  readonly deliver: (value: string) => Promise<void>;
}

function execute(
  executor: Executor,
  source: string,
  signal: AbortSignal,
  onCall: (asked: Asked) => Promise<void>,
  seen: string[],
) {
  return executor.execute(source, {
    id: "the block",
    signal,
    time: 0,
    seed: "seed",
    onConsole: ({ text }) => void seen.push(text),
    onCall: ({ callIndex }) => {
      seen.push(`call ${callIndex}`);
      const deliver = (value: string) => executor.deliver(callIndex, { type: "ok", value }, 0);
      void onCall({ call: callIndex, deliver });
    },
  });
}
