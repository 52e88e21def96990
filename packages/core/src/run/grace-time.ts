import { untilAborted } from "./until-aborted.ts";

/**
 * Waits for a task, but not longer than `graceMs`. After that its result is ignored: a store whose
 * connection is gone may never answer.
 */
export async function withinGrace(task: Promise<unknown>, graceMs: number): Promise<void> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), graceMs);
  try {
    await untilAborted(task, patience.signal);
  } catch (error) {
    if (!patience.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
}
