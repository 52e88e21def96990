import type { AgentError, Budget, RunLog, RunStatus, RunStore, TokenUsage } from "@smolts/protocol";
import type { EvaluationCase } from "./case.ts";

/** The options that the run of a case gets. */
export interface CaseRunOptions {
  /** Aborts the run of the case. */
  readonly signal: AbortSignal;
  /** The id of the run; a random one if absent. */
  readonly runId?: string;
  /** The limits of the run. */
  readonly budget?: Budget;
}

/** The part of a run that an evaluation uses. */
export interface CaseRun {
  /** The result of the run. This promise never rejects. */
  readonly result: Promise<CaseRunResult>;
  /** The usage so far; null if a model did not report it. */
  readonly usage: TokenUsage | null;
}

/** The result of a run. */
export interface CaseRunResult {
  readonly runId: string;
  readonly status: RunStatus;
  readonly output?: unknown;
  readonly error?: AgentError;
  readonly steps: readonly { readonly type: string; readonly runId?: string }[];
  readonly usage: TokenUsage | null;
  readonly log: RunLog;
}

/** An agent, such as a `CodeAgent`. Any object with these members is accepted. */
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
 * for this case, or the answer itself. So an agent can be compared with a plain model call or with
 * another framework.
 */
export type EvaluationTarget =
  | EvaluatedAgent
  | ((given: EvaluationCase, options: { readonly signal: AbortSignal }) => unknown);

/** Says whether a value is an agent. */
export function isEvaluatedAgent(value: unknown): value is EvaluatedAgent {
  if (typeof value !== "object" || value === null) return false;
  // The cast is safe: the next line checks the fields.
  const { run, resume } = value as Partial<Record<keyof EvaluatedAgent, unknown>>;
  return typeof run === "function" && typeof resume === "function" && "with" in value;
}

/** Returns the agent with a store: its own store, or else the given one. */
export function withStore(
  agent: EvaluatedAgent,
  store: RunStore | undefined,
): { readonly agent: EvaluatedAgent; readonly runs: RunStore | undefined } {
  const { store: own } = agent.options as { readonly store?: RunStore };
  if (own) return { agent, runs: own };
  return { agent: store ? agent.with({ store }) : agent, runs: store };
}
