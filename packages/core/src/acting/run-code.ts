// Runs one block of code from start to end: live, as a replay of its record, or as a replay that
// continues live.
//
// The program's calls arrive in the order in which it makes them. Their outcomes are delivered one
// at a time in the order of the log, each when the program is idle. A replay first delivers the
// recorded outcomes without starting a call. After that, it starts the calls that have no recorded
// outcome.

import {
  AgentError,
  type CallOutcome,
  type EncodedValue,
  type EventOf,
  type ExecuteOptions,
  type ExecutionResult,
  type Executor,
  type HostCall,
  onAbort,
} from "@smolts/protocol";
import type { CallArguments } from "../languages/code-language.ts";
import { withStoredMedia } from "../media/store-media.ts";
import { cutVariables } from "../observation/cut-results.ts";
import { untilGivenUp } from "../run/grace-time.ts";
import { changesIn, type PastCall, type PastStep, seedOf } from "../run/past.ts";
import type { Run } from "../run/run.ts";
import { suspended } from "../run/suspension.ts";
import { type AskedCall, callIdOf } from "../tool-calls/asked-call.ts";
import { callTool, cancelCall, endLostCall, recordAsk } from "../tool-calls/call-tool.ts";

/**
 * Runs a block and records it, or replays the recorded part of it.
 *
 * @throws AgentError `divergence` when a replay calls, prints or ends differently from the record
 */
export async function runCode(run: Run, stepNumber: number, code: string, past: PastStep): Promise<ExecutionResult> {
  // If the executor has `replay: "never"`, no block runs twice. Either the old sandbox still has
  // the state of the block, or that state is lost.
  if (past.codeStart && run.definition.executor?.replay === "never") {
    const isLost = past.codeStart.seq < run.past.sandboxLostBefore;
    if (!past.codeEnd && isLost) return endLostBlock(run, stepNumber, past);
    if (past.codeEnd && !isLost) run.sandboxState.hasVariables = true;
    if (past.codeEnd) return past.codeEnd.result;
  }
  const codeRun = new CodeRun(run, await run.sandbox(), stepNumber, past);
  if (past.codeStart && past.codeEnd && isVoid(past.codeEnd.result)) {
    await codeRun.skip(past.codeStart);
    return past.codeEnd.result;
  }
  const result = await codeRun.go(code);
  if (!isVoid(result)) run.sandboxState.hasVariables = true;
  return result;
}

/**
 * Ends a block whose sandbox was abandoned while the block ran. The program cannot continue, and
 * the log records which calls had begun.
 */
function endLostBlock(run: Run, stepNumber: number, past: PastStep): ExecutionResult {
  for (const call of past.calls.values()) {
    if (!call.result) endLostCall(run, call);
  }
  const error = {
    code: "code-execution" as const,
    message: "the sandbox was lost while the code ran",
    hint: "part of it may have run; its variables are gone",
  };
  const result: ExecutionResult = { type: "stopped", reason: "aborted", error, operations: 0, unawaited: [] };
  run.append({ type: "code-end", stepNumber, result });
  return result;
}

/**
 * Says whether a block was killed before its operations were counted. If so, the sandbox
 * still has its state from before the block.
 */
const isVoid = (result: ExecutionResult): boolean => result.type === "stopped" && result.operations === 0;

class CodeRun {
  readonly #run: Run;
  readonly #sandbox: Executor;
  readonly #stepNumber: number;
  readonly #past: PastStep;
  /**
   * While the block runs: aborted when the run is aborted or suspended, or when the replay
   * diverges. After the block: aborted to cancel calls that have not begun.
   */
  readonly #halt = new AbortController();
  readonly #asked: AskedCall[] = [];
  readonly #pending = new Set<Promise<void>>();
  /** Calls that need a person's decision and do not have one yet. */
  readonly #waiting: AskedCall[] = [];
  #deliveries: Promise<void> = Promise.resolve();
  #printed = 0;
  /** The sandbox's number for this execution, known when the program has made its first call. */
  #execution: number | undefined;
  /**
   * Whether calls may start. They must not start while recorded outcomes are still being delivered,
   * or after the end.
   */
  #phase: "replaying" | "live" | "over" = "replaying";
  #failure: unknown = null;

