// The run file: a log as lines of JSON, one event a line; after them the images and sounds that the events name, one a line. The page reads it
// (`client/run-file.ts`), and believes nothing in it.

import { AgentError, type DurableEvent, type ReadBlob, toBase64 } from "@smolts/protocol";
import { isShownInline } from "./server/media-type.ts";

/** The largest run file that a page holds, in characters. */
const maxLength = 64 * 1024 * 1024;
/** All images and sounds of a run file together, in bytes. */
const maxBlobBytes = 20_000_000;

/** A log as the text of a run file. Images and sounds that cannot be read, or are too many, are left out. */
export async function runFileText(events: readonly DurableEvent[], readBlob?: ReadBlob): Promise<string> {
  const lines: object[] = [...events];
  if (readBlob) lines.push(...(await readBlobs(events, readBlob)));
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/**
 * Looks at a text before it is put into a page.
 *
 * @throws AgentError `log` for a text that is too large, or is no run file
 */
export function checkRunFile(text: string): void {
  if (text.length > maxLength) {
    const sizes = `${Math.ceil(text.length / 1024 / 1024)} MB; expected at most ${maxLength / 1024 / 1024} MB`;
    throw new AgentError("log", `the run file has ${sizes}`, {
      hint: "a file of this size is read line by line by a program, such as jq",
    });
  }
  const first = text.slice(0, 1_000_000).split("\n", 1)[0] ?? "";
  if (isEvent(first)) return;
  throw new AgentError("log", "the file is no run file: its first line is not an event", {
    hint: "a run file is what the page saves, or what smolts run --json prints",
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
  for (const [digest, mediaType] of namedBlobs(events)) {
    if (!isShownInline(mediaType)) continue;
    const bytes = await readBlob(digest).catch(() => null);
    if (!bytes || total + bytes.length > maxBlobBytes) continue;
    total += bytes.length;
    blobs.push({ type: "blob", digest, mediaType, base64: toBase64(bytes) });
  }
  return blobs;
}

/** The media types of all bytes that events name anywhere, by digest. */
function namedBlobs(events: readonly DurableEvent[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const waiting: unknown[] = [...events];
  for (let at = 0; at < waiting.length; at++) {
    const one = waiting[at];
    if (typeof one !== "object" || one === null) continue;
    const { digest, mediaType } = one as { readonly digest?: unknown; readonly mediaType?: unknown }; // looked at here
    if (typeof digest === "string" && typeof mediaType === "string") found.set(digest, mediaType);
    for (const inner of Object.values(one)) waiting.push(inner);
  }
  return found;
}
