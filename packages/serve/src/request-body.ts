import { type Fields, isFields } from "./openai/content-parts.ts";
import { badRequest, RefusedRequest } from "./refused-request.ts";

/** How much is read of a body, and for how long. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** Reads a body of JSON. @throws RefusedRequest `too-large`, `too-slow`, `bad-request` */
export async function readBody(request: Request, limits: BodyLimits): Promise<Fields> {
  // A page of another site can send a form or plain text without being asked for permission, but not JSON.
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) {
    throw badRequest("the content type is not application/json");
  }
  const value = parsed(await readText(request, limits));
  if (isFields(value)) return value;
  throw badRequest("the body is not a JSON object");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest("the body is not JSON");
  }
}

async function readText(request: Request, { maxBytes, timeoutMs }: BodyLimits): Promise<string> {
  const tooLarge = (): RefusedRequest => new RefusedRequest("too-large", `the body has more than ${maxBytes} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const reader = request.body?.getReader();
  if (!reader) return "";
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reader.cancel().catch(() => {});
  }, timeoutMs);
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let [text, length] = ["", 0];
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length;
      if (length > maxBytes) throw tooLarge();
      text += decode(decoder, next.value);
    }
    if (isLate) throw new RefusedRequest("too-slow", `the body did not arrive within ${timeoutMs} ms`);
    return text + decode(decoder);
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => {});
  }
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    throw badRequest("the body is not UTF-8");
  }
}
