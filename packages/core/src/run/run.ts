import type { UsageTree } from "@smolts/memory";
import type {
  ActionStep,
  ChatMessage,
  DurableBody,
  EventOf,
  EventStamp,
  Executor,
  MemoryStep,
  Path,
  ReadBlob,
  TransientBody,
} from "@smolts/protocol";
import type { AgentDefinition } from "../agent/agent-definition.ts";
import type { PutBlob } from "../media/store-media.ts";
import type { AgentRun, RunResult } from "../session/agent-run.ts";
import type { Recorder } from "../session/recorder.ts";
import type { Work } from "../session/run-request.ts";
import type { StepGate } from "../session/step-gate.ts";
import type { Approvals } from "../tool-calls/approvals.ts";
import type { ParallelLimit } from "./parallel-limit.ts";
import type { Past } from "./past.ts";

/**
 * The state of one run. It is passed to all functions that take part in the run.
 *
 * New events are recorded with `append`, or sent only to live readers with `emit`. Everything
 * earlier is in `past` and `steps`.
 */
export interface Run {
  readonly id: string;
  readonly path: Path;
  readonly definition: AgentDefinition;
  /** The recorded start of the run: task, seed, limits. */
  readonly start: EventOf<"run-start">;
  readonly past: Past;
  /** The run that called this one; null unless this is the run of a managed agent. */
  readonly caller: Run | null;
  readonly signal: AbortSignal;
  readonly metadata: unknown;
  readonly callLimit: ParallelLimit;
  /**
   * For each managed agent that keeps its memory between calls: a promise for its newest call. The
   * promise resolves to true if the call has an outcome, else to false.
   */
  readonly keptCalls: Map<string, Promise<boolean>>;
  /** Whether the sandbox already has the variables that were passed to the run. */
  readonly sandboxState: { hasVariables: boolean };
  readonly approvals: Approvals;
  /**
   * Calls that may or may not have happened. Each entry is the name of the tool, followed by the
   * encoded input.
   */
  readonly unknownCalls: Set<string>;
  /** The messages for the model in this step, if `beforeStep` changed them. */
  readonly messages?: readonly ChatMessage[] | undefined;
  /** Lets a manual run take a step only after a call of `next()`. Null for other runs. */
  readonly gate: StepGate | null;
  /** The handle that the caller of the run has. Callbacks get the same handle. */
  readonly handle: AgentRun;
  /** Returns the usage of this run and its managed agents so far. */
  usage(): UsageTree | null;
  /** Returns how long the run has worked, in ms, without the time between a stop and a resume. */
  activeMs(): number;
  /** Returns the steps in the agent's memory so far, including earlier runs of the session. */
  steps(): readonly MemoryStep[];
  /** Says whether a message was sent during the current step. The model has not seen it yet. */
  hasNewMessage(): boolean;
  /**
   * Called when the model will not be asked again. From now on `say()` on the handle returns false.
   */
  stopListening(): void;
  /** Returns the sandbox of the session, which is opened at its first use. */
  sandbox(): Promise<Executor>;
  /** Called when the sandbox failed in the middle of a block. */
  discardSandbox(): void;
  append<Body extends DurableBody>(body: Body): EventStamp & Body;
  emit(body: TransientBody): void;
  /**
   * Starts a managed agent on a task. The tool in `work` says whether the agent keeps its memory
   * from earlier calls or begins with an empty one.
   */
  startWork(work: Work): Promise<RunResult>;
  /** The recorder of this run. Events of managed agents are passed to it too. */
  readonly recorder: Recorder;
  /** Resolves when the log has stored everything appended so far. */
  flush(): Promise<void>;
  readonly readBlob: ReadBlob;
  readonly putBlob: PutBlob;
}

/** Returns the recorded output and calls of the current step. */
export function currentStep(run: Run): Pick<ActionStep, "logs" | "toolCalls"> {
  const step = run.steps().at(-1);
  return step?.type === "action" ? step : { logs: "", toolCalls: [] };
}

/** Returns the newest action step of a run, not counting steps of its managed agents. */
export function newestAction(steps: readonly MemoryStep[], runId: string): ActionStep | null {
  const isOfIt = (step: MemoryStep): step is ActionStep => step.type === "action" && step.runId === runId;
  return steps.findLast(isOfIt) ?? null;
}
