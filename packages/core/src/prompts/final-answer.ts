import { type ChatMessage, type ContentPart, textOf } from "@smolts/protocol";
import { type Prompts, type RunLimit, renderPrompt } from "./prompts-option.ts";

/**
 * Returns the messages that ask a model for its answer when a limit is reached: the run so far with
 * another system prompt, and a request for the answer.
 *
 * @param messages - the messages of the run; its system prompt is left out because it asks for code
 * or calls
 * @throws AgentError `invalid-option` when the function `prompts.finalAnswer` throws or does not
 * return a string
 * @example
 * ```ts
 * import { finalAnswerMessages } from "@smolts/core";
 *
 * const messages = finalAnswerMessages([], [{ type: "text", text: "Add 1 and 2." }]);
 * console.log(messages.map((message) => message.role)); // [ 'system', 'user' ]
 * ```
 */
export function finalAnswerMessages(
  messages: readonly ChatMessage[],
  task: readonly ContentPart[],
  prompts?: Prompts,
  limit: RunLimit = "steps",
): ChatMessage[] {
  return [
    { role: "system", content: [{ type: "text", text: before }] },
    ...messages.filter(({ role }) => role !== "system"),
    { role: "user", content: finalAnswerPrompt(task, prompts, limit) },
  ];
}

/**
 * Returns the request to answer with what is known so far. The request repeats the task.
 *
 * @throws AgentError `invalid-option` when the function `prompts.finalAnswer` throws or does not
 * return a string
 * @example
 * ```ts
 * import { finalAnswerPrompt } from "@smolts/core";
 *
 * console.log(finalAnswerPrompt([{ type: "text", text: "Add 1 and 2." }]).length); // 1
 * ```
 */
export function finalAnswerPrompt(
  content: readonly ContentPart[],
  prompts: Prompts = {},
  limit: RunLimit = "steps",
): ContentPart[] {
  const task = textOf(content);
  const standard = `${reasons[limit]} ${after}${task}`;
  const text = renderPrompt(
    "finalAnswer",
    prompts.finalAnswer,
    { task, limit, standard },
    (own) => `${own}\n\n${task}`,
  );
  return [{ type: "text", text }, ...content.filter((part) => part.type !== "text")];
}

const before = `An agent worked on a task until a limit was reached. You see what it did. Answer the task in its place from what it found.`;

const reasons: Readonly<Record<RunLimit, string>> = {
  steps: "No step is left.",
  tokens: "The budget of tokens is used up.",
  costUsd: "The money for this task is used up.",
  durationMs: "The time for this task is over.",
  toolCalls: "No tool call is left.",
  repeatedFailures: "The same action failed again and again.",
};

const after = `Give the best answer that can be drawn from the above. Write only the answer, in the form the task asks for: no code, no tool calls. Where something was not found, say so instead of guessing. The task was:\n`;
