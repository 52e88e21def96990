// Agents whose blocks wait for an approval, and what becomes of such a run in any executor.

import { CodeAgent } from "@smolts/core";
import type { ExecutorFactory, Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect } from "vitest";

/** A block as a model writes it. */
export const code = (text: string): string => `<code>\n${text}\n</code>`;

/** A tool that sends when it is approved, and the texts that it has sent. */
export function approvedTool(): { readonly sent: string[]; readonly send: Tool } {
  const sent: string[] = [];
  const send = tool({
    name: "send",
    description: "Sends a text.",
    input: { text: "string" },
    needsApproval: true,
    execute: ({ text }) => {
      sent.push(text);
      return "sent";
    },
  }) as Tool;
  return { sent, send };
}

/** Agents with that tool, all in one executor; each gets the texts that its model says. */
export function sendingAgents(executor: ExecutorFactory) {
  const { sent, send } = approvedTool();
  const agent = (replies: readonly string[], named: { readonly name?: string; readonly description?: string } = {}) =>
    new CodeAgent({ executor, model: scriptedModel(replies), tools: [send], ...named });
  return { sent, send, agent };
}

/** A decision for each call that waits. */
export const approvals = ({ pending = [] }: { readonly pending?: readonly { id: string; digest: string }[] }) =>
  pending.map(({ id, digest }) => ({ id, digest, type: "approve" as const }));

/** A block that waits for an approval continues in its sandbox, with its variables. */
export async function expectContinued(executor: ExecutorFactory, whileSuspended = async () => {}): Promise<void> {
  const { sent, agent } = sendingAgents(executor);
  const first = agent([code('let runs = 1; const said = await send({ text: "hello" }); runs++;')]);
  const result = await first.run("Go.").result;
  expect([result.status, sent]).toEqual(["suspended", []]);
  await whileSuspended();
  const decisions = approvals(result);
  const answer = await agent([code("finalAnswer([runs, said])")]).resume(result.log, { decisions });
  expect([answer, sent]).toEqual([[2, "sent"], ["hello"]]);
}

/**
 * A sandbox that ended with its process: a resume is refused, and continues without the variables
 * only on request.
 */
export async function expectRefused(
  executor: ExecutorFactory,
  { asks, answers }: { readonly asks: string; readonly answers: string },
): Promise<void> {
  const { sent, agent } = sendingAgents(executor);
  const result = await agent([code(asks)]).run("Go.").result;
  expect(result.status).toBe("suspended");
  const { log } = result;
  const decisions = approvals(result);
  await expect(Promise.resolve(agent([]).resume(log, { decisions }))).rejects.toMatchObject({
    code: "executor",
    hint: expect.stringContaining("emptySandbox"),
  });
  expect(await agent([code(answers)]).resume(log, { decisions, emptySandbox: true })).toBe("again");
  expect(sent).toEqual([]);
}
