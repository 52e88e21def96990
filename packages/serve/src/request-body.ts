import { isRecord } from "@smolts/protocol";
import type { Fields } from "./openai/content-parts.ts";
import { badRequest, RefusedRequest } from "./refused-request.ts";

/** The largest size of a body, and the longest time that it may take to arrive. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** A parsed body, and its size in bytes. */
export interface RequestBody {
  readonly body: Fields;
  readonly bytes: number;
}

/** Reads a JSON body. @throws RefusedRequest `too-large`, `too-slow`, `bad-request` */
export async function readBody(request: Request, limits: BodyLimits): Promise<RequestBody> {
  // Only JSON is accepted. A browser lets a page of another site send a form or plain text without
  // asking this server for permission, but not JSON.
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
    throw badRequest("the content type is not application/json");
  }
  const { text, bytes } = await readText(request, limits);
  const value = parsed(text);
  if (!isRecord(value)) throw badRequest("the body is not a JSON object");
  if (isDeeper(value, maxDepth)) throw badRequest(`the body nests more than ${maxDepth} levels deep`);
  return { body: value, bytes };
}

/** Says that a body is not JSON. Some protocols have their own error code for it. */
export class NotJson extends RefusedRequest {}

/**
 * The maximum nesting depth of a body. Real requests nest less, and functions that walk a deeper
 * value could overflow the stack.
 */
const maxDepth = 200;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson("bad-request", "the body is not JSON");
  }
}

/**
 * Says whether a value nests deeper than `levels`. Goes level by level, because recursion could
 * overflow the stack.
 */
function isDeeper(value: object, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return false;
}

/**
 * Says whether the body of a request is large, or of unknown size. A chunked request does not
 * report its size.
 */
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

/** Reads a short body in one piece. Making a stream for it would take longer than reading it. */
async function readWhole(request: Request, limits: BodyLimits): Promise<BodyText> {
  const bytes = await new Promise<Uint8Array>((resolve, reject) => {
    const stop = whenLate(limits.timeoutMs, () => reject(tooSlow(limits)));
    const reading = request.arrayBuffer().finally(stop);
    reading.then((buffer) => resolve(new Uint8Array(buffer)), reject);
  });
  // An HTTP server enforces the content length, but a request that a program made may have any
  // length.
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
 * Calls `onLate` when a body is late. Returns a function that stops the timer. After a busy period,
 * data may have arrived in time although Node has not read it yet. So a second, short timer lets
 * Node read it first.
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
