// Agents that are served in tests.

import { CodeAgent } from "@smolts/core";
import type { Tool } from "@smolts/protocol";
import { type ReplyFunction, type ScriptedReply, scriptedModel } from "@smolts/testing";
import { tool } from "@smolts/tools";

/** What a model writes to run code. */
export const code = (text: string, thought = "I think."): string => `${thought}\n<code>\n${text}\n</code>`;

/** An agent whose model follows a script. */
export const agentOf = (
  replies: readonly (ScriptedReply | ReplyFunction)[] | ReplyFunction,
  tools: readonly Tool[] = [],
): CodeAgent => new CodeAgent({ name: "helper", description: "Helps.", model: scriptedModel(replies), tools });

/** An agent that answers with what it was told. */
export const echoAgent = (): CodeAgent =>
  agentOf(({ messages }) => code(`finalAnswer(${JSON.stringify(lastText(messages))})`));

/** Sends nothing, but asks before it does. */
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

/** A promise, and what settles it. */
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
