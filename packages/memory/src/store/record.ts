// One event as one line of text, as files and databases keep it.
//
//   {"seq":7,"epoch":2,"acked":5,"event":{"type":"step-start",...},"sum":"..."}
//
// Each sum covers the sum before it, so no line can be changed, left out or moved without notice.
// All bytes are printable ASCII: `cat` and `grep` show a log as it is, whatever a model or a web
// page wrote into it.

import { AgentError, type DurableBody, type DurableEvent, type EventStamp, isDurableType } from "@smolts/protocol";

/** Sums up `text` after what the sum `previous` covers. */
export type RecordSum = (previous: string, text: string) => string;

/** Where a line belongs. */
export interface RecordPlace {
  readonly epoch: number;
  /**
   * The newest event that was acknowledged when the line was written; absent when the line before
   * names it.
   */
  readonly acked?: number;
}

/** A line as it is written, and the sum that the next one continues. */
export interface SealedLine {
  readonly line: string;
  readonly sum: string;
}

/** A line that was read, and what it holds. */
export interface StoredRecord extends RecordPlace {
  readonly event: DurableEvent;
  readonly sum: string;
}

/** The part of a line that describes one event, without the sum that {@link sealed} adds. */
export function recordText(body: DurableBody, stamp: EventStamp, { epoch, acked }: RecordPlace): string {
  const { seq, runId, path, time } = stamp;
  const named = acked === undefined ? "" : `,"acked":${acked}`;
  const mayBeSkipped = body.type === "note" ? ',"critical":false' : "";
  const event = printable(JSON.stringify(Object.assign({}, body, { runId, path, time })));
  return `{"seq":${seq},"epoch":${epoch}${named}${mayBeSkipped},"event":${event}`;
}

/** Writes any JSON as a line that ends with its sum. */
export function sealedLine(content: object, previous: string, sumOf: RecordSum): SealedLine {
  return sealed(printable(JSON.stringify(content)).slice(0, -1), previous, sumOf);
}

/** Ends the text of a line with its sum; there is no line break. */
export function sealed(text: string, previous: string, sumOf: RecordSum): SealedLine {
  const sum = sumOf(previous, text);
  return { line: `${text}${sumField}${sum}"}`, sum };
}

/** Reads a line that {@link sealedLine} wrote; null when its sum does not hold. */
export function openedLine(
  line: string,
  previous: string,
  sumOf: RecordSum,
): { readonly content: unknown; readonly sum: string } | null {
  const end = line.lastIndexOf(sumField);
  if (end === -1 || !line.endsWith('"}')) return null;
  const sum = line.slice(end + sumField.length, -2);
  const text = line.slice(0, end);
  if (sumOf(previous, text) !== sum) return null;
  return { content: JSON.parse(`${text}}`) as unknown, sum };
}

/**
 * Reads a line; null when its sum does not hold.
 *
 * @param expectedSeq - the number that the event must have
 * @throws AgentError `log-version` for an event of a newer version, `log-corrupt` for an event in
 *   the wrong place
 */
export function readRecord(line: string, previous: string, sumOf: RecordSum, expectedSeq: number): StoredRecord | null {
  const opened = openedLine(line, previous, sumOf);
  if (!opened) return null;
  const { seq, epoch, acked, critical, event } = opened.content as WrittenRecord; // its sum says that we wrote it
  if (seq !== expectedSeq) throw corrupt(`event ${expectedSeq} is missing: the next one has the number ${seq}`);
  if (critical !== false && !isDurableType(event.type)) throw newerVersion(event.type);
  return { event: { ...event, seq }, epoch, ...(acked === undefined ? {} : { acked }), sum: opened.sum };
}

/**
 * Reads the lines of a log from its first one on.
 *
 * @param sumOf - null for a log of another key, whose sums nobody here can check
 * @throws AgentError `log-corrupt` or `log-version`
 */
export function readLines(
  lines: readonly string[],
  sumOf: RecordSum | null,
): { readonly records: readonly StoredRecord[]; readonly sum: string } {
  const records: StoredRecord[] = [];
  let sum = "";
  for (const line of lines) {
    const record = readRecord(line, sum, sumOf ?? sumAsWritten(line), records.length + 1);
    if (!record) throw corrupt(`the sum of event ${records.length + 1} does not hold`);
    records.push(record);
    sum = record.sum;
  }
  return { records, sum };
}

/**
 * Checks that a log is as long as was acknowledged, by its own lines or by its holder's mark.
 *
 * @throws AgentError `log-truncated`
 */
export function mustReach(records: readonly StoredRecord[], markedAcked: number): void {
  const acked = records.reduce((most, record) => Math.max(most, record.acked ?? 0), markedAcked);
  if (acked <= records.length) return;
  throw new AgentError(
    "log-truncated",
    `the end of the run log is missing: it has ${records.length} events, and ${acked} were acknowledged`,
    { hint: "restore the session from a backup; nothing was changed in it" },
  );
}

/** Takes the sum that a line says for the right one. */
export function sumAsWritten(line: string): RecordSum {
  const sum = line.slice(line.lastIndexOf(sumField) + sumField.length, -2);
  return () => sum;
}

/** The error of a damaged log. */
export const corrupt = (what: string): AgentError =>
  new AgentError("log-corrupt", `the run log is damaged: ${what}`, {
    hint: "restore the session from a backup; nothing was changed in it",
  });

interface WrittenRecord {
  readonly seq: number;
  readonly epoch: number;
  readonly acked?: number;
  readonly critical?: false;
  readonly event: Omit<DurableEvent, "seq"> & DurableBody;
}

const sumField = ',"sum":"';

const printable = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

const newerVersion = (type: string): AgentError =>
  new AgentError("log-version", `the run log holds an event "${type}", which this version does not know`, {
    hint: "open it with the version of smolts that wrote it, or a newer one",
  });
