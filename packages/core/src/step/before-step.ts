// `beforeStep` may change the model, the tools or the messages of one step. The tools decide what
// the calls of the step may do. An interrupted step continues with the same tools, so they are
// recorded at the start of the step. The model and the messages are not recorded, because they
// matter only until the model has answered.

import { toMessages } from "@smolts/memory";
import {
  AgentError,
  type ChatMessage,
  explainWords,
  invalidOption,
  type MemoryStep,
  type Model,
  type Tool,
  thrownText,
  untilAborted,
} from "@smolts/protocol";
import { checkMessages } from "../media/check-messages.ts";
import type { PastStep } from "../run/past.ts";
import type { Run } from "../run/run.ts";
import { finalAnswerName } from "../tools/final-answer.ts";
import { checkModel, type ModelFunction } from "./model-from-function.ts";
import { isAssignment } from "./step-callbacks.ts";

/** The settings of a step before `beforeStep` changes them. */
export interface StepDraft {
  /** 1-based. */
  readonly stepNumber: number;
  readonly steps: readonly MemoryStep[];
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly messages: readonly ChatMessage[];
  readonly signal: AbortSignal;
}

/**
 * Settings that replace the settings of the step. If a field is absent, that setting stays as it
 * is.
 */
export interface StepOverrides {
  readonly model?: Model | ModelFunction;
  /**
   * The tools that this step may use. They must be tools of the agent; `finalAnswer` is always
   * added.
   */
  readonly tools?: readonly Tool[];
  /** Messages that replace everything the model would be shown, including the system prompt. */
  readonly messages?: readonly ChatMessage[];
}

/** Called before each step. Returns the changes, or nothing. */
export type BeforeStep = (
  draft: StepDraft,
) => StepOverrides | undefined | void | Promise<StepOverrides | undefined | void>;

/** Checks the option `beforeStep`. @throws AgentError `invalid-option` */
export function checkBeforeStep(beforeStep: unknown): BeforeStep | null {
  // its result is checked at each call
  if (beforeStep === null || typeof beforeStep === "function") return beforeStep as BeforeStep | null;
  throw invalid("beforeStep is not a function");
}

/** A step that is ready to be taken. */
export interface PreparedStep {
  /** The run with the settings of this step. */
  readonly run: Run;
  /**
   * The names of the only tools that the step may use. The log gets these names. Absent when the
   * step may use all tools.
   */
  readonly toolNames?: readonly string[];
}

/**
 * Calls `beforeStep`, unless the model has already answered in this step.
 *
 * @throws AgentError `callback` when it fails
 */
export async function prepareStep(run: Run, stepNumber: number, past: PastStep): Promise<PreparedStep> {
  const { beforeStep } = run.definition;
  const { model, tools, messages } = beforeStep && !past.response ? await overridesOf(run, stepNumber, beforeStep) : {};
  if (messages) {
    const roles = ["system", "user", "assistant", "tool"] as const;
    checkMessages(messages, "messages of beforeStep", { roles, bytes: false });
  }
  const toolNames = past.started ? past.toolNames : tools && namesOf(run, tools);
  if (!model && !toolNames && !messages) return { run };
  const definition = toolNames ? run.definition.withTools(new Set(toolNames)) : run.definition;
  return {
    run: {
      ...run,
      definition: model ? { ...definition, model: checkModel(model) } : definition,
      messages: messages ?? (toolNames ? withSystemPrompt(run, definition.systemPrompt) : undefined),
    },
    ...(toolNames ? { toolNames } : {}),
  };
}

async function overridesOf(run: Run, stepNumber: number, beforeStep: BeforeStep): Promise<StepOverrides> {
  const { model, tools } = run.definition;
  const steps = run.steps();
  // Frozen, because a change of the draft itself would have no effect.
  const draft = {
    stepNumber,
    steps,
    model,
    tools: Object.freeze([...tools.values()]),
    messages: Object.freeze([...toMessages(steps)]),
    signal: run.signal,
  };
  explainWords(draft, "the draft of a step", `it has ${Object.keys(draft).join(", ")}`);
  Object.freeze(draft);
  try {
    const overrides = (await untilAborted((async () => beforeStep(draft))(), run.signal)) ?? {};
    if (typeof overrides !== "object" || Array.isArray(overrides))
      throw invalid(`beforeStep returned ${Array.isArray(overrides) ? "a list" : typeof overrides}`);
    const unknown = Object.keys(overrides).find((name) => !["model", "tools", "messages"].includes(name));
    if (unknown !== undefined) throw invalid(`beforeStep returned the unknown "${unknown}"`);
    return overrides;
  } catch (error) {
    run.signal.throwIfAborted();
    const why = thrownText(error);
    const hint = AgentError.is(error) ? error.hint : isAssignment(why) ? returning : undefined;
    throw new AgentError("callback", `beforeStep failed at step ${stepNumber}: ${why}`, { cause: error, hint });
  }
}

/**
 * Returns the names of the tools of a step. A tool that the agent does not have is refused, because
 * it would be missing when the step is resumed.
 */
function namesOf({ definition }: Run, tools: readonly Tool[]): readonly string[] {
  if (!Array.isArray(tools) || tools.some((tool) => typeof tool?.name !== "string")) {
    throw invalid("beforeStep returned tools that are not a list of tools");
  }
  const foreign = tools.find(({ name }) => !definition.tools.has(name));
  if (foreign) throw invalid(`beforeStep returned the tool "${foreign.name}", which the agent does not have`);
  return [...new Set([...tools.map(({ name }) => name), finalAnswerName])];
}

function withSystemPrompt(run: Run, systemPrompt: string): readonly ChatMessage[] {
  const [, ...rest] = toMessages(run.steps());
  return [{ role: "system", content: [{ type: "text", text: systemPrompt }] }, ...rest];
}

const returning =
  "return the changes: beforeStep: ({ messages }) => ({ messages: [...] }); the tools of a step are some of the agent's";

const invalid = (what: string): AgentError =>
  invalidOption(`${what}; expected { model, tools, messages }, all of them optional`, returning);
