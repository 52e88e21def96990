import type { ToolDeclaration } from "@smolts/protocol";
import { type CodeTags, defaultCodeTags } from "../code-tags.ts";
import { renderDeclarations } from "../declarations.ts";
import { finalAnswer } from "../final-answer.ts";
import { withInstructions } from "./instructions.ts";

/** What a code agent's system prompt is made of. */
export interface CodePromptParts {
  /** Those the code can call. The standard `finalAnswer` may be among them; the text speaks of it anyway. */
  readonly tools: readonly ToolDeclaration[];
  /**
   * What encloses the code.
   *
   * @defaultValue `["<code>", "</code>"]`
   */
  readonly tags?: CodeTags;
  /** The user's own, put last. */
  readonly instructions?: string | undefined;
}

/**
 * The system prompt of a code agent: a function of its definition alone, so that it is the same in every step and run.
 *
 * @example
 * ```ts
 * import { codeSystemPrompt } from "@smolts/core";
 *
 * console.log(codeSystemPrompt({ tools: [] }).includes("finalAnswer(value)")); // true
 * ```
 */
export function codeSystemPrompt({ tools, tags = defaultCodeTags, instructions }: CodePromptParts): string {
  return withInstructions([opening(tags), functionsOf(tools), rules].join("\n\n"), instructions);
}

const opening = ([open, close]: CodeTags): string =>
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

function functionsOf(tools: readonly ToolDeclaration[]): string {
  const declared = tools.filter((tool) => tool !== finalAnswer);
  if (declared.length === 0)
    return "There are no functions to call but print and finalAnswer; compute with JavaScript itself.";
  return `Your code can call these functions:\n\`\`\`ts\n${renderDeclarations(declared)}\n\`\`\``;
}

const rules = `Rules:
- Call functions with await and one object of named arguments. Run calls that do not need each other together, with Promise.all.
- print(value) or console.log(value) shows you a value. Look at a result before you rely on its shape, above all one of type unknown: print it, and use it in your next message.
- finalAnswer(value) gives the answer and ends the task. Call it as soon as you know the answer, with a value in the form the task asks for.
- Do not guess: look facts up with the functions, and compute in code what can be computed.
- Top-level variables, functions and classes stay for your next messages and may be declared again. Do not repeat a call whose result you have.
- await works at top level. TypeScript types are allowed and ignored.
- Whole numbers past 2^53 lose digits: use BigInt, such as 10n.
- There is no import, require, fetch or file system: only the language's own objects and the functions above.
- After an error find its cause and change the code; never send the same code again.`;
