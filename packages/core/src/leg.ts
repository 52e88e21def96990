// One leg of a run: from where its log stands to its end, in this process. A run never interrupted has one leg.

import { type StepFold, totalUsage } from "@smolts/memory";
import {
  AgentError,
  type AgentErrorCode,
  type DurableBody,
  type DurableEvent,
  decodeValue,
  type EventOf,
  type EventStamp,
  type Executor,
  type MemoryStep,
  type PassingBody,
  type Path,
  type RunLog,
  type TokenUsage,
  type VariableSummary,
} from "@smolts/protocol";
import type { AgentDefinition } from "./agent-definition.ts";
import type { RunOptions } from "./agent-options.ts";
import { type AgentRun, agentRun, type RunResult } from "./agent-run.ts";
import { digestOf } from "./digest.ts";
import { EventFeed } from "./event-feed.ts";
import { parallelLimit } from "./parallel-limit.ts";
import { type Past, unknownCallsIn } from "./past.ts";
import type { Run } from "./run.ts";
import { type RunEnd, runLoop } from "./run-loop.ts";
import { untilAborted } from "./until-aborted.ts";

/** What a leg needs of its session. */
export interface LegOptions {
  readonly definition: AgentDefinition;
  readonly path: Path;
  readonly log: RunLog;
  readonly fold: StepFold;
  /** Aborts when the session is closed. */
  readonly closing: AbortSignal;
  readonly sandbox: () => Promise<Executor>;
  /** What the log held when the session was opened; nothing from the second call on. */
  readonly earlierEvents: () => Promise<readonly DurableEvent[]>;
  readonly variables: () => Promise<readonly VariableSummary[]>;
  /** Waits for the turn of this run, or throws `busy`. */
  readonly turn: () => Promise<void>;
  /** Called when the run is over, before its result is known. */
  readonly onEnd: () => void;
  readonly options: Pick<RunOptions, "signal" | "metadata">;
  /** Empty where the log has to say which run is meant. */
  readonly runId: string;
  readonly begin: LegBeginning;
}

/** Brings the log to where the loop can go on, and says which run that is. */
export type LegBeginning = (leg: Leg) => Promise<Run>;

/** Starts a leg in the next microtask, and gives the handle of its run at once. */
export function startLeg(options: LegOptions): AgentRun {
  return new Leg(options).start();
}

/** A leg on its way: what has to do with its log, its readers and its end. */
export class Leg {
  readonly #options: LegOptions;
  readonly #feed = new EventFeed();
  readonly #controller = new AbortController();
  readonly #signal: AbortSignal;
  #lastSeq = 0;
  #startTime = 0;
  runId: string;

  constructor(options: LegOptions) {
    this.#options = options;
    this.runId = options.runId;
    const outer = options.options.signal;
    this.#signal = AbortSignal.any([this.#controller.signal, options.closing, ...(outer ? [outer] : [])]);
  }

  get definition(): AgentDefinition {
    return this.#options.definition;
  }

  get path(): Path {
    return this.#options.path;
  }

  get id(): string {
    return this.#options.log.id;
  }

  start(): AgentRun {
    const result = Promise.resolve()
      .then(() => this.#drive())
      .finally(() => {
        this.#feed.end();
        this.#options.onEnd();
      });
    return agentRun({
      id: () => this.runId,
      feed: this.#feed,
      result,
      abort: (reason) => this.#controller.abort(interruption(reason)),
      steps: () => this.#options.fold.steps,
      usage: () => this.#usage(),
      variables: this.#options.variables,
    });
  }

  earlierEvents(): Promise<readonly DurableEvent[]> {
    return this.#options.earlierEvents();
  }

  /** Whether the session has had a run of that id. */
  knowsRun(runId: string): boolean {
    return this.#options.fold.steps.some((step) => step.type === "task" && step.runId === runId);
  }

  /** Gives an event to the readers of the run. */
  show(event: DurableEvent): void {
    this.#lastSeq = event.seq;
    this.#feed.publish(event, true);
  }

  append<Body extends DurableBody>(body: Body): EventStamp & Body {
    const event = this.#record(body);
    this.#options.fold.add(event);
    this.show(event);
    return event;
  }

  runOf(start: EventOf<"run-start">, past: Past): Run {
    const { definition, path, log, fold, sandbox, options } = this.#options;
    this.#startTime = start.time;
    return {
      id: start.runId,
      path,
      definition,
      start,
      past,
      signal: this.#signal,
      metadata: options.metadata ?? definition.metadata,
      callLimit: parallelLimit(definition.maxParallelToolCalls),
      unknownCalls: unknownCallsIn(past),
      steps: () => fold.steps,
      sandbox: () => untilAborted(sandbox(), this.#signal),
      append: (body) => this.append(body),
      emit: (body) => this.#emit(body),
      flush: () => this.#flush(),
      readBlob: (digest) => log.readBlob(digest),
    };
  }

  definitionDigest(): Promise<string> {
    const { name, systemPrompt, model, tools, maxSteps } = this.definition;
    const declarations = [...tools.values()].map((tool) => [
      tool.name,
      tool.description,
      tool.inputSchema,
      tool.outputSchema,
    ]);
    return digestOf([name, systemPrompt, model.id, declarations, maxSteps]);
  }

  /** Never throws: how the run went is its result. */
  async #drive(): Promise<RunResult> {
    const run = await this.#begin().catch((error: unknown) => this.#badEnd(error));
    // A run that never began leaves no trace; one that could not be gone on with stays open, to be resumed when that is mended.
    if ("error" in run) return this.#result({ ...run, endTime: Date.now() });
    if (run.past.end) return this.#resultOf(run.past.end);
    try {
      return await this.#end(await runLoop(run));
    } catch (error) {
      return this.#endBadly(error);
    }
  }

  async #begin(): Promise<Run> {
    await untilAborted(this.#options.turn(), this.#signal);
    return this.#options.begin(this);
  }

  async #end({ status, answer }: RunEnd): Promise<RunResult> {
    const end = this.append({ type: "run-end", status, ...(answer === undefined ? {} : { answer }) });
    await this.#flush();
    return this.#resultOf(end);
  }

