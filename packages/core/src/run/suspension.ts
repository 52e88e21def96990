import { AgentError, type ApprovalRequest } from "@smolts/protocol";
import type { Run } from "./run.ts";

/** Returns the error that suspends a run until people have answered its approval requests. */
export function suspended({ approvals }: Pick<Run, "approvals">): AgentError {
  const pending = [...approvals.pending.values()];
  const names = [...new Set(pending.map(({ name }) => `"${name}"`))].join(", ");
  const calls = pending.length === 1 ? "a call" : `${pending.length} calls`;
  const doubts = pending.filter(({ kind }) => kind === "doubt");
  if (doubts.length > 0) return inDoubt(doubts, pending);
  const [problem] = pending.flatMap((request) => request.problem ?? []);
  const why = problem === undefined ? "" : `: ${problem}`;
  return new AgentError("suspended", `the run waits for a person to decide on ${calls} of ${names}${why}`, {
    hint: "decide with the option approve, or resume(log, { decisions }) with a decision for each of error.pending",
    pending,
  });
}

/**
 * Returns the error about calls that may have happened. Only a person can find out whether they
 * did.
 */
function inDoubt(doubts: readonly ApprovalRequest[], pending: readonly ApprovalRequest[]): AgentError {
  const calls = doubts.map(({ id, name }) => `${id} of "${name}"`).join(", ");
  const which = doubts.length === 1 ? "call" : "calls";
  return new AgentError(
    "in-doubt",
    `the ${which} ${calls} began before the interruption, and may or may not have happened`,
    {
      hint:
        'find out, then resume(log, { decisions: [{ id, digest, type: "happened", output }] }) with the id and digest of error.pending; ' +
        '"again", "again-as-new" and "fail" are the other possible decisions',
      pending,
    },
  );
}
