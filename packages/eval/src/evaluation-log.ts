// Keeps an evaluation as a log in the store: a note with its header, then a note for each finished
// case. If the evaluation was stopped, the next attempt reads the finished cases from there.

import {
  type AgentError,
  invalidOption,
  type JsonValue,
  type RunStore,
  type StoredLog,
  sha256,
  toHex,
} from "@smolts/protocol";
import type { EvaluationCase } from "./case.ts";
import type { Evaluation, EvaluationRow } from "./evaluation.ts";

/** The fields that must stay the same when an evaluation is continued. */
export type EvaluationHeader = Pick<Evaluation, "version" | "agent" | "model" | "scorers">;

/** The open log of one evaluation. */
export interface EvaluationLog extends AsyncDisposable {
  /** The rows that earlier attempts have finished. The keys are the ids of the cases. */
  readonly rows: ReadonlyMap<string, EvaluationRow>;
  /** Whether an earlier attempt has begun the evaluation. */
  readonly hasBegun: boolean;
  /** Adds a row. Resolves when the store has kept it. */
  add(given: EvaluationCase, row: EvaluationRow): Promise<void>;
}

const headerNote = "smolts/evaluation";
const rowNote = "smolts/evaluation-row";

/** Returns the id of the session that contains the evaluation with this id. */
const sessionOfEvaluation = (id: string): string => `evaluation-${id}`;

/**
 * Opens the log of an evaluation, and reads the finished rows.
 *
 * @throws AgentError `invalid-option` when the evaluation was begun with another agent, other
 * scorers or other cases; `lease` while another process runs it
 */
export async function openEvaluationLog(
  store: RunStore,
  id: string,
  header: EvaluationHeader,
  cases: readonly EvaluationCase[],
): Promise<EvaluationLog> {
  const log = await store.open(sessionOfEvaluation(id));
  try {
    return await readLog(log, id, header, cases);
  } catch (error) {
    await log[Symbol.asyncDispose]();
    throw error;
  }
}

async function readLog(
  log: StoredLog,
  id: string,
  header: EvaluationHeader,
  cases: readonly EvaluationCase[],
): Promise<EvaluationLog> {
  const digests = new Map(await Promise.all(cases.map(async (one) => [one.id, await digestOf(one)] as const)));
  const rows = new Map<string, EvaluationRow>();
  const before = new Map<string, string>();
  let hasBegun = false;
  for await (const event of log.read()) {
    if (event.type !== "note") continue;
    if (event.name === headerNote) {
      hasBegun = true;
      mustBeSame(event.data, header, id);
    }
    if (event.name === rowNote) {
      const { digest, row } = event.data as unknown as KeptRow; // safe cast: this file wrote the note
      before.set(row.caseId, digest);
      rows.set(row.caseId, row);
    }
  }
  mustFit(before, digests, id);
  const at = { runId: sessionOfEvaluation(id), path: ["evaluation"] };
  const keep = (name: string, data: unknown): void => {
    log.append({ type: "note", name, data: data as JsonValue }, at); // safe cast: rows and headers are plain data
  };
  if (!hasBegun) {
    keep(headerNote, header);
    // The note must be stored before the first case runs, so that the next attempt knows that the
    // evaluation has begun.
    await log.flush();
  }
  return {
    rows,
    hasBegun,
    async add(given, row) {
      keep(rowNote, { digest: digests.get(given.id) ?? "", row } satisfies KeptRow);
      await log.flush();
    },
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
  };
}

interface KeptRow {
  /** The digest of the case. It shows whether the case has changed since it was run. */
  readonly digest: string;
  readonly row: EvaluationRow;
}

function mustBeSame(kept: unknown, header: EvaluationHeader, id: string): void {
  const before = kept as EvaluationHeader; // safe cast: this file wrote the header
  const changed = (["version", "agent", "model", "scorers"] as const).find(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(header[field]),
  );
  if (changed === undefined) return;
  throw invalidOption(
    `the evaluation "${id}" began with ${changed} ${JSON.stringify(before[changed])}, and now has ${JSON.stringify(header[changed])}`,
    "give the changed evaluation its own id, and compare the two",
  );
}

/**
 * Throws if a finished case has changed since it was run, or if the table has no such case any
 * more.
 */
function mustFit(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>, id: string): void {
  const changed = [...now.keys()].find((caseId) => before.has(caseId) && before.get(caseId) !== now.get(caseId));
  if (changed !== undefined) throw changedCase(changed, "has changed", id);
  const gone = [...before.keys()].find((caseId) => !now.has(caseId));
  if (gone !== undefined) throw changedCase(gone, "is no longer in the table", id);
}

const changedCase = (caseId: string, what: string, id: string): AgentError =>
  invalidOption(
    `the case "${caseId}" of the evaluation "${id}" ${what} since it was run`,
    "give the evaluation of the changed table its own id",
  );

/** Returns a hash of a case, in hex. */
async function digestOf({ id, input, expected, data }: EvaluationCase): Promise<string> {
  return (await shortHash(JSON.stringify([id, input, expected ?? null, data ?? null]))).slice(0, 16);
}

/** Returns the id of a case's run. It stays the same when the evaluation is continued. */
export async function runIdOf(id: string, { id: caseId }: EvaluationCase): Promise<string> {
  return `${sessionOfEvaluation(id)}-${(await shortHash(caseId)).slice(0, 16)}`;
}

async function shortHash(text: string): Promise<string> {
  return toHex(await sha256(text));
}
