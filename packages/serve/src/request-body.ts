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
  // A page of another site can send a form or plain text without being asked for permission, but not JSON.
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

/** No schema and no data of a client nests deeper, and what walks it later has only so much stack. */
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

async function readText(
  request: Request,
  { maxBytes, timeoutMs }: BodyLimits,
): Promise<{ readonly text: string; readonly bytes: number }> {
  const tooLarge = (): RefusedRequest => new RefusedRequest("too-large", `the body has more than ${maxBytes} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const reader = request.body?.getReader();
  if (!reader) return { text: "", bytes: 0 };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reader.cancel().catch(() => {});
  }, timeoutMs);
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let [text, bytes] = ["", 0];
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes += next.value.length;
      if (bytes > maxBytes) throw tooLarge();
      text += decode(decoder, next.value);
    }
    if (isLate) throw new RefusedRequest("too-slow", `the body did not arrive within ${timeoutMs} ms`);
    return { text: text + decode(decoder), bytes };
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => {});
  }
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    throw new NotJson("bad-request", "the body is not UTF-8");
  }
}
