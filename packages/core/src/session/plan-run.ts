// Plans how a run begins, from the log and the definition of the agent, before anything is written.
// A request that is refused here leaves the log unchanged.

import {
  AgentError,
  type ChatMessage,
  type DurableBody,
  type DurableEvent,
  type EventOf,
  type ExecutorFactory,
  invalidOption,
  isPathAt,
  isPathUnder,
  type Path,
  randomHex,
} from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import { changedParts, definitionDigests } from "../agent/definition-digest.ts";
import { languageTitles } from "../languages/language-titles.ts";
import { defaultLanguage, typeText } from "../languages/languages.ts";
import { checkBudget } from "../run/budget.ts";
import { changesIn, type Past, pastOf } from "../run/past.ts";
import { finalAnswerName } from "../tools/final-answer.ts";
import { isTypedAnswer } from "../tools/typed-answer.ts";
import { mustBeCopied } from "./fork.ts";
import { type SandboxLoss, sandboxLoss } from "./lost-sandbox.ts";
import { type CheckedDecision, checkDecisions, toolAt } from "./resume-decisions.ts";
import { checkRunInput, type RunInput } from "./run-input.ts";
import type { FreshRequest, ResumeRequest, WorkRequest } from "./run-request.ts";
import type { SessionState } from "./session-state.ts";

/** The facts about a run that is about to begin. `path` lists the agents that called each other. */
export interface PlanContext {
  readonly state: SessionState;
  readonly definition: AgentDefinition;
  readonly path: Path;
  /** Aborts when the run is no longer wanted. */
  readonly signal: AbortSignal;
}

/** A plan of how a run begins. */
export type RunPlan = NewPlan | RecordedPlan | ResumedPlan;

interface PlanBasis {
  readonly runId: string;
  /** The events of the log that the memory and the sandbox do not have yet. */
  readonly events: readonly DurableEvent[];
  /**
   * The start events of those runs in `events` whose code must run again to restore the variables.
   */
  readonly earlier: readonly EventOf<"run-start">[];
  readonly loss: SandboxLoss;
}

/** The plan of a run that is not in the log yet. */
export interface NewPlan extends PlanBasis {
  readonly type: "new";
  readonly input: RunInput;
  /** The fields of the run's first event, without those that come from the input. */
  readonly start: Omit<Extract<DurableBody, { readonly type: "run-start" }>, "task" | "history" | "variables">;
  readonly notes: FreshRequest["options"]["notes"];
}

/**
 * The plan of a run whose beginning is already recorded and needs no new event. Either the run has
 * ended, or it is the work of a managed agent that had already begun.
 */
export interface RecordedPlan extends PlanBasis {
  readonly type: "recorded";
  readonly start: EventOf<"run-start">;
  readonly past: Past;
  /** The recorded events of the run, for new readers. */
  readonly runEvents: readonly DurableEvent[];
}

/** The plan of a run that is resumed. A new event records the resume. */
export interface ResumedPlan extends PlanBasis {
  readonly type: "resumed";
  readonly start: EventOf<"run-start">;
  /** The recorded events of the run, for new readers. */
  readonly runEvents: readonly DurableEvent[];
  readonly resume: Extract<DurableBody, { readonly type: "run-resume" }>;
  /** The first message to the model; null if there is none. */
  readonly message: ChatMessage | null;
  readonly decisions: readonly CheckedDecision[];
}

/** Plans a new run. */
export async function planFresh(context: PlanContext, request: FreshRequest): Promise<NewPlan> {
  const { state, definition, path } = context;
  const { runId, input, options } = request;
  const events = await state.readNewEvents(context.signal);
  if (state.isSuspended) throw waitsForPeople();
  if (state.knowsRun(runId)) throw sameRunId("session", runId);
  if (await state.isRunElsewhere(runId, context.signal)) throw sameRunId("store", runId);
  const start = await startOf(definition, {
    maxSteps: options.maxSteps ?? definition.maxSteps,
    budget: { ...definition.budget, ...options.budget },
    lineage: randomHex(),
    ...(options.forceAnswer === false && { forceAnswer: false }),
    ...(options.emptySandbox && { emptySandbox: true }),
  });
  const basis = { runId, events, earlier: startsIn(events, path), loss: sandboxLoss(context, request, events) };
  return { type: "new", ...basis, input, start, notes: options.notes };
}

