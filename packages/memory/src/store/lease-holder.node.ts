// Finds out whether the process that holds a log is still alive.
//
// A process id is only meaningful on the same host, during the same boot and in the same pid
// namespace. For example, two containers that share a volume both have pid 1. If one of these
// differs, this file cannot declare a holder dead. In that case, the caller must watch the holder's
// counter and measure the time with its own clock.

import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { kill, pid } from "node:process";

/** A process that holds a log. */
export interface LeaseHolder {
  /** Distinguishes this lease from others of the same process. */
  readonly id: string;
  readonly host: string;
  /** Changes when the host restarts; empty if the system does not report it. */
  readonly boot: string;
  readonly pidNamespace: string;
  readonly pid: number;
  /**
   * When the process started, in the units of the system; empty if the system does not report it.
   */
  readonly started: string;
}

/** Describes this process as the holder of a lease. */
export function thisHolder(host: string = hostname()): LeaseHolder {
  return { id: randomUUID(), host, boot: bootId(), pidNamespace: pidNamespace(), pid, started: startOf(pid) };
}

/**
 * The ids of leases that this process no longer holds, although the storage could not record their
 * release.
 */
const abandoned = new Set<string>();

/**
 * Records that this process no longer holds a lease, although the storage could not record its
 * release.
 */
export function abandon({ id }: LeaseHolder): void {
  abandoned.add(id);
}

/** Says whether a holder is alive, as far as this process can know. */
export function livenessOf(holder: LeaseHolder, host: string = hostname()): "alive" | "dead" | "unknown" {
  if (abandoned.has(holder.id)) return "dead";
  const isComparable = holder.host === host && holder.boot === bootId() && holder.pidNamespace === pidNamespace();
  if (!isComparable) return "unknown";
  if (!exists(holder.pid)) return "dead";
  const started = startOf(holder.pid);
  if (holder.started === "" || started === "") return holder.pid === pid ? "alive" : "unknown";
  return started === holder.started ? "alive" : "dead";
}

function exists(id: number): boolean {
  try {
    kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH"; // errors of `kill` have a code
  }
}

const bootId = (): string => read("/proc/sys/kernel/random/boot_id");

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/**
 * Returns the start time of a process: field 22 of `/proc/<pid>/stat`. The process name in that
 * file may contain spaces and brackets, so fields are counted from the last bracket. A zombie
 * process counts as dead.
 */
function startOf(id: number): string {
  const stat = read(`/proc/${id}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? "zombie" : (fields[19] ?? "");
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}
