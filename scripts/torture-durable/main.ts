// `pnpm torture:durable`: kills runs at every boundary (a numbered place in a run) and at random,
// resumes them in new processes, and counts what was lost, repeated or wrong. Then it cuts logs off
// and changes their bytes.
//
//   pnpm torture:durable                       every boundary of each scenario, 100 random kills, every byte
//   pnpm torture:durable --kills 300 --json    300 random kills; one line of JSON last
//   pnpm torture:durable --every 7             each seventh boundary and byte
//   pnpm torture:durable --kills 10000         the long form
//   pnpm torture:durable --only-kills          the random kills and nothing else
//   pnpm torture:durable --stores files        not on PostgreSQL and SQLite
//   pnpm torture:durable --scenarios person    only the kinds of runs whose names hold that text, and nothing but kills
//
// It also lets several processes compete for one run, suspends a process until another one takes
// its lease, simulates a disk error in the middle of a line, kills the database during a run, and
// kills evaluations.
//
// The kills are repeated for each kind of store. If PostgreSQL is not installed, or Node is older
// than 24 and has no SQLite, that store is skipped, and the output says so.

import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { AgentError, type DurableEvent } from "@smolts/protocol";
import { build } from "esbuild";
import { startPostgres } from "../postgres-server.ts";
import { evaluatedCases } from "./evaluated-cases.ts";
import { hasSqlite, openStore } from "./open-store.ts";
import { type LedgerEntry, type Scenario, scenarios } from "./scenarios.ts";

interface Totals {
  kills: number;
  lost: number;
  repeated: number;
  wrong: number;
  stuck: number;
  boundaries: number;
  bytes: number;
  wrongBytes: number;
}

interface Ended {
  readonly wasKilled: boolean;
  readonly report: {
    readonly status: string;
    readonly output?: unknown;
    readonly error?: string;
    readonly boundaries: number;
    /** Whether the simulated disk error happened. */
    readonly hasFaulted: boolean;
  } | null;
  readonly errorOutput: string;
}

const { values: given } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    every: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: String(Math.max(2, availableParallelism())) },
    stores: { type: "string", default: "files,postgres,sqlite" },
    scenarios: { type: "string", default: "" },
    "only-kills": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

const totals: Totals = { kills: 0, lost: 0, repeated: 0, wrong: 0, stuck: 0, boundaries: 0, bytes: 0, wrongBytes: 0 };
const every = Number(given.every);
const evaluationName = "an evaluation";
const folder = mkdtempSync(join(tmpdir(), "smolts-durable-"));
const here = dirname(fileURLToPath(import.meta.url));
const bundles = join(here, "../../node_modules/.cache", `torture-durable-${process.pid}`);
const program = join(bundles, "program.mjs");
const evaluation = join(bundles, "evaluation.mjs");
let runs = 0;
let seed = Number(given.seed);

const wanted = given.stores.split(",");
const chosen = Object.entries(scenarios).filter(([name]) => name.includes(given.scenarios));
const postgres = wanted.includes("postgres") ? await startPostgres() : null;

try {
  await buildPrograms();
  for (const store of wanted) {
    const address = addressOf(store);
    if (address) await tortureStore(address);
    else console.error(`skipped: ${store} is not here`);
  }
  if (!given["only-kills"] && given.scenarios === "") await changeBytes();
} finally {
  postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
  rmSync(bundles, { recursive: true, force: true });
}
console.log(given.json ? JSON.stringify(totals) : totals);
process.exitCode = totals.lost + totals.repeated + totals.wrong + totals.stuck + totals.wrongBytes === 0 ? 0 : 1;

/**
 * Returns the address of a store that all runs share, or `files` if each run has its own folder.
 * Null if this machine does not support the store.
 */
function addressOf(store: string): string | null {
  switch (store) {
    case "files":
      return "files";
    case "postgres":
      return postgres?.address ?? null;
    case "sqlite":
      return hasSqlite() ? `sqlite:${join(folder, "runs.sqlite")}` : null;
    default:
      throw new Error(`there is no store "${store}"; there are files, postgres and sqlite`);
  }
}

async function tortureStore(store: string): Promise<void> {
  if (chosen.length > 0) await killAtRandom(Math.ceil(Number(given.kills)), store);
  if (given["only-kills"]) return;
  await inPool(chosen, ([name, scenario]) => tortureScenario(name, scenario, store));
  if (evaluationName.includes(given.scenarios)) await killEvaluations(store);
  if (given.scenarios !== "") return;
  await raceForOneRun(store);
  await freezeHolder(store);
  if (store === "files") for (const fault of ["full", "read-only", "slow"] as const) await failDisk(fault);
  if (store === postgres?.address) for (const at of [3, 6, 9, 12, 15]) await killDatabase(store, at);
}