/** Plans the work of a managed agent. If the log already has events of this work, continues it. */
export async function planWork(context: PlanContext, request: WorkRequest): Promise<NewPlan | RecordedPlan> {
  const { state, definition, path } = context;
  const { task, additionalArgs, caller, callId } = request;
  const runId = caller.id;
  const events = await state.readNewEvents(context.signal);
  const past = pastOf(events, runId, path);
  const isKept = !isPathAt(state.path, path);
  // The loop itself replays work that has not ended. Work that has ended is replayed here, but only
  // for an agent that keeps its memory, because the agent's later tasks need the variables.
  const isReplayed = (seq: number): boolean => seq !== past.start?.seq || (isKept && past.end !== null);
  const earlier = startsIn(events, state.path).filter(({ seq }) => isReplayed(seq));
  const basis = { runId, events, earlier, loss: sandboxLoss(context, request, events) };
  if (past.start) {
    const isOfIt = (event: DurableEvent): boolean =>
      event.runId === runId && (isPathAt(event.path, path) || isPathUnder(event.path, path));
    return { type: "recorded", ...basis, start: past.start, past, runEvents: events.filter(isOfIt) };
  }
  const { maxSteps, budget } = definition;
  const { lineage } = caller.start;
  const start = await startOf(definition, { maxSteps, budget, lineage, parentCallId: callId });
  const input = checkRunInput(task, { additionalArgs }, definition);
  return { type: "new", ...basis, input, start, notes: undefined };
}

/**
 * Plans how a run is resumed.
 *
 * @throws AgentError with one of many codes, which says why the run cannot continue
 */
export async function planResume(context: PlanContext, request: ResumeRequest): Promise<RecordedPlan | ResumedPlan> {
  const { state, definition, path } = context;
  const events = await state.readNewEvents(context.signal);
  mustBeCopied(events);
  const starts = startsIn(events, path);
  const start = starts.pop();
  if (request.runId !== null && state.hasForgotten(request.runId)) throw wasReset(request.runId);
  if (!start) throw nothingToResume(state.log.id, path);
  const { runId } = start;
  if (request.runId !== null && runId !== request.runId) throw notNewest(request.runId, runId);
  const runEvents = events.filter((event) => event.runId === runId);
  const past = pastOf(events, runId, path);
  const decisions = await checkDecisions(definition, runEvents, request.decisions, context.signal);
  if (past.end && decisions.length > 0) throw runHasEnded(past.end);
  const loss = sandboxLoss(context, request, events);
  const basis = { runId, events, start, runEvents, loss };
  if (past.end && isFinished(past.end, request)) return { type: "recorded", ...basis, earlier: [], past };
  mustBeOfLanguage(definition, start);
  mustBeReplayable(definition, past, loss);
  mustHaveAnswerForm(definition, start);
  mustHaveToolsOfRequests(definition, runEvents);
  if (!request.force) refuseCrashLoop(runEvents);
  const resume = await resumeOf(definition, past, request);
  return { type: "resumed", ...basis, earlier: starts, resume, message: past.end?.answer ? goOn : null, decisions };
}

type StartFacts = Pick<
  EventOf<"run-start">,
  "maxSteps" | "budget" | "lineage" | "forceAnswer" | "parentCallId" | "emptySandbox"
>;

