import type { ChatMessage, ContentPart } from "@smolts/protocol";

/**
 * What a model is asked when the steps are used up: the run so far under another system prompt, and a request for the answer.
 *
 * @param messages - of the run; its system prompt is left out, since it asks for code or calls
 * @example
 * ```ts
 * import { finalAnswerMessages } from "@smolts/core";
 *
 * const messages = finalAnswerMessages([], [{ type: "text", text: "Add 1 and 2." }]);
 * console.log(messages.map((message) => message.role)); // [ 'system', 'user' ]
 * ```
 */
export function finalAnswerMessages(messages: readonly ChatMessage[], task: readonly ContentPart[]): ChatMessage[] {
  return [
    { role: "system", content: [{ type: "text", text: before }] },
    ...messages.filter(({ role }) => role !== "system"),
    { role: "user", content: finalAnswerPrompt(task) },
  ];
}

/**
 * The request for an answer from what there is, with the task once more.
 *
 * @example
 * ```ts
 * import { finalAnswerPrompt } from "@smolts/core";
 *
 * console.log(finalAnswerPrompt([{ type: "text", text: "Add 1 and 2." }]).length); // 2
 * ```
 */
export function finalAnswerPrompt(task: readonly ContentPart[]): ContentPart[] {
  return [{ type: "text", text: after }, ...task];
}

const before = `An agent worked on a task until its steps were used up. You see what it did. Answer the task in its place from what it found.`;

const after = `No step is left. Give the best answer that can be drawn from the above. Write only the answer, in the form the task asks for: no code, no tool calls. Where something was not found, say so instead of guessing. The task was:\n`;
