import type { UsageTree } from "@smolts/memory";
import type {
  ActionStep,
  ChatMessage,
  DurableBody,
  EventOf,
  EventStamp,
  Executor,
  MemoryStep,
  PassingBody,
  Path,
  ReadBlob,
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
 * The state of one run, handed down to everything that takes part in it.
 *
 * All that happens goes out by `append` (the log keeps it) or `emit` (it passes); all that was
 * comes from `past` and `steps`.
 */
export interface Run {
  readonly id: string;
  readonly path: Path;
  readonly definition: AgentDefinition;
  /** The recorded beginning: task, seed, limits. */
  readonly start: EventOf<"run-start">;
  readonly past: Past;
  /** For a managed agent, the run that called it. */
  readonly caller: Run | null;
  readonly signal: AbortSignal;
  readonly metadata: unknown;
  readonly callLimit: ParallelLimit;
  /**
   * The newest call of each agent that keeps its memory; resolves with whether it has come to its
   * outcome.
   */
  readonly keptCalls: Map<string, Promise<boolean>>;
  /** Whether the sandbox holds the variables that the run was given. */
  readonly sandboxState: { hasVariables: boolean };
  readonly approvals: Approvals;
  /** Calls of which nobody knows whether they happened, as tool name and bytes. */
  readonly unknownCalls: Set<string>;
  /** The messages for the model in this step, where `beforeStep` changed them. */
  readonly messages?: readonly ChatMessage[] | undefined;
  /** Holds back each step of a run that is stepped by hand. */
  readonly gate: StepGate | null;
  /** The run as its caller has it, for callbacks. */
  readonly handle: AgentRun;
  /** Of this run and the managed agents in it, so far. */
  usage(): UsageTree | null;
  /** How long the run has been at work, without the times between its legs. */
  activeMs(): number;
  /** The agent's memory so far, earlier runs of the session included. */
  steps(): readonly MemoryStep[];
  /** The sandbox of the session, opened at first use. */
  sandbox(): Promise<Executor>;
  append<Body extends DurableBody>(body: Body): EventStamp & Body;
  emit(body: PassingBody): void;
  /**
   * Has a managed agent do a task, with a memory of its own for each call, or the one that it
   * keeps.
   */
  startWork(work: Work): Promise<RunResult>;
  /** Where the events of managed agents go, too. */
  readonly recorder: Recorder;
  /** Resolves when everything appended so far is safe. */
  flush(): Promise<void>;
  readonly readBlob: ReadBlob;
  readonly putBlob: PutBlob;
}

/** The facts so far about the current step. */
export function goingStep(run: Run): Pick<ActionStep, "logs" | "toolCalls"> {
  const step = run.steps().at(-1);
  return step?.type === "action" ? step : { logs: "", toolCalls: [] };
}

/** The newest action step of a run, itself and not the agents that work for it. */
export function newestAction(steps: readonly MemoryStep[], runId: string): ActionStep | null {
  const isOfIt = (step: MemoryStep): step is ActionStep => step.type === "action" && step.runId === runId;
  return steps.findLast(isOfIt) ?? null;
}
