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
import { digestOf, randomBits } from "./digest.ts";
import { EventFeed } from "./event-feed.ts";
import { parallelLimit } from "./parallel-limit.ts";
import { type Past, pastOf, unknownCallsIn } from "./past.ts";
import type { Run } from "./run.ts";
import { runCode } from "./run-code.ts";
import { type RunEnd, runLoop } from "./run-loop.ts";

/** What a leg needs of its session. */
export interface LegOptions {
  readonly definition: AgentDefinition;
  readonly path: Path;
  readonly log: RunLog;
  readonly fold: StepFold;
  /** Aborts when the session is closed. */
  readonly closing: AbortSignal;
  readonly sandbox: () => Promise<Executor>;
  readonly variables: () => Promise<readonly VariableSummary[]>;
  /** Waits for the turn of this run, or throws `busy`. */
  readonly turn: () => Promise<unknown> | null;
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

/** Begins a new run. */
export function beginFresh(task: string, options: RunOptions): LegBeginning {
  return async (leg) => {
    const { systemPrompt, maxSteps, model } = leg.definition;
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
    const events = await leg.readLog();
    const starts = events.filter((event) => event.type === "run-start" && event.path.join("/") === leg.path.join("/"));
    const start = starts.pop() as EventOf<"run-start"> | undefined; // the filter says so
    if (!start)
      throw new AgentError("log", `the log "${leg.id}" has no run of the agent "${leg.path.join("/")}" to go on with`);
    leg.runId = start.runId;
    for (const event of events) if (event.runId === start.runId) leg.show(event);
    const past = pastOf(events, start.runId, leg.path);
    if (past.end) return leg.runOf(start, past);
    leg.append({ type: "run-resume", attempt: past.attempts + 1, definitionDigest: await leg.definitionDigest() });
    for (const earlier of starts as EventOf<"run-start">[]) {
      await rebuildState(leg.runOf(earlier, pastOf(events, earlier.runId, leg.path)));
    }
    return leg.runOf(start, past);
  };
}

/** Runs the recorded code of a run that has ended again, with every outcome from the log: nothing is called and nothing is appended. */
async function rebuildState(run: Run): Promise<void> {
  const { executor } = run.definition;
  for (const [stepNumber, step] of run.past.steps) {
    // A block without a recorded end was killed: what it had done is void.
    if (!step.codeStart || !step.codeEnd) continue;
    if (executor?.replay !== "exact") throw notReplayable();
    await runCode(run, stepNumber, step.codeStart.code, step);
  }
}

class Leg {
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
      .finally(() => this.#feed.end());
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

  /** What the log holds; the memory gets it too. */
  async readLog(): Promise<readonly DurableEvent[]> {
    const events: DurableEvent[] = [];
    for await (const event of this.#options.log.read()) {
      events.push(event);
      this.#options.fold.add(event);
    }
    return events;
  }

  /** Gives an event to the readers of the run. */
  show(event: DurableEvent): void {
    this.#lastSeq = event.seq;
    this.#feed.publish(event, true);
  }

  append<Body extends DurableBody>(body: Body): EventStamp & Body {
    const event = this.#options.log.append(body, { runId: this.runId, path: this.path });
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
      sandbox,
      append: (body) => this.append(body),
      emit: (body) => this.#emit(body),
      flush: () => log.flush(),
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
    try {
      await this.#options.turn();
      const run = await this.#options.begin(this);
      if (run.past.end) return this.#resultOf(run.past.end);
      return await this.#end(await runLoop(run));
    } catch (error) {
      return this.#endBadly(error);
    }
  }

  async #end({ status, answer }: RunEnd): Promise<RunResult> {
    const end = this.append({ type: "run-end", status, ...(answer === undefined ? {} : { answer }) });
    await this.#options.log.flush();
    return this.#resultOf(end);
  }

  async #endBadly(thrown: unknown): Promise<RunResult> {
    const isAbort = this.#signal.aborted;
    const error = isAbort ? interruption(this.#signal.reason) : toAgentError(thrown);
    const status = isAbort ? "aborted" : "failed";
    // A run that never began leaves no trace; one that could not be gone on with stays open, to be resumed when that is mended.
    if (this.#lastSeq === 0 || leavesRunOpen.has(error.code))
      return this.#result({ status, error, endTime: Date.now() });
    const { time } = this.append({ type: "run-end", status, error: error.toJSON() });
    await this.#options.log.flush();
    return this.#result({ status, error, endTime: time });
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

  #emit(body: PassingBody): void {
    const stamp = { runId: this.runId, path: this.path, seq: this.#lastSeq, time: Date.now() };
    this.#feed.publish({ ...body, ...stamp }, false);
  }
}

/** Nothing of the run itself went wrong, or nothing more can be written. */
const leavesRunOpen: ReadonlySet<AgentErrorCode> = new Set<AgentErrorCode>(["divergence", "in-doubt", "log"]);

function toAgentError(thrown: unknown): AgentError {
  if (AgentError.is(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AgentError("executor", `the run broke off: ${message}`, { cause: thrown });
}

/** The reason of an abort as an error; whatever the caller gave is kept as its cause. */
function interruption(reason: unknown): AgentError {
  if (AgentError.is(reason)) return reason;
  const why = reason instanceof Error ? reason.message : reason;
  return new AgentError("interrupted", `the run was aborted${why === undefined ? "" : `: ${String(why)}`}`, {
    cause: reason,
  });
}

const notReplayable = (): AgentError =>
  new AgentError("executor", "the state of this sandbox cannot be rebuilt from the log", {
    hint: "resume with the executor the run began with, such as the interpreter",
  });
