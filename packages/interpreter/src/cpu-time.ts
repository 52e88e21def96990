/** The part of `process` that is read here; browsers have none. */
declare const process: { cpuUsage?(): { readonly user: number; readonly system: number } } | undefined;

/**
 * CPU time of this process, all threads together, in ms; `Infinity` where the host does not report
 * it. Takes a few microseconds.
 */
export function cpuMsOfHost(): number {
  if (typeof process === "undefined" || typeof process.cpuUsage !== "function") return Number.POSITIVE_INFINITY;
  try {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    // workerd has the function, which says that it is not implemented.
    return Number.POSITIVE_INFINITY;
  }
}
