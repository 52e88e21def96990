// The types of an agent that the page serves. This package imports no agent class, so it works with
// any version of the agents.

import type {
  ApprovalDecision,
  ApprovalRequest,
  DecisionInput,
  DoubtDecision,
  RunEvent,
  RunLog,
  RunStatus,
  Tool,
  VariableSummary,
} from "@smolts/protocol";

/** A part of a task: text, or bytes with their media type. */
export type TaskPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image" | "audio" | "file";
      readonly source: { readonly digest: string; readonly mediaType: string; readonly size: number };
      readonly name?: string;
    };

/** A run that has been started. */
export interface ServedRun {
  readonly id: string;
  /** The result of the run. This promise never rejects. */
  readonly result: Promise<{
    readonly status: RunStatus;
    readonly error?: { readonly message: string };
    /**
     * For a suspended run: the requests that wait for people. `problem` says why a decision could
     * not be used.
     */
    readonly pending?: readonly Pick<ApprovalRequest, "id" | "problem">[];
  }>;
  events(): AsyncIterable<RunEvent>;
  abort(reason?: unknown): void;
  say?(text: string): boolean;
  variables?(): Promise<readonly VariableSummary[]>;
}

/** Asks a person about a call. */
export type ApproveHandler = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => Promise<boolean | ApprovalDecision | DoubtDecision>;

/** Options of a new run. */
export interface ServedRunOptions {
  /** The id of the run. */
  readonly runId: string;
  /** Asks a person about a call that needs approval. */
  readonly approve: ApproveHandler;
  /** Variables for the agent's code. */
  readonly additionalArgs?: { readonly [name: string]: unknown };
}

/** Options of a fork, which continues a run from one of its steps. */
export interface ServedForkOptions extends Omit<ServedRunOptions, "additionalArgs"> {
  /** The id of the run that is forked. That run is in another log. */
  readonly parentRunId: string;
  /** The number of the step that is done again. */
  readonly atStep: number;
  /** The code to run in the step, instead of the model's code. */
  readonly code?: string;
  /** A message for the model before the step. */
  readonly message?: string;
  /** Confirms that effects may happen a second time. */
  readonly repeatEffects?: boolean;
}

/** A session of an agent: one memory and one sandbox for several runs. */
export interface ServedSession extends AsyncDisposable {
  run(task: string | readonly TaskPart[], options: ServedRunOptions): ServedRun;
  resume?(options: { readonly approve: ApproveHandler; readonly decisions?: readonly DecisionInput[] }): ServedRun;
  /** Starts a fork from a run in another log. */
  fork?(parent: RunLog, options: ServedForkOptions): ServedRun;
  variables?(): Promise<readonly VariableSummary[]>;
}

/** An agent: any object with `run` and `session`, such as a `CodeAgent`. */
export interface ServedAgent {
  readonly name?: string;
  readonly description?: string | undefined;
  run(task: string): unknown;
  session(options: { readonly log: RunLog }): ServedSession;
  /** If this exists, sessions of the agent can fork. */
  fork?: unknown;
}

/** Creates an agent. Called once for each session. */
export type AgentFactory = () => ServedAgent | Promise<ServedAgent>;

/** The values that a page can be created from. */
export type Servable = ServedAgent | AgentFactory | Tool;

/** Says whether a value is an agent. */
export function isAgent(value: unknown): value is ServedAgent {
  if (typeof value !== "object" || value === null) return false;
  // The cast is safe: the next line checks the fields.
  const { run, session } = value as Partial<Record<keyof ServedAgent, unknown>>;
  return typeof run === "function" && typeof session === "function";
}
