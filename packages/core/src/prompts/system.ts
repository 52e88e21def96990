import type { ExecutorFactory } from "@smolts/protocol";
import type { DeclaredTool } from "../languages/code-language.ts";
import { defaultLanguage, languageOf } from "../languages/languages.ts";
import { type CodeTags, defaultCodeTags } from "../parsing/code-tags.ts";
import { finalAnswer } from "../tools/final-answer.ts";
import { codeSystemPrompt, functionsText } from "./code-system.ts";
import { withInstructions } from "./instructions.ts";
import { type ActionForm, type Prompts, renderPrompt, type SystemPromptParts } from "./prompts-option.ts";
import { toolCallingSystemPrompt, writtenCallsText } from "./tool-calling-system.ts";

/** The parts of an agent on which its system prompt depends. */
export interface SystemPromptInput {
  readonly actions: ActionForm;
  /**
   * Whether the model has no native tool calls and writes them as JSON in its text. Default: false.
   */
  readonly writesCalls?: boolean;
  /**
   * All tools. The standard `finalAnswer` may be one of them; the prompts explain it in any case.
   */
  readonly tools: readonly DeclaredTool[];
  /**
   * The tools that are not declared, because code finds them with `searchTools`. None when absent.
   */
  readonly indexed?: readonly DeclaredTool[];
  readonly managedAgents?: readonly DeclaredTool[];
  readonly modules?: readonly string[];
  readonly instructions?: string | undefined;
  readonly tags?: CodeTags;
  readonly prompts?: Prompts;
  /**
   * The language of the model's code.
   *
   * @defaultValue `"javascript"`
   */
  readonly language?: ExecutorFactory["language"];
}

/**
 * Returns the system prompt of an agent. It depends only on the definition of the agent, so it is
 * the same in every step and run.
 *
 * @throws AgentError `invalid-option` when a function of `prompts` throws or does not return a
 * string
 * @example
 * ```ts
 * import { systemPrompt } from "@smolts/core";
 *
 * console.log(systemPrompt({ actions: "code", tools: [] }).includes("finalAnswer(value)")); // true
 * ```
 */
export function systemPrompt(input: SystemPromptInput): string {
  const { prompts = {} } = input;
  const parts = partsOf(input);
  const complete = (text: string): string => withInstructions(withTools(text, parts), parts.instructions);
  return renderPrompt("system", prompts.system, parts, complete);
}

function partsOf({
  actions,
  writesCalls = false,
  tools,
  indexed = [],
  managedAgents = [],
  modules = [],
  instructions,
  tags = defaultCodeTags,
  prompts = {},
  language = defaultLanguage.id,
}: SystemPromptInput): SystemPromptParts {
  const declared = tools.filter((tool) => tool !== finalAnswer);
  const fullyDeclared = [...declared, ...managedAgents].filter((tool) => !indexed.includes(tool));
  const written = writesCalls ? declarationsOf([...tools, ...managedAgents], prompts, language) : "";
  const declarations = actions === "tool-calls" ? written : declarationsOf(fullyDeclared, prompts, language);
  const parts = {
    actions,
    tools: declared,
    indexed,
    managedAgents,
    modules,
    instructions,
    tags,
    language,
    declarations,
  };
  return { ...parts, standard: standardPrompt(parts) };
}

const standardPrompt = (parts: Omit<SystemPromptParts, "standard">): string =>
  parts.actions === "tool-calls" ? toolCallingSystemPrompt(parts) : codeSystemPrompt(parts);

function declarationsOf(
  tools: readonly DeclaredTool[],
  { tool: prompt }: Prompts,
  language: ExecutorFactory["language"],
): string {
  const { declarations } = languageOf(language).words;
  if (prompt === undefined) return declarations(tools);
  return tools.map((tool) => toolText(tool, declarations([tool]), { tool: prompt })).join("\n");
}

/**
 * Returns the text about one tool for the model: `standard`, or the text that the prompt `tool`
 * makes from it.
 */
export const toolText = (tool: DeclaredTool, standard: string, { tool: prompt }: Prompts): string =>
  renderPrompt("tool", prompt, { tool, standard }, (text) => `${text}\n${standard}`);

/**
 * Adds the declarations of tools to a system prompt that does not contain the names of all tools.
 * Models with native tool calls do not need this, because each request has the tools.
 */
function withTools(text: string, parts: SystemPromptParts): string {
  const { actions, declarations, tools, managedAgents, language } = parts;
  const isNamed = ({ name }: DeclaredTool): boolean => text.includes(languageOf(language).toolName(name));
  if (actions !== "tool-calls") {
    return [...tools, ...managedAgents].every(isNamed) ? text : `${text}\n\n${functionsText(parts)}`;
  }
  return declarations === "" || text.includes(declarations) ? text : `${text}\n\n${writtenCallsText(declarations)}`;
}
