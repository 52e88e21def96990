// One process of a run. It starts or resumes the run, and decides about calls like a person who can
// look into the ledger. It kills itself at a given boundary (a numbered place in the run).
//
//   node program.mjs <scenario> <run id> <ledger file> <store> [kill at boundary]

import { appendFileSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import type { RunResult } from "@smolts/core";
import { AgentError, type DecisionInput } from "@smolts/protocol";
import { openStore } from "./open-store.ts";
import { scenarios } from "./scenarios.ts";
import { withBoundaries } from "./store-boundaries.ts";

const [, , name = "", runId = "", ledgerFile = "", place = "", killAt = "0"] = process.argv;
const scenario = scenarios[name];
if (!scenario) throw new Error(`there is no scenario "${name}"`);

const { TORTURE_FREEZE_AT, TORTURE_HOST, TORTURE_LEASE_MS, TORTURE_FAULT } = process.env;
let hasFaulted = false;
if (TORTURE_FAULT) await breakDisk(TORTURE_FAULT);

let boundaries = 0;
/** Counts a boundary. Kills this process if that boundary is the chosen one. */
function boundary(): void {
  boundaries += 1;
  if (boundaries === Number(killAt)) process.kill(process.pid, "SIGKILL");
  if (boundaries === Number(TORTURE_FREEZE_AT)) {
    writeFileSync(`${ledgerFile}.frozen`, String(process.pid));
    process.kill(process.pid, "SIGSTOP");
  }
}

const ledgerHandle = openSync(ledgerFile, "a");
const opened = await openStore(place, {
  ...(TORTURE_HOST ? { host: TORTURE_HOST } : {}),
  ...(TORTURE_LEASE_MS ? { leaseMs: Number(TORTURE_LEASE_MS) } : {}),
});
const store = withBoundaries(opened.store, boundary);
const agent = scenario.agent({
  boundary,
  options: { store },
  ledger: (entry) => {
    appendFileSync(ledgerHandle, `${JSON.stringify(entry)}\n`);
    fsyncSync(ledgerHandle);
  },
});

let result: Pick<RunResult, "status" | "output" | "error" | "pending"> = await (await begin()).result;
for (let rounds = 0; result.status === "suspended" && rounds < 20; rounds++) {
  for (const request of result.pending ?? []) {
    const { id, digest, kind, input } = request;
    const decision =
      kind === "doubt"
        ? decisionOn(input as { what: string })
        : (scenario.decide?.(request) ?? { type: "approve" as const });
    const refusal = await store.decide(runId, { id, digest, ...decision } as DecisionInput).catch(refusedByAnother);
    if (refusal) result = { status: "failed", error: refusal };
  }
  if (result.status === "suspended") result = await agent.resume(runId).result;
}
const { status, output, error } = result;
console.log(
  JSON.stringify({ status, output, error: error && `${error.code}: ${error.message}`, boundaries, hasFaulted }),
);
process.exit(0);

/**
 * Begins the run if nothing of it is recorded; otherwise resumes it. The result is inside an
 * object, because an async function would await a run that it returns.
 */
async function begin(): Promise<{ readonly result: Promise<RunResult> }> {
  const isBegun = (await store.find(runId)) !== null;
  if (!scenario?.fork) return { result: (isBegun ? agent.resume(runId) : agent.run("Go.", { runId })).result };
  if (isBegun) {
    const { result: resumed } = agent.resume(runId);
    // The copying of the fork was interrupted, so the fork is copied again.
    if ((await resumed).error?.code !== "log-truncated") return { result: resumed };
    await store.delete(runId);
  }
  const parentId = `${runId}-parent`;
  const hasParent = (await store.find(parentId)) !== null;
  await (hasParent ? agent.resume(parentId) : agent.run("Go.", { runId: parentId }));
  return { result: agent.fork(parentId, { ...scenario.fork, runId, repeatEffects: true }).result };
}

/** Returns the error if another process works on the run. In a race that is a valid outcome. */
function refusedByAnother(error: unknown): AgentError {
  if (AgentError.is(error) && (error.code === "lease" || error.code === "stale-decision")) return error;
  throw error;
}

/** Decides about a call: the ledger shows whether the call has happened. */
function decisionOn({
  what,
}: {
  what: string;
}): { readonly type: "happened"; readonly output: string } | { readonly type: "again" } {
  const lines = existsSync(ledgerFile) ? readFileSync(ledgerFile, "utf8").split("\n").filter(Boolean) : [];
  const happened = lines.some((line) => (JSON.parse(line) as { what: string }).what === what);
  return happened ? { type: "happened", output: `did ${what}` } : { type: "again" };
}

/**
 * Simulates a disk error: after a number of writes, the disk is full in the middle of a line,
 * refuses to write, or is slow.
 */
async function breakDisk(fault: string): Promise<void> {
  const [kind, from = "1"] = fault.split(":");
  const probe = await open(process.execPath, "r");
  const prototype = Object.getPrototypeOf(probe) as { appendFile: typeof probe.appendFile };
  await probe.close();
  const { appendFile } = prototype;
  let writes = 0;
  prototype.appendFile = async function (this: typeof probe, data, options) {
    writes += 1;
    if (writes < Number(from)) return appendFile.call(this, data, options);
    hasFaulted = true;
    if (kind === "slow") {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return appendFile.call(this, data, options);
    }
    if (kind === "full") await appendFile.call(this, String(data).slice(0, String(data).length / 2), options);
    const code = kind === "full" ? "ENOSPC" : "EROFS";
    throw Object.assign(new Error(`${code}: the disk does not write`), { code });
  };
}
