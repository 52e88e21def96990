// One leg of a run: from where its log stands to its end, in this process. A run never interrupted has one leg.

import { type StepFold, type UsageTree, usageTree } from "@smolts/memory";
import {
  type ActionStep,
  AgentError,
  type ChatMessage,
  type DurableBody,
  type DurableEvent,
  decodeValue,
  type EventOf,
  type EventStamp,
  type Executor,
  type MemoryStep,
  type PassingBody,
  type PassingEvent,
  type Path,
  type RunLog,
  type VariableSummary,
} from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import type { RunOptions } from "../agent/agent-options.ts";
import { type DefinitionDigests, definitionDigests } from "../agent/definition-digest.ts";
import { defaults } from "../defaults.ts";
import { forCaller } from "../media/media-answer.ts";
import { type Drain, drainAfter } from "../run/drain.ts";
import { leavesRunOpen } from "../run/error-policy.ts";
import { parallelLimit } from "../run/parallel-limit.ts";
import { type Past, unknownCallsIn } from "../run/past.ts";
import type { EventListener, Run, Worker } from "../run/run.ts";
import { onAbort, untilAborted } from "../run/until-aborted.ts";
import { type RunEnd, runLoop } from "../run-loop.ts";
import { type Approvals, approvalsBelow, approvalsOf, grantsIn } from "../tool-calls/approvals.ts";
import type { AgentTool } from "../tools/agent-tool.ts";
import { type AgentRun, agentRun, type RunResult } from "./agent-run.ts";
import { EventFeed } from "./event-feed.ts";
import type { CopiedEvent } from "./fork.ts";
import { takeLog } from "./log-in-use.ts";
import { LogWriter } from "./log-writer.ts";
import { StepGate } from "./step-gate.ts";
import { StoredSessionLog } from "./stored-session-log.ts";

/** What a leg needs of its session. */
export interface LegOptions {
  readonly definition: AgentDefinition;
  readonly path: Path;
  /** The same as `path`, but of an agent that keeps its memory: there it stands for all its calls. */
  readonly place: Path;
  /** Of a managed agent: its caller, who hears all that happens here and has a say in what is approved and used. */
  readonly caller?: Run | undefined;
  readonly log: RunLog;
  readonly fold: StepFold;
  /** Aborts when the session is closed. */
  readonly closing: AbortSignal;
  readonly sandbox: () => Promise<Executor>;
  /** What the log held when the session was opened; nothing from the second call on. */
  readonly earlierEvents: () => Promise<readonly DurableEvent[]>;
  readonly noteResumed: (added: readonly DurableEvent[]) => void;
  readonly variables: () => Promise<readonly VariableSummary[]>;
  readonly openWorker: (tool: AgentTool, path: Path, runId: string) => Worker;
  /** Waits for the turn of this run, or throws `busy`. */
  readonly turn: () => Promise<void>;
  /** Called when the run is over, before others know its result. */
  readonly onEnd: (result: RunResult) => Promise<void>;
  readonly options: Pick<RunOptions, "signal" | "metadata" | "approve" | "manual">;
  /** Empty where the log has to say which run is meant. */
  readonly runId: string;
  readonly begin: LegBeginning;
}

/** Brings the log to where the loop can go on, and says which run that is. */
export type LegBeginning = (leg: Leg) => Promise<Run>;

/** Starts a leg in the next microtask, and gives the handle of its run at once. */
export function startLeg<Output>(options: LegOptions): AgentRun<Output> {
  // What an answer is was checked by its schema; without one any type will do.
  return new Leg(options).start() as AgentRun<Output>;
}

/** A leg on its way: what has to do with its log, its readers and its end. */
export class Leg implements EventListener {
  readonly #options: LegOptions;
  readonly #writer: LogWriter;
  readonly #feed = new EventFeed();
  readonly #controller = new AbortController();
  readonly #signal: AbortSignal = this.#controller.signal;
  readonly #stopFollowing: (() => void)[];
  readonly #gate: StepGate | null;
  readonly #drain: Drain;
  /** What was said before the run had begun. */
  readonly #saidEarly: ChatMessage[] = [];
  #phase: "not-begun" | "going" | "over" = "not-begun";
  #startTime = 0;
  #giveBackLog: () => void = () => {};
  #handle: AgentRun | null = null;
  runId: string;

  constructor(options: LegOptions) {
    this.#options = options;
    this.#writer = new LogWriter(options.log);
    this.runId = options.runId;
    const isOwn = (step: MemoryStep): step is ActionStep => step.type === "action" && step.runId === this.runId;
    const newestAction = (): ActionStep | null => options.fold.steps.findLast(isOwn) ?? null;
    this.#gate = options.options.manual ? new StepGate(newestAction) : null;
    this.#drain = drainAfter(options.definition.suspendGraceMs);
    const outer = options.options.signal;
    // What AbortSignal.any() gives would keep all of the run in memory until the event loop turns.
    this.#stopFollowing = [options.closing, ...(outer ? [outer] : [])].map((signal) => this.#follow(signal));
  }

