// Makes plans. Before the first step, and then after every `planningInterval` steps, the model
// writes down what it knows and what it will do. The plan is in the history as the model's own
// message. The next plan is made from the steps, not from the plan before it.

import { toMessages } from "@smolts/memory";
import { type ChatMessage, type MemoryStep, type ModelRequest, textOf } from "@smolts/protocol";
import { withoutThoughts } from "../parsing/without-thoughts.ts";
import { endOfPlan, type PlanInput, plannerPrompt, planPrompt, planUpdatePrompt } from "../prompts/plan.ts";
import { requireUsage } from "../run/budget.ts";
import type { Run } from "../run/run.ts";
import { toolsAndAgents } from "../tools/agent-tool.ts";
import { answerOf } from "./ask-model.ts";

/**
 * Says whether a plan must be made before a step. A recorded plan is not made again, and no plan is
 * made before a step that has already begun.
 */
export function planIsDue({ definition: { planningInterval }, past }: Run, stepNumber: number): boolean {
  if (planningInterval === null || past.plans.has(stepNumber) || past.steps.has(stepNumber)) return false;
  return (stepNumber - 1) % planningInterval === 0;
}

/** Asks the model for known facts and a plan, and records them. */
export async function makePlan(run: Run, stepNumber: number): Promise<void> {
  run.append({ type: "model-request", purpose: "plan", stepNumber });
  const answer = await answerOf(run, planRequest(run, stepNumber), (event) => {
    if (event.type === "text-delta") run.emit({ type: "plan-delta", stepNumber, text: event.text });
    if (event.type === "retry") run.emit({ ...event, stepNumber });
    return false;
  });
  run.append({ type: "plan", stepNumber, plan: planIn(answer.message), ...answer });
  requireUsage(run, answer.usage);
}

function planRequest(run: Run, stepNumber: number): ModelRequest {
  const { tools, instructions } = run.definition;
  const remainingSteps = run.start.maxSteps - stepNumber + 1;
  const parts: PlanInput = { ...toolsAndAgents(tools), instructions, remainingSteps };
  return { messages: hasEarlierWork(run) ? updateMessages(run, parts) : firstMessages(run, parts), stop: [endOfPlan] };
}

/** Says whether the memory contains anything other than the task of this run. */
function hasEarlierWork(run: Run): boolean {
  const isTheTask = (step: MemoryStep): boolean => step.type === "task" && step.runId === run.id;
  const isNotWork = ({ type }: MemoryStep): boolean => type === "system-prompt" || type === "custom";
  return !run.steps().every((step) => isTheTask(step) || isNotWork(step));
}

const firstMessages = ({ start, definition }: Run, parts: PlanInput): ChatMessage[] => [
  { role: "user", content: [{ type: "text", text: planPrompt(parts, definition.prompts) }, ...start.task] },
];

const updateMessages = (run: Run, parts: PlanInput): ChatMessage[] => [
  { role: "system", content: [{ type: "text", text: plannerPrompt }] },
  ...toMessages(run.steps(), { summary: true }),
  { role: "user", content: [{ type: "text", text: planUpdatePrompt(parts, run.definition.prompts) }] },
];

/**
 * Returns the plan in a message. Everything after the stop sequence is removed here too, because
 * not every server supports stop sequences.
 */
const planIn = (message: ChatMessage): string => (withoutThoughts(textOf(message)).split(endOfPlan)[0] ?? "").trim();
