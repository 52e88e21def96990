import type { UsageTree } from "@smolts/memory";
import {
  type ActionStep,
  AgentError,
  type ApprovalRequest,
  type MemoryStep,
  type RunEvent,
  type RunLog,
  type RunStatus,
  type Timing,
  type VariableSummary,
} from "@smolts/protocol";
import type { LiveRun } from "./live-run.ts";
import { explainResultPromise, explainRunMembers } from "./other-members.ts";

/** How a run ended, as a whole. */
export interface RunResult<Output = unknown> {
  readonly runId: string;
  readonly status: RunStatus;
  /** The answer; also the forced one of `max-steps` and `budget`. */
  readonly output?: Output;
  /** Why it was aborted, failed or suspended. */
  readonly error?: AgentError;
  /** For a suspended run: the requests that people must decide before it continues. */
  readonly pending?: readonly ApprovalRequest[];
  readonly steps: readonly MemoryStep[];
  /**
   * The usage of the agent and of those that worked for it; null if an answer of a model did not
   * report its usage.
   */
  readonly usage: UsageTree | null;
  readonly timing: Timing;
  readonly log: RunLog;
}

/**
 * A run on its way: a promise of the answer, and an iterable of what happens.
 *
 * - `await run` resolves to the answer, or to the forced one when the steps ran out. It rejects
 *   with an `AgentError` if the run was aborted or failed.
 * - `for await (const event of run)` owns the run: every durable event from the first, live deltas
 *   from now on. Leaving early aborts the run; a failure is thrown after the last event.
 * - `run.events()` only looks, any number of times, early or late; it never throws. `run.result`
 *   never rejects.
 *
 * Nobody who only iterates or only reads `result` meets an unhandled rejection. A run returned from
 * an `async` function is awaited by the language and so becomes its answer: return `{ run }` to
 * hand over the run itself.
 *
 * @example
 * ```ts
 * import { CodeAgent, modelFromFunction } from "@smolts/core";
 *
 * const run = new CodeAgent({ model: modelFromFunction(() => "<code>finalAnswer(6 * 7)</code>") }).run("Multiply six by seven.");
 * for await (const event of run) console.log(event.type);
 * console.log(await run); // 42
 * ```
 */
export interface AgentRun<Output = unknown> extends Promise<Output>, AsyncIterable<RunEvent>, AsyncDisposable {
  /** Empty for a resumed run until its log was read. */
  readonly id: string;
  readonly status: RunStatus | "running";
  /** The agent's memory so far, earlier runs of the session included. */
  readonly steps: readonly MemoryStep[];
  readonly usage: UsageTree | null;
  readonly result: Promise<RunResult<Output>>;
  /**
   * A reader of the run's events: from `fromSeq` (1-based, default 1) on, then the tail. Leaving it
   * only ends the reader.
   *
   * With `flushed` it gets only what the log keeps, and each event when it is safe there: for
   * webhooks, exports and whatever else must not hear of something that a crash takes back.
   */
  events(options?: { readonly fromSeq?: number; readonly flushed?: boolean }): AsyncIterable<RunEvent>;
  /** The text the agent's own model writes, as it comes. */
  textStream(): AsyncIterable<string>;
  /** Each plan, action and final answer of the agent itself, when it is complete. */
  stepStream(): AsyncIterable<MemoryStep>;
  /** Ends the run soon with status `aborted`; what has happened stays in the log. */
  abort(reason?: unknown): void;
  /**
   * Says something to the model before it is next asked; false when the run has ended and nobody
   * hears it.
   */
  say(text: string): boolean;
  /**
   * Of a run started with `{ manual: true }`: lets it take one step, and returns that when it is
   * complete; null when the run has ended without another step. The plan before a step, and the
   * answer that is forced when a limit is reached, come with it.
   *
   * @throws AgentError `invalid-option` for a run that goes by itself; the run's own error when it
   *   fails in the step
   */
  next(): Promise<ActionStep | null>;
  /**
   * The variables of the run's sandbox; none for an agent that runs no code, or after the sandbox
   * was closed.
   */
  variables(): Promise<readonly VariableSummary[]>;
}

/**
 * Reads the events of a run, from its first one to its end. The run's answer and result are there
 * when the reader is done, so it must not wait for them. Its failure changes nothing: the run
 * reports its own.
 */
export type RunReader = (events: AsyncIterable<RunEvent>) => Promise<void>;

/**
 * Makes the handle of a run.
 *
 * @param result - never rejects
 */
export function agentRun(live: LiveRun, result: Promise<RunResult>): AgentRun {
  if (!("fullStream" in AgentRunHandle.prototype)) explainRunMembers(AgentRunHandle.prototype);
  return new AgentRunHandle(live, result);
}

/** Node's own symbol for this, which needs no import. */
const inspectSymbol: unique symbol = Symbol.for("nodejs.util.inspect.custom");

class AgentRunHandle implements AgentRun {
  readonly [Symbol.toStringTag] = "AgentRun";
  readonly #live: LiveRun;
  readonly result: Promise<RunResult>;
  #status: RunStatus | "running" = "running";