/** Bundles each program to one file, because many processes start it. */
async function buildPrograms(): Promise<void> {
  mkdirSync(bundles, { recursive: true });
  await build({
    entryPoints: ["program.ts", "evaluation.ts"].map((name) => join(here, name)),
    outdir: bundles,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    conditions: ["@smolts/source"],
    external: ["pg"],
    logLevel: "error",
  });
}

/** Repeats a run and kills it once at each of its boundaries. */
async function tortureScenario(name: string, scenario: Scenario, store: string): Promise<void> {
  const whole = newRun(store);
  const { report } = await start(name, whole, 0);
  check(name, scenario, whole, report, "without a kill");
  const boundaries = report?.boundaries ?? 0;
  const places: number[] = [];
  for (let at = 1; at <= boundaries; at += every) places.push(at);
  await inPool(places, async (at) => {
    totals.boundaries += 1;
    const run = newRun(store);
    await start(name, run, at);
    totals.kills += 1;
    await finish(name, scenario, run, `killed at boundary ${at} of ${boundaries}`);
  });
}

/** Kills runs several times, at random boundaries. */
async function killAtRandom(kills: number, store: string): Promise<void> {
  const names = chosen.map(([name]) => name);
  let done = 0;
  // The random numbers are drawn in advance. So the same seed leads to the same runs, in whatever
  // order they end.
  const plans = Array.from({ length: 3 * kills }, () => ({
    name: names[draw(names.length)] ?? "",
    places: [1 + draw(24), 1 + draw(24)],
  }));
  await inPool(plans, async ({ name, places }) => {
    if (done >= kills) return;
    const run = newRun(store);
    for (const place of places) {
      const { wasKilled } = await start(name, run, place);
      if (!wasKilled) continue;
      totals.kills += 1;
      done += 1;
      if (done % 250 === 0) console.error(`${done} of ${kills} kills on ${kindOf(run)}: ${JSON.stringify(totals)}`);
    }
    await finish(name, scenarios[name] as Scenario, run, `killed at boundaries ${places.join(" and ")}`);
  });
}

/**
 * Kills several evaluations, each three times. A finished case must not run again, and a payment
 * must not be repeated. A model may be asked again only if its answer was lost because of a kill.
 */
async function killEvaluations(store: string): Promise<void> {
  const name = evaluationName;
  const plans = Array.from({ length: 5 }, () => [1 + draw(150), 1 + draw(100), 1 + draw(50)]);
  await inPool(plans, async (places) => {
    const run = newRun(store);
    let kills = 0;
    for (const place of places) kills += Number((await start(name, run, place, {}, evaluation)).wasKilled);
    totals.kills += kills;
    const { report, errorOutput } = await start(name, run, 0, {}, evaluation);
    const how = `killed at boundaries ${places.join(", ")}`;
    if (report?.status !== "success") return fail("stuck", name, how, report?.error ?? errorOutput);
    const { rows, odd } = report.output as { readonly rows: number; readonly odd: readonly [string, string][] };
    if (rows !== evaluatedCases.length) fail("lost", name, how, `${rows} rows`);
    // If a kill interrupts a payment without a key, the outcome of the payment is unknown. So the
    // payment is not repeated, and the case waits for a person.
    const isDoubt = ([id, status]: readonly [string, string]): boolean =>
      status === "suspended" && evaluatedCases.some((one) => one.id === id && one.input.includes("once"));
    if (!odd.every(isDoubt) || odd.length > 2 * kills) fail("wrong", name, how, JSON.stringify(odd));
    const entries = ledgerOf(run);
    for (const { id } of evaluatedCases) {
      const paid = entries.filter(({ what }) => what === `paid ${id}`);
      const isKeyed = paid[0]?.isKeyed === true;
      if ((isKeyed ? new Set(paid.map(({ key }) => key)).size : paid.length) > 1) fail("repeated", name, how, id);
    }
    const asked = entries.filter(({ what }) => what.startsWith("asked"));
    // Two cases may be running at each kill, so each kill may cause two repeated requests.
    if (asked.length > 2 * evaluatedCases.length + 2 * kills)
      fail("repeated", name, how, `${asked.length} model calls`);
  });
}

/** Does some work for each item, for several items at a time. */
async function inPool<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Number(given.jobs) }, worker));
}

/**
 * Starts several processes for one run. One of them must work on the run. The others must be
 * refused with `lease`, or find that the run has ended.
 */
