// Represents a run that this process executes. It holds the state that changes during the run, and
// the run's handle shows this state.

import type { StepFold, UsageTree } from "@smolts/memory";
import type { ChatMessage, MemoryStep, Path, VariableSummary } from "@smolts/protocol";
import { hideSecretsOf, untilAborted } from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import type { RunOptions } from "../agent/agent-options.ts";
import { type Drain, drainAfter } from "../run/drain.ts";
import { newestAction, type Run } from "../run/run.ts";
import { EventFeed } from "./event-feed.ts";
import { Recorder } from "./recorder.ts";
import { RunStop } from "./run-stop.ts";
import type { SessionState } from "./session-state.ts";
import { StepGate } from "./step-gate.ts";
import type { Turn } from "./turns.ts";

/**
 * The settings with which a run is executed. They do not depend on the request that begins the run.
 */
export interface RunSettings {
  /** The definition of the session's agent, possibly with another schema for the answer. */
  readonly definition: AgentDefinition;
  readonly path: Path;
  /**
   * The run that called this managed agent. The caller gets every event, and the caller's approvals
   * and budgets also apply to this run.
   */
  readonly caller?: Run;
  /** Whether the run waits for earlier runs of the session instead of failing with `busy`. */
  readonly queue: boolean;
  readonly options: Pick<RunOptions, "signal" | "metadata" | "approve" | "manual">;
}

/** A run that is active or waits for its turn. */
export class LiveRun {
  readonly state: SessionState;
  readonly settings: RunSettings;
  readonly turn: Turn;
  readonly feed: EventFeed;
  readonly stop: RunStop = new RunStop();
  /** Controls the individual steps of a manual run; null for other runs. */
  readonly gate: StepGate | null;
  readonly drain: Drain;
  #runId: string;
  /** The memory of the run, after it has begun. */
  #fold: StepFold | null = null;
  /** Messages that were sent before the loop began. */
  readonly #earlyMessages: ChatMessage[] = [];
  /**
   * The recorder for messages while the loop runs. Before the loop it is `not-yet`, and when the
   * model will not be asked again it is `no-more`.
   */
  #listener: Recorder | "not-yet" | "no-more" = "not-yet";
  #releaseLog: () => void = () => {};

  /** @param runId - empty for a resumed run whose id must be read from the log */
  constructor(state: SessionState, settings: RunSettings, runId: string) {
    const { definition, path, options } = settings;
    this.state = state;
    this.settings = settings;
    this.#runId = runId;
    this.turn = state.turns.next();
    this.feed = new EventFeed({ path, log: state.log });
    this.gate = options.manual ? new StepGate() : null;
    this.drain = drainAfter(definition.suspendGraceMs);
    this.stop.follow(state.closing);
    if (options.signal) this.stop.follow(options.signal);
  }

  get runId(): string {
    return this.#runId;
  }

  get definition(): AgentDefinition {
    return this.settings.definition;
  }

  get path(): Path {
    return this.settings.path;
  }

  get caller(): Run | null {
    return this.settings.caller ?? null;
  }

  get signal(): AbortSignal {
    return this.stop.signal;
  }

  get metadata(): unknown {
    return this.settings.options.metadata ?? this.definition.metadata;
  }

  /** The steps in the agent's memory so far, including earlier runs of the session. */
  get steps(): readonly MemoryStep[] {
    return (this.#fold ?? this.state.fold).steps;
  }

  /** Whether a message was sent during the current step. The model has not seen it yet. */
  get hasNewMessage(): boolean {
    return this.#fold?.hasNewMessage ?? false;
  }

  get usage(): UsageTree | null {
    return this.feed.usage();
  }

  variables(): Promise<readonly VariableSummary[]> {
    return this.state.sandbox.variables();
  }

  /**
   * Sends a message to the model. It is recorded immediately, so that the log shows when it was
   * sent. Returns false if the model will not be asked again.
   */
  say(text: string): boolean {
    const message: ChatMessage = { role: "user", content: [{ type: "text", text }] };
    if (this.#listener === "no-more") return false;
    if (this.#listener === "not-yet") this.#earlyMessages.push(message);
    else this.#listener.append({ type: "message", message });
    return true;
  }

  /**
   * Called when the loop begins. Earlier messages are recorded now, and later ones as they are
   * sent.
   */
  listen(recorder: Recorder): void {
    this.#listener = recorder;
    for (const message of this.#earlyMessages) recorder.append({ type: "message", message });
  }

  /**
   * Called when the model will not be asked again. From now on {@link LiveRun.say} returns false.
   */
  stopListening(): void {
    this.#listener = "no-more";
  }

  /**
   * Reserves the log for this run until {@link LiveRun.release} is called. The run stops when
   * another process takes over the log.
   */
  async takeLog(): Promise<void> {
    const taking = this.state.takeLog();
    // An abort does not wait until the log is free. If the log becomes available later, it is
    // released immediately.
    this.#releaseLog = () => void taking.then((release) => this.#releaseLate(release)).catch(() => {});
    this.#releaseLog = await untilAborted(taking, this.signal);
    const { logLost } = this.state;
    if (logLost) this.stop.follow(logLost);
  }

  #releaseLate(release: () => void): Promise<void> {
    release();
    return this.state.endRun("aborted");
  }

  /**
   * Opens the recorder of the run. Call it only after the log was read, because the recorder adds
   * events to the memory of the session, and this memory is created from the log.
   */
  openRecorder(runId: string): Recorder {
    const { writer, fold } = this.state;
    this.#runId = runId;
    this.#fold = fold;
    const above = this.caller?.recorder ?? null;
    return new Recorder({
      writer,
      fold,
      feed: this.feed,
      runId,
      path: this.path,
      above,
      hide: hideSecretsOf(this.metadata),
    });
  }

  /** Called when the run is over. Its readers end, and its log and its turn are released. */
  release(): void {
    this.stop.release();
    this.gate?.end(newestAction(this.steps, this.runId));
    this.drain.end();
    this.feed.end();
    this.#releaseLog();
    this.turn.leave();
  }
}
