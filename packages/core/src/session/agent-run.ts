import type { UsageTree } from "@smolts/memory";
import {
  type ActionStep,
  AgentError,
  type ApprovalRequest,
  invalidOption,
  type MemoryStep,
  type OptionTable,
  type RunEvent,
  type RunLog,
  type RunStatus,
  readOptions,
  type Timing,
  type VariableSummary,
} from "@smolts/protocol";
import type { LiveRun } from "./live-run.ts";
import { explainReading, explainResultPromise, explainRunMembers } from "./other-members.ts";

/** The result of a run after its end. */
export interface RunResult<Output = unknown> {
  /** The id of the run in its log and its store. */
  readonly runId: string;
  /** How the run ended, or `suspended` if it waits for people. */
  readonly status: RunStatus;
  /** The answer. With the status `max-steps` or `budget` it is a forced answer. */
  readonly output?: Output;
  /** The error that ended or suspended the run. */
  readonly error?: AgentError;
  /** For a suspended run: the requests that people must decide before the run can continue. */
  readonly pending?: readonly ApprovalRequest[];
  /** The steps in the agent's memory, including earlier runs of the session. */
  readonly steps: readonly MemoryStep[];
  /** The usage of the agent and its managed agents. Null if a model did not report its usage. */
  readonly usage: UsageTree | null;
  /** When the run began and ended. */
  readonly timing: Timing;
  /** The log of the run. `agent.resume(log)` continues a run that did not end with an answer. */
  readonly log: RunLog;
}

/** Options of {@link AgentRun.events}. */
export interface EventsOptions {
  /** The number of the first event to yield, counted from 1; 1 if absent. */
  readonly fromSeq?: number;
  /**
   * Whether to yield only events that the log keeps, and each of them only after it is stored
   * safely.
   */
  readonly flushed?: boolean;
}

const eventsOptions: OptionTable<EventsOptions> = { fromSeq: "number", flushed: "flag" };

/**
 * The handle of a run: a promise of the answer, and an iterable of the run's events.
 *
 * - `await run` resolves to the answer, or to the forced answer when a limit was reached. It
 *   rejects with an `AgentError` if the run was aborted or failed.
 * - `for await (const event of run)` controls the run. It yields every durable event from the first
 *   one, and deltas from now on. Leaving the loop early aborts the run. A failure is thrown after
 *   the last event.
 * - `run.events()` only reads, can be called any number of times and at any time, and never throws.
 *   `run.result` never rejects.
 *
 * Code that only iterates or only reads `result` never causes an unhandled rejection. If an `async`
 * function returns a run, JavaScript awaits it, so the caller gets the answer. Return `{ run }` to
 * pass the run itself.
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
  /** The id of the run. Empty for a resumed run until its log has been read. */
  readonly id: string;
  /** How the run ended, or `running`. */
  readonly status: RunStatus | "running";
  /** The steps in the agent's memory so far, including earlier runs of the session. */
  readonly steps: readonly MemoryStep[];
  /** The usage so far, of the agent and its managed agents. Null if it is not known. */
  readonly usage: UsageTree | null;
  /** The status, the answer or the error, the steps and the log of the run. Never rejects. */
  readonly result: Promise<RunResult<Output>>;
  /**
   * Reads the run's events, starting with number `fromSeq` (counted from 1; default 1), and then
   * new events as they happen. Leaving the loop early does not affect the run.
   *
   * With `flushed` it yields only events that the log keeps, and each one only when it is stored
   * safely. Use this for webhooks and exports, which must not report an event that a crash can
   * undo.
   */
  events(options?: EventsOptions): AsyncIterable<RunEvent>;
  /** Yields the text that the agent's own model writes, as it arrives. */
  textStream(): AsyncIterable<string>;
  /** Yields each plan, action and final answer of the agent itself, when it is complete. */
  stepStream(): AsyncIterable<MemoryStep>;
  /**
   * Aborts the run. It soon ends with the status `aborted`, and the log keeps what has happened.
   */
  abort(reason?: unknown): void;
  /**
   * Sends the model a message. The model sees it when it is asked next. An answer that the model
   * gave before it saw the message does not end the run, unless a limit allows no further step.
   * Returns false if the model will not be asked again, because the run has its answer or has
   * ended.
   */
  say(text: string): boolean;
  /**
   * Takes one step of a run that was started with `{ manual: true }`, and resolves with the step
   * when it is complete. Resolves with null when the run has ended without another step. A plan
   * before the step, and an answer that is forced at a limit, are made in the same call.
   *
   * @throws AgentError `invalid-option` for a run without `manual`; the run's own error when it
   * fails in the step
   */
  next(): Promise<ActionStep | null>;
  /**
   * Returns the variables of the run's sandbox. There are none if the agent runs no code, or after
   * the sandbox was closed.
   */
  variables(): Promise<readonly VariableSummary[]>;
}

