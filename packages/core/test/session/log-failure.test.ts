// If the log cannot be written, the run reports the failure. The run never leaves its caller
// waiting, and never causes an unhandled rejection.

import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import { type MemoryLog, memoryLog } from "@smolts/memory";
import type { Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect, test } from "vitest";

const send: Tool = tool({ name: "send", description: "Sends.", effects: "once", execute: () => "sent" });

const agents = {
  code: () => new CodeAgent({ model: scriptedModel(["<code>await send(); finalAnswer(1)</code>"]), tools: [send] }),
  "tool-calling": () =>
    new ToolCallingAgent({
      model: scriptedModel([
        { toolCalls: [{ name: "send", input: {} }] },
        { toolCalls: [{ name: "finalAnswer", input: { answer: 1 } }] },
      ]),
      tools: [send],
    }),
};

const failures: [what: string, breakLog: (log: MemoryLog) => Partial<MemoryLog>][] = [
  ["flush rejects", () => ({ flush: () => Promise.reject(new Error("disk full")) })],
  ["flush rejects at the end of the run", (log) => flushFailingAt(log, "run-end")],
  ["append throws in the middle", (log) => appendFailingFrom(log, "tool-call")],
  ["append throws at the end of the run", (log) => appendFailingFrom(log, "run-end")],
  ["append throws from the first", (log) => appendFailingFrom(log, "run-start")],
];

function flushFailingAt(log: MemoryLog, type: string): Partial<MemoryLog> {
  return {
    flush: async () => {
      if (log.events.at(-1)?.type === type) throw new Error("disk full");
    },
  };
}

function appendFailingFrom(log: MemoryLog, type: string): Partial<MemoryLog> {
  let isBroken = false;
  return {
    append: (body, at) => {
      isBroken ||= body.type === type;
      if (isBroken) throw new Error("disk full");
      return log.append(body, at);
    },
  };
}

const cases = failures.flatMap(([what, breakLog]) =>
  (["code", "tool-calling"] as const).map((kind) => [what, kind, breakLog] as const),
);

test.each(cases)(
  "when %s, a run of a %s agent fails with the code log, and nothing is unhandled",
  async (_what, kind, breakLog) => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    const log = memoryLog();
    const session = agents[kind]().session({ log: { ...log, ...breakLog(log) } });
    const { status, error } = await session.run("Do it.").result;
    await session[Symbol.asyncDispose]();
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off("unhandledRejection", note);
    expect([status, error?.code, error?.message]).toEqual(["failed", "log", expect.stringContaining("disk full")]);
    expect(unhandled).toEqual([]);
    expect(log.events.filter(({ type }) => type === "run-end").length).toBeLessThanOrEqual(1);
  },
);

test.each([
  ["append throws", (log: MemoryLog) => appendFailingFrom(log, "run-suspend")],
  ["flush rejects", (log: MemoryLog) => flushFailingAt(log, "run-suspend")],
])("when %s as a run is suspended, the run fails, and the session takes the next one", async (_what, breakLog) => {
  const asking: Tool = tool({ name: "send", description: "Sends.", needsApproval: true, execute: () => "sent" });
  const log = memoryLog();
  const session = agents
    .code()
    .with({ tools: [asking] })
    .session({ log: { ...log, ...breakLog(log) } });
  const { status, error } = await session.run("Do it.").result;
  expect([status, error?.code]).toEqual(["failed", "log"]);
  expect((await session.run("Do more.").result).error?.code).toBe("log");
});

test("an effect whose beginning is not safe in the log does not happen", async () => {
  let sent = 0;
  const count: Tool = tool({ name: "send", description: "Sends.", effects: "once", execute: () => ++sent });
  const flush = () => Promise.reject(new Error("disk full"));
  await agents
    .code()
    .with({ tools: [count] })
    .session({ log: { ...memoryLog(), flush } })
    .run("Do it.").result;
  expect(sent).toBe(0);
});
