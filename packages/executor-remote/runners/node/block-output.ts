import { inspect } from "node:util";
import type { BlockOutput, EncodedValue, OutputMedia } from "@smolts/protocol";

/** Options for the output of a block. */
export interface OutputOptions {
  readonly maxChars: number;
  /** Encodes a value for the host. Throws for values that cannot be encoded. */
  readonly encode: (value: unknown) => EncodedValue;
}

const maxMedia = 10;

/**
 * Returns the output of a block's last value: its text, the value itself if it is plain data, and
 * its images.
 */
export async function blockOutput(value: unknown, { maxChars, encode }: OutputOptions): Promise<BlockOutput> {
  const media = await mediaIn(value);
  const text = cut(media.length > 0 ? describeMedia(media) : shownText(value), maxChars);
  if (media.length > 0) return { text, media };
  try {
    return { text, value: encode(value) };
  } catch {
    return { text };
  }
}

function shownText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return inspect(value, { depth: 6, breakLength: 120, maxArrayLength: 10_000, maxStringLength: 100_000 });
  } catch (error) {
    return `[a value that cannot be shown${reasonOf(error)}]`;
  }
}

function reasonOf(error: unknown): string {
  try {
    return `: ${String(error)}`;
  } catch {
    return ""; // the program's own error cannot be shown as text either
  }
}

async function mediaIn(value: unknown): Promise<OutputMedia[]> {
  const found: OutputMedia[] = [];
  for (const item of Array.isArray(value) && value.length <= maxMedia ? value : [value]) {
    const media = await mediaOf(item);
    if (!media) return [];
    found.push(media);
  }
  return found;
}

async function mediaOf(value: unknown): Promise<OutputMedia | null> {
  if (value instanceof Blob && /^(?:image|audio)\//.test(value.type)) {
    return { mediaType: value.type, data: Buffer.from(await value.arrayBuffer()).toString("base64") };
  }
  if (!(value instanceof Uint8Array)) return null;
  const mediaType = imageType(value);
  return mediaType ? { mediaType, data: Buffer.from(value).toString("base64") } : null;
}

function imageType(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (start.startsWith("\x89PNG\r\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("GIF8")) return "image/gif";
  return start.startsWith("RIFF") && start.endsWith("WEBP") ? "image/webp" : null;
}

const describeMedia = (media: readonly OutputMedia[]): string =>
  media.map(({ mediaType }) => `[${mediaType}]`).join(" ");

const cut = (text: string, length: number): string =>
  length > 0 && text.length > length ? `${text.slice(0, length)} ...` : text;
