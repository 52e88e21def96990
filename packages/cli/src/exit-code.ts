import type { AgentError, RunStatus } from "@smolts/protocol";

/** The meanings of the command's exit codes. */
export const exitCodes = {
  success: 0,
  /** The run failed; the error is printed. */
  failed: 1,
  /**
   * The command line, a tool file or an option of the agent is wrong; nothing was asked of a model.
   */
  usage: 2,
  /** The steps or a budget were used up; the answer that was asked for at the end is printed. */
  maxSteps: 3,
  /** The run waits for a person to decide about calls; nothing of them was done. */
  suspended: 4,
  /** Ctrl-C. */
  interrupted: 130,
  /** Whoever read the output went away. */
  outputClosed: 141,
  /** SIGTERM. */
  terminated: 143,
} as const;

/** The exit code for the end of a run. */
export function exitCodeOf(status: RunStatus, error: AgentError | undefined): number {
  switch (status) {
    case "success":
      return exitCodes.success;
    case "max-steps":
    case "budget":
      return exitCodes.maxSteps;
    case "suspended":
      return exitCodes.suspended;
    case "aborted":
      return exitCodes.interrupted;
    case "failed":
      return exitCodeOfError(error);
    default:
      return status satisfies never;
  }
}

/** The exit code for an error: usage when an option is wrong. */
export function exitCodeOfError(error: AgentError | undefined): number {
  return error?.code === "invalid-option" ? exitCodes.usage : exitCodes.failed;
}
