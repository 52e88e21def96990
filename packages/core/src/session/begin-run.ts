// How a run begins: from nothing, or from what its log holds. Either way the sandbox first gets the state of all that ran before it.

import {
  AgentError,
  type Budget,
  type DurableEvent,
  type EventOf,
  type GivenDecision,
  isPathAt,
  isPathUnder,
  type Path,
} from "@smolts/protocol";
import { runCode } from "../acting/run-code.ts";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import type { RunOptions } from "../agent/agent-options.ts";
import { defaultLanguage, languageOf, typeText } from "../languages/languages.ts";
import { checkBudget } from "../run/budget.ts";
import { randomBits } from "../run/digest.ts";
import { type Past, pastOf } from "../run/past.ts";
import type { Run } from "../run/run.ts";
import { finalAnswerName } from "../tools/final-answer.ts";
import { isTypedAnswer } from "../tools/typed-answer.ts";
import type { Leg, LegBeginning } from "./leg.ts";
import { checkDecisions } from "./resume-decisions.ts";
import { checkRunInput, type RunInput, storeInput } from "./run-input.ts";

/** Begins a new run. */
export function beginFresh(input: RunInput, options: RunOptions): LegBeginning {
  return async (leg) => {
    const { systemPrompt, maxSteps, budget, model } = leg.definition;
    const events = await leg.earlierEvents();
    for (const earlier of startsIn(events, leg.path)) await rebuildState(leg, events, earlier);
    if (leg.knowsRun(leg.runId)) throw sameRunId(leg.runId);
    const stored = await storeInput(input, leg.putBlob);
    const definitionDigest = await leg.definitionDigest();
    const start = leg.append({
      type: "run-start",
      definitionDigest,
      model: model.id,
      ...stored,
      systemPrompt,
      maxSteps: options.maxSteps ?? maxSteps,
      ...recordedBudget({ ...budget, ...options.budget }),
      ...recordedAnswerForm(leg.definition),
      ...recordedLanguage(leg.definition),
      ...(options.forceAnswer === false ? { forceAnswer: false } : {}),
      seed: randomBits(),
      lineage: randomBits(),
    });
    return leg.runOf(start, pastOf([], leg.runId, leg.path));
  };
}

/** What a managed agent is to do, and for whom. */
export interface WorkerTask {
  readonly task: string;
  readonly additionalArgs: { readonly [name: string]: unknown };
  readonly caller: Run;
  readonly callId: string;
  /** The caller's path and, last, the agent's name with the number of the call. */
  readonly path: Path;
}

/** Begins the work of a managed agent, or goes on with it where the log has it begun. */
export function beginWork({ task, additionalArgs, caller, callId }: WorkerTask): LegBeginning {
  return async (leg) => {
    const { systemPrompt, maxSteps, budget, model } = leg.definition;
    const events = await leg.earlierEvents();
    const past = pastOf(events, leg.runId, leg.path);
    for (const earlier of startsIn(events, leg.place)) {
      if (earlier !== past.start) await rebuildState(leg, events, earlier);
    }
    if (past.start) {
      for (const event of events) if (isOfWork(event, leg)) leg.recall(event);
      return leg.runOf(past.start, past);
    }
    const input = checkRunInput(task, { additionalArgs }, leg.definition);
    const start = leg.append({
      type: "run-start",
      definitionDigest: await leg.definitionDigest(),
      model: model.id,
      ...(await storeInput(input, leg.putBlob)),
      systemPrompt,
      maxSteps,
      ...recordedBudget(budget),
      ...recordedAnswerForm(leg.definition),
      ...recordedLanguage(leg.definition),
      seed: randomBits(),
      lineage: caller.start.lineage,
      parentCallId: callId,
    });
    return leg.runOf(start, past);
  };
}

/** Whether an event is of this very call, or of agents that work for it. */
const isOfWork = ({ runId, path }: DurableEvent, leg: Leg): boolean =>
  runId === leg.runId && (isPathAt(path, leg.path) || isPathUnder(path, leg.path));

/** Begins where the last run of the log stopped; the sandbox gets the state of all that ran before. */
export function beginResumed({ decisions, force, runId }: ResumeRequest): LegBeginning {
  return async (leg) => {
    const events = await leg.earlierEvents();
    const starts = startsIn(events, leg.path);
    const start = starts.pop();
    if (start && runId !== null && start.runId !== runId) throw notNewest(runId, start.runId);
    if (!start)
      throw new AgentError("log", `the log "${leg.id}" has no run of the agent "${leg.path.join("/")}" to go on with`);
    leg.runId = start.runId;
    const ofRun = events.filter((event) => event.runId === start.runId);
    for (const event of ofRun) leg.publish(event);
    const past = pastOf(events, start.runId, leg.path);
    if (past.end) return leg.runOf(start, past);
    mustBeOfLanguage(leg.definition, start);
    mustBeReplayable(leg, past);
    mustHaveAnswerForm(leg.definition, start);
    if (!force) refuseCrashLoop(ofRun);
    const checked = await checkDecisions(leg.definition, ofRun, decisions);
    leg.append({ type: "run-resume", attempt: past.attempts + 1, definitionDigest: await leg.definitionDigest() });
    const decided = checked.map(({ path, response }) => leg.append(response, path));
    // Before any of it is acted on, and before anybody is told that it was heard.
    if (decided.length > 0) await leg.flush();
    leg.noteResumed(decided);
    for (const earlier of starts) await rebuildState(leg, events, earlier);
    return leg.runOf(start, pastOf([...events, ...decided], start.runId, leg.path));
  };
}

