import type { ExecutorFactory } from "@smolts/protocol";
import type { DeclaredTool } from "../languages/code-language.ts";
import { defaultLanguage } from "../languages/languages.ts";
import { type CodeTags, defaultCodeTags } from "../parsing/code-tags.ts";
import { finalAnswer } from "../tools/final-answer.ts";
import { codeSystem } from "./code-system.ts";
import { withInstructions } from "./instructions.ts";
import { type ActionForm, type Prompts, renderPrompt, type SystemPromptParts } from "./prompts-option.ts";
import { toolCallingSystem } from "./tool-calling-system.ts";

/** The parts of an agent on which its system prompt depends. */
export interface SystemPromptInput {
  readonly actions: ActionForm;
  /**
   * Whether the model has no native tool calls and writes them as JSON in its text. Default: false.
   */
  readonly writesCalls?: boolean;
  /** All tools. The prompts explain the standard `finalAnswer` even if it is not one of them. */
  readonly tools: readonly DeclaredTool[];
  /**
   * The tools that are not declared, because code finds them with `searchTools`. None if absent.
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
export const systemPrompt = (input: SystemPromptInput): string =>
  renderSystemPrompt(input.actions === "tool-calls" ? toolCallingSystem : codeSystem, input);

/**
 * The part of a system prompt's text that depends on how the model acts: with code or with calls.
 */
export interface SystemText {
  /** Returns the built-in system prompt. */
  standard(parts: Omit<SystemPromptParts, "standard">): string;
  /** Returns the declarations of tools, one after the other. */
  declarations(tools: readonly DeclaredTool[], language: ExecutorFactory["language"]): string;
  /** Adds the tools to the user's own system prompt, if the prompt does not contain them. */
  withTools(text: string, parts: SystemPromptParts): string;
}

/**
 * Returns the same prompt as {@link systemPrompt}. Each kind of agent passes its own text to this
 * function, so that a bundle contains only the texts of the agents that it uses.
 */
export function renderSystemPrompt(system: SystemText, input: SystemPromptInput): string {
  const { prompts = {} } = input;
  const parts = partsOf(system, input);
  const withStandard = { ...parts, standard: system.standard(parts) };
  const complete = (text: string): string => withInstructions(system.withTools(text, withStandard), parts.instructions);
  return renderPrompt("system", prompts.system, withStandard, complete);
}

function partsOf(
  system: SystemText,
  {
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
  }: SystemPromptInput,
): Omit<SystemPromptParts, "standard"> {
  const declared = tools.filter((tool) => tool !== finalAnswer);
  const fullyDeclared = [...declared, ...managedAgents].filter((tool) => !indexed.includes(tool));
  const declare = (shown: readonly DeclaredTool[]): string => system.declarations(shown, language);
  const written = writesCalls ? declarationsOf([...tools, ...managedAgents], prompts, declare) : "";
  const declarations = actions === "tool-calls" ? written : declarationsOf(fullyDeclared, prompts, declare);
  return {
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
}

function declarationsOf(
  tools: readonly DeclaredTool[],
  { tool: prompt }: Prompts,
  declare: (tools: readonly DeclaredTool[]) => string,
): string {
  if (prompt === undefined) return declare(tools);
  return tools.map((tool) => toolText(tool, declare([tool]), { tool: prompt })).join("\n");
}

/**
 * Returns the text about one tool for the model: `standard`, or the text that the prompt `tool`
 * makes from it.
 */
export const toolText = (tool: DeclaredTool, standard: string, { tool: prompt }: Prompts): string =>
  renderPrompt("tool", prompt, { tool, standard }, (text) => `${text}\n${standard}`);
