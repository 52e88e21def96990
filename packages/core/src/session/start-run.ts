// A run, from where its log stands to its end in this process: its turn, its beginning, its loop, its end. A managed agent's work is one, too.

import type { StepFold } from "@smolts/memory";
import {
  type ActionStep,
  AgentError,
  type ChatMessage,
  type DurableEvent,
  decodeValue,
  type EventOf,
  isPathAt,
  isPathUnder,
  type MemoryStep,
  type Path,
} from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import type { RunOptions } from "../agent/agent-options.ts";
import { defaults } from "../defaults.ts";
import { forCaller } from "../media/media-answer.ts";
import { type Drain, drainAfter } from "../run/drain.ts";
import { leavesRunOpen } from "../run/error-policy.ts";
import { parallelLimit } from "../run/parallel-limit.ts";
import { type Past, pastOf, unknownCallsIn } from "../run/past.ts";
import type { Run } from "../run/run.ts";
import { suspended } from "../run/suspension.ts";
import { onAbort, untilAborted } from "../run/until-aborted.ts";
import { type RunEnd, runLoop } from "../run-loop.ts";
import { type Approvals, approvalsBelow, approvalsOf, grantsIn } from "../tool-calls/approvals.ts";
import { type AgentRun, agentRun, type RunResult } from "./agent-run.ts";
import { EventFeed } from "./event-feed.ts";
import { asksForEmptySandbox } from "./lost-sandbox.ts";
import { explainResultMembers } from "./other-members.ts";
import { planRun } from "./plan-run.ts";
import { rebuildState } from "./rebuild-state.ts";
import { copyParent, recordLoss, recordResume, recordStart } from "./record-beginning.ts";
import { Recorder } from "./recorder.ts";
import type { RunRequest, Work } from "./run-request.ts";
import type { SessionState } from "./session-state.ts";
import { StepGate } from "./step-gate.ts";
import type { Turn } from "./turns.ts";

/** How a run is driven, whatever it begins with. */
export interface RunSettings {
  /** The session's own, or one with answers of another form. */
  readonly definition: AgentDefinition;
  readonly path: Path;
  /** For a managed agent: its caller, who hears every event and decides about approvals and budgets. */
  readonly caller?: Run;
  /** Whether it waits for the runs before it. */
  readonly queue: boolean;
  readonly options: Pick<RunOptions, "signal" | "metadata" | "approve" | "manual">;
}

/** Starts a run in the next microtask, and returns its handle at once. */
export function startRun<Output>(state: SessionState, request: RunRequest, settings: RunSettings): AgentRun<Output> {
  // The model takes its time, which is enough to load a sandbox's code.
  state.sandbox.warm();
  // The schema has checked the answer; without one any type will do.
  return new LiveRun(state, request, settings).handle as AgentRun<Output>;
}

/** Has a managed agent do its task in the run of its caller. Tasks of an agent that keeps its memory come one after the other. */
async function doWork(state: SessionState, work: Work): Promise<RunResult> {
  const { tool, path, caller } = work;
  const { signal, metadata } = caller;
  const worker = state.stateOf(tool, path, caller.id);
  const settings = { definition: worker.definition, path, caller, queue: true, options: { signal, metadata } };
  try {
    return await startRun(worker, { type: "work", ...work }, settings).result;
  } finally {
    if (tool.managed.memory === "fresh") await worker.close();
  }
}

/** Where a run records, and what is recorded of it so far. */
interface RunRecord {
  readonly recorder: Recorder;
  /** Events of the run and of the agents that work for it. */
  readonly told: readonly DurableEvent[];
}

class LiveRun {
  readonly #state: SessionState;
  readonly #request: RunRequest;
  readonly #settings: RunSettings;
  readonly #turn: Turn;
  readonly #feed: EventFeed;
  readonly #controller = new AbortController();
  readonly #signal: AbortSignal = this.#controller.signal;
  readonly #stopFollowing: (() => void)[];
  readonly #gate: StepGate | null;
  readonly #drain: Drain;
  /** Messages from before the run began. */
  readonly #saidEarly: ChatMessage[] = [];
  #phase: "not-begun" | "going" | "over" = "not-begun";
  #runId: string;
  /** The memory and the recorder of the run, once it has begun. */
  #fold: StepFold | null = null;
  #recorder: Recorder | null = null;
  #startTime = 0;
  #giveBackLog: () => void = () => {};
  readonly handle: AgentRun;