/**
 * Reads the events of a run, from the first one to the end. The run's answer and result become
 * available after the reader has ended, so the reader must not wait for them. A failure of the
 * reader does not affect the run. If it treats the iterable of events as a single event or as a
 * list, `await run` rejects, and the error says what to write.
 */
export type RunReader = (events: AsyncIterable<RunEvent>) => Promise<void>;

/**
 * Creates the handle of a run.
 *
 * @param result - a promise that never rejects
 */
export function agentRun(live: LiveRun, result: Promise<RunResult>): AgentRun {
  explainRunMembers(AgentRunHandle);
  return new AgentRunHandle(live, result);
}

/** The handle of a run in this process. */
class AgentRunHandle implements AgentRun {
  readonly [Symbol.toStringTag] = "AgentRun";
  readonly #live: LiveRun;
  readonly result: Promise<RunResult>;
  #status: RunStatus | "running" = "running";
  /** The error of a reader that used the events wrongly. */
  #mistake: AgentError | undefined;

  constructor(live: LiveRun, result: Promise<RunResult>) {
    this.#live = live;
    const report = (mistake: AgentError): void => {
      this.#mistake = mistake;
    };
    this.result = explainResultPromise(afterReader(live, result, report));
    Object.defineProperty(this, Symbol.for("nodejs.util.inspect.custom"), { value: () => this.toString() });
    void result.then(({ status }) => {
      this.#status = status;
    });
  }

  /** Returns the line that Node's `console.log` prints. `JSON.stringify` writes the same line. */
  toString(): string {
    return `AgentRun "${this.id}" { status: ${this.status}; steps: ${this.steps.length}; await it for the answer }`;
  }

  /** @throws AgentError `invalid-option` for a calculation with a run that was not awaited */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === "number") throw notANumber();
    return this.toString();
  }

  toJSON(): string {
    return this.toString();
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

  events(options: EventsOptions = {}): AsyncIterable<RunEvent> {
    const { fromSeq = 1, flushed = false } = readOptions(options, "run.events()", eventsOptions);
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
    if (typeof text !== "string" || text.trim() === "") throw invalidMessage(text);
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

  // Only `then`, `catch` and `finally` create a promise that can reject. So a run that is not
  // awaited causes no unhandled rejection.
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

  /**
   * Says whether an event belongs to this agent. Events of its managed agents are in the same
   * stream.
   */
  #isOwn({ path }: RunEvent): boolean {
    return path.length === this.#live.path.length;
  }

  /** Returns the answer. It is undefined only if the caller turned `forceAnswer` off. */
  async #answer(): Promise<unknown> {
    const { error, output } = await this.result;
    const failure = this.#mistake ?? error;
    if (failure) throw failure;
    return output;
  }
}

/** The class of run handles. Functions that explain wrong uses of its members need it. */
export const agentRunClass: { readonly prototype: AgentRun } = AgentRunHandle;

/** Returns the result after the reader of the run has read all events. */
async function afterReader(
  { definition, caller, feed }: LiveRun,
  result: Promise<RunResult>,
  report: (mistake: AgentError) => void,
): Promise<RunResult> {
  const { reader } = definition;
  // A run of a managed agent has no reader, because its events are among those of its caller.
  if (!reader || caller) return result;
  try {
    await reader(explainReading(readFromNow(feed.read(1))));
  } catch (error) {
    // Errors of the run are ignored here, because the run itself reports them. A wrong use of the
    // events is reported to the code that awaits the answer.
    if (AgentError.is(error) && error.code === "invalid-option") report(error);
  }
  return result;
}

/**
 * Requests the first event immediately, so that the reader misses no delta while it loads its own
 * code.
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

const invalidMessage = (text: unknown): AgentError =>
  invalidOption(
    `say() got ${typeof text === "string" ? "an empty text" : typeof text}; expected a text`,
    'write run.say("...")',
  );

const notANumber = (): AgentError =>
  invalidOption("a run was used as a number; expected its answer", "write await before it");

const notManual = (): AgentError =>
  invalidOption("next() was called on a run that is not manual", "start it with agent.run(task, { manual: true })");

/** Returns the step that an event completes. */
function completedBy(event: RunEvent, steps: readonly MemoryStep[]): MemoryStep | undefined {
  const { runId } = event;
  const numbered = (type: "planning" | "action", stepNumber: number): MemoryStep | undefined =>
    steps.find((step) => step.type === type && step.runId === runId && step.stepNumber === stepNumber);
  if (event.type === "plan") return numbered("planning", event.stepNumber);
  if (event.type === "step-end") return numbered("action", event.stepNumber);
  if (event.type === "run-end") return steps.findLast((step) => step.type === "final-answer" && step.runId === runId);
  return undefined;
}
