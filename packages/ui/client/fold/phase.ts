import { type CallView, type RunView, type StepView, stepsOf } from "./session-view.ts";

/** The current activity of a run. */
export type Phase =
  | { readonly type: "starting" }
  | { readonly type: "planning" }
  | { readonly type: "thinking" }
  | { readonly type: "writing-code" }
  | { readonly type: "running-code" }
  | { readonly type: "calling"; readonly names: readonly string[] }
  | { readonly type: "waiting"; readonly names: readonly string[] }
  | { readonly type: "retrying"; readonly attempt: number; readonly at: number }
  | { readonly type: "agent"; readonly name: string; readonly phase: Phase; readonly count: number };

/** Returns the current activity of a run, from its newest step. */
export function phaseOf(run: RunView, waiting: Iterable<CallView>): Phase {
  const names = [...waiting].map(({ name }) => name);
  return names.length > 0 ? { type: "waiting", names } : workOf(run);
}

function workOf(run: RunView): Phase {
  const item = run.items.findLast(({ type }) => type === "step" || type === "plan");
  if (!item) return { type: "starting" };
  if (item.type === "plan") return { type: item.isLive ? "planning" : "thinking" };
  return item.type === "step" && item.isLive ? stepPhase(item) : { type: "thinking" };
}

function stepPhase(step: StepView): Phase {
  if (step.retry)
    return { type: "retrying", attempt: step.retry.attempt + 1, at: step.retry.time + step.retry.delayMs };
  const open = step.calls.filter(({ outcome }) => outcome === null);
  const agents = open.flatMap((call) => call.agents.filter(({ status }) => status === "running"));
  const agent = agents.at(-1);
  if (agent) return { type: "agent", name: agent.name, phase: workOf(agent), count: agents.length };
  if (open.length > 0) return { type: "calling", names: [...new Set(open.map(({ name }) => name))] };
  if (step.codeState === "running" || step.codeState === "written") return { type: "running-code" };
  return { type: step.codeState === "writing" ? "writing-code" : "thinking" };
}

/** Returns the number of a run's current step; 0 before the first step. */
export function stepNumberOf(run: RunView): number {
  return stepsOf(run).at(-1)?.number ?? 0;
}
