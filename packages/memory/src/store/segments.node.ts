// Reads and creates the files of one session's log. Each process that holds the log writes its own
// segment, and creates the file exclusively:
//
//   000001.jsonl   {"epoch":1,"holder":{...},"accepted":null,...}   then one line for each event
//   000002.jsonl   {"epoch":2,"holder":{...},"accepted":{"bytes":4711},...}   then the next events
//
// The first line says how much of the previous segment is part of the log. If an older holder wakes
// up and continues to write, its new lines come after that point and are never read. The accepted
// parts of all segments, in order, are the log.

import { constants } from "node:fs";
import { type FileHandle, link, open, readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { pid } from "node:process";
import { AgentError } from "@smolts/protocol";
import type { LeaseHolder } from "./lease-holder.node.ts";
import {
  corruptLogError,
  openedLine,
  type RecordSum,
  readRecord,
  type StoredRecord,
  sealedLine,
  sumAsWritten,
} from "./record.ts";

/** The head of a segment, which is its first line. */
export interface SegmentHead {
  readonly epoch: number;
  readonly holder: LeaseHolder;
  /** How many bytes of the previous segment are part of the log. */
  readonly acceptedBytes: number;
  /** The checksum of the last accepted line. */
  readonly acceptedSum: string;
  readonly keyId: string;
}

/** The content of all segments of a session. */
export interface SegmentsRead {
  readonly records: readonly StoredRecord[];
  /** The checksum of the last line, on which the next segment is based. */
  readonly sum: string;
  /** The head of the newest segment; null when there is no segment. */
  readonly head: SegmentHead | null;
  /** How many bytes of the newest segment are complete records. */
  readonly wholeBytes: number;
  /** Whether the newest segment ends in the middle of a line. */
  readonly isTorn: boolean;
  readonly isOwn: boolean;
}

/** The function that computes the checksums of lines, and the id of the key it uses. */
export interface SegmentSums {
  readonly sumOf: RecordSum;
  readonly keyId: string;
}

/**
 * Returns what was read from a file or folder, or null if it does not exist. Any other failure is
 * thrown, because it is then unknown whether the file or folder exists.
 */
export async function nullIfMissing<Found>(reading: Promise<Found>): Promise<Found | null> {
  return reading.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}

/** The name of the file that the holder with this epoch writes. */
export const segmentName = (epoch: number): string => `${String(epoch).padStart(6, "0")}.jsonl`;

/** Returns the numbers of the segments in a folder, in ascending order. */
async function segmentNumbers(folder: string): Promise<readonly number[]> {
  const names = (await nullIfMissing(readdir(folder))) ?? [];
  return names
    .filter((name) => /^\d{6,}\.jsonl$/.test(name))
    .map((name) => Number.parseInt(name, 10))
    .toSorted((a, b) => a - b);
}

/**
 * Reads all accepted lines of the segments and checks each checksum.
 *
 * @throws AgentError `log-corrupt`, `log-truncated` or `log-version`
 */
export async function readSegments(folder: string, sums: SegmentSums): Promise<SegmentsRead> {
  const numbers = await segmentNumbers(folder);
  const texts = await Promise.all(numbers.map((number) => readFile(join(folder, segmentName(number)))));
  let read: SegmentsRead = {
    records: [],
    sum: "",
    head: null,
    wholeBytes: 0,
    isTorn: false,
    isOwn: true,
  };
  for (const [index, number] of numbers.entries()) {
    if (number !== index + 1) throw corruptLogError(`segment ${index + 1} is missing`);
    // The files are read at about the same time. Meanwhile a holder may add lines to this segment,
    // and the next holder may accept them in its head. In that case, the text that was read is
    // shorter than the accepted part.
    read = afterSegment(read, number, texts[index] ?? Buffer.alloc(0), texts[index + 1], sums);
  }
  return read;
}

function afterSegment(
  before: SegmentsRead,
  number: number,
  bytes: Buffer,
  next: Buffer | undefined,
  sums: SegmentSums,
): SegmentsRead {
  const { head, sum, sumOf, length } = readHead(before, number, bytes, sums);
  const isLast = next === undefined;
  const end = isLast ? bytes.length : headOf(next, number + 1).acceptedBytes;
  if (end > bytes.length)
    throw truncated(`segment ${number} has ${bytes.length} bytes, and ${end} of them were accepted`);
  const records = [...before.records];
  const place = { offset: length, sum };
  for (const line of linesOf(bytes.subarray(0, end), length)) {
    const record = readRecord(line.text, place.sum, sumOf ?? sumAsWritten(line.text), records.length + 1);
    if (!record) {
      if (isLast && line.isUnfinished) return { ...read(), isTorn: true };
      throw corruptLogError(`the checksum of event ${records.length + 1} is wrong`);
    }
    records.push(record);
    place.offset = line.end;
    place.sum = record.sum;
  }
  return read();

  function read(): SegmentsRead {
    const isOwn = before.isOwn && head.keyId === sums.keyId;
    return { records, sum: place.sum, head, wholeBytes: place.offset, isTorn: false, isOwn };
  }
}

interface HeadRead {
  readonly head: SegmentHead;
  readonly sum: string;
  /** Computes the checksums of this segment; null when it was written with another key. */
  readonly sumOf: RecordSum | null;
  /** The length of the first line in bytes, with its line break. */
  readonly length: number;
}

function readHead(before: SegmentsRead, number: number, bytes: Buffer, sums: SegmentSums): HeadRead {
  const head = headOf(bytes, number);
  const line = firstLine(bytes);
  // Checksums that were computed with another key cannot be checked. The lines are read anyway:
  // such a log can be shown, but not resumed.
  const sumOf = head.keyId === sums.keyId ? sums.sumOf : null;
  const opened = openedLine(line, head.acceptedSum, sumOf ?? sumAsWritten(line));
  const continues =
    head.epoch === number && (before.head === null ? head.acceptedSum === "" : sumIsKnown(before, head));
  if (!opened || !continues) throw corruptLogError(`the checksum of the first line of segment ${number} is wrong`);
  return { head, sum: opened.sum, sumOf, length: line.length + 1 };
}

/**
 * Says whether the checksum in the head is the checksum of the last accepted line. `before` ends at
 * the last accepted byte of the previous segment.
 */
const sumIsKnown = (before: SegmentsRead, head: SegmentHead): boolean => before.sum === head.acceptedSum;

/**
 * Reads the head of a segment. Checks only the types of its fields; its checksum is checked later.
 */
function headOf(bytes: Buffer, number: number): SegmentHead {
  try {
    const head = JSON.parse(firstLine(bytes)) as SegmentHead;
    const { acceptedBytes, acceptedSum, keyId } = head;
    if (Number.isInteger(acceptedBytes) && typeof acceptedSum === "string" && typeof keyId === "string") return head;
  } catch {
    // Invalid JSON leads to the same error as fields with wrong types.
  }
  throw corruptLogError(`the first line of segment ${number} cannot be read`);
}

function firstLine(bytes: Buffer): string {
  const end = bytes.indexOf(10);
  return bytes.toString("latin1", 0, end === -1 ? bytes.length : end);
}

interface Line {
  readonly text: string;
  /** The position where the next line begins. */
  readonly end: number;
  /**
   * Whether this line can be the result of a crash: it has no line break, or is filled with zeros.
   */
  readonly isUnfinished: boolean;
}

function* linesOf(bytes: Buffer, from: number): Generator<Line> {
  let start = from;
  while (start < bytes.length) {
    const lineBreak = bytes.indexOf(10, start);
    const stop = lineBreak === -1 ? bytes.length : lineBreak;
    const text = bytes.toString("latin1", start, stop);
    const isZero = bytes.subarray(start).every((byte) => byte === 0);
    yield { text, end: Math.min(stop + 1, bytes.length), isUnfinished: lineBreak === -1 || isZero };
    if (isZero) return;
    start = stop + 1;
  }
}

/**
 * Creates the next segment. Its head is first written to a file with a temporary name, so that the
 * segment appears with a complete head or not at all.
 *
 * @returns the open file and the checksum of its head; null when another process was faster
 */
export async function createSegment(
  folder: string,
  head: SegmentHead,
  sumOf: RecordSum,
): Promise<{ readonly file: FileHandle; readonly sum: string } | null> {
  const { line, sum } = sealedLine(head, head.acceptedSum, sumOf);
  const draft = join(folder, `${segmentName(head.epoch)}.${pid}-${Math.random().toString(36).slice(2)}.draft`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND;
  const file = await open(draft, flags, 0o600);
  try {
    await file.writeFile(`${line}\n`);
    await file.sync();
    await link(draft, join(folder, segmentName(head.epoch)));
    await syncFolder(folder);
    return { file, sum };
  } catch (error) {
    await file.close();
    // The cast is safe: errors of the file system have a code.
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return null;
    throw error;
  } finally {
    await unlink(draft).catch(() => {});
  }
}

/**
 * Makes sure that changes to a folder's entries survive a crash. Windows cannot do this and does
 * not need it.
 */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => null);
  if (!handle) return;
  try {
    await handle.sync();
  } catch (error) {
    // Ignore that some file systems refuse to sync a folder. Real failures of the disk are thrown.
    const { code } = error as NodeJS.ErrnoException; // errors of the file system have a code
    if (code === "EIO" || code === "ENOSPC" || code === "EDQUOT" || code === "EROFS") throw error;
  } finally {
    await handle.close();
  }
}

const truncated = (what: string): AgentError =>
  new AgentError("log-truncated", `the end of the run log is missing: ${what}`, {
    hint: "restore the session from a backup; nothing was changed in it",
  });
