// Reads a run file. The file may come from anybody, so its size, its depth and the shape of its
// events are checked, and no address in it is followed.

import { type DurableEvent, isRecord, maxValueDepth } from "@smolts/protocol";
import { isEvent, isKnownEvent } from "./event-shapes.ts";

/** The content of a run file. */
export interface RunFile {
  readonly events: readonly DurableEvent[];
  /** The images, sounds and files that the run file contains, as base64, by digest. */
  readonly blobs: ReadonlyMap<string, { readonly mediaType: string; readonly base64: string }>;
  /** The problems that were found; empty for most files. */
  readonly problems: readonly RunFileProblem[];
}

/** A problem of a run file that can still be shown. */
export type RunFileProblem =
  | { readonly type: "newer"; readonly count: number }
  | { readonly type: "unreadable"; readonly count: number }
  | { readonly type: "cut" };

/** Says why a file cannot be opened at all. */
export class RunFileError extends Error {
  readonly type: "empty" | "not-a-run" | "too-large";
  constructor(type: RunFileError["type"]) {
    super(type);
    this.type = type;
  }
}

/**
 * The largest run file that a page can hold, in bytes. Exports have the same limit
 * (`src/run-file.ts`).
 */
export const maxFileBytes = 64 * 1024 * 1024;
const maxLineLength = 64_000_000;

/**
 * Reads a run file, or the run file inside an exported page.
 *
 * @throws RunFileError when it is not a run file at all
 */
export function readRunFile(text: string): RunFile {
  const lines = /^\s*<!doctype html/i.test(text) ? embedded(text) : text;
  const events: DurableEvent[] = [];
  const blobs = new Map<string, { mediaType: string; base64: string }>();
  let [unreadable, newer] = [0, 0];
  let start = 0;
  while (start < lines.length) {
    const found = lines.indexOf("\n", start);
    const end = found < 0 ? lines.length : found;
    const line = end - start > maxLineLength ? null : lines.slice(start, end).trim();
    start = end + 1;
    if (line === "") continue;
    const record = line === null ? null : parsed(line);
    if (record === null) unreadable++;
    else if (isEvent(record)) {
      if (isKnownEvent(record.type)) events.push(record);
      else newer++;
    } else if (isBlob(record)) blobs.set(record.digest, record);
    else if (typeof record["type"] === "string" && !isKnownEvent(record["type"])) newer++;
    else unreadable++;
  }
  if (events.length === 0) throw new RunFileError(lines.trim() === "" ? "empty" : "not-a-run");
  if (!events.some(({ type }) => type === "run-start")) throw new RunFileError("not-a-run");
  const problems: RunFileProblem[] = [];
  if (newer > 0) problems.push({ type: "newer", count: newer });
  if (unreadable > 0) problems.push({ type: "unreadable", count: unreadable });
  return { events: dense(events), blobs, problems };
}

/** Returns the run file inside an exported page, where it is stored as base64. */
function embedded(page: string): string {
  const found = /<template id="run-file"[^>]*>([A-Za-z0-9+/=\s]*)<\/template>/.exec(page);
  if (!found) throw new RunFileError("not-a-run");
  try {
    const bytes = Uint8Array.from(atob(found[1]!.replace(/\s/g, "")), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    throw new RunFileError("not-a-run");
  }
}

function parsed(line: string): { readonly [key: string]: unknown } | null {
  if (depthOf(line) > maxValueDepth * 4) return null;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Returns how deep brackets nest outside of strings. The depth is checked before the line is
 * parsed.
 */
function depthOf(line: string): number {
  let [depth, most, inString] = [0, 0, false];
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) most = Math.max(most, ++depth);
    else if (code === 0x7d || code === 0x5d) depth--;
  }
  return most;
}

function isBlob(record: {
  readonly [key: string]: unknown;
}): record is { digest: string; mediaType: string; base64: string } {
  const { type, digest, mediaType, base64 } = record;
  return type === "blob" && typeof digest === "string" && typeof mediaType === "string" && typeof base64 === "string";
}

/** Sorts events by their numbers in the log, and removes duplicates. */
function dense(events: DurableEvent[]): readonly DurableEvent[] {
  const isOrdered = events.every((event, index) => index === 0 || event.seq > events[index - 1]!.seq);
  if (isOrdered) return events;
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  return [...bySeq.values()].sort((left, right) => left.seq - right.seq);
}