async function startOf(definition: AgentDefinition, { budget, ...facts }: StartFacts): Promise<NewPlan["start"]> {
  const { systemPrompt, model, executor, language, tools } = definition;
  const limits = checkBudget(budget ?? {});
  const answer = tools.get(finalAnswerName);
  return {
    type: "run-start",
    ...(await definitionDigests(definition)),
    model: model.id,
    systemPrompt,
    ...facts,
    // Fields with their default values are left out.
    ...(Object.keys(limits).length > 0 && { budget: limits }),
    ...(isTypedAnswer(answer) && { answerSchema: answer.answerSchema }),
    ...(language !== defaultLanguage && { language: language.id }),
    ...(executor?.environment && { environment: executor.environment }),
    seed: randomHex(),
  };
}

async function resumeOf(
  definition: AgentDefinition,
  past: Past,
  { moreSteps, budget, emptySandbox }: ResumeRequest,
): Promise<ResumedPlan["resume"]> {
  const { definitionDigest, definitionParts } = await definitionDigests(definition);
  const changed = changedParts(past.start?.definitionParts, definitionParts);
  const environment = changedEnvironment(definition, past.environment);
  const lastStep = Math.max(past.start?.maxSteps ?? 0, ...past.steps.keys());
  return {
    type: "run-resume",
    attempt: past.attempts + 1,
    definitionDigest,
    ...(changed.length > 0 && { changed }),
    ...(environment && { environment }),
    ...(moreSteps > 0 && { maxSteps: lastStep + moreSteps }),
    ...(budget && { budget: checkBudget({ ...past.start?.budget, ...budget }) }),
    ...(emptySandbox && { emptySandbox }),
  };
}

/** Returns the language and the environment of the code, if they differ from the record. */
function changedEnvironment(
  { executor }: AgentDefinition,
  recorded: ExecutorFactory["environment"],
): ExecutorFactory["environment"] {
  const now = executor?.environment;
  return now && changesIn(recorded, now).length > 0 ? now : undefined;
}

/**
 * Says whether a run has nothing left to do: it has its answer, and the limit that forced the
 * answer was not raised.
 */
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

/** The message that tells a model to continue after it was forced to answer. */
const goOn: ChatMessage = {
  role: "user",
  content: [{ type: "text", text: "The limit was raised, so that was not your last step. Continue with the task." }],
};

function startsIn(events: readonly DurableEvent[], path: Path): EventOf<"run-start">[] {
  const isStart = (event: DurableEvent): event is EventOf<"run-start"> =>
    event.type === "run-start" && isPathAt(event.path, path);
  return events.filter(isStart);
}

const maxFruitlessResumes = 3;

/**
 * Refuses to resume a run after three attempts without progress. If a recorded value crashes the
 * process, it would crash each resume, so a person has to look at it.
 */
function refuseCrashLoop(events: readonly DurableEvent[]): void {
  const lastProgress = events.findLastIndex(({ type }) => results.has(type));
  const resumes = events.slice(lastProgress + 1).filter(({ type }) => type === "run-resume").length;
  if (resumes < maxFruitlessResumes) return;
  throw new AgentError("crash-loop", `the run was resumed ${resumes} times without getting any further`, {
    hint: "find out what ends the process, then resume with { force: true }",
  });
}

/**
 * The types of events that count as progress of a resume. Calls, prints and starts do not count,
 * because a program that crashes may reach them each time.
 */
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

/**
 * Refuses to continue a run whose code was in another language. The code and the model's messages
 * could not be used.
 */
export function mustBeOfLanguage(definition: AgentDefinition, { language }: EventOf<"run-start">): void {
  const { id, name } = definition.language;
  const recorded = language ?? defaultLanguage.id;
  if (!definition.executor || recorded === id) return;
  const title = languageTitles[recorded];
  throw invalidOption(
    `the code in this log is ${title}, but this executor runs ${name}`,
    `continue with an executor for ${title}, or start a session with a new log`,
  );
}

/**
 * Refuses to run code again if the sandbox does not replay exactly. Only in an exact replay do the
 * recorded outcomes alone determine what the code does. Without exact replay, the old sandbox must
 * be found again.
 */
