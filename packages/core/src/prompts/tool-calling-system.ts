import type { ToolDeclaration } from "@smolts/protocol";
import { withInstructions } from "./instructions.ts";

/** What a tool-calling agent's system prompt is made of. */
export interface ToolCallingPromptParts {
  /** The model is told of them beside the prompt, which holds no list of them. */
  readonly tools: readonly ToolDeclaration[];
  /** The user's own, put last. */
  readonly instructions?: string | undefined;
}

/**
 * The system prompt of a tool-calling agent.
 *
 * @example
 * ```ts
 * import { toolCallingSystemPrompt } from "@smolts/core";
 *
 * console.log(toolCallingSystemPrompt({ tools: [], instructions: "Answer in French." }).endsWith("Answer in French.")); // true
 * ```
 */
export function toolCallingSystemPrompt({ instructions }: ToolCallingPromptParts): string {
  return withInstructions(prompt, instructions);
}

const prompt = `You solve tasks step by step by calling tools.

Rules:
- Each step calls one or more tools; then you are shown their results. Put calls that do not need each other's results into one step.
- Do not guess: look up with the tools what you do not know, and pass real values as arguments, not names of variables.
- When you have all you need, call finalAnswer alone, with the whole answer in the form the task asks for. Text beside tool calls reaches nobody.
- After an error find its cause and change the call. Never repeat a call that failed in the same way, or one whose result you have.`;