  get definition(): AgentDefinition {
    return this.#options.definition;
  }

  get path(): Path {
    return this.#options.path;
  }

  /** Of the agent, whichever of its calls this is. */
  get place(): Path {
    return this.#options.place;
  }

  get id(): string {
    return this.#options.log.id;
  }

  start(): AgentRun {
    const result = Promise.resolve()
      .then(() => this.#drive())
      .then((result) => this.#close(result));
    this.#handle = agentRun({
      id: () => this.runId,
      path: this.path,
      say: (text) => this.#say(text),
      gate: this.#gate,
      feed: this.#feed,
      result,
      abort: (reason) => this.#controller.abort(interruption(reason)),
      steps: () => this.#options.fold.steps,
      usage: () => this.#usage(),
      variables: this.#options.variables,
    });
    return this.#handle;
  }

  async #close(result: RunResult): Promise<RunResult> {
    for (const stop of this.#stopFollowing) stop();
    this.#gate?.end();
    this.#drain.end();
    this.#feed.end();
    this.#giveBackLog();
    await this.#options.onEnd(result);
    return result;
  }

  earlierEvents(): Promise<readonly DurableEvent[]> {
    return this.#options.earlierEvents();
  }

  /** Tells the session that the run goes on, with what was added to {@link earlierEvents}: its managed agents need it. */
  noteResumed(added: readonly DurableEvent[]): void {
    this.#options.noteResumed(added);
  }

  /** Whether the session has had a run of that id. */
  knowsRun(runId: string): boolean {
    return this.#options.fold.steps.some((step) => step.type === "task" && step.runId === runId);
  }

  /** Gives an event of this agent, or of one that works for it, to the readers of the run. */
  publish(event: DurableEvent): void {
    this.#feed.publish(event);
    this.#options.caller?.listener.publish(event);
  }

  /** Gives an earlier event to the readers of this run alone: those of its caller have had it. */
  recall(event: DurableEvent): void {
    this.#feed.publish(event);
  }

  pass(event: PassingEvent): void {
    this.#feed.pass(event);
    this.#options.caller?.listener.pass(event);
  }

  /** Keeps bytes in the log. */
  readonly putBlob: RunLog["putBlob"] = (bytes, mediaType) => this.#writer.putBlob(bytes, mediaType);

  /** `path`: of the agent that the event belongs to, when that is not this one. */
  append<Body extends DurableBody>(body: Body, path: Path = this.path): EventStamp & Body {
    const event = this.#writer.append(body, { runId: this.runId, path });
    this.#options.fold.add(event);
    this.publish(event);
    return event;
  }

  /** Writes an event of another log, for whoever reads the log from its beginning. */
  copy({ runId, path, time, ...body }: CopiedEvent): void {
    this.#writer.append(body, { runId, path, time });
  }