  constructor(state: SessionState, request: RunRequest, settings: RunSettings) {
    const { definition, path, options } = settings;
    this.#state = state;
    this.#request = request;
    this.#settings = settings;
    this.#runId = runIdOf(request);
    this.#turn = state.turns.next();
    const { log } = state;
    this.#feed = new EventFeed({ path, readLog: (fromSeq) => this.#ofRun(log.read(fromSeq)) });
    this.#gate = options.manual ? new StepGate(() => this.#newestAction()) : null;
    this.#drain = drainAfter(definition.suspendGraceMs);
    // What AbortSignal.any() gives would keep all of the run in memory until the event loop turns.
    this.#stopFollowing = [state.closing, ...(options.signal ? [options.signal] : [])].map((one) => this.#follow(one));
    const result = Promise.resolve()
      .then(() => this.#drive())
      .then((result) => this.#close(result));
    this.#turn.endsWith(result);
    this.handle = agentRun({
      id: () => this.#runId,
      path,
      say: (text) => this.#say(text),
      gate: this.#gate,
      feed: this.#feed,
      result,
      abort: (reason) => this.#controller.abort(interruption(reason)),
      steps: () => this.#memory.steps,
      usage: () => this.#feed.usage(),
      variables: () => state.sandbox.variables(),
    });
  }

  /** Never throws: how the run went is its result. */
  async #drive(): Promise<RunResult> {
    const run = await this.#begin().catch((error: unknown) => this.#badEnd(error));
    // A run that never began leaves no trace; one that could not be gone on with stays open, to be resumed when that is mended.
    if ("error" in run) return this.#result({ ...run, endTime: Date.now() });
    if (run.past.end) return this.#resultOf(run.past.end);
    this.#phase = "going";
    try {
      for (const message of this.#saidEarly) run.append({ type: "message", message });
      return await this.#endWell(await runLoop(run));
    } catch (error) {
      // The end is recorded, and the log does not say that it is safe.
      if (this.#isOver() && this.#signal.aborted) return this.#result({ ...this.#badEnd(error), endTime: Date.now() });
      return this.#endBadly(error);
    }
  }

  async #begin(): Promise<Run> {
    const { queue } = this.#settings;
    await this.#turn.take({ queue, signal: this.#signal });
    await this.#takeLog();
    if (this.#state.isSuspended && this.#request.type !== "resume") throw this.#waitsForPeople();
    if (asksForEmptySandbox(this.#request)) await this.#state.forget();
    return await this.#state.begin(() => this.#beginAsPlanned());
  }

  async #takeLog(): Promise<void> {
    const taking = this.#state.takeLog();
    // An abort does not wait for a log that is given late.
    this.#giveBackLog = () => void taking.then((giveBack) => giveBack()).catch(() => {});
    this.#giveBackLog = await untilAborted(taking, this.#signal);
    const { logLost } = this.#state;
    if (logLost) this.#stopFollowing.push(this.#follow(logLost));
  }

  async #beginAsPlanned(): Promise<Run> {
    const state = this.#state;
    const { definition, path } = this.#settings;
    const beginner = { state, definition, path };
    const request = this.#request.type === "fork" ? await copyParent(beginner, this.#request) : this.#request;
    const plan = await planRun(beginner, request);
    const recorder = this.#openRecorder(plan.runId);
    const told = plan.type === "new" ? [] : plan.told;
    const replayed = (start: EventOf<"run-start">, past: Past): Run =>
      this.#runOf(start, past, { recorder: recorder.replaying(), told });
    switch (plan.type) {
      case "new": {
        await rebuildState(definition, plan, replayed);
        const start = await recordStart(plan, recorder);
        if (start.emptySandbox) state.addRecorded([start]);
        return this.#runOf(start, pastOf([], plan.runId, path), { recorder, told });
      }
      case "recorded":
        for (const event of plan.told) recorder.recall(event);
        await rebuildState(definition, plan, replayed);
        if (!plan.past.end) recordLoss(plan.loss, recorder);
        return this.#runOf(plan.start, plan.past, { recorder, told });
      case "resumed": {
        for (const event of plan.told) recorder.recall(event);
        // First what counts this attempt: it may end the process while it rebuilds.
        const added = await recordResume(plan, recorder);
        state.addRecorded(added);
        await rebuildState(definition, plan, replayed);
        const past = pastOf([...plan.events, ...added], plan.runId, path);
        return this.#runOf(plan.start, past, { recorder, told: [...told, ...added] });
      }
      default:
        return plan satisfies never;
    }
  }

  #openRecorder(runId: string): Recorder {
    const { caller, path } = this.#settings;
    const { writer, fold } = this.#state;
    this.#runId = runId;
    this.#fold = fold;
    this.#recorder = new Recorder({ writer, fold, feed: this.#feed, runId, path, above: caller?.recorder ?? null });
    return this.#recorder;
  }

  #runOf(begun: EventOf<"run-start">, past: Past, { recorder, told }: RunRecord): Run {
    const { definition, caller = null, options } = this.#settings;
    const state = this.#state;
    const start = past.start ?? begun;
    this.#startTime = start.time;
    const beganTime = Date.now();
    return {
      id: start.runId,
      path: start.path,
      definition,
      start,
      past,
      caller,
      signal: this.#signal,
      metadata: options.metadata ?? definition.metadata,
      keptCalls: new Map(),
      sandboxState: { hasVariables: false },
      callLimit: parallelLimit(definition.maxParallelToolCalls),
      approvals: { ...this.#approvals(told), grants: grantsIn(past) },
      // No agent of a run repeats a call that another one left unknown.
      unknownCalls: caller?.unknownCalls ?? unknownCallsIn(told),
      handle: this.handle,
      gate: this.#gate,
      usage: () => this.#feed.usage(),
      activeMs: () => past.activeMs + Date.now() - beganTime,
      steps: () => this.#memory.steps,
      sandbox: () => untilAborted(state.openSandbox(), this.#signal),
      recorder,
      append: (body) => recorder.append(body),
      emit: (body) => recorder.emit(body),
      startWork: (work) => doWork(state, work),
      flush: () => untilAborted(recorder.flush(), this.#signal),
      readBlob: recorder.readBlob,
      putBlob: recorder.putBlob,
    };
  }

  #approvals(events: readonly DurableEvent[]): Approvals {
    const { caller, definition, options } = this.#settings;
    if (caller) return approvalsBelow(caller.approvals, definition);
    return approvalsOf(
      { ...definition, approve: options.approve ?? definition.approve },
      { events, drain: this.#drain },
    );
  }

  async #endWell({ status, answer }: RunEnd): Promise<RunResult> {
    this.#phase = "over";
    const recorder = this.#begunRecorder();
    const end = recorder.append({ type: "run-end", status, ...(answer === undefined ? {} : { answer }) });
    // A managed agent's answer stays in the run, whose own end waits for all of it.
    if (!this.#settings.caller) await untilAborted(recorder.flush(), this.#signal);
    return this.#resultOf(end);
  }

  async #endBadly(thrown: unknown): Promise<RunResult> {
    this.#phase = "over";
    const { status, error } = this.#badEnd(thrown);
    if (error.pending) return this.#suspend(error);
    if (leavesRunOpen(thrown)) return this.#result({ status, error, endTime: Date.now() });
    try {
      const { time } = this.#begunRecorder().append({ type: "run-end", status, error: error.toJSON() });
      if (!this.#settings.caller) await this.#lastFlush();
      return this.#result({ status, error, endTime: time });
    } catch (failure) {
      return this.#result({ status: "failed", error: toAgentError(failure), endTime: Date.now() });
    }
  }

  /** Nothing is recorded for a managed agent: its caller is suspended as a whole. */
  async #suspend(error: AgentError): Promise<RunResult> {
    const pending = error.pending ?? [];
    if (!this.#settings.caller) {
      const recorder = this.#begunRecorder();
      recorder.append({ type: "run-suspend", callIds: pending.map(({ id }) => id) });
      await recorder.flush();
    }
    return this.#result({ status: "suspended", error, pending, endTime: Date.now() });
  }

  /** A log that never says that it is safe does not hold up an abort. */
  async #lastFlush(): Promise<void> {
    const flushed = this.#begunRecorder().flush();
    if (!this.#signal.aborted) return untilAborted(flushed, this.#signal);
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), defaults.abortGraceMs);
    await untilAborted(flushed, patience.signal)
      .catch((error: unknown) => {
        if (!patience.signal.aborted) throw error;
      })
      .finally(() => clearTimeout(timer));
  }

  async #close(result: RunResult): Promise<RunResult> {
    for (const stop of this.#stopFollowing) stop();
    this.#gate?.end();
    this.#drain.end();
    this.#feed.end();
    this.#giveBackLog();
    this.#turn.leave();
    await this.#state.endRun(result.status);
    explainResultMembers(result);
    return result;
  }

  /** Records an event at once, so that the log has it where it was said. */
  #say(text: string): boolean {
    const message: ChatMessage = { role: "user", content: [{ type: "text", text }] };
    if (this.#phase === "not-begun") this.#saidEarly.push(message);
    if (this.#phase === "going") this.#begunRecorder().append({ type: "message", message });
    return this.#phase !== "over";
  }

  #follow(signal: AbortSignal): () => void {
    const abort = (): void => this.#controller.abort(signal.reason);
    if (signal.aborted) abort();
    return onAbort(signal, abort);
  }

  get #memory(): StepFold {
    return this.#fold ?? this.#state.fold;
  }

