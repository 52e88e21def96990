import type { Budget, GivenDecision, Path } from "@smolts/protocol";
import type { Run } from "../run/run.ts";
import type { AgentTool } from "../tools/agent-tool.ts";
import type { ForkRequest } from "./fork.ts";
import type { RunInput } from "./run-input.ts";
import type { SessionRunOptions } from "./session.ts";

/** The request that begins a run. */
export type RunRequest = FreshRequest | WorkRequest | ResumeRequest | ForkedRequest;

/** A new run. */
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
  /** The caller's path and, last, the agent's name with the number of the call. */
  readonly path: Path;
}

/** The work of a managed agent, from its beginning or where the log has it. */
export interface WorkRequest extends Work {
  readonly type: "work";
}

/** A run that continues where its log ends. */
export interface ResumeRequest {
  readonly type: "resume";
  /** Null for the last run of the log. */
  readonly runId: string | null;
  readonly decisions: readonly GivenDecision[];
  /** Whether a run that seems to end its process each time is resumed all the same. */
  readonly force: boolean;
  /** How many steps a run that has used up its own may take besides. */
  readonly moreSteps: number;
  /** What counts from now on, limit by limit in place of the run's own. */
  readonly budget: Budget | undefined;
  /** Whether sandboxes whose code cannot run again are given up. */
  readonly emptySandbox: boolean;
}

/** A run that shares the steps of another one, and then continues as any run does. */
export interface ForkedRequest {
  readonly type: "fork";
  readonly fork: ForkRequest;
  readonly resume: ResumeRequest & { readonly runId: string };
}
