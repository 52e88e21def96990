// Writes the run file: the events of a log, then the images and sounds that the events name. Each
// is one line of JSON. The page reads such files (`client/run-file.ts`) and checks everything in
// them.

import { blobsNamedIn } from "@smolts/memory";
import { AgentError, type DurableEvent, type ReadBlob, redact, redactData, toBase64 } from "@smolts/protocol";
import { isShownInline } from "./server/media-type.ts";

/** The largest run file that the page can hold, in characters. */
const maxLength = 64 * 1024 * 1024;
/** The largest size of all images and sounds of a run file together, in bytes. */
const maxBlobBytes = 20_000_000;

/** Settings for making a run file. */
export interface RunFileOptions {
  /** Reads the images and sounds that the events name. Without it they are left out. */
  readonly readBlob?: ReadBlob | undefined;
  /**
   * Removes further secrets from each text. Texts that look like keys or passwords are always
   * removed.
   */
  readonly redact?: ((text: string) => string) | undefined;
}

/** A run file that can be shared with others. */
export interface RunFile {
  readonly text: string;
  /** The number of texts that contained a secret and were changed. */
  readonly redacted: number;
}

/**
 * Writes a log as a run file without secrets. An image or a sound is left out if it cannot be read,
 * or if it would exceed the limit for the total size.
 */
export async function runFileOf(
  events: readonly DurableEvent[],
  { readBlob, redact: further = (text) => text }: RunFileOptions = {},
): Promise<RunFile> {
  let count = 0;
  const withoutSecrets = (text: string): string => {
    const safe = further(redact(text));
    if (safe !== text) count++;
    return safe;
  };
  const lines: object[] = [];
  for (const event of events) {
    const before = count;
    const safe = redactData(event, withoutSecrets);
    // Count a secret that was recognised only by the name of its field, too. `withoutSecrets` has
    // not counted such a secret.
    if (safe !== event && count === before) count++;
    lines.push(safe);
  }
  if (readBlob) lines.push(...(await readBlobs(events, readBlob)));
  return { text: lines.map((line) => `${JSON.stringify(line)}\n`).join(""), redacted: count };
}

/** Removes secrets from the text of a run file, line by line. */
export function redactRunFile(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      try {
        const value: unknown = JSON.parse(line);
        const isBlob = typeof value === "object" && value !== null && "base64" in value;
        return isBlob ? line : JSON.stringify(redactData(value));
      } catch {
        return redact(line);
      }
    })
    .join("\n");
}

/**
 * Checks a text before it is put into a page.
 *
 * @throws AgentError `log` for a text that is too large, or is not a run file
 */
export function checkRunFile(text: string): void {
  if (text.length > maxLength) {
    const sizes = `${Math.ceil(text.length / 1024 / 1024)} MB; expected at most ${maxLength / 1024 / 1024} MB`;
    throw new AgentError("log", `the run file has ${sizes}`, {
      hint: "read a file of this size line by line with a program such as jq",
    });
  }
  const first = text.slice(0, 1_000_000).split("\n", 1)[0] ?? "";
  if (isEvent(first)) return;
  throw new AgentError("log", "the file is not a run file: its first line is not an event", {
    hint: "a run file is what the page saves, what smolts export writes, or what smolts run --json prints",
  });
}

function isEvent(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && "type" in value && "runId" in value && "path" in value;
  } catch {
    return false;
  }
}

interface BlobLine {
  readonly type: "blob";
  readonly digest: string;
  readonly mediaType: string;
  readonly base64: string;
}

async function readBlobs(events: readonly DurableEvent[], readBlob: ReadBlob): Promise<readonly BlobLine[]> {
  const blobs: BlobLine[] = [];
  let total = 0;
  for (const [digest, mediaType] of blobsNamedIn(events)) {
    if (!isShownInline(mediaType)) continue;
    const bytes = await readBlob(digest).catch(() => null);
    if (!bytes || total + bytes.length > maxBlobBytes) continue;
    total += bytes.length;
    blobs.push({ type: "blob", digest, mediaType, base64: toBase64(bytes) });
  }
  return blobs;
}
