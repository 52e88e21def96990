import type { EventOf } from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import { type Past, pastOf } from "../run/past.ts";
import type { Run } from "../run/run.ts";
import { mustBeOfLanguage, mustBeReplayable, type RunPlan } from "./plan-run.ts";

/**
 * Brings the sandbox to where earlier runs of its session left it: their recorded code runs again, with every outcome from the log. Nothing is called.
 *
 * @param runOf - a run that cannot record anything
 * @throws AgentError `divergence` when the code does not do again what it did
 */
export async function rebuildState(
  definition: AgentDefinition,
  { earlier, events, loss }: Pick<RunPlan, "earlier" | "events" | "loss">,
  runOf: (start: EventOf<"run-start">, past: Past) => Run,
): Promise<void> {
  for (const start of earlier) {
    mustBeOfLanguage(definition, start);
    const past = pastOf(events, start.runId, start.path);
    mustBeReplayable(definition, past, loss);
    if (definition.executor?.replay === "exact") await repeatRun(definition, past, runOf(start, past));
  }
}

async function repeatRun(definition: AgentDefinition, past: Past, run: Run): Promise<void> {
  for (const [stepNumber, step] of past.steps) {
    // A block without a recorded end was killed: what it had done is void.
    if (step.codeStart && step.codeEnd) await definition.behaviour.repeatCode?.(run, stepNumber, step);
  }
}