  runOf(begun: EventOf<"run-start">, past: Past): Run {
    const { definition, caller = null, log, fold, sandbox, openWorker, options } = this.#options;
    const start = past.start ?? begun;
    this.#startTime = start.time;
    const beganTime = Date.now();
    const handle = this.#handle;
    if (!handle) throw new AgentError("executor", "a run began before its handle was there");
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
      approvals: { ...this.#approvals(), grants: grantsIn(past) },
      // No agent of a run repeats a call that another one left unknown.
      unknownCalls: caller?.unknownCalls ?? unknownCallsIn(this.#feed.durable),
      handle,
      gate: this.#gate,
      usage: () => this.#usage(),
      activeMs: () => past.activeMs + Date.now() - beganTime,
      steps: () => fold.steps,
      sandbox: () => untilAborted(sandbox(), this.#signal),
      append: (body) => this.append(body),
      emit: (body) => this.#emit(body),
      openWorker: (tool, path) => openWorker(tool, path, start.runId),
      listener: this,
      flush: () => untilAborted(this.flush(), this.#signal),
      readBlob: (digest) => log.readBlob(digest),
      putBlob: this.putBlob,
    };
  }

  #approvals(): Approvals {
    const { caller, definition, options } = this.#options;
    if (caller) return approvalsBelow(caller.approvals, definition);
    return approvalsOf(
      { ...definition, approve: options.approve ?? definition.approve },
      {
        events: this.#feed.durable,
        drain: this.#drain,
      },
    );
  }

  definitionDigests(): Promise<DefinitionDigests> {
    return definitionDigests(this.definition);
  }

  /** Never throws: how the run went is its result. */
  async #drive(): Promise<RunResult> {
    const run = await this.#begin().catch((error: unknown) => this.#badEnd(error));
    // A run that never began leaves no trace; one that could not be gone on with stays open, to be resumed when that is mended.
    if ("error" in run) return this.#result({ ...run, endTime: Date.now() });
    if (run.past.end) return this.#resultOf(run.past.end);
    this.#phase = "going";
    try {
      for (const message of this.#saidEarly) this.append({ type: "message", message });
      return await this.#end(await runLoop(run));
    } catch (error) {
      // The end is recorded, and the log does not say that it is safe.
      if (this.#isOver() && this.#signal.aborted) return this.#result({ ...this.#badEnd(error), endTime: Date.now() });
      return this.#endBadly(error);
    }
  }

  #follow(signal: AbortSignal): () => void {
    const abort = (): void => this.#controller.abort(signal.reason);
    if (signal.aborted) abort();
    return onAbort(signal, abort);
  }

  /** An event at once, so that it stands in the log where it was said. */
  #say(text: string): boolean {
    const message: ChatMessage = { role: "user", content: [{ type: "text", text }] };
    if (this.#phase === "not-begun") this.#saidEarly.push(message);
    if (this.#phase === "going") this.append({ type: "message", message });
    return this.#phase !== "over";
  }

  async #begin(): Promise<Run> {
    await untilAborted(this.#options.turn(), this.#signal);
    if (this.#options.log instanceof StoredSessionLog) this.#stopFollowing.push(this.#follow(this.#options.log.lost));
    // A managed agent works on the log of its caller.
    if (!this.#options.caller) this.#giveBackLog = takeLog(this.#options.log);
    return this.#options.begin(this);
  }

  async #end({ status, answer }: RunEnd): Promise<RunResult> {
    this.#phase = "over";
    const end = this.append({ type: "run-end", status, ...(answer === undefined ? {} : { answer }) });
    // What a managed agent answers stays in the run, whose own end waits for all of it.
    if (!this.#options.caller) await untilAborted(this.flush(), this.#signal);
    return this.#resultOf(end);
  }

  async #endBadly(thrown: unknown): Promise<RunResult> {
    this.#phase = "over";
    const { status, error } = this.#badEnd(thrown);
    if (error.pending) return this.#suspend(error);
    if (leavesRunOpen(thrown)) return this.#result({ status, error, endTime: Date.now() });
    try {
      const { time } = this.append({ type: "run-end", status, error: error.toJSON() });
      if (!this.#options.caller) await this.#lastFlush();
      return this.#result({ status, error, endTime: time });
    } catch (failure) {
      return this.#result({ status: "failed", error: toAgentError(failure), endTime: Date.now() });
    }
  }

  #isOver(): boolean {
    return this.#phase === "over";
  }

  /** A log that never says that it is safe does not hold up an abort. */
  async #lastFlush(): Promise<void> {
    const flushed = this.flush();
    if (!this.#signal.aborted) return untilAborted(flushed, this.#signal);
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), defaults.abortGraceMs);
    await untilAborted(flushed, patience.signal)
      .catch((error: unknown) => {
        if (!patience.signal.aborted) throw error;
      })
      .finally(() => clearTimeout(timer));
  }

  /** Of a managed agent nothing is recorded: its caller rests as a whole. */
  async #suspend(error: AgentError): Promise<RunResult> {
    const pending = error.pending ?? [];
    if (!this.#options.caller) {
      this.append({ type: "run-suspend", callIds: pending.map(({ id }) => id) });
      await this.flush();
    }
    return this.#result({ status: "suspended", error, pending, endTime: Date.now() });
  }

  /** An abort comes first: what is thrown then mostly comes of it. */
  #badEnd(thrown: unknown): { readonly status: "aborted" | "failed"; readonly error: AgentError } {
    return this.#signal.aborted && !leavesRunOpen(thrown)
      ? { status: "aborted", error: interruption(this.#signal.reason) }
      : { status: "failed", error: toAgentError(thrown) };
  }

  #resultOf({ status, answer, error, time }: EventOf<"run-end">): RunResult {
    const { log } = this.#options;
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
    const { fold, log } = this.#options;
    const timing = { startTime: this.#startTime || endTime, endTime };
    return { runId: this.runId, ...rest, steps: fold.steps, usage: this.#usage(), timing, log };
  }

  #usage(): UsageTree | null {
    return usageTree(this.#feed.durable, this.path);
  }

  flush(): Promise<void> {
    return this.#writer.flush();
  }

  #emit(body: PassingBody): void {
    this.pass(Object.assign({}, body, { runId: this.runId, path: this.path, seq: 0, time: Date.now() }));
  }
}

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
