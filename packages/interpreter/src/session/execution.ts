// One execution of a program. It ends when the program has ended and no call is in flight, or when
// it is stopped.
//
// Guest code runs in turns. A turn runs the program or settles one call, and then runs all jobs
// that follow from it. When no job is left, the guest is idle. Only then does the execution take
// the next delivery. Deliveries are taken in the order in which the host sent them. A long turn is
// interrupted periodically so that the host's event loop can run. The guest cannot notice the
// interruptions, because deliveries wait.
//
// For replays, each point where an execution can be stopped is followed by a counted operation. The
// log records how many operations ran before the stop. A replay stops before the next operation,
// which is exactly the same point.

import {
  AgentError,
  type CallOutcome,
  type ExecuteOptions,
  type ExecutionResult,
  type StopReason,
  thrownText,
} from "@smolts/protocol";
import { copyArgumentsOut, copyIn, errorIn } from "../boundary.ts";
import { describeSyntaxError, type Scene } from "../diagnostics/errors.ts";
import { type SourceText, toGuestThrow } from "../guest-throw.ts";
import type { GuestObject } from "../guest-value.ts";
import { type InterpreterLimits, limitsForReplay } from "../interpreter-limits.ts";
import { Breach, makeCurrent, msOfOperation } from "../limits.ts";
import type { ImportRefusal } from "../modules/import-refusal.ts";
import { createPromise, fulfillPromise, rejectPromise } from "../operations/promise.ts";
import { ProgramSyntaxError, readingCost } from "../parse.ts";
import { compileProgram } from "../program/program.ts";
import { readPlainly, readTypes, TypesFound } from "../program/readings.ts";
import { withClockChecks, withoutClockChecks } from "../reading-steps.ts";
import type { Realm } from "../realm/realm.ts";
import { noSurroundings } from "../surroundings.ts";
import { Answer } from "./answer.ts";
import { Deliveries, Delivery } from "./deliveries.ts";
import { doubtsOf } from "./doubts.ts";
import { errorResult, type PlainResult, stoppedResult } from "./execution-result.ts";
import type { GuestClock } from "./guest-clock.ts";
import { HostUse } from "./host-use.ts";
import { Outcome } from "./outcome.ts";
import { PendingCalls } from "./pending-calls.ts";
import { PrintedLines } from "./printed-lines.ts";
import { seededRandom } from "./seeded-random.ts";
import type { ProgramSession } from "./session.ts";

// How many jobs run between two checks of the time.
const jobsChunk = 128;
// Sending one text to the host takes as long as printing this many characters.
const charactersPerSentText = 200;
// A search through 16 timers takes as long as one operation. So the number of timers, shifted right
// by 4 bits, is the cost of a search.
const timersPerOperation = 4;
// A call whose arguments have this many bytes takes the host twice as long as a call without
// arguments.
const bytesOfDoubleCall = 8_192;

const resolved: Promise<void> = /* @__PURE__ */ Promise.resolve();

/** Runs one program in a session. */
export class Execution {
  readonly #session: ProgramSession;
  /** The number of this execution in its session; the first is 1. */
  readonly #number: number;
  readonly #realm: Realm;
  readonly #clock: GuestClock;
  #source: SourceText;
  readonly #options: ExecuteOptions;
  readonly #limits: Required<InterpreterLimits>;
  readonly #hostUse: HostUse;
  /** The job queue numbers all jobs. This is the number of the last job that may run. */
  readonly #lastJob: number;
  readonly #abortListener = (): void => this.abort();
  readonly #checkClock = (): void => this.#realm.meter.checkClock();

  /** `idle`: waits for a delivery. `yielding`: waits until the host's event loop has run. */
  #state: "running" | "yielding" | "idle" | "over" = "running";
  #isAborted = false;
  #printed = 0;
  #printOperations = 0;
  readonly #lines: PrintedLines;
  #callCount = 0;
  #sentBytes = 0;
  readonly #calls = new PendingCalls();
  readonly #deliveries = new Deliveries();
  /** The delivery whose jobs run now. */
  #currentDelivery: Delivery | null = null;
  readonly #answer: Answer;
  readonly #outcome: Outcome;
  #resolve: (result: ExecutionResult) => void = () => {};
  #reject: (reason: unknown) => void = () => {};

