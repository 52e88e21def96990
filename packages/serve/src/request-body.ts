import { type Fields, isFields } from "./openai/content-parts.ts";
import { badRequest, RefusedRequest } from "./refused-request.ts";

/** How much is read of a body, and for how long. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** A body, and its size. */
export interface RequestBody {
  readonly body: Fields;
  readonly bytes: number;
}

/** Reads a body of JSON. @throws RefusedRequest `too-large`, `too-slow`, `bad-request` */
export async function readBody(request: Request, limits: BodyLimits): Promise<RequestBody> {
  // A page of another site can send a form or plain text without being asked for permission, but
  // not JSON.
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
    throw badRequest("the content type is not application/json");
  }
  const { text, bytes } = await readText(request, limits);
  const value = parsed(text);
  if (!isFields(value)) throw badRequest("the body is not a JSON object");
  if (isDeeper(value, maxDepth)) throw badRequest(`the body nests more than ${maxDepth} levels deep`);
  return { body: value, bytes };
}

/** A body that is no JSON at all: protocols have a code of their own for it. */
export class NotJson extends RefusedRequest {}

/**
 * No schema and no data of a client nests deeper, and what walks it later has only so much stack.
 */
const maxDepth = 200;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson("bad-request", "the body is not JSON");
  }
}

/** Level by level, without recursion. */
function isDeeper(value: object, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return false;
}

/** Whether a request may bring many bytes; one in pieces does not say how many. */
export const isLarge = ({ headers }: Request): boolean =>
  !(Number(headers.get("content-length") ?? Number.NaN) < 100_000);

interface BodyText {
  readonly text: string;
  readonly bytes: number;
}

async function readText(request: Request, limits: BodyLimits): Promise<BodyText> {
  if (Number(request.headers.get("content-length") ?? 0) > limits.maxBytes) throw tooLarge(limits);
  return isLarge(request) ? readPieces(request, limits) : readWhole(request, limits);
}

/** Reads a short body at once: to make a stream for it takes longer than to read it. */
async function readWhole(request: Request, limits: BodyLimits): Promise<BodyText> {
  const bytes = await new Promise<Uint8Array>((resolve, reject) => {
    const stop = whenLate(limits.timeoutMs, () => reject(tooSlow(limits)));
    const reading = request.arrayBuffer().finally(stop);
    reading.then((buffer) => resolve(new Uint8Array(buffer)), reject);
  });
  // The server holds a body to its length; a request that a program made may have any.
  if (bytes.length > limits.maxBytes) throw tooLarge(limits);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return { text: decode(decoder, bytes) + decode(decoder), bytes: bytes.length };
}

async function readPieces(request: Request, limits: BodyLimits): Promise<BodyText> {
  const reader = request.body?.getReader();
  if (!reader) return { text: "", bytes: 0 };
  let isLate = false;
  const stop = whenLate(limits.timeoutMs, () => {
    isLate = true;
    reader.cancel().catch(() => {});
  });
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let [text, bytes] = ["", 0];
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes += next.value.length;
      if (bytes > limits.maxBytes) throw tooLarge(limits);
      text += decode(decoder, next.value);
    }
    if (isLate) throw tooSlow(limits);
    return { text: text + decode(decoder), bytes };
  } finally {
    stop();
    reader.cancel().catch(() => {});
  }
}

/**
 * Calls back when a body is late, unless it is stopped before. A server that was busy for that long
 * reads what has arrived before it calls a client late: between two timers it takes what is there.
 */
function whenLate(timeoutMs: number, onLate: () => void): () => void {
  let timer = setTimeout(() => {
    timer = setTimeout(onLate, 1);
  }, timeoutMs);
  return () => clearTimeout(timer);
}

const tooLarge = ({ maxBytes }: BodyLimits): RefusedRequest =>
  new RefusedRequest("too-large", `the body has more than ${maxBytes} bytes`);
const tooSlow = ({ timeoutMs }: BodyLimits): RefusedRequest =>
  new RefusedRequest("too-slow", `the body did not arrive within ${timeoutMs} ms`);

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    throw new NotJson("bad-request", "the body is not UTF-8");
  }
}
