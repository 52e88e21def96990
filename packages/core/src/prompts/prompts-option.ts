// With the option `prompts`, a user can replace individual built-in prompts. A replacement may be a
// function that takes typed parts, so that a wrong name of a part is a compile error. A plain
// string replaces only the words of the prompt, and the data (tools, task, report) is added after
// the string.

import { AgentError, type Budget, type ExecutorFactory, type OptionTable, thrownText } from "@smolts/protocol";
import type { DeclaredTool } from "../languages/code-language.ts";
import type { CodeTags } from "../parsing/code-tags.ts";

/**
 * A replacement for a built-in prompt: a string, or a function that makes a string from the parts
 * of the prompt. A function that only adds to the built-in text finds that text in
 * `parts.standard`.
 */
export type Prompt<Parts extends PromptParts> = string | ((parts: Parts) => string);

/** The parts that every prompt function gets. */
export interface PromptParts {
  /** The built-in text of this prompt. */
  readonly standard: string;
}

/**
 * The way in which an agent acts: with code between tags, with `{ thought, code }` as JSON, or with
 * native tool calls.
 */
export type ActionForm = "code" | "structured-code" | "tool-calls";

/** The parts of the system prompt. */
export interface SystemPromptParts extends PromptParts {
  readonly actions: ActionForm;
  /**
   * Everything that the model can call, except for managed agents and the standard `finalAnswer`.
   */
  readonly tools: readonly DeclaredTool[];
  readonly managedAgents: readonly DeclaredTool[];
  /**
   * The quoted names of the modules that code may import. A host module's name is followed by its
   * functions.
   */
  readonly modules: readonly string[];
  readonly instructions: string | undefined;
  /** The tags around code. Not used by an agent that writes no code between tags. */
  readonly tags: CodeTags;
  /** The language of the model's code. Not used by an agent that writes no code. */
  readonly language: ExecutorFactory["language"];
  /**
   * The declarations of tools and managed agents, written in `language`. The tools in `indexed` are
   * not declared. Empty for a model with native tool calls.
   */
  readonly declarations: string;
  /**
   * The tools that code has to find with `searchTools`, because there are too many to declare.
   * Usually empty.
   */
  readonly indexed: readonly DeclaredTool[];
}

/** The parts of the prompt that asks for a plan. */
export interface PlanPromptParts extends PromptParts {
  readonly tools: readonly DeclaredTool[];
  readonly managedAgents: readonly DeclaredTool[];
  readonly instructions: string | undefined;
  /** How many steps the run may still take, including the step after the plan. */
  readonly remainingSteps: number;
}

/** The parts of the prompt that gives a managed agent its task. */
export interface ManagedAgentPromptParts extends PromptParts {
  /** The name of the managed agent. */
  readonly name: string;
  readonly task: string;
}

/** The parts of the report that a managed agent returns to its caller. */
export interface ReportPromptParts extends PromptParts {
  /** The name of the managed agent. */
  readonly name: string;
  /** The answer of the managed agent, as text. */
  readonly report: string;
}

/**
 * The limit that ended a run before it had an answer: the number of steps, or a limit of the
 * budget.
 */
export type RunLimit = "steps" | keyof Budget;

/** The parts of the prompt that asks for an answer when a limit is reached. */
export interface FinalAnswerPromptParts extends PromptParts {
  readonly limit: RunLimit;
  readonly task: string;
}

/** The parts of the text about one tool. */
export interface ToolPromptParts extends PromptParts {
  readonly tool: DeclaredTool;
}

/** The prompts of an agent. A built-in prompt is used for each one that is absent. */
export interface Prompts {
  /**
   * The system prompt. If this option is a string, the instructions are added to it, and so are the
   * declarations of tools whose names it does not contain.
   */
  readonly system?: Prompt<SystemPromptParts>;
  /**
   * The request for the first plan. In the messages the task follows it. If this option is a
   * string, the tools and the instructions are added to it.
   */
  readonly plan?: Prompt<PlanPromptParts>;
  /**
   * The request for a later plan. In the messages it follows the history. If this option is a
   * string, the tools, the instructions and the number of remaining steps are added to it.
   */
  readonly planUpdate?: Prompt<PlanPromptParts>;
  /**
   * The text with which a managed agent gets its task. If this option is a string, the task is
   * added to it.
   */
  readonly managedAgent?: Prompt<ManagedAgentPromptParts>;
  /**
   * The text in which the caller of a managed agent gets the agent's report. If this option is a
   * string, the report is added to it.
   */
  readonly report?: Prompt<ReportPromptParts>;
  /**
   * The request for an answer when the steps or a budget are exhausted. If this option is a string,
   * the task is added to it.
   */
  readonly finalAnswer?: Prompt<FinalAnswerPromptParts>;
  /**
   * The text about a tool for the model: its declaration for a code agent, its description for a
   * tool-calling agent. If this option is a string, it is put before that text.
   */
  readonly tool?: Prompt<ToolPromptParts>;
}

/** The names of all prompts, with the types that their values may have. */
export const promptTable: OptionTable<Prompts> = {
  system: "text | function",
  plan: "text | function",
  planUpdate: "text | function",
  managedAgent: "text | function",
  report: "text | function",
  finalAnswer: "text | function",
  tool: "text | function",
};

/**
 * Returns the text of a prompt: the built-in text, or the text of the agent's option.
 *
 * @param complete - adds the data of the prompt, such as the task, to a plain string
 * @throws AgentError `invalid-option` when the function throws or does not return a string
 */
export function renderPrompt<Parts extends PromptParts>(
  name: keyof Prompts,
  prompt: Prompt<Parts> | undefined,
  parts: Parts,
  complete: (text: string) => string,
): string {
  if (prompt === undefined) return parts.standard;
  if (typeof prompt === "string") return complete(prompt.trim());
  const text = resultOf(name, () => prompt(parts));
  if (typeof text === "string" && text.trim() !== "") return text;
  throw invalidPrompt(name, `gave ${typeof text === "string" ? "an empty text" : shown(text)}`);
}

function resultOf(name: keyof Prompts, make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    throw invalidPrompt(name, `failed: ${thrownText(error)}`, error);
  }
}

const shown = (value: unknown): string =>
  value === undefined ? "nothing" : value instanceof Promise ? "a promise" : typeof value;

const invalidPrompt = (name: keyof Prompts, what: string, cause?: unknown): AgentError =>
  new AgentError("invalid-option", `the function prompts.${name} ${what}; expected a string`, {
    cause,
    hint: `return a string, such as prompts: { ${name}: ({ standard }) => standard + "\\nBe brief." }`,
  });
