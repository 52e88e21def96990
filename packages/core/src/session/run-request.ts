import type { Budget, DecisionInput, Path } from "@smolts/protocol";
import type { Run } from "../run/run.ts";
import type { AgentTool } from "../tools/agent-tool.ts";
import type { ForkRequest } from "./fork.ts";
import type { RunInput } from "./run-input.ts";
import type { SessionRunOptions } from "./session.ts";

/** A request that begins a run, of any kind. */
export type RunRequest = FreshRequest | WorkRequest | ResumeRequest | ForkedRequest;

/** A request for a new run. */
export interface FreshRequest {
  readonly type: "fresh";
  readonly runId: string;
  readonly input: RunInput;
  readonly options: Pick<SessionRunOptions, "maxSteps" | "budget" | "forceAnswer" | "notes" | "emptySandbox">;
}

/** A call of a managed agent: its task, and its caller. */
export interface Work {
  readonly tool: AgentTool;
  readonly task: string;
  readonly additionalArgs: { readonly [name: string]: unknown };
  readonly caller: Run;
  readonly callId: string;
  /**
   * The path of the caller, followed by the agent's name with the number of the call, such as
   * `search#3.1`.
   */
  readonly path: Path;
}

/**
 * A request for the work of a managed agent. If the log already contains a part of the work, the
 * agent continues after that part.
 */
export interface WorkRequest extends Work {
  readonly type: "work";
}

/** A request to continue a run at the end of its log. */
export interface ResumeRequest {
  readonly type: "resume";
  /** The id of the run; null for the last run of the log. */
  readonly runId: string | null;
  readonly decisions: readonly DecisionInput[];
  /** Whether to resume a run even if it seems to crash its process each time. */
  readonly force: boolean;
  /** How many steps the run may take beyond its own limit. */
  readonly moreSteps: number;
  /** Limits that replace the same limits of the run from now on. Absent limits stay as they are. */
  readonly budget: Budget | undefined;
  /** Whether lost sandboxes whose code cannot run again are replaced by empty ones. */
  readonly emptySandbox: boolean;
}

/** A request for a run that shares the first steps of another run. */
export interface ForkedRequest {
  readonly type: "fork";
  readonly fork: ForkRequest;
  readonly resume: ResumeRequest & { readonly runId: string };
}
