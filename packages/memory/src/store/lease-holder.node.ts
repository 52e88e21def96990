// Who holds a log, and whether that process is still alive.
//
// A process id means something only on its own host, since its own boot, in its own pid namespace.
// Two containers that share a volume are both pid 1. Where that is not certain, nobody is declared
// dead here: the caller then watches the holder's counter on its own clock.

import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { kill, pid } from "node:process";

/** A process that holds a log. */
export interface LeaseHolder {
  /** Tells this hold from others of the same process. */
  readonly id: string;
  readonly host: string;
  /** Changes when the host starts again; empty where the system does not say it. */
  readonly boot: string;
  readonly pidNamespace: string;
  readonly pid: number;
  /**
   * When the process started, in the system's own units; empty where the system does not say it.
   */
  readonly started: string;
}

/** This process. */
export function thisHolder(host: string = hostname()): LeaseHolder {
  return { id: randomUUID(), host, boot: bootId(), pidNamespace: pidNamespace(), pid, started: startOf(pid) };
}

/** Holds of this process that ended, and whose storage could not be told so. */
const abandoned = new Set<string>();

/** Says that a hold of this process has ended, though its storage does not know. */
export function abandon({ id }: LeaseHolder): void {
  abandoned.add(id);
}

/** Whether a holder lives, as far as this process can tell. */
export function lifeOf(holder: LeaseHolder, host: string = hostname()): "alive" | "dead" | "unknown" {
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
    return (error as NodeJS.ErrnoException).code !== "ESRCH"; // what `kill` throws has a code
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
 * Field 22 of `/proc/<pid>/stat`; the name before it may hold spaces and brackets. A zombie has
 * died.
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