/** What a caller wants resumed, and how. */
export interface ResumeRequest {
  readonly decisions: readonly GivenDecision[];
  /** Whether a run that seems to end its process each time is resumed all the same. */
  readonly force: boolean;
  /** Null for the last run of the log. */
  readonly runId: string | null;
}

const maxFruitlessResumes = 3;

/** A value that ends the process would end each resume: after three without anything new, a person has to look. */
function refuseCrashLoop(events: readonly DurableEvent[]): void {
  const lastProgress = events.findLastIndex(({ type }) => results.has(type));
  const resumes = events.slice(lastProgress + 1).filter(({ type }) => type === "run-resume").length;
  if (resumes < maxFruitlessResumes) return;
  throw new AgentError("crash-loop", `the run was resumed ${resumes} times without getting any further`, {
    hint: "find out what ends the process, then resume with { force: true }",
  });
}

/** What a resume has got further by. A question, a print or a beginning may be all that a program gets to each time. */
const results: ReadonlySet<DurableEvent["type"]> = new Set([
  "run-start",
  "run-suspend",
  "plan",
  "model-response",
  "approval-response",
  "doubt-response",
  "tool-result",
  "code-end",
  "step-end",
] as const);

/** Only what limits something; a run can lift a limit of its agent. */
function recordedBudget(budget: Budget): { readonly budget?: Budget } {
  const limits = checkBudget(budget);
  return Object.keys(limits).length === 0 ? {} : { budget: limits };
}

function recordedAnswerForm({ tools }: AgentDefinition): Pick<EventOf<"run-start">, "answerSchema"> {
  const tool = tools.get(finalAnswerName);
  return isTypedAnswer(tool) ? { answerSchema: tool.answerSchema } : {};
}

/** Only where it is not the default. */
function recordedLanguage({ executor }: AgentDefinition): Pick<EventOf<"run-start">, "language"> {
  const id = executor?.language ?? defaultLanguage.id;
  return id === defaultLanguage.id ? {} : { language: id };
}

/** Code of one language is none of the other, and neither are the model's messages. */
function mustBeOfLanguage({ executor }: AgentDefinition, { language }: EventOf<"run-start">): void {
  const recorded = languageOf(language);
  const own = languageOf(executor?.language);
  if (!executor || recorded === own) return;
  throw new AgentError(
    "invalid-option",
    `the log is of a run whose code is ${recorded.name}; this executor runs ${own.name}`,
    {
      hint: `go on with an executor of ${recorded.name}, or begin a session with a log of its own`,
    },
  );
}

/** The record has the form of the answers, but not what checks and parses them. */
function mustHaveAnswerForm({ tools }: AgentDefinition, { answerSchema }: EventOf<"run-start">): void {
  if (!answerSchema || isTypedAnswer(tools.get(finalAnswerName))) return;
  throw new AgentError(
    "invalid-option",
    `the run was begun with answers of the form ${typeText(answerSchema)}, and the option output is not given now`,
    { hint: "give it again: resume(log, { output }), or to the agent" },
  );
}

function startsIn(events: readonly DurableEvent[], place: Path): EventOf<"run-start">[] {
  const isStart = (event: DurableEvent): event is EventOf<"run-start"> =>
    event.type === "run-start" && isPathAt(event.path, place);
  return events.filter(isStart);
}

/** Runs the recorded code of a run that has ended again, with every outcome from the log: nothing is called and nothing is appended. */
async function rebuildState(leg: Leg, events: readonly DurableEvent[], start: EventOf<"run-start">): Promise<void> {
  mustBeOfLanguage(leg.definition, start);
  const run = leg.runOf(start, pastOf(events, start.runId, start.path));
  mustBeReplayable(leg, run.past);
  if (leg.definition.executor?.replay !== "exact") return; // the sandbox still has it
  for (const [stepNumber, step] of run.past.steps) {
    // A block without a recorded end was killed: what it had done is void.
    if (!step.codeStart || !step.codeEnd) continue;
    await runCode(run, stepNumber, step.codeStart.code, step);
  }
}

/** Running code again is only harmless where nothing but the recorded outcomes decides what it does. Other sandboxes must be found again. */
function mustBeReplayable({ definition }: Leg, past: Past): void {
  const starts = [...past.steps.values()].flatMap(({ codeStart }) => codeStart ?? []);
  const last = starts.at(-1);
  if (last && definition.executor?.replay !== "exact" && last.sandbox === undefined) throw notReplayable();
}

const notNewest = (runId: string, newest: string): AgentError =>
  new AgentError("invalid-option", `the run "${runId}" is not the last one of its session, which is "${newest}"`, {
    hint: `resume "${newest}" instead`,
  });

const sameRunId = (runId: string): AgentError =>
  new AgentError("invalid-option", `the session has had a run with the id "${runId}"`, {
    hint: "leave runId out for a random one, or resume() that run",
  });

const notReplayable = (): AgentError =>
  new AgentError("executor", "the state of this sandbox cannot be rebuilt from the log", {
    hint: "resume with the executor the run began with, such as the interpreter",
  });