  constructor(session: ProgramSession, source: SourceText, options: ExecuteOptions) {
    this.#session = session;
    this.#number = session.executionCount;
    this.#realm = session.realm;
    this.#clock = session.clock;
    this.#source = source;
    this.#options = options;
    this.#lines = new PrintedLines((line) => options.onConsole(line));
    const isReplay = options.replay === true || options.replayStop !== undefined;
    this.#limits = isReplay ? limitsForReplay(session.limits, options.replayStop?.reason) : session.limits;
    this.#lastJob = this.#realm.jobs.ran + this.#limits.microtasks;
    this.#answer = new Answer(this.#realm, this.#limits.callBytes);
    this.#outcome = new Outcome(this.#realm, this.#calls);
    this.#hostUse = new HostUse(this.#realm.meter, this.#limits, session.memory);
  }

  /**
   * Runs the program synchronously until it first waits for a call. The promise resolves when the
   * execution ends.
   */
  start(): Promise<ExecutionResult> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#options.signal.addEventListener("abort", this.#abortListener);
      this.#startMeter();
      this.#clock.start(this.#options.time);
      this.#enterRealm();
      this.#turn(() => this.#runProgram());
    });
  }

  /**
   * Settles a call as soon as the guest is idle. The promise resolves when the guest is idle again.
   */
  deliver(callIndex: number, outcome: CallOutcome, time: number): Promise<void> {
    if (this.#state === "over") return resolved;
    const delivery = new Delivery(callIndex, outcome, time);
    if (this.#state === "idle" && !this.#hostUse.isSliceOver) this.#turn(delivery);
    else {
      this.#deliveries.add(delivery);
      // If calls are answered immediately, many short turns in a row keep the host's event loop
      // from running, just as one long turn does.
      if (this.#state === "idle") this.#yieldToEventLoop();
    }
    return delivery.isDone ? resolved : delivery.whenDone();
  }

  /**
   * Stops the execution: immediately if the guest is idle, and otherwise at the next point where it
   * can be stopped.
   */
  abort(): void {
    this.#isAborted = true;
    if (this.#state === "idle") this.#turn(() => this.#realm.meter.stop("aborted"));
  }

  /** Handles a tool call of the program. Returns the guest's promise of the result. */
  call(name: string, args: readonly unknown[]): GuestObject {
    const { meter } = this.#realm;
    if (this.#calls.size >= this.#limits.pendingCalls) meter.stop("pending-calls");
    const bytesBefore = meter.bytes;
    const mayBeSent = (): void => this.#requireSendable(meter.bytes - bytesBefore);
    const copies = copyArgumentsOut(this.#realm, name, args, mayBeSent);
    const bytes = meter.bytes - bytesBefore;
    this.#sentBytes += bytes;
    const promise = createPromise(this.#realm);
    promise.callName = name;
    const callIndex = ++this.#callCount;
    this.#calls.add(callIndex, promise, bytes);
    this.#countTimeOfCall(bytes);
    this.#lines.flush();
    this.#options.onCall({ callIndex, execution: this.#number, name, args: copies });
    this.#afterHostCallback();
    return promise.self;
  }

  #countTimeOfCall(bytes: number): void {
    const ms = this.#session.callMs * (1 + bytes / bytesOfDoubleCall);
    this.#hostUse.addCall(ms);
    this.#realm.meter.checkClockSooner(ms / msOfOperation);
  }

  /**
   * Ends the execution if a call with this many bytes exceeds a limit. A tool may keep its
   * arguments forever, so the sum over all calls of a block is limited too.
   */
  #requireSendable(bytes: number): void {
    const { callBytes, pendingBytes, sentBytes } = this.#limits;
    if (bytes > callBytes || this.#calls.bytes + bytes > pendingBytes || this.#sentBytes + bytes > sentBytes)
      this.#realm.meter.stop("sent-bytes");
  }

  /** Handles a call of `finalAnswer`. */
  answer(args: readonly unknown[]): GuestObject {
    return this.#answer.submit(args);
  }

  #startMeter(): void {
    const { replayStop } = this.#options;
    this.#realm.meter.start({
      operations: replayStop?.operations ?? this.#limits.operations,
      memoryBytes: this.#limits.memoryBytes,
      roomBytes: this.#hostUse.roomBytes,
      uncheckedBytes: this.#hostUse.uncheckedBytes,
      callDepth: this.#limits.callDepth,
      interrupted: (aheadMs) => this.#interruption(aheadMs),
    });
  }

  #enterRealm(): void {
    const clock = this.#clock;
    this.#realm.execution = { isStopped: false };
    this.#realm.missingProperties.clear();
    this.#realm.printHints.clear();
    this.#realm.promiseWatch?.clear();
    this.#realm.surroundings = {
      now: () => clock.now,
      timeOrigin: this.#session.timeOrigin ?? this.#options.time,
      random: seededRandom(this.#options.seed),
      print: (line, operations) => {
        this.#printed += line.text.length + 1;
        this.#printOperations += operations;
        if (this.#outputCharacters() > this.#limits.outputCharacters) this.#realm.meter.stop("output");
        this.#lines.add(line);
        this.#afterHostCallback();
      },
      setTimer: (timer) => {
        if (clock.size >= this.#limits.pendingCalls) this.#realm.meter.stop("pending-calls");
        this.#realm.meter.charge(clock.size >>> timersPerOperation);
        return clock.add(timer);
      },
      clearTimer: (id) => {
        this.#realm.meter.charge(clock.size >>> timersPerOperation);
        clock.remove(id);
      },
    };
  }

  /**
   * Returns how many characters count as printed: the number of printed characters, or the number
   * of operations for formatting them if that is larger. While code prints without waiting, only
   * the limit on printed characters can end the run. So this limit must also stop code that prints
   * few characters but takes long to format them. One operation of formatting takes the host about
   * as long as printing one character.
   */
  #outputCharacters(): number {
    return Math.max(this.#printed, this.#printOperations) + this.#lines.levelChanges * charactersPerSentText;
  }

  /**
   * Removes every reference from the realm to this execution. The realm may stay in memory for
   * long: the host keeps prototypes, and everything they refer to, until a full garbage collection,
   * which is rare. A reference from the realm would keep the execution and its options, and so the
   * whole run, in memory until then.
   */
  #leaveRealm(): void {
    this.#realm.surroundings = noSurroundings;
    this.#realm.meter.start();
  }

  #interruption(aheadMs: number): StopReason | null {
    return this.#isAborted || this.#options.signal.aborted ? "aborted" : this.#hostUse.excess(aheadMs);
  }

  #afterHostCallback(): void {
    const { meter } = this.#realm;
    this.#hostUse.othersRan();
    if (this.#isAborted) meter.stop("aborted");
    meter.charge(1);
  }

  /**
   * Runs one turn: `begin` or a delivery, and everything that follows from it, until the guest is
   * idle or the execution ends.
   */
  #turn(begin: Delivery | (() => void)): void {
    this.#state = "running";
    makeCurrent(this.#realm.meter);
    this.#hostUse.beginTurn();
    try {
      withClockChecks(this.#checkClock, () => {
        if (typeof begin === "function") begin();
        else if (this.#startEarlierTimer(begin)) this.#deliveries.putBack(begin);
        else this.#settleCall(begin);
        this.#advance();
      });
    } catch (caught) {
      withoutClockChecks(() => this.#endAfterThrow(caught));
    }
    this.#hostUse.endTurn();
  }

  #runProgram(): void {
    const { meter } = this.#realm;
    if (this.#options.signal.aborted) meter.stop("aborted");
    if (this.#source.text.length > this.#limits.sourceCharacters) meter.stop("source-size");
    meter.charge(readingCost(this.#source));
    for (const [name, value] of Object.entries(this.#options.variables ?? {})) {
      this.#session.bindings.define(name, copyIn(this.#realm, value));
    }
    readPlainly(this.#source, (source) => this.#runSource(source));
  }

  #runSource(source: SourceText): void {
    this.#source = source;
    compileProgram(this.#session, source).run((end) => this.#outcome.programEnded(end));
  }

  /**
   * Loads the TypeScript parser, because the program is not valid JavaScript or looks like
   * TypeScript.
   */
  #readTypes(found: TypesFound): void {
    this.#state = "yielding";
    const reading = readTypes(this.#source, found, {
      programs: this.#session.programs,
      run: (source) => this.#runSource(source),
    });
    void reading.then((run) => this.#resume(run));
  }

  #advance(): void {
    const { jobs, meter } = this.#realm;
    const { replayStop } = this.#options;
    for (;;) {
      if (!jobs.run(jobsChunk, this.#lastJob) && !this.#runMoreJobs()) return this.#yieldToEventLoop();
      this.#lines.flush();
      this.#currentDelivery?.finish();
      this.#currentDelivery = null;
      const delivery = this.#deliveries.take();
      if (delivery && !this.#startEarlierTimer(delivery)) {
        this.#settleCall(delivery);
        continue;
      }
      if (delivery) this.#deliveries.putBack(delivery);
      else if (this.#clock.size === 0 || !this.#takeTimer()) break;
      if (this.#hostUse.isTurnLong) return this.#yieldToEventLoop();
    }
    if (this.#isAborted || (replayStop && meter.operations >= replayStop.operations)) meter.stop("aborted");
    if (this.#calls.size > 0) this.#state = "idle";
    else withoutClockChecks(() => this.#finish(this.#outcome.result(this.#scene(), this.#answer.isPending)));
  }

  /** Runs jobs until none is left or the turn has taken too long. Returns whether none is left. */
  #runMoreJobs(): boolean {
    const { jobs } = this.#realm;
    do {
      if (jobs.ran >= this.#lastJob) jobs.stop("microtasks");
      if (this.#hostUse.isTurnLong) return false;
    } while (!jobs.run(jobsChunk, this.#lastJob));
    return true;
  }

  #yieldToEventLoop(): void {
    this.#state = "yielding";
    void yieldToHost().then(() => {
      this.#hostUse.beginSlice();
      this.#resume();
    });
  }

  /**
   * Starts the next turn after the host's event loop has run, unless the execution has ended by
   * then.
   */
  #resume(begin: () => void = () => {}): void {
    if (this.#state !== "yielding") return;
    this.#turn(() => {
      if (this.#isAborted) this.#realm.meter.stop("aborted");
      begin();
    });
  }

  /**
   * Starts a timer that must run before a delivery, and returns whether there was one. A delivery
   * may arrive while a long turn is interrupted, before the guest is idle. A replay may even
   * deliver the outcome of a call before the guest makes the call. In both cases, the timers that
   * the guest would have run without the delivery run first.
   */
  #startEarlierTimer({ time }: Delivery): boolean {
    if (this.#clock.size === 0) return false;
    return this.#calls.size === 0 ? this.#takeTimer() : this.#startTimer(Math.max(time, this.#clock.now));
  }

  #settleCall(delivery: Delivery): void {
    this.#currentDelivery = delivery;
    this.#clock.moveTo(delivery.time);
    const promise = this.#calls.take(delivery.callIndex);
    if (!promise) return;
    this.#realm.meter.charge(1);
    const { outcome } = delivery;
    if (outcome.type === "ok") fulfillPromise(this.#realm, promise, copyIn(this.#realm, outcome.value));
    else rejectPromise(this.#realm, promise, errorIn(this.#realm, outcome.error));
  }

  /**
   * Starts the next timer, and returns whether one was started. While calls are in flight, only a
   * timer that is already due may start.
   */
  #takeTimer(): boolean {
    if (this.#calls.size > 0) return this.#startTimer(this.#clock.now);
    // If the program has ended and only repeating timers are left, they are removed. Otherwise they
    // would keep the program running forever.
    if (this.#outcome.hasEnded && !this.#clock.hasSingleTimer) this.#clock.clear();
    return this.#startTimer(Number.POSITIVE_INFINITY);
  }

  #startTimer(until: number): boolean {
    const timer = this.#clock.takeFirst(until);
    if (!timer) return false;
    this.#realm.jobs.enqueueCall(() => {
      try {
        timer.run();
      } catch (caught) {
        this.#outcome.noteStray(toGuestThrow(this.#realm, caught));
      }
    }, timer.calls);
    return true;
  }

  /**
   * Handles an exception that ended a turn: a limit, a syntax error, an uncaught exception of the
   * program, or a defect of the interpreter.
   */
  #endAfterThrow(caught: unknown): void {
    try {
      if (caught instanceof TypesFound) return this.#readTypes(caught);
      if (caught instanceof Breach) this.#finishStopped(caught);
      else if (caught instanceof ProgramSyntaxError) {
        this.#finish({ type: "error", error: describeSyntaxError(this.#scene(), caught) });
      } else this.#finish(errorResult(this.#scene(), toGuestThrow(this.#realm, caught)));
    } catch (defect) {
      if (defect instanceof Breach) this.#finishStopped(defect);
      else this.#fail(defect);
    }
  }

  #finishStopped(breach: Breach): void {
    this.#realm.execution.isStopped = true;
    const { reason: ownReason } = breach;
    if (ownReason === "import-refused") return this.#finish({ type: "error", error: (breach as ImportRefusal).error }); // no other breach has this reason
    if (ownReason === "final-answer") return this.#finish({ type: "final-answer", args: this.#answer.args });
    const reason = this.#options.replayStop?.reason ?? ownReason;
    this.#finish(stoppedResult(this.#scene(), reason, this.#realm.meter.operations, breach));
  }

  #scene(): Scene {
    const { bindings, modules } = this.#session;
    return { realm: this.#realm, bindings, importable: modules.importable, source: this.#source };
  }

  #finish(result: PlainResult): void {
    this.#lines.flush();
    const facts = { operations: this.#realm.meter.operations, unawaited: this.#outcome.unawaited };
    const doubts = doubtsOf({ source: this.#source, realm: this.#realm, timers: this.#clock.callbacks() }, result.type);
    this.#close();
    this.#resolve(Object.assign({}, result, facts, doubts.length === 0 ? {} : { doubts }));
  }

  #fail(defect: unknown): void {
    this.#close();
    const why = thrownText(defect);
    this.#reject(
      AgentError.is(defect) ? defect : new AgentError("executor", `the interpreter failed: ${why}`, { cause: defect }),
    );
  }

  /** Releases everything, so that nothing of this execution can run afterwards. */
  #close(): void {
    this.#state = "over";
    this.#hostUse.endTurn();
    this.#session.executionEnded(this.#realm.meter);
    this.#options.signal.removeEventListener("abort", this.#abortListener);
    this.#realm.jobs.clear();
    this.#realm.rejections.clear();
    this.#clock.clear();
    this.#calls.clear();
    this.#currentDelivery?.finish();
    for (let delivery = this.#deliveries.take(); delivery; delivery = this.#deliveries.take()) delivery.finish();
    this.#leaveRealm();
  }
}

// Declared here because some of the type libraries that this package is compiled with lack it. Its
// type includes `undefined` because some platforms do not have the function.
declare const setImmediate: ((callback: () => void) => unknown) | undefined;

/** Resolves after the host's event loop has run timers, abort signals and other work. */
function yieldToHost(): Promise<void> {
  if (typeof setImmediate === "function") return new Promise((resolve) => void setImmediate(resolve));
  return new Promise((resolve) => void setTimeout(resolve, 0));
}
