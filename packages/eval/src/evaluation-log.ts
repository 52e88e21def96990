// An evaluation is a log of the store: a note with its header, then a note for each finished case.
// A process that was stopped finds there what is done.

import { AgentError, type JsonValue, type RunStore, type StoredLog } from "@smolts/protocol";
import type { EvaluationCase } from "./case.ts";
import type { Evaluation, EvaluationRow } from "./evaluation.ts";

/** What must stay the same while an evaluation is continued. */
export type EvaluationHeader = Pick<Evaluation, "version" | "agent" | "model" | "scorers">;

/** The log of one evaluation, open in this process. */
export interface EvaluationLog extends AsyncDisposable {
  /** The rows that were finished before, by case. */
  readonly rows: ReadonlyMap<string, EvaluationRow>;
  /** Whether the evaluation has begun before. */
  readonly isBegun: boolean;
  /** Keeps a row; resolves when it is safe. */
  add(given: EvaluationCase, row: EvaluationRow): Promise<void>;
}

const headerNote = "smolts/evaluation";
const rowNote = "smolts/evaluation-row";

/** The session of the store that holds the evaluation of that id. */
export const sessionOfEvaluation = (id: string): string => `evaluation-${id}`;

/**
 * Opens the log of an evaluation, and reads what is finished.
 *
 * @throws AgentError `invalid-option` when it began with another agent, other scorers or other
 *   cases; `lease` while another process runs it
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
  let isBegun = false;
  for await (const event of log.read()) {
    if (event.type !== "note") continue;
    if (event.name === headerNote) {
      isBegun = true;
      mustBeSame(event.data, header, id);
    }
    if (event.name === rowNote) {
      const { digest, row } = event.data as unknown as KeptRow; // we wrote it
      before.set(row.caseId, digest);
      rows.set(row.caseId, row);
    }
  }
  mustFit(before, digests, id);
  const at = { runId: sessionOfEvaluation(id), path: ["evaluation"] };
  const keep = (name: string, data: unknown): void => {
    log.append({ type: "note", name, data: data as JsonValue }, at); // rows and headers are plain data
  };
  if (!isBegun) {
    keep(headerNote, header);
    // Safe before the first case: the next attempt must see that the evaluation has begun.
    await log.flush();
  }
  return {
    rows,
    isBegun,
    async add(given, row) {
      keep(rowNote, { digest: digests.get(given.id) ?? "", row } satisfies KeptRow);
      await log.flush();
    },
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
  };
}

interface KeptRow {
  /** The digest of the case, so that a changed table is noticed. */
  readonly digest: string;
  readonly row: EvaluationRow;
}

function mustBeSame(kept: unknown, header: EvaluationHeader, id: string): void {
  const before = kept as EvaluationHeader; // we wrote it
  const changed = (["version", "agent", "model", "scorers"] as const).find(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(header[field]),
  );
  if (changed === undefined) return;
  throw invalid(
    `the evaluation "${id}" began with ${changed} ${JSON.stringify(before[changed])}, and now has ${JSON.stringify(header[changed])}`,
    "give the changed one an id of its own, and compare the two",
  );
}

/** Names the first such case of the table: cases that run side by side end in any order. */
function mustFit(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>, id: string): void {
  const changed = [...now.keys()].find((caseId) => before.has(caseId) && before.get(caseId) !== now.get(caseId));
  if (changed !== undefined) throw misfit(changed, "has changed", id);
  const gone = [...before.keys()].find((caseId) => !now.has(caseId));
  if (gone !== undefined) throw misfit(gone, "is not in the table any more", id);
}

const misfit = (caseId: string, what: string, id: string): AgentError =>
  invalid(
    `the case "${caseId}" of the evaluation "${id}" ${what} since it was run`,
    "give the evaluation of the changed table an id of its own",
  );

/** A hash of a case, in hex. */
async function digestOf({ id, input, expected, data }: EvaluationCase): Promise<string> {
  return (await shortHash(JSON.stringify([id, input, expected ?? null, data ?? null]))).slice(0, 16);
}

/** The id of the run of a case: the same whenever the evaluation is continued. */
export async function runIdOf(id: string, { id: caseId }: EvaluationCase): Promise<string> {
  return `${sessionOfEvaluation(id)}-${(await shortHash(caseId)).slice(0, 16)}`;
}

async function shortHash(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const invalid = (message: string, hint: string): AgentError => new AgentError("invalid-option", message, { hint });
