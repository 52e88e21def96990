/**
 * Resolves like `promise`, but rejects with the signal's reason as soon as the signal aborts. The
 * work behind the promise is not stopped: it may ignore the signal, or other code may wait for it
 * too.
 */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
