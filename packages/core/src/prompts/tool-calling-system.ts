import { renderDeclarations } from "../languages/languages.ts";
import { withInstructions } from "./instructions.ts";
import type { SystemPromptParts } from "./prompts-option.ts";
import type { SystemText } from "./system.ts";

/**
 * The text of a tool-calling agent's system prompt. It lists the tools only for a model that writes
 * its calls as text. Other models get the tools in each request.
 */
export const toolCallingSystem: SystemText = { standard, declarations: renderDeclarations, withTools };

function standard({
  managedAgents,
  instructions,
  declarations,
}: Pick<SystemPromptParts, "managedAgents" | "instructions" | "declarations">): string {
  const names = managedAgents.map(({ name }) => name);
  const lines = names.length === 0 ? [prompt] : [prompt, managedAgentRule(names)];
  const calls = declarations === "" ? [] : [`\n${writtenCallsText(declarations)}`];
  return withInstructions([...lines, ...calls].join("\n"), instructions);
}

/** Adds the declarations of the tools, unless the text already contains them. */
function withTools(text: string, { declarations }: SystemPromptParts): string {
  return declarations === "" || text.includes(declarations) ? text : `${text}\n\n${writtenCallsText(declarations)}`;
}

/**
 * Returns the text that lists the tools and explains how to write calls, for a model without native
 * tool calls.
 */
const writtenCallsText = (declarations: string): string =>
  `These are the tools, as TypeScript would declare them:
\`\`\`ts
${declarations}
\`\`\`
You call them by writing JSON: one thought in a sentence, then one object or a list of objects, and nothing after it:
[{"name": "someTool", "arguments": {"key": "value"}}]
The next message shows you the results; never write them yourself.`;

const prompt = `You solve tasks step by step by calling tools.

Rules:
- Each step calls one or more tools; then you are shown their results. Put calls that do not need each other's results into one step.
- Do not guess: look up with the tools what you do not know, and pass real values as arguments, not names of variables.
- When you have all you need, call finalAnswer alone, with the whole answer in the form the task asks for. Text beside tool calls reaches nobody.
- After an error find its cause and change the call. Never repeat a call that failed in the same way, or one whose result you have.`;

const managedAgentRule = (names: readonly string[]): string =>
  `- ${names.join(", ")} ${names.length === 1 ? "is another agent, which knows" : "are other agents, which know"} nothing of your task. Put into "task" all that is needed to do the work, and what to return.`;
