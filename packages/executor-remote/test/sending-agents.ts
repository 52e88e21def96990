// Agents whose blocks wait for an approval. Tests of several executors use them to check how such a
// run continues.

import { CodeAgent } from "@smolts/core";
import type { ExecutorFactory, Tool } from "@smolts/protocol";
import { scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";
import { expect } from "vitest";

/** Returns code inside the tags that a model writes around its code. */
export const code = (text: string): string => `<code>\n${text}\n</code>`;

/** A tool that sends a text after approval, and the texts that it has sent. */
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

/**
 * Returns a function that creates agents with this executor and the tool of {@link approvedTool}.
 * `replies` are the replies of an agent's model.
 */
export function sendingAgents(executor: ExecutorFactory) {
  const { sent, send } = approvedTool();
  const agent = (replies: readonly string[], named: { readonly name?: string; readonly description?: string } = {}) =>
    new CodeAgent({ executor, model: scriptedModel(replies), tools: [send], ...named });
  return { sent, send, agent };
}

/** Approves each call that waits. */
export const approvals = ({ pending = [] }: { readonly pending?: readonly { id: string; digest: string }[] }) =>
  pending.map(({ id, digest }) => ({ id, digest, type: "approve" as const }));

/** Expects a block that waits for an approval to continue in its sandbox, with its variables. */
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
 * Tests executors whose sandbox is lost when the process ends. A resume must be refused. If the
 * caller allows the loss, the run must continue without its variables.
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