async function raceForOneRun(store: string): Promise<void> {
  const name = "a loop of calls";
  const run = newRun(store);
  await start(name, run, 9);
  totals.kills += 1;
  const ended = await Promise.all(Array.from({ length: 4 }, () => start(name, run, 0)));
  const odd = ended.find(
    ({ report }) => report?.status !== "success" && !/^(?:lease|stale-decision):/.test(report?.error ?? ""),
  );
  if (odd) fail("wrong", name, "four processes at once", odd.report?.error ?? odd.errorOutput);
  await finish(name, scenarios[name] as Scenario, run, "four processes at once");
}

/**
 * Suspends a process for longer than its lease. Another machine takes over the run, and then the
 * first process continues.
 */
async function freezeHolder(store: string): Promise<void> {
  const name = "idempotent calls over time";
  const run = newRun(store);
  const leaseMs = 600;
  const lease = { TORTURE_LEASE_MS: String(leaseMs) };
  const frozen = start(name, run, 0, { ...lease, TORTURE_HOST: "first", TORTURE_FREEZE_AT: "8" });
  const pid = await frozenProcess(run);
  await wait(leaseMs); // until the lease has expired
  const { report, errorOutput } = await start(name, run, 0, { ...lease, TORTURE_HOST: "second" });
  process.kill(pid, "SIGCONT");
  const woken = await frozen;
  check(name, scenarios[name] as Scenario, run, report, "a frozen holder was replaced", errorOutput);
  const isStopped = woken.report?.status !== "success" || woken.report.error !== undefined;
  if (!isStopped) fail("wrong", name, "a frozen holder woke up", "it drove the run to its end");
}

/**
 * Kills the database and starts it again while a process works on a run. Everything that the
 * database had acknowledged must be there, and the run must be resumable.
 */
async function killDatabase(store: string, at: number): Promise<void> {
  const name = "state over many steps";
  const run = newRun(store);
  const frozenRun = start(name, run, 0, { TORTURE_FREEZE_AT: String(at) });
  const pid = await frozenProcess(run);
  totals.kills += 1;
  await postgres?.crash();
  process.kill(pid, "SIGCONT");
  const { report, errorOutput } = await frozenRun;
  const how = `the database was killed at boundary ${at}`;
  const isTyped = report?.status === "success" || /^log:/.test(report?.error ?? "");
  if (!isTyped) fail("wrong", name, how, report?.error ?? errorOutput);
  await finish(name, scenarios[name] as Scenario, run, how);
}

/**
 * Returns the id of a process after it has suspended itself. The time limit is for a process that
 * hangs.
 */
async function frozenProcess({ ledger }: Run): Promise<number> {
  const note = `${ledger}.frozen`;
  const until = performance.now() + 300_000;
  for (;;) {
    const pid = existsSync(note) ? Number(readFileSync(note, "utf8")) : 0;
    if (pid > 0) return pid;
    if (performance.now() > until) throw new Error("a process did not reach its boundary within 300 s");
    await wait(50);
  }
}

/**
 * Simulates a disk error. After the error, the process must not start or acknowledge anything. A
 * later process must be able to continue the run.
 */
async function failDisk(fault: "full" | "read-only" | "slow"): Promise<void> {
  const name = "a loop of calls";
  await inPool([1, 2, 3, 5, 8], async (at) => {
    const run = newRun("files");
    totals.kills += 1;
    const { report, errorOutput } = await start(name, run, 0, { TORTURE_FAULT: `${fault}:${at}` });
    const isRight = (report?.status === "success") === (fault === "slow" || report?.hasFaulted === false);
    if (!isRight) fail("wrong", name, `${fault} disk at write ${at}`, report?.error ?? errorOutput);
    await finish(name, scenarios[name] as Scenario, run, `${fault} disk at write ${at}`);
  });
}

interface Run {
  readonly id: string;
  readonly ledger: string;
  readonly store: string;
}

function newRun(store: string): Run {
  runs += 1;
  return {
    id: `run-${process.pid}-${runs}`,
    ledger: join(folder, `ledger-${runs}`),
    store: store === "files" ? join(folder, `store-${runs}`) : store,
  };
}

/** Resumes a run until it has ended. The events that were in the log before must still be there. */
async function finish(name: string, scenario: Scenario, run: Run, how: string): Promise<void> {
  const events = await eventsOf(run);
  // If the copying of a fork was interrupted, the fork is copied again.
  const before = events[0]?.type === "fork" && events.length <= events[0].copied ? [] : events;
  const { report, errorOutput } = await start(name, run, 0);
  const after = await eventsOf(run);
  const kept = before.every((event, index) => JSON.stringify(event) === JSON.stringify(after[index]));
  if (!kept) fail("lost", name, how, `${before.length} events before, ${after.length} after`);
  check(name, scenario, run, report, how, errorOutput);
}

