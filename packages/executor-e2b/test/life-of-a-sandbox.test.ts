import { CodeAgent } from "@smolts/core";
import { type E2bOptions, e2b } from "@smolts/executor-e2b";
import type { AgentError, ExecutionResult, Executor } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { type E2bServer, startE2bServer } from "@smolts/testing/e2b";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  approvals,
  approvedTool,
  code,
  expectContinued,
  sendingAgents,
} from "../../executor-remote/test/sending-agents.ts";

let server: E2bServer;
beforeEach(async () => {
  server = await startE2bServer();
});
afterEach(async () => {
  await expect.poll(() => [server.sandboxes, server.processes], patiently).toEqual([[], []]);
  await server.close();
});

/** A generous time limit, so that only a hang fails the test. */
const patiently = { timeout: 60_000 };
const never = new AbortController().signal;

const factory = (options: E2bOptions = {}) =>
  e2b({ apiKey: server.apiKey, apiUrl: server.url, sandboxUrl: server.url, ...options });

async function opened(options: E2bOptions = {}): Promise<Executor> {
  const executor = await factory(options).open({ signal: never });
  await executor.start({ tools: ["echo", "finalAnswer"] });
  return executor;
}

function execute(
  executor: Executor,
  code: string,
  onCall: (call: number) => void = () => {},
): Promise<ExecutionResult> {
  return executor.execute(code, {
    signal: never,
    time: 0,
    seed: "seed",
    onConsole: () => {},
    onCall: ({ callIndex }) => onCall(callIndex),
  });
}

test("a run that waits for an approval pauses its sandbox, and continues in it", () =>
  expectContinued(factory(), () =>
    expect.poll(() => server.requests.filter((request) => request.endsWith("/pause")).length, patiently).toBe(1),
  ));

test("a managed agent and an approval work from a sandbox", async () => {
  const { sent, send } = approvedTool();
  const clerk = new CodeAgent({
    executor: factory(),
    model: scriptedModel([code('finalAnswer(await send({ text: "from the clerk" }))')]),
    tools: [send],
    name: "clerk",
    description: "Sends.",
  });
  const manager = new CodeAgent({
    executor: factory(),
    model: scriptedModel([code('finalAnswer(await clerk({ task: "Send it." }))')]),
    managedAgents: [clerk],
    approve: async () => ({ type: "approve" }),
  });
  const result = await manager.run("Go.").result;
  expect([result.status, result.output, sent]).toEqual(["success", "sent", ["from the clerk"]]);
});

test("a resumed run whose sandbox was killed meanwhile is refused with the code executor", async () => {
  const { sent, agent } = sendingAgents(factory());
  const result = await agent([code('await send({ text: "hello" })')]).run("Go.").result;
  for (const id of server.sandboxes) await server.killSandbox(id);
  const decisions = approvals(result);
  const resumed = Promise.resolve(agent([]).resume(result.log, { decisions }));
  await expect(resumed).rejects.toMatchObject({ code: "executor", message: expect.stringContaining("is gone") });
  expect(sent).toEqual([]);
});

test("an invalid key is an error with a hint that does not contain the key", async () => {
  const opening = factory({ apiKey: "e2b_dead0000000000" }).open({ signal: never });
  const error = await opening.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "executor", message: expect.stringContaining("refused the API key") });
  expect(JSON.stringify((error as AgentError).toJSON())).not.toContain("e2b_dead");
});

test.each([
  ["a template that does not exist", { template: "nope" }, /no such template/],
  ["a sandbox to reconnect to that does not exist", { reconnect: "inope" }, /is gone/],
  ["a service that does not answer", { apiUrl: "http://127.0.0.1:9" }, /cannot be reached/],
] as const)("%s is an error with the code executor", async (_what, options, message) => {
  const error = await factory(options)
    .open({ signal: never })
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "executor", message: expect.stringMatching(message), hint: expect.any(String) });
});

test.each([
  [{ timeoutMs: 5 }, /timeoutMs is 5; expected a number >= 30000/],
  [{ template: "base", reconnect: "i1" }, /expected one of them/],
] as const)("%j is refused", (options, message) => {
  expect(() => e2b(options)).toThrow(message);
});

test("a template without the language is an error that names it", async () => {
  await using bare = await startE2bServer({ path: "/nowhere" });
  const options = { apiUrl: bare.url, sandboxUrl: bare.url, apiKey: bare.apiKey };
  const error = await factory(options)
    .open({ signal: never })
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "executor", message: expect.stringContaining("the template has no node") });
  await expect.poll(() => bare.sandboxes, patiently).toEqual([]);
});

