import { onAbort, untilAborted } from "@smolts/protocol";

/**
 * Waits for a task, but not longer than `graceMs`. After that, ignores the task's result, because a
 * store whose connection is gone may never answer.
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

/**
 * How long a sandbox may take to stop after an abort, in ms. Sandboxes promise to stop within one
 * second. The limit is higher, because a sandbox on a busy machine may need longer. The run cannot
 * record a block if it gives up before the block's end.
 */
const sandboxGraceMs = 10_000;

/**
 * Returns the result of a sandbox, or throws the signal's reason if the sandbox does not answer
 * within some time after an abort. The connection to the sandbox may be gone, but the run must
 * still end.
 */
export function untilGivenUp<Result>(task: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const giveUpLater = (): void => {
      timer = setTimeout(() => reject(signal.reason), sandboxGraceMs);
    };
    if (signal.aborted) giveUpLater();
    const stopListening = onAbort(signal, giveUpLater);
    task.then(resolve, reject).then(() => {
      stopListening();
      clearTimeout(timer);
    });
  });
}
