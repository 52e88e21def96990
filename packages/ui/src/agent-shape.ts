// The shape of an agent that the page serves: this package imports no agent, so any two versions of
// the packages fit.

import type {
  ApprovalDecision,
  ApprovalRequest,
  DoubtDecision,
  GivenDecision,
  RunEvent,
  RunLog,
  RunStatus,
  Tool,
  VariableSummary,
} from "@smolts/protocol";

/** A part of a task: text, or bytes with their kind. */
export type TaskPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image" | "audio" | "file";
      readonly source: { readonly digest: string; readonly mediaType: string; readonly size: number };
      readonly name?: string;
    };

/** A run on its way. */
export interface ServedRun {
  readonly id: string;
  /** Never rejects. */
  readonly result: Promise<{
    readonly status: RunStatus;
    readonly error?: { readonly message: string };
    /**
     * For a suspended run: the requests that wait for people, and why a decision could not be used.
     */
    readonly pending?: readonly Pick<ApprovalRequest, "id" | "problem">[];
  }>;
  events(): AsyncIterable<RunEvent>;
  abort(reason?: unknown): void;
  say?(text: string): boolean;
  variables?(): Promise<readonly VariableSummary[]>;
}

/** Asks a person about a call. */
export type AskPerson = (
  request: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => Promise<boolean | ApprovalDecision | DoubtDecision>;

/** The input of a run besides its task. */
export interface ServedRunOptions {
  /** The id of the run. */
  readonly runId: string;
  /** Asks about calls that need approval. */
  readonly approve: AskPerson;
  /** Bindings for the agent's code. */
  readonly additionalArgs?: { readonly [name: string]: unknown };
}

/** From where a run is forked. */
export interface ServedForkOptions extends Omit<ServedRunOptions, "additionalArgs"> {
  /** The run in the other log. */
  readonly parentRunId: string;
  /** The step that is done again. */
  readonly atStep: number;
  /** Runs in the step in place of what the model wrote. */
  readonly code?: string;
  /** Said to the model. */
  readonly message?: string;
  /** Confirms that effects may happen a second time. */
  readonly repeatEffects?: boolean;
}

/** One memory and one sandbox over many runs. */
export interface ServedSession extends AsyncDisposable {
  run(task: string | readonly TaskPart[], options: ServedRunOptions): ServedRun;
  resume?(options: { readonly approve: AskPerson; readonly decisions?: readonly GivenDecision[] }): ServedRun;
  /** Begins with the steps of a run in another log. */
  fork?(parent: RunLog, options: ServedForkOptions): ServedRun;
  variables?(): Promise<readonly VariableSummary[]>;
}

/** An agent: whatever has `run` and `session`, such as a `CodeAgent`. */
export interface ServedAgent {
  readonly name?: string;
  readonly description?: string | undefined;
  run(task: string): unknown;
  session(options: { readonly log: RunLog }): ServedSession;
  /** Whether there is one says whether its sessions can fork. */
  fork?: unknown;
}

/** Makes an agent; called once for each session. */
export type AgentFactory = () => ServedAgent | Promise<ServedAgent>;

/** Everything that a page can be made from. */
export type Served = ServedAgent | AgentFactory | Tool;

/** Whether it is a tool, of `tool({ ... })` or of the same shape. */
export function isTool(value: unknown): value is Tool {
  if (typeof value !== "object" || value === null) return false;
  const { name, parseInput, execute } = value as Partial<Record<keyof Tool, unknown>>; // each is looked at below
  return typeof name === "string" && typeof parseInput === "function" && typeof execute === "function";
}

/** Whether it is an agent. */
export function isAgent(value: unknown): value is ServedAgent {
  if (typeof value !== "object" || value === null) return false;
  const { run, session } = value as Partial<Record<keyof ServedAgent, unknown>>; // each is looked at below
  return typeof run === "function" && typeof session === "function";
}