function check(
  name: string,
  { answer, effects, never = [] }: Scenario,
  run: Run,
  report: Ended["report"],
  how: string,
  errorOutput = "",
): void {
  if (report?.status !== "success") return fail("stuck", name, how, report?.error ?? errorOutput);
  if (JSON.stringify(report.output) !== JSON.stringify(answer)) fail("wrong", name, how, JSON.stringify(report.output));
  const parsed = ledgerOf(run);
  const unwanted = parsed.find(({ what }) => never.includes(what));
  if (unwanted) fail("wrong", name, how, `the effect "${unwanted.what}" happened`);
  for (const what of effects) {
    const of = parsed.filter((entry) => entry.what === what);
    if (of.length === 0) fail("wrong", name, how, `the effect "${what}" never happened`);
    // An effect with a key may be requested twice. The receiver recognises the key and executes the
    // effect once.
    const times = of.some(({ isKeyed }) => isKeyed) ? new Set(of.map(({ key }) => key)).size : of.length;
    if (times > 1) fail("repeated", name, how, `the effect "${what}" happened ${of.length} times`);
  }
}

function ledgerOf({ ledger }: Run): readonly LedgerEntry[] {
  const lines = existsSync(ledger) ? readFileSync(ledger, "utf8").split("\n").filter(Boolean) : [];
  return lines.map((line) => JSON.parse(line) as LedgerEntry);
}

function fail(kind: "lost" | "repeated" | "wrong" | "stuck", name: string, how: string, what: string): void {
  totals[kind] += 1;
  console.error(`${kind}: ${name}, ${how}: ${what}`);
}

function kindOf({ store }: Run): string {
  return /^(?:postgres|sqlite):/.test(store) ? store.replace(/:.*/s, "") : "files";
}

function start(
  name: string,
  run: Run,
  killAt: number,
  variables: NodeJS.ProcessEnv = {},
  entry: string = program,
): Promise<Ended> {
  return new Promise((resolve) => {
    const args = [entry, name, run.id, run.ledger, run.store, String(killAt)];
    execFile(
      process.execPath,
      args,
      { timeout: 300_000, killSignal: "SIGTERM", env: { ...process.env, ...variables } },
      (error, stdout, errorOutput) => {
        const last = stdout.trim().split("\n").at(-1) ?? "";
        resolve({
          wasKilled: error?.signal === "SIGKILL",
          report: last.startsWith("{") ? JSON.parse(last) : null,
          errorOutput,
        });
      },
    );
  });
}

async function eventsOf({ store: address, id }: Run): Promise<readonly DurableEvent[]> {
  const { store, close } = await openStore(address);
  try {
    const sessionId = await store.find(id);
    return sessionId === null ? [] : await everything((await store.open(sessionId, { readonly: true })).read());
  } finally {
    await close();
  }
}

async function everything(events: AsyncIterable<DurableEvent>): Promise<readonly DurableEvent[]> {
  const all: DurableEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/**
 * Cuts a log off at each byte, and changes each byte. The result must be a valid prefix of the log,
 * or a typed error.
 */
async function changeBytes(): Promise<void> {
  const run = newRun("files");
  await start("state over many steps", run, 0);
  const whole = (await eventsOf(run)).map((event) => JSON.stringify(event));
  const session = join(run.store, "sessions", run.id);
  const file = join(session, "000001.jsonl");
  const bytes = readFileSync(file);
  copyFileSync(file, `${file}.whole`);
  for (let place = 0; place < bytes.length; place += every) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ (1 + draw(255));
    for (const damaged of [changed, bytes.subarray(0, place)]) {
      totals.bytes += 1;
      writeFileSync(file, damaged);
      const read = await eventsOf(run).catch((error: unknown) => (AgentError.is(error) ? error.code : `${error}`));
      const isFine =
        typeof read === "string"
          ? /^log-(corrupt|truncated|version)$/.test(read)
          : read.every((event, index) => JSON.stringify(event) === whole[index]);
      if (isFine) continue;
      totals.wrongBytes += 1;
      console.error(`wrong bytes: byte ${place}: ${typeof read === "string" ? read : "other values"}`);
    }
  }
}

/** Returns a whole number below `limit`. The same seed produces the same numbers. */
function draw(limit: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
  return Math.floor((seed / 0x8000_0000) * limit);
}
