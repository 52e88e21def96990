import { AgentError } from "@smolts/protocol";
import type { Run } from "./run.ts";

/** What ends a leg of a run that can only go on when people have decided. */
export function suspended({ approvals }: Pick<Run, "approvals">): AgentError {
  const pending = [...approvals.pending.values()];
  const names = [...new Set(pending.map(({ name }) => `"${name}"`))].join(", ");
  const calls = pending.length === 1 ? "a call" : `${pending.length} calls`;
  return new AgentError("suspended", `the run waits for a person to decide on ${calls} of ${names}`, {
    hint: "decide with the option approve, or resume(log, { decisions }) with a decision for each of error.pending",
    pending,
  });
}