export function mustBeReplayable(
  { executor }: AgentDefinition,
  past: Past,
  { lostBefore }: Pick<SandboxLoss, "lostBefore">,
): void {
  const starts = [...past.steps.values()].flatMap(({ codeStart }) => codeStart ?? []);
  const last = starts.filter(({ seq }) => seq > lostBefore).at(-1);
  if (last && executor?.replay !== "exact" && last.sandbox === undefined) throw notReplayable();
}

/**
 * Refuses to continue a run with a typed answer if no `output` was passed. The record has the
 * schema of the answer, but not the code that checks and parses it.
 */
function mustHaveAnswerForm({ tools }: AgentDefinition, { answerSchema }: EventOf<"run-start">): void {
  if (!answerSchema || isTypedAnswer(tools.get(finalAnswerName))) return;
  throw invalidOption(
    `the run was started with an option output of the type ${typeText(answerSchema)}, which is missing now`,
    "pass it again: resume(log, { output }), or set it on the agent",
  );
}

/**
 * Refuses to continue a run if the agent does not have a tool that an open request needs. Otherwise
 * the call would be refused as unknown, and the person's decision would be lost. Requests whose
 * calls have already begun are not checked, because a person is asked about such calls again.
 */
function mustHaveToolsOfRequests(definition: AgentDefinition, events: readonly DurableEvent[]): void {
  const open = new Map<string, EventOf<"approval-request">>();
  // Only requests about calls count. A question that a tool asks is recorded as a request too, but
  // it is not a call and needs no tool.
  const calls = new Set<string>();
  for (const event of events) {
    if (event.type === "tool-call") calls.add(event.callId);
    if (event.type === "approval-request" && calls.has(event.callId)) open.set(event.callId, event);
    if (event.type === "tool-start" || event.type === "tool-result") open.delete(event.callId);
    if (event.type === "approval-response" && event.decision.type === "deny") open.delete(event.callId);
  }
  const lost = [...open.values()].find(({ path, name }) => !toolAt(definition, path, name));
  if (!lost) return;
  throw new AgentError("divergence", `the run waits to call "${lost.name}", but the agent has no such tool`, {
    hint: "resume with an agent that has it; a call that must not be made can be denied first, by store.decide()",
  });
}

const nothingToResume = (logId: string, path: Path): AgentError =>
  new AgentError("log", `the log "${logId}" has no run of the agent "${path.join("/")}" to continue`, {
    hint: "start a run first, with run(task); a run is resumed by the agent that began it",
  });

const runHasEnded = ({ status }: EventOf<"run-end">): AgentError =>
  new AgentError("stale-decision", `the decisions were refused: the run has ended (${status})`, {
    hint: "resume it without decisions, and decide on what it then asks for",
  });

const notNewest = (runId: string, newest: string): AgentError =>
  invalidOption(
    `the run "${runId}" is not the last one of its session, which is "${newest}"`,
    `resume "${newest}" instead`,
  );

const wasReset = (runId: string): AgentError =>
  invalidOption(`the session of the run "${runId}" was reset after it`, "fork it, or start another run");

const waitsForPeople = (): AgentError =>
  new AgentError("busy", "the last run of this session waits for people's decisions", {
    hint: 'continue it with session.resume({ decisions }), where { type: "deny" } denies a call; abandon it with session.reset(); or open another session',
  });

/** Returns the error about a run id that is in use. */
export const sameRunId = (where: "session" | "store", runId: string): AgentError =>
  invalidOption(
    `the ${where} has had a run with the id "${runId}"`,
    "leave runId out for a random one, or resume() that run",
  );

const notReplayable = (): AgentError =>
  new AgentError("executor", "the state of this sandbox cannot be rebuilt from the log", {
    hint: "resume with the executor the run began with, such as the interpreter, or with { emptySandbox: true } to continue without its variables",
  });
