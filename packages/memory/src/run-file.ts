// Writes a log as a file that can be passed on: one line of JSON for each event, then one for each
// image or sound that the events refer to.

import {
  AgentError,
  type BlobRef,
  type DurableEvent,
  fromBase64,
  isDurableType,
  type ReadBlob,
  type RunLog,
  toBase64,
} from "@smolts/protocol";

/** The content of a run file. Anybody may have written the file, so nothing in it is trusted. */
export interface RunFile {
  readonly events: readonly DurableEvent[];
  readonly blobs: readonly { readonly digest: string; readonly mediaType: string; readonly bytes: Uint8Array }[];
}

/**
 * Yields the lines of a run file.
 *
 * @throws AgentError `log` when an image or sound is missing
 * @example
 * ```ts
 * import { memoryLog, runFileLines } from "@smolts/memory";
 *
 * const log = memoryLog({ now: () => 0 });
 * log.append({ type: "note", name: "example/hello", data: 1 }, { runId: "r", path: ["agent"] });
 * for await (const line of runFileLines(log)) console.log(line); // {"type":"note",...}
 * ```
 */
export async function* runFileLines(
  log: Pick<RunLog, "read"> & { readonly readBlob: ReadBlob },
): AsyncGenerator<string, void> {
  const events: DurableEvent[] = [];
  for await (const event of log.read()) {
    events.push(event);
    yield JSON.stringify(event);
  }
  for (const [digest, mediaType] of blobsNamedIn(events)) {
    yield JSON.stringify({ type: "blob", digest, mediaType, base64: toBase64(await log.readBlob(digest)) });
  }
}

/**
 * Reads a run file.
 *
 * @throws AgentError `log` with the number of the first line that is not an event, `log-version`
 *   for an event of a newer version
 * @example
 * ```ts
 * import { parseRunFile } from "@smolts/memory";
 *
 * const line = JSON.stringify({ type: "note", name: "example/hello", data: 1, runId: "r", path: ["agent"], seq: 1, time: 0 });
 * console.log(parseRunFile(line).events.length); // 1
 * ```
 */
export function parseRunFile(text: string): RunFile {
  const events: DurableEvent[] = [];
  const blobs: RunFile["blobs"][number][] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const value = parsed(line);
    if (isBlob(value)) blobs.push(blobOf(value, index + 1));
    else events.push(eventOf(value, index + 1, events.length + 1));
  }
  if (events.length > 0) return { events, blobs };
  throw new AgentError("log", "the run file contains no events", { hint });
}

/**
 * Returns the digests of all bytes that the events refer to, each with the media type of the bytes.
 *
 * @example
 * ```ts
 * import { blobsNamedIn } from "@smolts/memory";
 *
 * console.log(blobsNamedIn([]).size); // 0
 * ```
 */
export function blobsNamedIn(events: readonly object[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const waiting: unknown[] = [...events];
  for (let at = 0; at < waiting.length; at++) {
    const one = waiting[at];
    if (typeof one !== "object" || one === null) continue;
    // The cast is safe: the next line checks the properties.
    const { digest, mediaType, size } = one as Partial<Record<keyof BlobRef, unknown>>;
    const isBlob = typeof digest === "string" && typeof mediaType === "string" && typeof size === "number";
    if (isBlob) found.set(digest, mediaType);
    for (const inner of Object.values(one)) waiting.push(inner);
  }
  return found;
}

const hint = "a run file is what smolts export writes, the page saves, or smolts run --json prints";

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function eventOf(value: unknown, lineNumber: number, seq: number): DurableEvent {
  // The cast is safe: the properties are checked below.
  const { type, runId, path, time, seq: given } = (value ?? {}) as Partial<Record<keyof DurableEvent, unknown>>;
  const isEvent =
    typeof type === "string" &&
    typeof runId === "string" &&
    Array.isArray(path) &&
    path.length > 0 &&
    path.every((part) => typeof part === "string") &&
    Number.isFinite(time) &&
    given === seq;
  if (!isEvent) throw new AgentError("log", `line ${lineNumber} of the run file is not event ${seq}`, { hint });
  // The body of the event is not checked here. Code that reads the body must check it.
  if (isDurableType(type)) return value as DurableEvent;
  throw new AgentError("log-version", `the run file contains an event "${type}", which this version does not know`, {
    hint: "read it with the version of smolts that wrote it, or a newer one",
  });
}

interface BlobLine {
  readonly digest: string;
  readonly mediaType: string;
  readonly base64: string;
}

function blobOf({ digest, mediaType, base64 }: BlobLine, lineNumber: number): RunFile["blobs"][number] {
  const bytes = fromBase64(base64);
  if (bytes) return { digest, mediaType, bytes };
  throw new AgentError("log", `line ${lineNumber} of the run file does not contain base64`, { hint });
}

function isBlob(value: unknown): value is BlobLine {
  // The cast is safe: the next line checks the properties.
  const { type, digest, mediaType, base64 } = (value ?? {}) as Partial<Record<string, unknown>>;
  return type === "blob" && [digest, mediaType, base64].every((one) => typeof one === "string");
}
