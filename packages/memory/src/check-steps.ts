import { wrongArgument } from "@smolts/protocol";

/** Refuses a value that is not a list of steps. @throws AgentError `invalid-option` */
export function checkSteps(whose: string, steps: unknown): void {
  if (!Array.isArray(steps))
    throw wrongArgument(whose, steps, "a list of steps", `write ${whose.slice(0, -1)}run.steps)`);
}
