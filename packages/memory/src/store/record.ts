// Writes and reads one event as one line of text, for files and databases.
//
//   {"seq":7,"epoch":2,"acked":5,"event":{"type":"step-start",...},"sum":"..."}
//
// Each checksum also covers the checksum of the line before it, so that a line that was changed,
// removed or moved is noticed. All bytes are printable ASCII. So `cat` and `grep` can show a log
// safely, whatever a model or a web page wrote into it.

import {
  AgentError,
  type DurableBody,
  type DurableEvent,
  type EventStamp,
  isDurableType,
  type JsonValue,
} from "@smolts/protocol";

/** Computes the checksum of `text`, based on the checksum of the line before it. */
export type RecordSum = (previous: string, text: string) => string;

/** The position of a line in the log. */
export interface RecordPlace {
  readonly epoch: number;
  /**
   * When this line was written, all events up to this `seq` were known to survive a crash. Absent
   * if an earlier line contains the same `seq`.
   */
  readonly acked?: number;
}

/** A line as it is written, and its checksum. */
export interface SealedLine {
  readonly line: string;
  readonly sum: string;
}

/** A line that was read, with the event that it contains. */
export interface StoredRecord extends RecordPlace {
  readonly event: DurableEvent;
  readonly sum: string;
}

/**
 * Returns the part of a line that describes one event, without the checksum that {@link sealed}
 * adds.
 */
export function recordText(body: DurableBody, stamp: EventStamp, { epoch, acked }: RecordPlace): string {
  const { seq, runId, path, time } = stamp;
  const named = acked === undefined ? "" : `,"acked":${acked}`;
  const mayBeSkipped = body.type === "note" ? ',"critical":false' : "";
  const event = printable(JSON.stringify(Object.assign({}, body, { runId, path, time })));
  return `{"seq":${seq},"epoch":${epoch}${named}${mayBeSkipped},"event":${event}`;
}

/** Writes any JSON object as a line that ends with its checksum. */
export function sealedLine(content: object, previous: string, sumOf: RecordSum): SealedLine {
  return sealed(printable(JSON.stringify(content)).slice(0, -1), previous, sumOf);
}

/** Adds the checksum to the end of a line's text. The result has no line break. */
export function sealed(text: string, previous: string, sumOf: RecordSum): SealedLine {
  const sum = sumOf(previous, text);
  return { line: `${text}${sumField}${sum}"}`, sum };
}

/** Reads a line that {@link sealedLine} wrote. Null when its checksum is wrong. */
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
 * Reads one record from a line. Returns null when the checksum of the line is wrong.
 *
 * @param expectedSeq - the `seq` that the event must have
 * @throws AgentError `log-version` for an event of a newer version, `log-corrupt` for another `seq`
 */
export function readRecord(line: string, previous: string, sumOf: RecordSum, expectedSeq: number): StoredRecord | null {
  const opened = openedLine(line, previous, sumOf);
  if (!opened) return null;
  // The cast is safe: the checksum proves that this package wrote the line.
  const { seq, epoch, acked, critical, event } = opened.content as WrittenRecord;
  if (seq !== expectedSeq) throw corruptLogError(`event ${expectedSeq} is missing: the next one has the number ${seq}`);
  if (critical !== false && !isDurableType(event.type)) throw newerVersion(event.type);
  return { event: { ...known(event), seq }, epoch, ...(acked === undefined ? {} : { acked }), sum: opened.sum };
}

/**
 * Reads the lines of a log, from the first line of the log on.
 *
 * @param sumOf - null for a log with another key, whose checksums cannot be checked here
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
    if (!record) throw corruptLogError(`the checksum of event ${records.length + 1} is wrong`);
    records.push(record);
    sum = record.sum;
  }
  return { records, sum };
}

/**
 * Checks that a log contains all events that were acknowledged, according to its own lines or to
 * the lease file of its holder.
 *
 * @throws AgentError `log-truncated` when events are missing
 */
export function checkAcknowledged(records: readonly StoredRecord[], markedAcked: number): void {
  const acked = records.reduce((most, record) => Math.max(most, record.acked ?? 0), markedAcked);
  if (acked <= records.length) return;
  throw new AgentError(
    "log-truncated",
    `the end of the run log is missing: it has ${records.length} events, and ${acked} were acknowledged`,
    { hint: "restore the session from a backup; nothing was changed in it" },
  );
}

/**
 * Replaces the computation of checksums for a line that was written with another key. The returned
 * function returns the checksum that the line contains.
 */
export function sumAsWritten(line: string): RecordSum {
  const sum = line.slice(line.lastIndexOf(sumField) + sumField.length, -2);
  return () => sum;
}

/** Returns the error for a damaged log. */
export const corruptLogError = (what: string): AgentError =>
  new AgentError("log-corrupt", `the run log is damaged: ${what}`, {
    hint: "restore the session from a backup; nothing was changed in it",
  });

/**
 * Returns the event if this version knows its type. Otherwise, a newer version wrote the event, and
 * it may be skipped. A note is then returned in its place. The stored line does not change.
 */
function known(event: WrittenRecord["event"]): WrittenRecord["event"] {
  if (isDurableType(event.type)) return event;
  const { runId, path, time, ...data } = event;
  // The cast is safe: the data was read from JSON.
  return { type: "note", name: "smolts/skipped-event", data: data as unknown as JsonValue, runId, path, time };
}

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
  new AgentError("log-version", `the run log contains an event "${type}", which this version does not know`, {
    hint: "open it with the version of smolts that wrote it, or a newer one",
  });
