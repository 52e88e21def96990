// One run at a time works on a log. Two that go on from the same record would each do what it says was not done yet, and so do it twice.

import { AgentError, type RunLog } from "@smolts/protocol";

const inUse = new WeakSet<RunLog>();

/**
 * Takes a log for a run, until the function that it gives is called.
 *
 * @throws AgentError `busy` when another run of this process has it
 */
export function takeLog(log: RunLog): () => void {
  if (inUse.has(log)) {
    throw new AgentError("busy", `another run is at work on the log "${log.id}"`, {
      hint: "await that run, or abort it and await its result, before you go on with its log",
    });
  }
  inUse.add(log);
  return () => inUse.delete(log);
}
