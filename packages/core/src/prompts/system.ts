import type { ExecutorFactory } from "@smolts/protocol";
import type { DeclaredTool } from "../languages/code-language.ts";
import { defaultLanguage, languageOf } from "../languages/languages.ts";
import { type CodeTags, defaultCodeTags } from "../parsing/code-tags.ts";
import { finalAnswer } from "../tools/final-answer.ts";
import { codeSystemPrompt, functionsText } from "./code-system.ts";
import { withInstructions } from "./instructions.ts";
import { type ActionForm, type Prompts, renderPrompt, type SystemPromptParts } from "./prompts-option.ts";
import { toolCallingSystemPrompt, writtenCallsText } from "./tool-calling-system.ts";

/** The parts that an agent's system prompt depends on. */
export interface SystemPromptInput {
  readonly actions: ActionForm;
  /**
   * Whether the model has no tool calls of its own and writes them as JSON in its text. Default:
   * false.
   */
  readonly writesCalls?: boolean;
  /** The standard `finalAnswer` may be among them; the texts speak of it anyway. */
  readonly tools: readonly DeclaredTool[];
  /**
   * Those of `tools` that are not to be declared, for code finds them by searching; none when
   * absent.
   */
  readonly indexed?: readonly DeclaredTool[];
  readonly managedAgents?: readonly DeclaredTool[];
  readonly modules?: readonly string[];
  readonly instructions?: string | undefined;
  readonly tags?: CodeTags;
  readonly prompts?: Prompts;
  /**
   * What code is written in.
   *
   * @defaultValue `"javascript"`
   */
  readonly language?: ExecutorFactory["language"];
}

/**
 * The system prompt of an agent: a function of its definition alone, so that it is the same in
 * every step and run.
 *
 * @throws AgentError `invalid-option` when a function of `prompts` throws or gives no text
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
  const told = [...declared, ...managedAgents].filter((tool) => !indexed.includes(tool));
  const written = writesCalls ? declarationsOf([...tools, ...managedAgents], prompts, language) : "";
  const declarations = actions === "tool-calls" ? written : declarationsOf(told, prompts, language);
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

/** The description of one tool for the model, if it differs from `standard`. */
export const toolText = (tool: DeclaredTool, standard: string, { tool: prompt }: Prompts): string =>
  renderPrompt("tool", prompt, { tool, standard }, (text) => `${text}\n${standard}`);

/**
 * A text that does not name each tool cannot do without their declarations. A model's own tool
 * calls bring the tools beside the prompt.
 */
function withTools(text: string, parts: SystemPromptParts): string {
  const { actions, declarations, tools, managedAgents, language } = parts;
  const isNamed = ({ name }: DeclaredTool): boolean => text.includes(languageOf(language).toolName(name));
  if (actions !== "tool-calls") {
    return [...tools, ...managedAgents].every(isNamed) ? text : `${text}\n\n${functionsText(parts)}`;
  }
  return declarations === "" || text.includes(declarations) ? text : `${text}\n\n${writtenCallsText(declarations)}`;
}
