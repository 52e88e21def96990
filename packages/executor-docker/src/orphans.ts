// Removes containers whose host is gone. Normally a container ends by itself when no message of its
// host has arrived for `keepMs`. This file handles the other containers: those that never started,
// and those whose code manipulated the runner.
//
// How it finds out whether a host is alive:
//
// - If the host is in the same process namespace, and the machine has not been rebooted, the
//   process id is enough.
// - A host elsewhere (in another container, on another machine) has a lease. A living host
//   regularly writes the time into its containers' names. All times are the daemon's, because the
//   clocks of hosts may differ.

import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Engine } from "./engine.ts";

const hostLabel = "dev.smolts.host";
const keepLabel = "dev.smolts.keep-ms";
const graceMs = 5_000;

/** How often a living host writes the time into the names of its containers, in ms. */
export const leaseEveryMs = 300_000;
/** The length of a lease, in ms: the time of three renewals. It is added to `keepMs`. */
const leaseMs = 3 * leaseEveryMs;

/** Returns the labels for a container. */
export function ownerLabels(keepMs: number): { readonly [label: string]: string } {
  return { [hostLabel]: processNamespace(), [keepLabel]: String(keepMs) };
}

/**
 * Returns a name for a container that says which process owns it, and when its lease was last
 * renewed. This is not in a label, because a label cannot be changed later.
 *
 * @param date - the daemon's time, in ms since 1970; null for a new container
 */
export function ownerName(date: number | null = null): string {
  const start = processState(process.pid)?.startedAt ?? unknownStart;
  return `smolts-${process.pid}.${start}.${date ?? 0}-${randomBytes(6).toString("hex")}`;
}

/**
 * Returns the name of the process namespace. Within it, a process id always means the same process.
 */
function processNamespace(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return `${hostname()} ${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname(); // systems other than Linux have only one namespace
  }
}

interface ListedContainer {
  readonly Id: string;
  readonly State: string;
  readonly Names: readonly string[];
  readonly Labels: { readonly [label: string]: string };
  /** When the container was created, in s, by the daemon's clock. */
  readonly Created: number;
}

/**
 * Removes containers whose host is gone. A container that is still running may be waiting for
 * another host. It is removed only after it has waited long enough.
 */
export async function removeOrphans(engine: Engine): Promise<void> {
  for (const { Id, State, Labels } of await orphans(engine)) {
    if (State !== "running") await remove(engine, Id);
    else removeLater(engine, Id, Number(Labels[keepLabel]) + graceMs);
  }
}

async function orphans(engine: Engine): Promise<readonly ListedContainer[]> {
  const filters = encodeURIComponent(JSON.stringify({ label: [hostLabel] }));
  const { status, body, date } = await engine.request({
    method: "GET",
    path: `/containers/json?all=true&filters=${filters}`,
  });
  if (status !== 200) return [];
  const here = processNamespace();
  return (body as readonly ListedContainer[]).filter((container) => isOrphan(container, here, date));
}

/**
 * Says whether a container's host is gone. A container whose name has another format is not ours.
 */
function isOrphan({ Names, Labels, Created }: ListedContainer, here: string, date: number): boolean {
  const [, pid, startedAt, renewedAt] = /^\/?smolts-(\d+)\.(\d+)\.(\d+)-/.exec(Names[0] ?? "") ?? [];
  if (pid === undefined) return false;
  if (Labels[hostLabel] === here) return !isRunning(Number(pid), startedAt);
  const lastSeenAt = Number(renewedAt) || Created * 1_000;
  return date > lastSeenAt + Number(Labels[keepLabel]) + leaseMs;
}

function removeLater(engine: Engine, id: string, delayMs: number): void {
  const removeIfOrphan = async (): Promise<void> => {
    const isOrphan = (await orphans(engine)).some(({ Id }) => Id === id);
    if (isOrphan) await remove(engine, id);
  };
  setTimeout(() => void removeIfOrphan().catch(() => {}), delayMs).unref();
}

async function remove(engine: Engine, id: string): Promise<void> {
  await engine.request({ method: "DELETE", path: `/containers/${id}?force=true&v=true` }).catch(() => {});
}

function isRunning(pid: number, startedAt: string | undefined): boolean {
  if (!exists(pid)) return false;
  const state = processState(pid);
  if (!state) return true;
  // A dead process may stay in the process table until its parent reaps it. Afterwards its id may
  // be used again.
  return !state.isDead && (startedAt === unknownStart || startedAt === state.startedAt);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { readonly code?: string }).code === "EPERM";
  }
}

const unknownStart = "0";

/**
 * Returns what Linux reports about a process. Null on other systems, and for a process that is
 * hidden.
 */
function processState(pid: number): { readonly isDead: boolean; readonly startedAt: string } | null {
  try {
    // The program's name is in parentheses and may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    return { isDead: fields[0] === "Z" || fields[0] === "X", startedAt: fields[startField] ?? unknownStart };
  } catch {
    return null;
  }
}

/** The index of the start time, counted from the field after the program's name. */
const startField = 19;