test("a sandbox that is killed from outside fails the block with an error that says so", async () => {
  await using executor = await opened();
  const running = execute(executor, "await echo(1)", () => void server.killSandbox(server.sandboxes[0] ?? ""));
  await expect(running).rejects.toMatchObject({ code: "executor", message: expect.stringContaining("was killed") });
});

test("a runner that is killed in its sandbox fails the block, and the sandbox ends", async () => {
  await using executor = await opened();
  const kill = () => process.kill(server.processes[0] ?? 0, "SIGKILL");
  await expect(execute(executor, "await echo(1)", kill)).rejects.toMatchObject({
    code: "executor",
    message: expect.stringContaining("ended with exit code"),
  });
});

test("garbage from the guest fails the block, and the sandbox ends", async () => {
  await using executor = await opened();
  const garbage = `require("node:fs").writeSync(3, "garbage\\n"); await new Promise(() => {})`;
  await expect(execute(executor, garbage)).rejects.toMatchObject({ code: "executor", hint: expect.any(String) });
});

test("a value that cannot be copied out is an error of the program, and the session continues", async () => {
  await using executor = await opened();
  expect(await execute(executor, "await echo(() => 1)")).toMatchObject({
    type: "error",
    error: { message: expect.stringContaining("a function") },
  });
  expect(await execute(executor, "6 * 7")).toMatchObject({ type: "value", output: { value: 42 } });
});

test("if the network is interrupted in the middle of a block, nothing is lost", async () => {
  await using executor = await opened();
  const program = `
    const said = [];
    for (let n = 0; n < 3; n++) said.push(await echo(n));
    said.join("")`;
  const result = await execute(executor, program, (call) => {
    server.cut(call === 2 ? 250 : 0);
    void executor.deliver(call, { type: "ok", value: call }, 0);
  });
  expect(result).toMatchObject({ type: "value", output: { value: "123" } });
});

test("if the network does not come back, the block ends with the code executor", async () => {
  const executor = await opened();
  const running = execute(executor, "await echo(1)", () => server.cut(60_000));
  await expect(running).rejects.toMatchObject({ code: "executor" });
  await executor[Symbol.asyncDispose]();
  // The executor could not reach the server to kill the sandbox. In the real cloud, the timeout of
  // the sandbox would end it.
  for (const id of server.sandboxes) await server.killSandbox(id);
});

test.each(["unanswered", "dead"] as const)("a creation that is %s leaves no sandbox", async (how) => {
  server.failCreations(how);
  await expect(factory().open({ signal: never })).rejects.toMatchObject({ code: "executor" });
});

test("a refusal for too many sandboxes is an error with a hint", async () => {
  server.failCreations("full");
  await expect(factory().open({ signal: never })).rejects.toMatchObject({
    code: "executor",
    message: expect.stringContaining("refuses more requests"),
  });
});

test("an abort while a sandbox is created leaves no sandbox", async () => {
  const controller = new AbortController();
  const opening = factory().open({ signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(opening).rejects.toThrow("enough");
});

test("a sandbox to reconnect to is used and left alive", async () => {
  const { Sandbox } = await import("e2b");
  const connection = { apiKey: server.apiKey, apiUrl: server.url, sandboxUrl: server.url };
  const own = await Sandbox.create({ ...connection });
  const executor = await opened({ reconnect: own.sandboxId });
  expect(await execute(executor, "6 * 7")).toMatchObject({ type: "value", output: { value: 42 } });
  await executor[Symbol.asyncDispose]();
  await expect.poll(() => server.processes, patiently).toEqual([]);
  expect(server.sandboxes).toEqual([own.sandboxId]);
  await own.kill();
});

test("code sees the environment variables, but not the API key", async () => {
  await using executor = await opened({ envs: { CITY: "Bern" } });
  const program = "[process.env.CITY, Object.values(process.env).some((text) => text.includes('e2b_'))]";
  expect(await execute(executor, program)).toMatchObject({ type: "value", output: { value: ["Bern", false] } });
});

test("a pool is ended with its factory", async () => {
  const pooled = factory({ pool: 2 });
  pooled.warm();
  await expect.poll(() => server.sandboxes.length, patiently).toBe(2);
  await pooled[Symbol.asyncDispose]();
});
