import { AgentError, type AgentErrorCode } from "@smolts/protocol";

/**
 * The model can act on these, so they become observations. Any other code ends the run and keeps
 * its log.
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

/** Whether a failed step goes back to the model instead of ending the run. */
export const isShownToModel = (error: unknown): error is AgentError =>
  AgentError.is(error) && shownToModel.has(error.code);

/** Nothing of the run itself went wrong, or nothing more can be written. */
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

/** Whether a run stays open after an error, to be resumed when that is mended. */
export const leavesRunOpen = (error: unknown): boolean => AgentError.is(error) && leavingOpen.has(error.code);
