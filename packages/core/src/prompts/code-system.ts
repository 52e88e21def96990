import type { DeclaredTool } from "../languages/code-language.ts";
import { languageOf } from "../languages/languages.ts";
import { indexText } from "../tools/tool-index.ts";
import { withInstructions } from "./instructions.ts";
import type { SystemPromptParts } from "./prompts-option.ts";
import type { SystemText } from "./system.ts";

/** The text of a code agent's system prompt. */
export const codeSystem: SystemText = {
  standard,
  declarations: (tools, language) => languageOf(language).words.declarations(tools),
  withTools,
};

function standard(parts: Omit<SystemPromptParts, "standard">): string {
  const { actions, tags, instructions, language } = parts;
  const opening = languageOf(language).words.opening(actions === "structured-code" ? null : tags);
  return withInstructions([opening, functionsText(parts), rulesText(parts)].join("\n\n"), instructions);
}

/** Adds the declarations of the tools, unless the text already contains the names of all tools. */
function withTools(text: string, parts: SystemPromptParts): string {
  const { tools, managedAgents, language } = parts;
  const isNamed = ({ name }: DeclaredTool): boolean => text.includes(languageOf(language).toolName(name));
  return [...tools, ...managedAgents].every(isNamed) ? text : `${text}\n\n${functionsText(parts)}`;
}

/** Returns the text about the functions that code can call. */
function functionsText({
  declarations,
  indexed,
  language,
}: Pick<SystemPromptParts, "declarations" | "indexed" | "language">): string {
  const { noFunctions, declarationFence } = languageOf(language).words;
  if (declarations === "") return noFunctions;
  if (indexed.length > 0) return indexText(indexed, declarations, languageOf(language));
  return `Your code can call these functions:\n\`\`\`${declarationFence}\n${declarations}\n\`\`\``;
}

/** Returns the rules. They are the same whether code is written between tags or in JSON. */
function rulesText({
  managedAgents,
  modules,
  language,
}: Pick<SystemPromptParts, "managedAgents" | "modules" | "language">): string {
  const { toolName, words } = languageOf(language);
  const names = managedAgents.map(({ name }) => toolName(name));
  return [words.rules, ...managedAgentRules(names), words.importRule(modules), lastRule].join("\n");
}

const managedAgentRules = (names: readonly string[]): readonly string[] =>
  names.length === 0
    ? []
    : [
        `- ${names.join(", ")}: behind ${names.length === 1 ? "this function is another agent" : "each of these functions is another agent"}, which knows nothing about your task. Write in "task" everything it needs to know, and what it should return.`,
      ];

const lastRule = "- After an error find its cause and change the code; never send the same code again.";
