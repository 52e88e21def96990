import type { ToolDeclaration } from "@smolts/protocol";

/** What the texts that ask for a plan are made of. */
export interface PlanInput {
  /** Those the steps can use. */
  readonly tools: readonly ToolDeclaration[];
  /** The user's own, as in the system prompt. */
  readonly instructions?: string | undefined;
  /** How many steps the run may still take, the one after the plan included. */
  readonly remainingSteps: number;
}

/** Where a plan ends: what a model writes after it is left out. */
export const endOfPlan = "<end_plan>";

/** Asks for the first plan; the task follows it. */
export function planPrompt({ tools, instructions, remainingSteps }: PlanInput): string {
  return [
    `Prepare the work on the task below. It will be carried out in ${atMost(remainingSteps)}, one action and one look at its result at a time.`,
    toolsOf(tools),
    ...instructionsOf(instructions),
    form,
    "The task:\n",
  ].join("\n\n");
}

/** Asks for a new plan, after what was done so far. */
export function planUpdatePrompt({ tools, instructions, remainingSteps }: PlanInput): string {
  return [
    `Above stands the task and what was done about it so far. Write a new plan for what is left of it; there is time for ${atMost(remainingSteps)}. Keep what worked, and plan another way where something failed.`,
    toolsOf(tools),
    ...instructionsOf(instructions),
    form,
  ].join("\n\n");
}

/** The system prompt of a plan that is made from what was done so far. */
export const plannerPrompt =
  "You plan the work of an agent. You are shown its task, its actions and their results; the last task is the one that counts. You carry out nothing yourself: you write down what is known and what to do next.";

const form = `Write two parts:
## Facts
What is given, what was found out, and what still has to be looked up or computed. No guesses.
## Plan
Numbered steps, each one action that brings the answer nearer, the last one giving the answer. Name the tools to use, but write no code and no calls.
After the last step write ${endOfPlan} and stop.`;

function toolsOf(tools: readonly ToolDeclaration[]): string {
  if (tools.length === 0) return "There are no tools.";
  return `The tools:\n${tools.map(({ name, description }) => `- ${name}: ${firstLine(description)}`).join("\n")}`;
}

/** The rest of a description says how to call the tool, which a plan does not. */
const firstLine = (description: string): string => description.trim().split("\n", 1)[0] ?? "";

const instructionsOf = (instructions: string | undefined): string[] =>
  instructions === undefined || instructions.trim() === "" ? [] : [`Instructions:\n${instructions.trim()}`];

const atMost = (steps: number): string => `at most ${steps} ${steps === 1 ? "step" : "steps"}`;
