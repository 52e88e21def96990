/** The part of `process` that this file reads. Browsers have no `process`. */
declare const process: { cpuUsage?(): { readonly user: number; readonly system: number } } | undefined;

/**
 * Returns the CPU time of this process in ms, summed over all threads; `Infinity` where the host
 * does not report it. Takes a few microseconds.
 */
export function cpuMsOfHost(): number {
  if (typeof process === "undefined" || typeof process.cpuUsage !== "function") return Number.POSITIVE_INFINITY;
  try {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    // In workerd the function exists, but it throws an error because it is not implemented.
    return Number.POSITIVE_INFINITY;
  }
}
