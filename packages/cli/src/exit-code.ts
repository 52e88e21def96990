import type { AgentError, RunStatus } from "@smolts/protocol";

/** The exit codes of the command. */
export const exitCodes = {
  success: 0,
  /** The run failed, and the error was printed. */
  failed: 1,
  /** The command line, a tool file or an option of the agent is wrong. No model was called. */
  usage: 2,
  /**
   * The steps or a budget were exhausted. The model was then asked for an answer, which was
   * printed.
   */
  maxSteps: 3,
  /** The run waits until a person decides about calls. None of these calls was made. */
  suspended: 4,
  /** Ctrl-C was pressed. */
  interrupted: 130,
  /** The program that reads the output closed it. */
  outputClosed: 141,
  /** The process received SIGTERM. */
  terminated: 143,
} as const;

/** Returns the exit code for the end of a run. */
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

/** Returns the exit code for an error: `usage` if an option is wrong, else `failed`. */
export function exitCodeOfError(error: AgentError | undefined): number {
  return error?.code === "invalid-option" ? exitCodes.usage : exitCodes.failed;
}