  #begunRecorder(): Recorder {
    if (this.#recorder) return this.#recorder;
    throw new AgentError("executor", "something was to be recorded before the run began");
  }

  #newestAction(): ActionStep | null {
    const isOwn = (step: MemoryStep): step is ActionStep => step.type === "action" && step.runId === this.#runId;
    return this.#memory.steps.findLast(isOwn) ?? null;
  }

  #isOver(): boolean {
    return this.#phase === "over";
  }

  #waitsForPeople(): AgentError {
    const { caller } = this.#settings;
    return caller ? suspended(caller) : waitsForPeople();
  }

  /** An abort comes first: what is thrown then mostly comes of it. */
  #badEnd(thrown: unknown): { readonly status: "aborted" | "failed"; readonly error: AgentError } {
    return this.#signal.aborted && !leavesRunOpen(thrown)
      ? { status: "aborted", error: interruption(this.#signal.reason) }
      : { status: "failed", error: toAgentError(thrown) };
  }

  #resultOf({ status, answer, error, time }: EventOf<"run-end">): RunResult {
    const { log } = this.#state;
    return this.#result({
      status,
      endTime: time,
      ...(error ? { error: AgentError.from(error) } : {}),
      ...(answer === undefined ? {} : { output: forCaller(decodeValue(answer), (digest) => log.readBlob(digest)) }),
    });
  }

  #result({
    endTime,
    ...rest
  }: Pick<RunResult, "status" | "output" | "error" | "pending"> & { endTime: number }): RunResult {
    const { log } = this.#state;
    const timing = { startTime: this.#startTime || endTime, endTime };
    return { runId: this.#runId, ...rest, steps: this.#memory.steps, usage: this.#feed.usage(), timing, log };
  }

  /** The events of this run and of the agents that work for it. */
  async *#ofRun(events: AsyncIterable<DurableEvent>): AsyncGenerator<DurableEvent, void> {
    const { path } = this.#settings;
    for await (const event of events) {
      const isOfIt = event.runId === this.#runId && (isPathAt(event.path, path) || isPathUnder(event.path, path));
      if (isOfIt) yield event;
    }
  }
}

