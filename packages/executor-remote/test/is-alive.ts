import { readFileSync } from "node:fs";

/**
 * Says whether a Linux process is still running. A dead process keeps its entry until its parent
 * reaps it, and the first process of a container may never do so. Such an entry does not count.
 */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}