  async #endBadly(thrown: unknown): Promise<RunResult> {
    const { status, error } = this.#badEnd(thrown);
    if (isOpenAfter(thrown)) return this.#result({ status, error, endTime: Date.now() });
    try {
      const { time } = this.append({ type: "run-end", status, error: error.toJSON() });
      await this.#flush();
      return this.#result({ status, error, endTime: time });
    } catch (failure) {
      return this.#result({ status: "failed", error: toAgentError(failure), endTime: Date.now() });
    }
  }

  /** An abort comes first: what is thrown then mostly comes of it. */
  #badEnd(thrown: unknown): { readonly status: "aborted" | "failed"; readonly error: AgentError } {
    return this.#signal.aborted && !isOpenAfter(thrown)
      ? { status: "aborted", error: interruption(this.#signal.reason) }
      : { status: "failed", error: toAgentError(thrown) };
  }

  #resultOf({ status, answer, error, time }: EventOf<"run-end">): RunResult {
    return this.#result({
      status,
      endTime: time,
      ...(error ? { error: AgentError.from(error) } : {}),
      ...(answer === undefined ? {} : { output: decodeValue(answer) }),
    });
  }

  #result({ endTime, ...rest }: Pick<RunResult, "status" | "output" | "error"> & { endTime: number }): RunResult {
    const { fold, log } = this.#options;
    const timing = { startTime: this.#startTime || endTime, endTime };
    return { runId: this.runId, ...rest, steps: fold.steps, usage: this.#usage(), timing, log };
  }

  #usage(): TokenUsage | null {
    const isOfRun = (step: MemoryStep): boolean => "runId" in step && step.runId === this.runId;
    return totalUsage(this.#options.fold.steps.filter(isOfRun));
  }

  #record<Body extends DurableBody>(body: Body): EventStamp & Body {
    try {
      return this.#options.log.append(body, { runId: this.runId, path: this.path });
    } catch (error) {
      throw logError(error);
    }
  }

  async #flush(): Promise<void> {
    try {
      await this.#options.log.flush();
    } catch (error) {
      throw logError(error);
    }
  }

  #emit(body: PassingBody): void {
    const stamp = { runId: this.runId, path: this.path, seq: this.#lastSeq, time: Date.now() };
    this.#feed.publish({ ...body, ...stamp }, false);
  }
}

/** Nothing of the run itself went wrong, or nothing more can be written. */
const leavesRunOpen: ReadonlySet<AgentErrorCode> = new Set<AgentErrorCode>(["divergence", "in-doubt", "log"]);

const isOpenAfter = (thrown: unknown): boolean => AgentError.is(thrown) && leavesRunOpen.has(thrown.code);

/** What a log throws is a failure of the log, whoever wrote it. */
function logError(thrown: unknown): AgentError {
  if (AgentError.is(thrown) && thrown.code === "log") return thrown;
  const message = thrown instanceof Error ? thrown.message : "no reason was given";
  return new AgentError("log", `the run log could not be written: ${message}`, { cause: thrown });
}

function toAgentError(thrown: unknown): AgentError {
  if (AgentError.is(thrown)) return thrown;
  const message =
    thrown instanceof Error
      ? thrown.message
      : typeof thrown === "object"
        ? "an object that is no error was thrown"
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
