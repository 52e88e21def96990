import type { AgentError, Budget, RunLog, RunStatus, RunStore, TokenUsage } from "@smolts/protocol";
import type { EvaluationCase } from "./case.ts";

/** The input of a case's run. */
export interface CaseRunOptions {
  /** Ends the run of the case when it aborts. */
  readonly signal: AbortSignal;
  /** The id of the run; a random one when absent. */
  readonly runId?: string;
  /** What the run may use up. */
  readonly budget?: Budget;
}

/** A run, as an evaluation sees it. */
export interface CaseRun {
  /** Never rejects. */
  readonly result: Promise<CaseRunResult>;
  /** The usage so far. */
  readonly usage: TokenUsage | null;
}

/** How a run ended. */
export interface CaseRunResult {
  readonly runId: string;
  readonly status: RunStatus;
  readonly output?: unknown;
  readonly error?: AgentError;
  readonly steps: readonly { readonly type: string; readonly runId?: string }[];
  readonly usage: TokenUsage | null;
  readonly log: RunLog;
}

/** An agent by its shape, such as a `CodeAgent`. */
export interface EvaluatedAgent {
  readonly name: string;
  readonly model: { readonly id: string };
  readonly options: object;
  run(task: string, options: CaseRunOptions): CaseRun;
  resume(runId: string, options: Omit<CaseRunOptions, "runId">): CaseRun;
  with(changes: object): EvaluatedAgent;
}

/**
 * The subject of an evaluation: an agent, or a function of the case. The function returns an agent
 * for this case, or the answer itself, so that a plain model call or another framework can be
 * compared with an agent.
 */
export type Evaluated =
  | EvaluatedAgent
  | ((given: EvaluationCase, options: { readonly signal: AbortSignal }) => unknown);

/** Whether it is an agent. */
export function isEvaluatedAgent(value: unknown): value is EvaluatedAgent {
  if (typeof value !== "object" || value === null) return false;
  const { run, resume } = value as Partial<Record<keyof EvaluatedAgent, unknown>>; // each is looked at below
  return typeof run === "function" && typeof resume === "function" && "with" in value;
}

/** The agent with a store of its runs: its own, or else the given one. */
export function withStore(
  agent: EvaluatedAgent,
  store: RunStore | undefined,
): { readonly agent: EvaluatedAgent; readonly runs: RunStore | undefined } {
  const { store: own } = agent.options as { readonly store?: RunStore };
  if (own) return { agent, runs: own };
  return { agent: store ? agent.with({ store }) : agent, runs: store };
}
