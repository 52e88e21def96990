import { AgentError, type Tool } from "@smolts/protocol";

/** The name of the tool that ends a run, in JSON calls and in code. */
export const finalAnswerName = "finalAnswer";

/**
 * The tool that ends a run. Its argument `answer` becomes the answer of the run, unchanged. Every
 * agent has it, unless the user passes another tool of that name.
 *
 * @example
 * ```ts
 * import { finalAnswer } from "@smolts/core";
 *
 * console.log(finalAnswer.name); // finalAnswer
 * ```
 */
export const finalAnswer: Tool<{ readonly answer: unknown }, unknown> = {
  name: finalAnswerName,
  description: "Ends the task with this answer.",
  inputSchema: {
    type: "object",
    properties: { answer: { description: "the answer to the task, complete and in the form that was asked for" } },
    required: ["answer"],
    additionalProperties: false,
  },
  effects: "none",
  parseInput: parseAnswer,
  execute: ({ answer }) => answer,
};

function parseAnswer(input: unknown): { readonly answer: unknown } {
  if (typeof input === "object" && input !== null && "answer" in input) return { answer: input.answer };
  throw new AgentError("tool-input", 'tool "finalAnswer" got no "answer"', { hint: 'pass { "answer": ... }' });
}
