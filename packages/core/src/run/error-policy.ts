import { AgentError, type AgentErrorCode } from "@smolts/protocol";

/**
 * The codes of errors that become observations, because the model can react to them. An error with
 * any other code ends the run, and the log is kept.
 */
const shownToModel: ReadonlySet<AgentErrorCode> = new Set<AgentErrorCode>([
  "parsing",
  "code-execution",
  "tool-input",
  "tool-execution",
  "unknown-tool",
  "final-answer-check",
  "import-refused",
  "denied",
]);

/** Says whether the model is shown an error. All other errors end the run. */
export const isShownToModel = (error: unknown): error is AgentError =>
  AgentError.is(error) && shownToModel.has(error.code);

/**
 * The codes of errors after which a run stays open: errors that the run itself did not cause, and
 * errors after which nothing can be written to the log.
 */
const leavingOpen: ReadonlySet<AgentErrorCode> = new Set<AgentErrorCode>([
  "divergence",
  "in-doubt",
  "log",
  "log-corrupt",
  "log-truncated",
  "log-version",
  "lease",
  "crash-loop",
  "suspended",
  "stale-decision",
]);

/**
 * Says whether a run stays open after an error, so that it can be resumed when the cause is fixed.
 */
export const leavesRunOpen = (error: unknown): boolean => AgentError.is(error) && leavingOpen.has(error.code);
