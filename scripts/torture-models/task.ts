// Two tasks of three model calls, one for each kind of agent. The right answer needs every line of
// the code and every tool call. So an agent that loses a piece cannot find the right answer.

import { CodeAgent, ToolCallingAgent } from "@smolts/core";
import type { Model } from "@smolts/protocol";
import type { ServerReply, ServerReplyFunction } from "@smolts/testing/server";
import { tool } from "@smolts/tools";

/** The number of model calls in a run without faults. */
export const stepCount = 3;

/** A task for an agent. */
export interface TortureTask {
  readonly name: "code" | "calls";
  readonly script: ServerReplyFunction;
  readonly answer: unknown;
  /** The questions to its tool, in order. */
  readonly looks: readonly string[];
  agent(model: Model, looks: string[]): { run(task: string): ReturnType<CodeAgent["run"]> };
}

const lines = (name: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${name} += ${index + 1};`).join("\n");

const codeReplies: readonly string[] = [
  `I count. \u2028 Ç🐟\n<code>\nlet total = 0;\n${lines("total", 8)}\n</code>`,
  `I look twice.\n<code>\ntotal += await look({ at: "moon" });\ntotal += await look({ at: "sun" });\n${lines("total", 4)}\n</code>`,
  `I know.\n<code>\nlet answer = total;\n${lines("answer", 6)}\nfinalAnswer(answer);\n</code>`,
];

const callReplies: readonly ServerReply[] = [
  {
    text: "Two looks \u2028 at once 🐟.",
    toolCalls: [
      { name: "look", input: { at: "moon" } },
      { name: "look", input: { at: "sun" } },
    ],
  },
  { reasoning: "One more.", toolCalls: [{ name: "look", input: { at: "a fish called \u2028 Ç" } }] },
  { text: "Done.", toolCalls: [{ name: "finalAnswer", input: { answer: "moon, sun and a fish: 3 looks" } }] },
];

/** Both tasks. */
export const tasks: readonly TortureTask[] = [
  {
    name: "code",
    script: replyingFrom(codeReplies, "<code>\nfinalAnswer('lost');\n</code>"),
    answer: 36 + 4 + 3 + 10 + 21,
    looks: ["moon", "sun"],
    agent: (model, looks) => new CodeAgent({ model, tools: [lookTool(looks)], maxSteps: 5 }),
  },
  {
    name: "calls",
    script: replyingFrom(callReplies, { toolCalls: [{ name: "finalAnswer", input: { answer: "lost" } }] }),
    answer: "moon, sun and a fish: 3 looks",
    looks: ["moon", "sun", "a fish called \u2028 Ç"],
    agent: (model, looks) => new ToolCallingAgent({ model, tools: [lookTool(looks)], maxSteps: 5 }),
  },
];

function replyingFrom(replies: readonly ServerReply[], lost: ServerReply): ServerReplyFunction {
  return ({ body }) => replies[body.messages.filter(({ role }) => role === "assistant").length] ?? lost;
}

function lookTool(looks: string[]): ReturnType<typeof tool> {
  return tool({
    name: "look",
    description: "How long the name is of what one looks at.",
    input: { at: "string" },
    output: "number",
    execute: ({ at }) => {
      looks.push(at);
      return at.length;
    },
  });
}
