import type { DeclaredTool } from "../languages/code-language.ts";
import { type PlanPromptParts, type Prompts, renderPrompt } from "./prompts-option.ts";

/** The parts that the prompts for a plan are made from. */
export type PlanInput = Omit<PlanPromptParts, "standard">;

/** The marker at the end of a plan. Text that a model writes after it is left out. */
export const endOfPlan = "<end_plan>";

/**
 * Returns the prompt for the first plan. It does not contain the task, which follows it.
 *
 * @throws AgentError `invalid-option` when the function `prompts.plan` throws or does not return a
 * string
 */
export function planPrompt(input: PlanInput, { plan }: Prompts): string {
  const opening = `Prepare the work on the task below. It will be carried out in ${atMost(input.remainingSteps)}, one action and one look at its result at a time.`;
  const complete = (text: string): string => [text, ...factsOf(input), taskHeading].join("\n\n");
  const standard = [opening, ...factsOf(input), form, taskHeading].join("\n\n");
  return renderPrompt("plan", plan, { ...input, standard }, complete);
}

/**
 * Returns the prompt for a new plan after some steps.
 *
 * @throws AgentError `invalid-option` when the function `prompts.planUpdate` throws or does not
 * return a string
 */
export function planUpdatePrompt(input: PlanInput, { planUpdate }: Prompts): string {
  const left = atMost(input.remainingSteps);
  const opening = `Above stands the task and what was done about it so far. Write a new plan for what is left of it; there is time for ${left}. Keep what worked, and plan another way where something failed.`;
  const complete = (text: string): string => [text, ...factsOf(input), `There is time for ${left}.`].join("\n\n");
  const standard = [opening, ...factsOf(input), form].join("\n\n");
  return renderPrompt("planUpdate", planUpdate, { ...input, standard }, complete);
}

/** The system prompt for a new plan that is made after some steps. */
export const plannerPrompt =
  "You plan the work of an agent. You are shown its task, its actions and their results; the last task is the one that counts. You carry out nothing yourself: you write down what is known and what to do next.";

const form = `Write two parts:
## Facts
What is given, what was found out, and what still has to be looked up or computed. No guesses.
## Plan
Numbered steps, each one action that brings the answer nearer, the last one giving the answer. Name the tools to use, but write no code and no calls.
After the last step write ${endOfPlan} and stop.`;

const taskHeading = "The task:\n";

const factsOf = ({ tools, managedAgents, instructions }: PlanInput): string[] => [
  toolsOf([...tools, ...managedAgents]),
  ...instructionsOf(instructions),
];

/** About 1,500 tokens. */
const maxToolsLength = 6_000;

function toolsOf(tools: readonly DeclaredTool[]): string {
  if (tools.length === 0) return "There are no tools.";
  const lines: string[] = [];
  let length = 0;
  for (const { name, description } of tools) {
    const line = `- ${name}: ${firstLine(description)}`;
    length += line.length;
    if (length > maxToolsLength) break;
    lines.push(line);
  }
  const left = tools.length - lines.length;
  return ["The tools:", ...lines, ...(left === 0 ? [] : [`- and ${left} more`])].join("\n");
}

/**
 * Returns the first line of a description. The other lines say how to call the tool, which a plan
 * does not need.
 */
const firstLine = (description: string): string => description.trim().split("\n", 1)[0] ?? "";

const instructionsOf = (instructions: string | undefined): string[] =>
  instructions === undefined || instructions.trim() === "" ? [] : [`Instructions:\n${instructions.trim()}`];

const atMost = (steps: number): string => `at most ${steps} ${steps === 1 ? "step" : "steps"}`;
