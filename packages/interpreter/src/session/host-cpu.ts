// What the host tells of the time that its processor worked. A clock on the wall goes on while other processes have their turn: by it, code
// would be stopped for what they do.

/** The part of `process` that is read here; browsers have none. */
declare const process: { cpuUsage?(): { readonly user: number; readonly system: number } } | undefined;

/** The processor's time of this process, all its threads together, in ms; `Infinity` where the host does not tell. Takes a few microseconds. */
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
