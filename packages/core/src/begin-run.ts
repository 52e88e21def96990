// How a run begins: from nothing, or from what its log holds. Either way the sandbox first gets the state of all that ran before it.

import { AgentError, type DurableEvent, type EventOf, type Path } from "@smolts/protocol";
import type { RunOptions } from "./agent-options.ts";
import { randomBits } from "./digest.ts";
import type { Leg, LegBeginning } from "./leg.ts";
import { type Past, pastOf } from "./past.ts";
import { runCode } from "./run-code.ts";

/** Begins a new run. */
export function beginFresh(task: string, options: RunOptions): LegBeginning {
  return async (leg) => {
    const { systemPrompt, maxSteps, model } = leg.definition;
    const events = await leg.earlierEvents();
    for (const earlier of startsIn(events, leg.path)) await rebuildState(leg, events, earlier);
    if (leg.knowsRun(leg.runId)) throw sameRunId(leg.runId);
    const start = leg.append({
      type: "run-start",
      definitionDigest: await leg.definitionDigest(),
      model: model.id,
      task: [{ type: "text", text: task }],
      systemPrompt,
      variables: {},
      maxSteps: options.maxSteps ?? maxSteps,
      ...(options.forceAnswer === false ? { forceAnswer: false } : {}),
      seed: randomBits(),
      lineage: randomBits(),
    });
    return leg.runOf(start, pastOf([], leg.runId, leg.path));
  };
}

/** Begins where the last run of the log stopped; the sandbox gets the state of all that ran before. */
export function beginResumed(): LegBeginning {
  return async (leg) => {
    const events = await leg.earlierEvents();
    const starts = startsIn(events, leg.path);
    const start = starts.pop();
    if (!start)
      throw new AgentError("log", `the log "${leg.id}" has no run of the agent "${leg.path.join("/")}" to go on with`);
    leg.runId = start.runId;
    for (const event of events) if (event.runId === start.runId) leg.show(event);
    const past = pastOf(events, start.runId, leg.path);
    if (past.end) return leg.runOf(start, past);
    mustBeReplayable(leg, past);
    leg.append({ type: "run-resume", attempt: past.attempts + 1, definitionDigest: await leg.definitionDigest() });
    for (const earlier of starts) await rebuildState(leg, events, earlier);
    return leg.runOf(start, past);
  };
}

function startsIn(events: readonly DurableEvent[], path: Path): EventOf<"run-start">[] {
  const isStart = (event: DurableEvent): event is EventOf<"run-start"> =>
    event.type === "run-start" && event.path.join("/") === path.join("/");
  return events.filter(isStart);
}

/** Runs the recorded code of a run that has ended again, with every outcome from the log: nothing is called and nothing is appended. */
async function rebuildState(leg: Leg, events: readonly DurableEvent[], start: EventOf<"run-start">): Promise<void> {
  const run = leg.runOf(start, pastOf(events, start.runId, leg.path));
  mustBeReplayable(leg, run.past);
  for (const [stepNumber, step] of run.past.steps) {
    // A block without a recorded end was killed: what it had done is void.
    if (!step.codeStart || !step.codeEnd) continue;
    await runCode(run, stepNumber, step.codeStart.code, step);
  }
}

/** Running code again is only harmless where nothing but the recorded outcomes decides what it does. */
function mustBeReplayable({ definition }: Leg, past: Past): void {
  const hasCode = [...past.steps.values()].some(({ codeStart }) => codeStart !== null);
  if (hasCode && definition.executor?.replay !== "exact") throw notReplayable();
}

const sameRunId = (runId: string): AgentError =>
  new AgentError("invalid-option", `the session has had a run with the id "${runId}"`, {
    hint: "leave runId out for a random one, or resume() that run",
  });

const notReplayable = (): AgentError =>
  new AgentError("executor", "the state of this sandbox cannot be rebuilt from the log", {
    hint: "resume with the executor the run began with, such as the interpreter",
  });
