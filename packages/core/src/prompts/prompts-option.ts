// The option `prompts`: our own words, replaced one by one. A prompt is a function of typed parts,
// so a missing variable is a compile error; a plain text stands for the words alone, and what they
// are about (tools, task, report) is put after it.

import { AgentError, type Budget, type ExecutorFactory, type OptionTable } from "@smolts/protocol";
import type { DeclaredTool } from "../languages/code-language.ts";
import type { CodeTags } from "../parsing/code-tags.ts";

/**
 * Words in place of ours: a text, or a function that writes one from the parts. `parts.standard` is
 * our own text, to add to.
 */
export type Prompt<Parts extends PromptParts> = string | ((parts: Parts) => string);

/** What every prompt's function is given. */
export interface PromptParts {
  /** Our own text of this prompt. */
  readonly standard: string;
}

/**
 * How an agent acts: by code between tags, by `{ thought, code }` as JSON, or by native tool calls.
 */
export type ActionForm = "code" | "structured-code" | "tool-calls";

/** The parts of the system prompt. */
export interface SystemPromptParts extends PromptParts {
  readonly actions: ActionForm;
  /** All that can be called but for managed agents and the standard `finalAnswer`. */
  readonly tools: readonly DeclaredTool[];
  readonly managedAgents: readonly DeclaredTool[];
  /** What code may import: names in quotes, with the functions of a host module. */
  readonly modules: readonly string[];
  readonly instructions: string | undefined;
  /** The tags around code; unused by an agent that writes none between tags. */
  readonly tags: CodeTags;
  /** The language of the model's code; unused by an agent that writes none. */
  readonly language: ExecutorFactory["language"];
  /**
   * The tools and managed agents as the language declares them, those of `indexed` left out; empty
   * for a model with tool calls of its own.
   */
  readonly declarations: string;
  /**
   * The tools that code finds by `searchTools`, since there are too many to declare; mostly none.
   */
  readonly indexed: readonly DeclaredTool[];
}

/** The parts of a request for a plan. */
export interface PlanPromptParts extends PromptParts {
  readonly tools: readonly DeclaredTool[];
  readonly managedAgents: readonly DeclaredTool[];
  readonly instructions: string | undefined;
  /** How many steps the run may still take, by its own limit and with the one after the plan. */
  readonly remainingSteps: number;
}

/** The parts of what a managed agent is given to do. */
export interface ManagedAgentPromptParts extends PromptParts {
  /** The managed agent's. */
  readonly name: string;
  readonly task: string;
}

/** The parts of the text for a managed agent's caller. */
export interface ReportPromptParts extends PromptParts {
  /** The managed agent's. */
  readonly name: string;
  /** Its answer, as text. */
  readonly report: string;
}

/** The limit that ended a run before its answer: its steps, or one of its budget. */
export type RunLimit = "steps" | keyof Budget;

/** The parts of the request for an answer when a limit is reached. */
export interface FinalAnswerPromptParts extends PromptParts {
  readonly limit: RunLimit;
  readonly task: string;
}

/** The parts of the text about one tool. */
export interface ToolPromptParts extends PromptParts {
  readonly tool: DeclaredTool;
}

/** An agent's own words, one by one; ours stand where there are none. */
export interface Prompts {
  /**
   * The system prompt. A text gets the declarations of tools that it does not name, and the
   * instructions.
   */
  readonly system?: Prompt<SystemPromptParts>;
  /** Asks for the first plan; the task follows. A text gets the tools and the instructions. */
  readonly plan?: Prompt<PlanPromptParts>;
  /**
   * Asks for a later plan, after the history. A text gets the tools, the instructions and the steps
   * that remain.
   */
  readonly planUpdate?: Prompt<PlanPromptParts>;
  /** The task for a managed agent. A text gets the task. */
  readonly managedAgent?: Prompt<ManagedAgentPromptParts>;
  /** The report for a managed agent's caller. A text gets the report. */
  readonly report?: Prompt<ReportPromptParts>;
  /** Asks for an answer when the steps or a budget are used up. A text gets the task. */
  readonly finalAnswer?: Prompt<FinalAnswerPromptParts>;
  /**
   * The description of a tool for the model: its declaration for a code agent, its description for
   * a tool-calling one. A text comes before that.
   */
  readonly tool?: Prompt<ToolPromptParts>;
}

/** All prompts. */
export const promptTable: OptionTable<Prompts> = {
  system: true,
  plan: true,
  planUpdate: true,
  managedAgent: true,
  report: true,
  finalAnswer: true,
  tool: true,
};

/**
 * The text of a prompt: ours, or what the agent's option says in its place.
 *
 * @param complete - appends the task, or whatever the prompt is about, to a plain text
 * @throws AgentError `invalid-option` when the function throws or gives no text
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
    throw invalidPrompt(name, `failed: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

const shown = (value: unknown): string =>
  value === undefined ? "nothing" : value instanceof Promise ? "a promise" : typeof value;

const invalidPrompt = (name: keyof Prompts, what: string, cause?: unknown): AgentError =>
  new AgentError("invalid-option", `the function prompts.${name} ${what}; expected a text`, {
    cause,
    hint: `return a text, such as prompts: { ${name}: ({ standard }) => standard + "\\nBe brief." }`,
  });