  constructor(run: Run, sandbox: Executor, stepNumber: number, past: PastStep) {
    this.#run = run;
    this.#sandbox = sandbox;
    this.#stepNumber = stepNumber;
    this.#past = past;
  }

  async go(code: string): Promise<ExecutionResult> {
    const cut = this.#cutVariables();
    // The block gets the run's variables, unless an earlier block has already stored them in the
    // sandbox. It also gets those results of the previous block that the model saw only in part.
    const variables = { ...this.#runVariables(), ...cut };
    const start = this.#past.codeStart ?? (await this.#announce(code, Object.keys(cut)));
    const stopListening = this.#haltOnAbort();
    const execution = this.#answerTo(this.#sandbox.execute(start.code, this.#optionsOf(start, variables)));
    await this.#deliverRecorded();
    if (this.#past.calls.size > 0) await this.#checkAllCallsMade();
    this.#goLive();
    // Calls are ended even if the sandbox fails: a call that has begun must not write to the log
    // after the end of its run.
    const result = await execution
      .catch((error: unknown) => {
        this.#run.discardSandbox();
        throw error;
      })
      .finally(() => this.#close())
      .finally(stopListening);
    if (this.#failure !== null) throw this.#failure;
    // A replay that was aborted ends differently from its record. That is not a divergence.
    if (this.#past.codeEnd) this.#run.signal.throwIfAborted();
    return this.#record(await withStoredMedia(result, this.#run.putBlob));
  }

  /**
   * Makes the sandbox skip a recorded block that was killed. The sandbox does not run the code, but
   * it counts the block and gets the block's variables.
   */
  async skip(start: EventOf<"code-start">): Promise<void> {
    const variables = { ...this.#runVariables(), ...this.#cutVariables() };
    const silent = { onCall: () => {}, onConsole: () => {} };
    await this.#sandbox.execute(start.code, { ...this.#optionsOf(start, variables), ...silent });
  }

  /**
   * Records the start of a block. If the sandbox never runs a block twice, the record is flushed
   * before the block runs. Without the flush, a block that ran before a crash could be missing from
   * the log.
   */
  async #announce(code: string, cut: readonly string[]): Promise<EventOf<"code-start">> {
    const start = this.#recordStart(code, cut);
    if (this.#run.definition.executor?.replay === "never") await this.#run.flush();
    return start;
  }

  #recordStart(code: string, cut: readonly string[]): EventOf<"code-start"> {
    const attachment = this.#sandbox.attachment?.() ?? null;
    const given = { ...(cut.length > 0 && { cut }), ...(attachment !== null && { sandbox: attachment }) };
    return this.#run.append({ type: "code-start", stepNumber: this.#stepNumber, code, ...given });
  }

  /**
   * Stops the block when the run is aborted. It does not use `AbortSignal.any`, because creating a
   * combined signal for each block would cost more than running the block.
   */
  #haltOnAbort(): () => void {
    const { signal } = this.#run;
    if (signal.aborted) this.#halt.abort(signal.reason);
    return onAbort(signal, () => this.#halt.abort(signal.reason));
  }

  async #deliverRecorded(): Promise<void> {
    try {
      for (const { callIndex, event } of this.#past.results) {
        if (this.#failure === null) await this.#answerTo(this.#sandbox.deliver(callIndex, event.outcome, event.time));
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #optionsOf(start: EventOf<"code-start">, variables: { readonly [name: string]: EncodedValue }): ExecuteOptions {
    const recorded = this.#past.codeEnd?.result;
    const seed = [seedOf(this.#run.past, this.#run.start, this.#stepNumber), ...this.#run.path, this.#stepNumber].join(
      "/",
    );
    return {
      signal: this.#halt.signal,
      id: seed,
      variables,
      time: start.time,
      seed,
      replay: recorded !== undefined,
      ...(recorded?.type === "stopped"
        ? { replayStop: { reason: recorded.reason, operations: recorded.operations } }
        : {}),
      onCall: (call) => this.#guard(() => this.#take(call)),
      onConsole: (line) => this.#guard(() => this.#print(line)),
    };
  }

  #cutVariables(): { readonly [name: string]: EncodedValue } {
    const recorded = this.#past.codeStart?.cut;
    return cutVariables(this.#run.steps(), { runId: this.#run.id, stepNumber: this.#stepNumber, recorded });
  }

  /**
   * Returns the run's variables if the sandbox does not have them yet. A block that was killed did
   * not store them, so the next block gets them again.
   */
  #runVariables(): { readonly [name: string]: EncodedValue } {
    return this.#run.sandboxState.hasVariables ? {} : this.#run.start.variables;
  }

  /**
   * Runs a callback of the sandbox. Callbacks must not throw, so an error in a callback ends the
   * block.
   */
  #guard(act: () => void): void {
    if (this.#failure !== null) return;
    try {
      act();
    } catch (error) {
      this.#fail(error);
    }
  }

  #take({ callIndex, name: nameInCode, args: given, keywords, execution }: HostCall): void {
    this.#execution = execution;
    const { name, args } = this.#asToolCall(nameInCode, { args: given, ...(keywords && { keywords }) });
    const stepNumber = this.#stepNumber;
    const callId = callIdOf(this.#run, stepNumber, callIndex);
    const call: AskedCall = { callId, stepNumber, callIndex, name, args, isCode: true };
    const recorded = this.#past.calls.get(callIndex);
    if (recorded) this.#mustMatch(call, recorded);
    else if (this.#past.codeEnd)
      throw this.#divergence(`the program made call ${callIndex}, "${name}"`, "the record does not have that call");
    else recordAsk(this.#run, call);
    this.#asked.push(call);
    if (this.#phase === "live") this.#begin(call);
  }

  /**
   * Translates a call of the program: returns the tool's own name, and the arguments in the form
   * that tools take.
   */
  #asToolCall(nameInCode: string, given: CallArguments): Pick<AskedCall, "name" | "args"> {
    const { tools, language } = this.#run.definition;
    const name = tools.has(nameInCode)
      ? nameInCode
      : ([...tools.keys()].find((other) => language.toolName(other) === nameInCode) ?? nameInCode);
    const tool = tools.get(name);
    return { name, args: tool ? language.callArguments(tool, given) : given.args };
  }

  #print(line: Pick<EventOf<"console">, "level" | "text">): void {
    const recorded = this.#past.console[this.#printed++];
    if (recorded?.text === line.text && recorded.level === line.level) return;
    if (recorded || this.#past.codeEnd)
      throw this.#divergence(
        `printed ${JSON.stringify(line.text)}`,
        `the record has ${JSON.stringify(recorded?.text ?? null)}`,
      );
    this.#run.append({ type: "console", stepNumber: this.#stepNumber, level: line.level, text: line.text });
  }

  /**
   * Checks that the program made all recorded calls. Otherwise the replay has diverged from the
   * record.
   */
  async #checkAllCallsMade(): Promise<void> {
    await this.#untilIdle();
    if (this.#failure !== null || this.#run.signal.aborted) return;
    const asked = new Set(this.#asked.map(({ callIndex }) => callIndex));
    const missing = [...this.#past.calls.values()].find(({ asked: { callIndex } }) => !asked.has(callIndex));
    if (!missing) return;
    const { callIndex, name } = missing.asked;
    this.#fail(this.#divergence(`the program did not make call ${callIndex}`, `the record has "${name}"`));
  }

  #goLive(): void {
    if (this.#failure !== null) return;
    this.#phase = "live";
    for (const call of this.#asked) {
      if (!this.#past.calls.get(call.callIndex)?.result) this.#begin(call);
    }
  }

  #begin(call: AskedCall): void {
    const task = this.#perform(call).catch((error: unknown) => this.#fail(error));
    this.#pending.add(task);
    void task.then(() => {
      this.#pending.delete(task);
      return this.#suspendWhenIdle();
    });
  }

  async #perform(call: AskedCall): Promise<void> {
    const past = this.#past.calls.get(call.callIndex);
    const result = await callTool(this.#run, call, { past, over: this.#halt.signal });
    if (result) this.#deliver(call.callIndex, result.outcome, result.time);
    else this.#waiting.push(call);
  }

  /**
   * Suspends the run when nothing can continue until people decide about calls. When they have
   * decided, the block starts again.
   */
  async #suspendWhenIdle(): Promise<void> {
    if (this.#waiting.length === 0 || this.#pending.size > 0) return;
    await this.#deliveries;
    await this.#untilIdle();
    if (this.#pending.size === 0 && this.#phase === "live") this.#fail(suspended(this.#run));
  }

  /**
   * Resolves when the program is idle. The sandbox accepts the outcome of a call only when the
   * program is idle, so this delivers an outcome that has no effect: there is no call 0.
   */
  async #untilIdle(): Promise<void> {
    const nothing: CallOutcome = { type: "ok", value: null };
    await this.#answerTo(this.#sandbox.deliver(0, nothing, 0)).catch((error: unknown) => this.#fail(error));
  }

  /** Waits for an answer of the sandbox. After an abort, gives up when a time limit is over. */
  #answerTo<Answer>(question: Promise<Answer>): Promise<Answer> {
    return untilGivenUp(question, this.#run.signal);
  }

  /** Delivers outcomes one after the other, in the order in which they were recorded. */
  #deliver(callIndex: number, outcome: CallOutcome, time: number): void {
    this.#deliveries = this.#deliveries
      .then(() => this.#answerTo(this.#sandbox.deliver(callIndex, outcome, time, this.#execution)))
      .catch((error: unknown) => this.#fail(error));
  }

  /**
   * Ends the calls of a program that has ended. Calls that have begun may finish, and all others
   * are cancelled.
   */
  async #close(): Promise<void> {
    this.#phase = "over";
    // The error is created only if calls are pending, because creating one is expensive and usually
    // nothing is pending.
    if (this.#pending.size > 0) this.#halt.abort(new AgentError("interrupted", "the block of code has ended"));
    while (this.#pending.size > 0) await Promise.all(this.#pending);
    await this.#deliveries;
    // The program ended without waiting for these calls, because of finalAnswer or a limit.
    if (this.#failure === null) for (const call of this.#waiting) cancelCall(this.#run, call);
  }

  #record(result: ExecutionResult): ExecutionResult {
    const recorded = this.#past.codeEnd?.result;
    if (!recorded) {
      this.#run.append({ type: "code-end", stepNumber: this.#stepNumber, result });
      return result;
    }
    if (this.#printed < this.#past.console.length) {
      throw this.#divergence(`printed ${this.#printed} lines`, `the record has ${this.#past.console.length}`);
    }
    if (comparable(recorded) === comparable(result)) return recorded;
    throw this.#divergence(
      `the block ended with ${JSON.stringify(result)}`,
      `the record has ${JSON.stringify(recorded)}`,
    );
  }

  #mustMatch(call: AskedCall, { asked }: PastCall): void {
    const ours = `${call.name} ${JSON.stringify(call.args)}`;
    const theirs = `${asked.name} ${JSON.stringify(asked.args)}`;
    if (ours !== theirs) throw this.#divergence(`call ${call.callIndex} is ${ours}`, `the record has ${theirs}`);
  }

  #divergence(ours: string, theirs: string): AgentError {
    const { start, definition } = this.#run;
    const changes = start.environment ? changesIn(start.environment, definition.executor?.environment) : [];
    const why = changes.length === 0 ? "" : `. It ran in another environment: ${changes.join("; ")}`;
    return new AgentError("divergence", `the replay does not match its record: ${ours}; ${theirs}${why}`, {
      hint: "resume with the version of smolts that wrote the log, or start the task again",
    });
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#halt.abort(error);
  }
}

/**
 * Returns the parts of a result that must be equal in a replay. Leaves out texts whose wording may
 * change between versions of this package: the messages of errors and warnings. Also leaves out the
 * text of a value if the value's data is present.
 */
function comparable(result: ExecutionResult): string {
  const { doubts: _ours, ...compared } = result;
  if ("error" in compared) {
    const { code, name } = compared.error;
    return JSON.stringify({ ...compared, error: { code, name } });
  }
  if (compared.type !== "value" || compared.output?.value === undefined) return JSON.stringify(compared);
  const { text: _shown, ...data } = compared.output;
  return JSON.stringify({ ...compared, output: data });
}
