// How a run begins: from nothing, or from what its log holds. Either way the sandbox first gets the state of all that ran before it.

import {
  AgentError,
  type Budget,
  type ChatMessage,
  type DurableEvent,
  type EventOf,
  type ExecutorFactory,
  type GivenDecision,
  isDurableType,
  isPathAt,
  isPathUnder,
  type Path,
  type RunLog,
} from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import type { RunOptions } from "../agent/agent-options.ts";
import { changedParts } from "../agent/definition-digest.ts";
import { defaultLanguage, languageOf, typeText } from "../languages/languages.ts";
import { checkBudget } from "../run/budget.ts";
import { randomBits } from "../run/digest.ts";
import { changesIn, type Past, pastOf } from "../run/past.ts";
import type { Run } from "../run/run.ts";
import { finalAnswerName } from "../tools/final-answer.ts";
import { isTypedAnswer } from "../tools/typed-answer.ts";
import { type CopiedEvent, copyBlobs, type ForkRequest, forkedEvents, mustBeCopied } from "./fork.ts";
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
    const digests = await leg.definitionDigests();
    const start = leg.append({
      type: "run-start",
      ...digests,
      model: model.id,
      ...stored,
      systemPrompt,
      maxSteps: options.maxSteps ?? maxSteps,
      ...recordedBudget({ ...budget, ...options.budget }),
      ...recordedAnswerForm(leg.definition),
      ...recordedLanguage(leg.definition),
      ...recordedEnvironment(leg.definition),
      ...(options.forceAnswer === false ? { forceAnswer: false } : {}),
      seed: randomBits(),
      lineage: randomBits(),
    });
    for (const [name, data] of Object.entries(options.notes ?? {})) leg.append({ type: "note", name, data });
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
      ...(await leg.definitionDigests()),
      model: model.id,
      ...(await storeInput(input, leg.putBlob)),
      systemPrompt,
      maxSteps,
      ...recordedBudget(budget),
      ...recordedAnswerForm(leg.definition),
      ...recordedLanguage(leg.definition),
      ...recordedEnvironment(leg.definition),
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
export function beginResumed({ decisions, force, runId, moreSteps, budget }: ResumeRequest): LegBeginning {
  return async (leg) => {
    const events = await leg.earlierEvents();
    mustBeCopied(events);
    const starts = startsIn(events, leg.path);
    const start = starts.pop();
    if (start && runId !== null && start.runId !== runId) throw notNewest(runId, start.runId);
    if (!start)
      throw new AgentError("log", `the log "${leg.id}" has no run of the agent "${leg.path.join("/")}" to go on with`);
    leg.runId = start.runId;
    const ofRun = events.filter((event) => event.runId === start.runId);
    for (const event of ofRun) leg.publish(event);
    const past = pastOf(events, start.runId, leg.path);
    const checked = await checkDecisions(leg.definition, ofRun, decisions);
    if (past.end && checked.length > 0) throw runHasEnded(past.end);
    if (past.end && isFinished(past.end, { moreSteps, budget })) return leg.runOf(start, past);
    mustBeOfLanguage(leg.definition, start);
    mustBeReplayable(leg, past);
    mustHaveAnswerForm(leg.definition, start);
    if (!force) refuseCrashLoop(ofRun);
    const digests = await leg.definitionDigests();
    const environment = changedEnvironment(leg.definition, past.environment);
    const changed = changedParts(start.definitionParts, digests.definitionParts);
    const resumed = leg.append({
      type: "run-resume",
      attempt: past.attempts + 1,
      definitionDigest: digests.definitionDigest,
      ...(changed.length > 0 && { changed }),
      ...(environment && { environment }),
      ...raisedLimits(past, { moreSteps, budget }),
    });
    const told = past.end?.answer === undefined ? [] : [leg.append({ type: "message", message: goOn })];
    const decided = checked.map(({ path, response }) => leg.append(response, path));
    // Before any of it is acted on, and before anybody is told that it was heard.
    if (decided.length > 0) await leg.flush();
    const added = [resumed, ...told, ...decided];
    leg.noteResumed(added);
    for (const earlier of starts) await rebuildState(leg, events, earlier);
    return leg.runOf(start, pastOf([...events, ...added], start.runId, leg.path));
  };
}

