import { memoryLog, openRequests } from "@smolts/memory";
import type { DurableBody, DurableEvent } from "@smolts/protocol";
import { expect, test } from "vitest";

const asked = (callId: string): DurableBody => ({
  type: "approval-request",
  callId,
  name: "pay",
  input: null,
  digest: "d",
  definitionDigest: "t",
  each: false,
});
const ended = (callId: string): DurableBody => ({ type: "tool-result", callId, outcome: { type: "ok", value: null } });
const resumed: DurableBody = { type: "run-resume", attempt: 2, definitionDigest: "a" };

/** Returns the ids of the calls that wait for a decision after these events. */
function openAfter(...bodies: readonly DurableBody[]): readonly string[] {
  const log = memoryLog();
  for (const body of bodies) log.append(body, { runId: "r", path: ["agent"] });
  return openRequests(log.events as readonly DurableEvent[]).map(({ id }) => id);
}

const facts: [what: string, bodies: readonly DurableBody[], open: readonly string[]][] = [
  ["a call that waits for a decision", [asked("agent/1.1")], ["agent/1.1"]],
  ["a call that still waits after a resume", [asked("agent/1.1"), resumed], ["agent/1.1"]],
  ["the question of a tool that is running", [asked("agent/1.1?1.1")], ["agent/1.1?1.1"]],
  ["the question of a tool whose call has ended", [asked("agent/1.1?1.1"), ended("agent/1.1")], []],
  ["the question of another call", [asked("agent/1.11?1.1"), ended("agent/1.1")], ["agent/1.11?1.1"]],
  ["the question of a tool that was interrupted", [asked("agent/1.1?1.1"), resumed], []],
];

test.each(facts)("%s", (_what, bodies, open) => {
  expect(openAfter(...bodies)).toEqual(open);
});
