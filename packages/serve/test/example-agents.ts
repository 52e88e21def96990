// The agents that the tests serve.

import { CodeAgent } from "@smolts/core";
import type { Tool } from "@smolts/protocol";
import { type ReplyFunction, type ScriptedReply, scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";

/** Returns the text of a model's answer: a thought, then code. */
export const code = (text: string, thought = "I think."): string => `${thought}\n<code>\n${text}\n</code>`;

/** Creates an agent whose model follows a script. */
export const agentOf = (
  replies: readonly (ScriptedReply | ReplyFunction)[] | ReplyFunction,
  tools: readonly Tool[] = [],
): CodeAgent => new CodeAgent({ name: "helper", description: "Helps.", model: scriptedModel(replies), tools });

/** Creates an agent whose answer is its own task. */
export const echoAgent = (): CodeAgent =>
  agentOf(({ messages }) => code(`finalAnswer(${JSON.stringify(lastText(messages))})`));

/** Creates a tool that needs approval. It records the mails and sends nothing. */
export const sendEmail = (sent: string[]): Tool =>
  tool({
    name: "sendEmail",
    description: "Sends a mail.",
    input: { to: "string" },
    output: "string",
    effects: "once",
    needsApproval: () => true,
    execute: ({ to }) => {
      sent.push(to);
      return "sent";
    },
  }) as Tool;

/** Returns a promise, and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

function lastText(messages: readonly { readonly role: string; readonly content: readonly object[] }[]): string {
  const last = messages.findLast(({ role }) => role === "user");
  return (last?.content ?? []).map((part) => ("text" in part ? String(part.text) : "")).join("");
}