/** Empty for a resume: the log has to say which run is meant. */
function runIdOf(request: RunRequest): string {
  switch (request.type) {
    case "fresh":
      return request.runId;
    case "work":
      return request.caller.id;
    case "fork":
      return request.resume.runId;
    case "resume":
      return "";
    default:
      return request satisfies never;
  }
}

const waitsForPeople = (): AgentError =>
  new AgentError("busy", "the last run of this session waits for people's decisions", {
    hint: "go on with session.resume({ decisions }), or forget it with session.reset()",
  });

function toAgentError(thrown: unknown): AgentError {
  if (AgentError.is(thrown)) return thrown;
  const message =
    thrown instanceof Error
      ? thrown.message
      : typeof thrown === "object"
        ? "an object that is not an error was thrown"
        : String(thrown);
  return new AgentError("executor", `the run broke off: ${message}`, { cause: thrown });
}

/** The reason of an abort as an error; whatever the caller gave is kept as its cause. */
function interruption(reason: unknown): AgentError {
  if (AgentError.is(reason)) return reason;
  const why = reason instanceof Error ? reason.message : reason;
  const isTold = why !== undefined && why !== null && typeof why !== "object" && typeof why !== "function";
  return new AgentError("interrupted", `the run was aborted${isTold ? `: ${String(why)}` : ""}`, { cause: reason });
}
