// Containers whose host is gone. They end by themselves when they hear nothing for `keepMs`. This is for the others: they never started, or the
// code in them tampered with their runner.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import type { Engine } from "./engine.ts";

const hostLabel = "dev.smolts.host";
const keepLabel = "dev.smolts.keep-ms";
const graceMs = 30_000;

/** Labels of every container. */
export function ownerLabels(keepMs: number): { readonly [label: string]: string } {
  return { [hostLabel]: hostname(), [keepLabel]: String(keepMs) };
}

/** A container's name says which process it belongs to; unlike a label it can change. */
export function ownerName(): string {
  const start = processState(process.pid)?.startedAt ?? unknownStart;
  return `smolts-${process.pid}.${start}-${randomBytes(6).toString("hex")}`;
}

interface ListedContainer {
  readonly Id: string;
  readonly State: string;
  readonly Names: readonly string[];
  readonly Labels: { readonly [label: string]: string };
}

/** Removes containers whose process on this machine is gone; those that still run, after the time that they may wait for another host. */
export async function removeOrphans(engine: Engine): Promise<void> {
  for (const { Id, State, Labels } of await orphans(engine)) {
    if (State !== "running") await remove(engine, Id);
    else removeLater(engine, Id, Number(Labels[keepLabel]) + graceMs);
  }
}

async function orphans(engine: Engine): Promise<readonly ListedContainer[]> {
  const filters = encodeURIComponent(JSON.stringify({ label: [`${hostLabel}=${hostname()}`] }));
  const answer = await engine.request({ method: "GET", path: `/containers/json?all=true&filters=${filters}` });
  if (answer.status !== 200) return [];
  return (answer.body as readonly ListedContainer[]).filter(({ Names }) => !isOwned(Names[0] ?? ""));
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

/** Whether the process in a container's name is alive. A name of another form is not ours to judge. */
function isOwned(name: string): boolean {
  const [, pid, startedAt] = /^\/?smolts-(\d+)\.(\d+)-/.exec(name) ?? [];
  if (pid === undefined) return true;
  if (!exists(Number(pid))) return false;
  const state = processState(Number(pid));
  if (!state) return true;
  // A dead process may keep its entry until its parent collects it, and another process may get its id.
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
