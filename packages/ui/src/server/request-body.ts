// Reads the bodies of requests, and checks them before they are used.

import {
  AgentError,
  type ApprovalDecision,
  type DoubtDecision,
  isRecord,
  type JsonValue,
  readApprovalDecision,
} from "@smolts/protocol";
import type { Decide, EnterRequest, Fork, NewSession, Say, StartRun } from "../wire.ts";
import { RefusedRequest } from "./refusal.ts";

/**
 * The largest body of a request, in bytes. Bodies contain only short texts; files are uploaded by
 * another request.
 */
const maxBodyBytes = 1_000_000;

type Fields = { readonly [name: string]: unknown };

/**
 * Reads a JSON object.
 *
 * @throws RefusedRequest `too-large`, `wrong-type` or `bad-request`
 */
export async function jsonBody(request: Request): Promise<Fields> {
  // Accept only JSON. A page of another site can make the browser send a form or plain text to this
  // server. But the browser sends JSON from another site only if this server allows it.
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\b/i.test(type)) {
    throw new RefusedRequest("wrong-type", `the body is "${type}"; expected application/json`);
  }
  const bytes = await cappedBytes(request, maxBodyBytes);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new RefusedRequest("bad-request", "the body is not JSON");
  }
  if (isRecord(value)) return value;
  throw new RefusedRequest("bad-request", "the body is not a JSON object");
}

/** Reads a body, and stops when it becomes too large. @throws RefusedRequest `too-large` */
export async function cappedBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = (): RefusedRequest =>
    new RefusedRequest("too-large", `the body has more than ${maxBytes} bytes`, { details: { maxBytes } });
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Reads the body of `POST ./api/enter`. */
export const readEnter = (body: Fields): EnterRequest => {
  const code = optionalText(body, "code");
  return code === undefined ? {} : { code };
};

export const readNewSession = (body: Fields): NewSession => {
  const title = optionalText(body, "title");
  return title === undefined ? {} : { title: title.slice(0, 200) };
};

export const readTitle = (body: Fields): string => text(body, "title").slice(0, 200);

export const readRunId = (body: Fields): string => text(body, "runId");

export const readSay = (body: Fields): Say => ({ runId: text(body, "runId"), text: spoken(body, "text") });

export function readStartRun(body: Fields): StartRun {
  const requestId = text(body, "requestId");
  const task = optionalText(body, "task");
  const { input, uploads = [] } = body;
  if (!Array.isArray(uploads) || !uploads.every((id) => typeof id === "string")) {
    throw new RefusedRequest("bad-request", "uploads is not a list of ids");
  }
  return {
    requestId,
    ...(task === undefined ? {} : { task }),
    ...(input === undefined ? {} : { input: input as JsonValue }), // safe cast: the body was JSON
    uploads,
  };
}

export function readFork(body: Fields): Fork {
  const { stepNumber, repeatEffects } = body;
  const [code, message] = [optionalText(body, "code"), optionalText(body, "message")];
  if (typeof stepNumber !== "number" || !Number.isSafeInteger(stepNumber) || stepNumber < 1) {
    throw new RefusedRequest("bad-request", "stepNumber is not the number of a step");
  }
  return {
    runId: text(body, "runId"),
    stepNumber,
    ...(code === undefined || code.trim() === "" ? {} : { code }),
    ...(message === undefined || message.trim() === "" ? {} : { message }),
    ...(repeatEffects === true ? { repeatEffects } : {}),
  };
}

export function readDecide(body: Fields): Decide {
  return {
    runId: text(body, "runId"),
    callId: text(body, "callId"),
    digest: text(body, "digest"),
    decision: readDecision(body["decision"]),
  };
}

function readDecision(value: unknown): ApprovalDecision | DoubtDecision {
  const given = typeof value === "object" && value !== null ? (value as Fields) : {};
  const { type } = given;
  switch (type) {
    case "approve":
      return { type };
    case "edit":
      return { type, input: given["input"] };
    case "deny": {
      const reason = optionalText(given, "reason");
      return reason === undefined ? { type } : { type, reason };
    }
    case "always":
      return standingConsent(given);
    case "happened":
      return { type, output: given["output"] };
    case "again":
    case "again-as-new":
      return { type };
    case "fail": {
      const reason = optionalText(given, "reason");
      return reason === undefined ? { type } : { type, reason };
    }
    default:
      throw new RefusedRequest("bad-request", `decision.type is ${JSON.stringify(type)}, which is not a decision`);
  }
}

/**
 * Reads a decision for all calls of a tool. Throws for unknown fields: if a misspelt limit were
 * ignored, the decision would allow too much.
 */
function standingConsent(given: Fields): ApprovalDecision {
  try {
    return readApprovalDecision(given);
  } catch (error) {
    throw new RefusedRequest("bad-request", AgentError.is(error) ? error.message : String(error));
  }
}

function optionalText(body: Fields, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || typeof value === "string") return value;
  throw new RefusedRequest("bad-request", `${name} is not a string`);
}

function text(body: Fields, name: string): string {
  const value = optionalText(body, name);
  if (value !== undefined && value !== "") return value;
  throw new RefusedRequest("bad-request", `${name} is missing`);
}

function spoken(body: Fields, name: string): string {
  const value = text(body, name);
  if (value.trim() !== "") return value;
  throw new RefusedRequest("bad-request", `${name} is empty`);
}