/** What a caller wants resumed, and how. */
export interface ResumeRequest {
  readonly decisions: readonly GivenDecision[];
  /** Whether a run that seems to end its process each time is resumed all the same. */
  readonly force: boolean;
  /** Null for the last run of the log. */
  readonly runId: string | null;
  /** How many steps a run that has used up its own may take besides. */
  readonly moreSteps: number;
  /** What counts from now on, limit by limit in place of the run's own. */
  readonly budget: Budget | undefined;
}

/** Writes what a fork shares with its parent, and continues from there as a resume does. */
export function beginForked(fork: ForkRequest, resume: ResumeRequest): LegBeginning {
  return async (leg) => {
    const events = await eventsOf(fork.parent);
    const { definition, path, runId } = leg;
    const { definitionDigest } = await leg.definitionDigests();
    const forked = await forkedEvents(events, fork, { definition, path, runId, definitionDigest });
    mustBeReplayable(leg, pastOf(forked.map(numbered), runId, path));
    await copyBlobs(forked, fork.parent, leg);
    for (const event of forked) leg.copy(event);
    await leg.flush();
    return beginResumed(resume)(leg);
  };
}

const numbered = (event: CopiedEvent, index: number): DurableEvent => Object.assign({}, event, { seq: index + 1 });

/** Whether nothing is left to do: it has its answer, and no limit was raised that has forced it. */
function isFinished(
  { status }: EventOf<"run-end">,
  { moreSteps, budget }: Pick<ResumeRequest, "moreSteps" | "budget">,
): boolean {
  switch (status) {
    case "success":
      return true;
    case "max-steps":
      return moreSteps === 0;
    case "budget":
      return budget === undefined;
    case "aborted":
    case "failed":
    case "suspended":
      return false;
    default:
      return status satisfies never;
  }
}

function raisedLimits(
  { start, steps }: Past,
  { moreSteps, budget }: Pick<ResumeRequest, "moreSteps" | "budget">,
): Pick<EventOf<"run-resume">, "maxSteps" | "budget"> {
  const lastStep = Math.max(start?.maxSteps ?? 0, ...steps.keys());
  return {
    ...(moreSteps > 0 && { maxSteps: lastStep + moreSteps }),
    ...(budget && { budget: checkBudget({ ...start?.budget, ...budget }) }),
  };
}

/** A model that was made to answer has to hear that it may work on. */
const goOn: ChatMessage = {
  role: "user",
  content: [{ type: "text", text: "The limit was raised, so that was not your last step. Continue with the task." }],
};

const runHasEnded = ({ status }: EventOf<"run-end">): AgentError =>
  new AgentError("stale-decision", `the decisions were refused: the run has ended (${status})`, {
    hint: "resume it without decisions, and decide on what it then asks for",
  });

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
  "run-end",
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

function recordedEnvironment({ executor }: AgentDefinition): Pick<EventOf<"run-start">, "environment"> {
  return executor?.environment ? { environment: executor.environment } : {};
}

/** What the code runs in now, when that is not as it was recorded. */
function changedEnvironment(
  { executor }: AgentDefinition,
  recorded: ExecutorFactory["environment"],
): ExecutorFactory["environment"] {
  const now = executor?.environment;
  return now && changesIn(recorded, now).length > 0 ? now : undefined;
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

/** All that a log holds. */
export async function eventsOf(log: RunLog): Promise<readonly DurableEvent[]> {
  const events: DurableEvent[] = [];
  for await (const event of log.read()) {
    if (!isDurableType(event.type)) throw newerVersion(log, event);
    events.push(event);
  }
  return events;
}

const newerVersion = ({ id }: RunLog, { seq, type }: { readonly seq: number; readonly type: string }): AgentError =>
  new AgentError("log-version", `event ${seq} of the log "${id}" is "${type}", which this version does not know`, {
    hint: "resume it with the version of smolts that wrote it, or a newer one",
  });

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
    if (step.codeStart && step.codeEnd) await leg.definition.behaviour.repeatCode?.(run, stepNumber, step);
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
