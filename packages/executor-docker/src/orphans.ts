// Containers whose host is gone. They end by themselves when they hear nothing for `keepMs`. This
// is for the others: they never started, or the code in them tampered with their runner.
//
// A process id says who lives only within one process namespace of one boot. So hosts elsewhere (in
// a container beside this one, on another machine) are judged by a lease: a living host writes the
// daemon's time into the name of its container, and the daemon's clock is the only one that counts.

import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Engine } from "./engine.ts";

const hostLabel = "dev.smolts.host";
const keepLabel = "dev.smolts.keep-ms";
const graceMs = 5_000;

/** How often a living host writes the time into the names of its containers. */
export const leaseEveryMs = 300_000;
/** Beyond `keepMs`: three leases. */
const leaseMs = 3 * leaseEveryMs;

/** Labels of every container. */
export function ownerLabels(keepMs: number): { readonly [label: string]: string } {
  return { [hostLabel]: processNamespace(), [keepLabel]: String(keepMs) };
}

/**
 * A container's name says which process it belongs to; unlike a label it can change.
 *
 * @param date - the daemon's time in ms since 1970; null for a container that is being created
 */
export function ownerName(date: number | null = null): string {
  const start = processState(process.pid)?.startedAt ?? unknownStart;
  return `smolts-${process.pid}.${start}.${date ?? 0}-${randomBytes(6).toString("hex")}`;
}

/** All processes that see the same process under one id. */
function processNamespace(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return `${hostname()} ${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname(); // other systems have one namespace
  }
}

interface ListedContainer {
  readonly Id: string;
  readonly State: string;
  readonly Names: readonly string[];
  readonly Labels: { readonly [label: string]: string };
  /** The daemon's time in s. */
  readonly Created: number;
}

/**
 * Removes containers whose host is gone; those that still run, after the time that they may wait
 * for another host.
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

/** A name of another form is not ours to judge. */
function isOrphan({ Names, Labels, Created }: ListedContainer, here: string, date: number): boolean {
  const [, pid, startedAt, renewedAt] = /^\/?smolts-(\d+)\.(\d+)\.(\d+)-/.exec(Names[0] ?? "") ?? [];
  if (pid === undefined) return false;
  if (Labels[hostLabel] === here) return !isRunning(Number(pid), startedAt);
  const heardAt = Number(renewedAt) || Created * 1_000;
  return date > heardAt + Number(Labels[keepLabel]) + leaseMs;
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
  // A dead process may keep its entry until its parent collects it, and another process may get its
  // id.
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

/** What Linux tells about a process; null elsewhere, and for a process that is hidden. */
function processState(pid: number): { readonly isDead: boolean; readonly startedAt: string } | null {
  try {
    // The name of the program is in parentheses and may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
    return { isDead: fields[0] === "Z" || fields[0] === "X", startedAt: fields[startField] ?? unknownStart };
  } catch {
    return null;
  }
}

/** Counted from the field after the name of the program. */
const startField = 19;
