import { HttpAgent, type Message, verifyEvents } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import type { RunEvent } from "@smolts/protocol";
import { toAgui, toResponse } from "@smolts/streams";
import { from, lastValueFrom, toArray } from "rxjs";
import { describe, expect, test } from "vitest";
import { all, cutOff, durableOf, exampleNames, exampleRuns, liveEvents } from "./example-runs.ts";

const options = { threadId: "t", runId: "r", protocolVersion: "1.0" };

/**
 * Checks the events against the official schemas, and against the client's rules for their order.
 */
async function mustBeValid(events: readonly RunEvent[], given: Parameters<typeof toAgui>[1]): Promise<void> {
  const wire = await all(toAgui(events, given));
  for (const event of wire) EventSchemas.parse(event);
  await lastValueFrom(verifyEvents(false)(from(wire as never[])).pipe(toArray()), { defaultValue: [] });
}

describe.each(exampleNames)("a run with %s", (name) => {
  test("is valid AG-UI: live, from its log, and for clients older than 1.0", async () => {
    const events = await liveEvents(name);
    for (const source of [events, durableOf(events)]) {
      await mustBeValid(source, options);
      await mustBeValid(source, {});
    }
  });

  test("is valid AG-UI wherever it breaks off", async () => {
    const events = await liveEvents(name);
    for (let count = 1; count < events.length; count++) {
      const wire = await all(toAgui(cutOff(events, count), options));
      expect(wire.at(-1)?.type).toMatch(/RUN_FINISHED|RUN_ERROR/);
      await mustBeValid(cutOff(events, count), options);
    }
  });

  test("gives the same events live and from its log", async () => {
    const events = await liveEvents(name);
    const texts = async (source: readonly RunEvent[]) => {
      const wire = await all(toAgui(source, options));
      const join = (type: string): string =>
        wire.flatMap((event) => (event.type === type ? [String(event["delta"])] : [])).join("");
      return {
        thoughts: join("REASONING_MESSAGE_CONTENT").replace(/\s+/g, " ").trim(),
        calls: join("TOOL_CALL_ARGS"),
        answer: join("TEXT_MESSAGE_CONTENT"),
        results: wire.flatMap((event) => (event.type === "TOOL_CALL_RESULT" ? [event["content"]] : [])),
        end: wire.at(-1)?.["outcome"],
      };
    };
    const [live, logged] = [await texts(events), await texts(durableOf(events))];
    // Do not compare runs with managed agents: with deltas, agents that run in parallel are
    // reported in another order.
    if (!name.includes("managed")) expect(logged).toEqual(live);
    expect(logged.answer).toEqual(live.answer);
  });
});

test("code streams as the argument of a call, and the pieces are valid JSON together", async () => {
  const wire = await all(toAgui(await liveEvents("code, a tool, output and an answer"), options));
  const start = wire.find((event) => event.type === "TOOL_CALL_START" && event["toolCallName"] === "runCode")!;
  const pieces = wire.filter((event) => event.type === "TOOL_CALL_ARGS" && event["toolCallId"] === start["toolCallId"]);
  expect(pieces.length).toBeGreaterThan(5);
  const { code } = JSON.parse(pieces.map(({ delta }) => delta).join("")) as { code: string };
  expect(code).toContain("const x = await add({ a: 1, b: 2 })");
});

test("a run that waits for a person ends as interrupted, with the question", async () => {
  const wire = await all(toAgui(await liveEvents("a call that waits for a person"), options));
  expect(wire.at(-1)).toMatchObject({
    type: "RUN_FINISHED",
    outcome: {
      type: "interrupt",
      interrupts: [
        { reason: "tool_call", metadata: { smolts: { input: { to: "ana@example.org" }, tool: "sendEmail" } } },
      ],
    },
  });
});

test("managed agents are sub-agents below their call", async () => {
  const wire = await all(toAgui(await liveEvents("a plan, and a managed agent twice"), options));
  const starts = wire.filter(({ type }) => type === "SUBAGENT_STARTED");
  expect(new Set(starts.map(({ subagentRunId }) => subagentRunId)).size).toBe(2);
  const callIds = wire.flatMap((event) => (event.type === "TOOL_CALL_START" ? [event["toolCallId"]] : []));
  for (const { parentToolCallId } of starts) expect(callIds).toContain(parentToolCallId);
});

test("the official client reads a run over HTTP, as server-sent events", async () => {
  const response = () =>
    toResponse(exampleRuns["a plan, and a managed agent twice"](), { format: "ag-ui", ...options });
  const agent = new HttpAgent({ url: "http://localhost/agui", threadId: "t", fetch: async () => response() });
  agent.addMessage({ id: "1", role: "user", content: "Ask." });
  const { newMessages } = await agent.runAgent({ runId: "r" });
  const answer = newMessages.findLast((message: Message) => message.role === "assistant" && message.content);
  expect(answer?.content).toBe("42");
});