  constructor(live: LiveRun, result: Promise<RunResult>) {
    this.#live = live;
    this.result = explainResultPromise(afterReader(live, result));
    void result.then(({ status }) => {
      this.#status = status;
    });
  }

  /** The line that Node's `console.log` prints. */
  [inspectSymbol](): string {
    return `AgentRun "${this.id}" { status: ${this.status}; steps: ${this.steps.length}; await it for the answer }`;
  }

  get id(): string {
    return this.#live.runId;
  }

  get status(): RunStatus | "running" {
    return this.#status;
  }

  get steps(): readonly MemoryStep[] {
    return this.#live.steps;
  }

  get usage(): UsageTree | null {
    return this.#live.usage;
  }

  events({
    fromSeq = 1,
    flushed = false,
  }: {
    readonly fromSeq?: number;
    readonly flushed?: boolean;
  } = {}): AsyncIterable<RunEvent> {
    const { feed } = this.#live;
    return flushed ? feed.readSafe(fromSeq) : feed.read(fromSeq);
  }

  async *textStream(): AsyncGenerator<string> {
    for await (const event of this.events()) {
      const isText = event.type === "text-delta" || event.type === "code-delta";
      if (isText && this.#isOwn(event)) yield event.text;
    }
  }

  async *stepStream(): AsyncGenerator<MemoryStep> {
    for await (const event of this.events()) {
      const step = this.#isOwn(event) ? completedBy(event, this.steps) : undefined;
      if (step) yield step;
    }
  }

  abort(reason?: unknown): void {
    this.#live.stop.abort(reason);
  }

  say(text: string): boolean {
    if (typeof text !== "string" || text.trim() === "") throw notSayable(text);
    return this.#status === "running" && this.#live.say(text);
  }

  async next(): Promise<ActionStep | null> {
    const { gate } = this.#live;
    if (!gate) throw notManual();
    if (this.#status !== "running") return null;
    const { step, hasEnded } = await gate.next();
    const { error } = hasEnded ? await this.result : {};
    if (error) throw error;
    return step;
  }

  variables(): Promise<readonly VariableSummary[]> {
    return this.#live.variables();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void> {
    let isWhole = false;
    try {
      yield* this.events();
      isWhole = true;
    } finally {
      if (!isWhole) this.abort("the loop over the run was left early; iterate run.events() to look without owning");
    }
    const { status, error } = await this.result;
    if (status === "failed") throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.abort("the run was disposed of");
    await this.result;
  }

  // Only these three make a promise that can reject, so nobody's neglect becomes an unhandled
  // rejection.
  then<Fulfilled = unknown, Rejected = never>(
    onFulfilled?: ((answer: unknown) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#answer().then(onFulfilled, onRejected);
  }

  catch<Rejected = never>(
    onRejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<unknown> {
    return this.#answer().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<unknown> {
    return this.#answer().finally(onFinally);
  }

  /** Managed agents tell of what they do in the same events. */
  #isOwn({ path }: RunEvent): boolean {
    return path.length === this.#live.path.length;
  }

  /** Undefined only when no answer was to be forced, which the caller chose. */
  async #answer(): Promise<unknown> {
    const { error, output } = await this.result;
    if (error) throw error;
    return output;
  }
}

/** The result, once the reader of the run has read it all. */
async function afterReader({ definition, caller, feed }: LiveRun, result: Promise<RunResult>): Promise<RunResult> {
  const { reader } = definition;
  // What managed agents do is in their caller's events.
  if (!reader || caller) return result;
  try {
    await reader(readFromNow(feed.read(1)));
  } catch {
    // The run itself reports its errors.
  }
  return result;
}

/**
 * Asks for the first event at once, so that the reader misses no delta while it loads its own code.
 */
function readFromNow(events: AsyncGenerator<RunEvent, void>): AsyncIterable<RunEvent> {
  const first = events.next();
  return (async function* () {
    try {
      const { done, value } = await first;
      if (done) return;
      yield value;
      yield* events;
    } finally {
      await events.return();
    }
  })();
}

const notSayable = (text: unknown): AgentError =>
  new AgentError("invalid-option", `say() was given ${typeof text === "string" ? "an empty text" : typeof text}`);

const notManual = (): AgentError =>
  new AgentError("invalid-option", "next() was called on a run that goes by itself", {
    hint: "start it with agent.run(task, { manual: true })",
  });

/** The step that an event completes. */
function completedBy(event: RunEvent, steps: readonly MemoryStep[]): MemoryStep | undefined {
  const { runId } = event;
  const numbered = (type: "planning" | "action", stepNumber: number): MemoryStep | undefined =>
    steps.find((step) => step.type === type && step.runId === runId && step.stepNumber === stepNumber);
  if (event.type === "plan") return numbered("planning", event.stepNumber);
  if (event.type === "step-end") return numbered("action", event.stepNumber);
  if (event.type === "run-end") return steps.findLast((step) => step.type === "final-answer" && step.runId === runId);
  return undefined;
}
