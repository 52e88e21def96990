// A run while this process drives it: what its driver changes and its handle shows.

import type { StepFold, UsageTree } from "@smolts/memory";
import type { ChatMessage, MemoryStep, Path, VariableSummary } from "@smolts/protocol";
import { hideSecretsOf } from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import type { RunOptions } from "../agent/agent-options.ts";
import { type Drain, drainAfter } from "../run/drain.ts";
import { newestAction, type Run } from "../run/run.ts";
import { untilAborted } from "../run/until-aborted.ts";
import { EventFeed } from "./event-feed.ts";
import { Recorder } from "./recorder.ts";
import { RunStop } from "./run-stop.ts";
import type { SessionState } from "./session-state.ts";
import { StepGate } from "./step-gate.ts";
import type { Turn } from "./turns.ts";

/** How a run is driven, whatever it begins with. */
export interface RunSettings {
  /** The session's own, or one with answers of another form. */
  readonly definition: AgentDefinition;
  readonly path: Path;
  /**
   * For a managed agent: its caller, who hears every event and decides about approvals and budgets.
   */
  readonly caller?: Run;
  /** Whether it waits for the runs before it. */
  readonly queue: boolean;
  readonly options: Pick<RunOptions, "signal" | "metadata" | "approve" | "manual">;
}

/** A run that is driven, or waits for its turn. */
export class LiveRun {
  readonly state: SessionState;
  readonly settings: RunSettings;
  readonly turn: Turn;
  readonly feed: EventFeed;
  readonly stop: RunStop = new RunStop();
  /** Null for a run that goes by itself. */
  readonly gate: StepGate | null;
  readonly drain: Drain;
  #runId: string;
  /** The memory of the run, once it has begun. */
  #fold: StepFold | null = null;
  /** Messages from before the loop began. */
  readonly #saidEarly: ChatMessage[] = [];
  /** Records messages while the loop goes on. */
  #listener: Recorder | "not-yet" | "no-more" = "not-yet";
  #giveBackLog: () => void = () => {};

  /** @param runId - empty when the log has to say which run is meant */
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

  /** The agent's memory so far, earlier runs of the session included. */
  get steps(): readonly MemoryStep[] {
    return (this.#fold ?? this.state.fold).steps;
  }

  get usage(): UsageTree | null {
    return this.feed.usage();
  }

  variables(): Promise<readonly VariableSummary[]> {
    return this.state.sandbox.variables();
  }

  /**
   * Says something to the model, and records it at once, so that the log has it where it was said.
   * False when the run is over.
   */
  say(text: string): boolean {
    const message: ChatMessage = { role: "user", content: [{ type: "text", text }] };
    if (this.#listener === "no-more") return false;
    if (this.#listener === "not-yet") this.#saidEarly.push(message);
    else this.#listener.append({ type: "message", message });
    return true;
  }

  /** The loop begins: it hears what was said before, and from now on. */
  listen(recorder: Recorder): void {
    this.#listener = recorder;
    for (const message of this.#saidEarly) recorder.append({ type: "message", message });
  }

  /** The loop has ended: nobody hears what is said now. */
  stopListening(): void {
    this.#listener = "no-more";
  }

  /**
   * Takes the log, which `release` gives back. The run stops when another process takes it over.
   */
  async takeLog(): Promise<void> {
    const taking = this.state.takeLog();
    // An abort does not wait until the log is free: the log that comes later is given back then.
    this.#giveBackLog = () => void taking.then((giveBack) => this.#giveBackLate(giveBack)).catch(() => {});
    this.#giveBackLog = await untilAborted(taking, this.signal);
    const { logLost } = this.state;
    if (logLost) this.stop.follow(logLost);
  }

  #giveBackLate(giveBack: () => void): Promise<void> {
    giveBack();
    return this.state.endRun("aborted");
  }

  /** The recorder of the run, whose memory is from now on the one that its log was read into. */
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

  /** The run is over: readers end, and its log and its turn are free. */
  release(): void {
    this.stop.release();
    this.gate?.end(newestAction(this.steps, this.runId));
    this.drain.end();
    this.feed.end();
    this.#giveBackLog();
    this.turn.leave();
  }
}
