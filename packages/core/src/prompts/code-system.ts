import type { CodeTags } from "../parsing/code-tags.ts";
import { indexText } from "../tools/tool-index.ts";
import { withInstructions } from "./instructions.ts";
import type { SystemPromptParts } from "./prompts-option.ts";

/** Our system prompt of a code agent. */
export function codeSystemPrompt(parts: Omit<SystemPromptParts, "standard">): string {
  const { actions, tags, instructions } = parts;
  const opening = actions === "structured-code" ? structuredOpening : taggedOpening(tags);
  return withInstructions([opening, functionsText(parts), rulesText(parts)].join("\n\n"), instructions);
}

/** What code can call, as the model is told of it. */
export function functionsText({ declarations, indexed }: Pick<SystemPromptParts, "declarations" | "indexed">): string {
  if (declarations === "") return noFunctions;
  if (indexed.length > 0) return indexText(indexed, declarations);
  return `Your code can call these functions:\n\`\`\`ts\n${declarations}\n\`\`\``;
}

/** The same whatever form the actions have. */
function rulesText({ managedAgents, modules }: Pick<SystemPromptParts, "managedAgents" | "modules">): string {
  return [rules, ...managedAgentRules(managedAgents.map(({ name }) => name)), moduleRule(modules), lastRule].join("\n");
}

const noFunctions = "There are no functions to call but print and finalAnswer; compute with JavaScript itself.";

const taggedOpening = ([open, close]: CodeTags): string =>
  `You solve tasks step by step by writing JavaScript, which is run for you.

Each of your messages is one or two sentences of thought and then one block of code:
${open}
const found = await someFunction({ name: "value" });
print(found);
${close}
Stop after the block. The next message shows you what the code printed and the value of its last expression; never write that yourself.
When you know the answer, give it in code too:
${open}
finalAnswer(found);
${close}`;

const structuredOpening = `You solve tasks step by step by writing JavaScript, which is run for you.

Each of your messages is one JSON object with two texts: "thought", one or two sentences, and "code", the JavaScript to run:
{"thought": "I look it up first.", "code": "const found = await someFunction({ name: \\"value\\" });\\nprint(found);"}
The next message shows you what the code printed and the value of its last expression.
When you know the answer, give it in code too:
{"thought": "That is the answer.", "code": "finalAnswer(found);"}`;

const rules = `Rules:
- Call functions with await and one object of named arguments. Run calls that do not need each other together, with Promise.all.
- print(value) or console.log(value) shows you a value. Look at a result before you rely on its shape, above all one of type unknown: print it, and use it in your next message.
- finalAnswer(value) gives the answer and ends the task. Call it as soon as you know the answer, with a value in the form the task asks for.
- Do not guess: look facts up with the functions, and compute in code what can be computed.
- Top-level variables, functions and classes stay for your next messages and may be declared again. Do not repeat a call whose result you have.
- await works at top level. TypeScript types are allowed and ignored.
- Whole numbers past 2^53 lose digits: use BigInt, such as 10n.`;

const managedAgentRules = (names: readonly string[]): readonly string[] =>
  names.length === 0
    ? []
    : [
        `- ${names.join(", ")}: behind ${names.length === 1 ? "this function works another agent" : "each of these functions works another agent"}, which knows nothing of your task. Tell it in "task" all it needs to know and what it is to give back.`,
      ];

const moduleRule = (modules: readonly string[]): string =>
  modules.length === 0
    ? "- There is no import, require, fetch or file system: only the language's own objects and the functions above."
    : `- You can import these modules and no others: ${modules.join(", ")}. There is no require, fetch or file system.`;

const lastRule = "- After an error find its cause and change the code; never send the same code again.";
