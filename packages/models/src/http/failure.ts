// What can go wrong between us and a provider, as errors that name the model, the address and what
// to do. Texts of the provider pass the redactor first.

import { AgentError, type AgentErrorCode } from "@smolts/protocol";
import type { Provider } from "../provider.ts";
import { choiceIn } from "../wires/chat-answer.ts";
import { wireEndOf } from "../wires/finish-reason.ts";
import { isObject, type LooseObject, listIn, objectIn, parsedJson, textIn } from "../wires/loose-json.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Redact, redactError } from "./redact.ts";
import { refusedField } from "./refused-field.ts";

/**
 * The `details` of a `generation` or `context-overflow` error of an adapter.
 *
 * `unreachable`: no connection, or it was lost before an answer began. `timeout`: see `Timeouts`.
 * `status`: the server answered with an HTTP status that says no. `stream-error`: it said so in the
 * middle of the answer. `broke-off`: the answer ended before its end. `flawed`: it contradicts
 * itself. `no-answer`: the response is not a chat completion.
 */
export type FailureDetails = {
  readonly reason: "unreachable" | "timeout" | "status" | "stream-error" | "broke-off" | "flawed" | "no-answer";
  /** The HTTP status, or the one that the server names in its stream. */
  readonly status?: number;
  /** How long the server asks to wait, in ms. */
  readonly retryAfterMs?: number;
  /** The field of the request that the server does not take, or what of the messages. */
  readonly field?: string;
};

/** Whom an error is about. */
export interface Callee {
  readonly modelId: string;
  readonly endpoint: Endpoint;
  readonly provider: Provider | undefined;
  readonly redact: Redact;
  /** The fields of the request that could be left out. */
  readonly fields?: readonly string[];
}

/** No connection, or one that was lost. */
export function unreachable({ modelId, endpoint, provider, redact }: Callee, error: unknown): AgentError {
  const cause = redactError(error, redact);
  const code = codeDown(cause);
  const why = code === "UND_ERR_CONNECT_TIMEOUT" ? "it did not connect in time" : (code ?? cause.message);
  const hint = provider?.unreachableHint ?? "check the address and the network, and whether the server is running";
  return failure(
    `model "${modelId}" is unreachable at ${endpoint.shownUrl}: ${why}`,
    { reason: "unreachable" },
    { hint, cause },
  );
}

/** A wait that was too long. */
export function timedOut({ modelId, endpoint }: Callee, what: string, option: string): AgentError {
  return failure(
    `model "${modelId}" at ${endpoint.shownUrl} ${what}`,
    { reason: "timeout" },
    { hint: `raise the option timeouts.${option}, or look at the server's load` },
  );
}

/** An HTTP status that says no. */
export function refused(callee: Callee, status: number, body: string, retryAfterMs: number | undefined): AgentError {
  const message = `model "${callee.modelId}" at ${callee.endpoint.shownUrl} answered ${status}: ${saidBy(body, callee.redact)}`;
  const field = tellsOfOverflow(status, body) ? undefined : refusedField(status, body, callee.fields ?? []);
  const details = {
    reason: "status" as const,
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(field === undefined ? {} : { field }),
  };
  if (tellsOfOverflow(status, body)) return overflow(message, details);
  return failure(message, details, { hint: hintFor(status, body, callee) });
}

/** A redirect: never followed, since it would take the key and the conversation somewhere else. */
export function redirected({ modelId, endpoint }: Callee): AgentError {
  return failure(
    `model "${modelId}" at ${endpoint.shownUrl} answered with a redirect, which is not followed`,
    { reason: "no-answer" },
    { hint: "set baseUrl to where the server really is" },
  );
}

/** An error object in the stream. */
export function failedInStream(callee: Callee, chunk: unknown): AgentError {
  const body = JSON.stringify(chunk);
  const status = statusIn(chunk);
  const message = `model "${callee.modelId}" at ${callee.endpoint.shownUrl} failed while answering: ${saidBy(body, callee.redact)}`;
  const field = tellsOfOverflow(status ?? 400, body)
    ? undefined
    : refusedField(status ?? 400, body, callee.fields ?? []);
  const details = {
    reason: "stream-error" as const,
    ...(status === undefined ? {} : { status }),
    ...(field === undefined ? {} : { field }),
  };
  return tellsOfOverflow(status ?? 400, body) ? overflow(message, details) : failure(message, details, {});
}

/**
 * Whether a piece of an answer reports a failure: under its own key, from some servers as the whole
 * object, or as the reason of the end.
 */
export function tellsOfFailure(piece: LooseObject): boolean {
  const reason = choiceIn(piece)["finish_reason"] ?? piece["done_reason"] ?? objectIn(piece["delta"])["stop_reason"];
  return (
    Boolean(piece["error"]) ||
    piece["object"] === "error" ||
    (typeof reason === "string" && wireEndOf(reason) === "error")
  );
}

/** A stream that ended without saying that it ends. */
export function brokeOff({ modelId, endpoint, redact }: Callee, error?: unknown): AgentError {
  const cause = error === undefined ? undefined : redactError(error, redact);
  return failure(
    `the answer of model "${modelId}" at ${endpoint.shownUrl} broke off`,
    { reason: "broke-off" },
    { hint: "the connection was lost or the server stopped; run again", ...(cause && { cause }) },
  );
}

/** An answer that came whole and cannot be relied on. */
export function flawed({ modelId, endpoint }: Callee, flaw: string): AgentError {
  return failure(
    `the answer of model "${modelId}" at ${endpoint.shownUrl} is not sound: ${flaw}`,
    { reason: "flawed" },
    { hint: "run again; if it stays so, the server does not keep to its format" },
  );
}

/** A page, a text, anything but a chat completion. */
export function noAnswer({ modelId, endpoint, redact }: Callee, body: string): AgentError {
  return failure(
    `model "${modelId}" at ${endpoint.shownUrl} answered with something else than a chat completion: ${cut(redact(body), 200)}`,
    { reason: "no-answer" },
    { hint: endpoint.shownUrl.endsWith("/chat/completions") ? baseUrlHint : "check baseUrl" },
  );
}

const baseUrlHint = 'check baseUrl: it is everything before "/chat/completions", and usually ends in "/v1"';

function failure(
  message: string,
  details: FailureDetails,
  options: { readonly hint?: string | undefined; readonly cause?: Error },
  code: AgentErrorCode = "generation",
): AgentError {
  return new AgentError(code, message, { ...options, details });
}

function overflow(message: string, details: FailureDetails): AgentError {
  const hint = "give it less to read: fewer steps, shorter observations, or a model with a larger context";
  return failure(message, details, { hint }, "context-overflow");
}

function hintFor(status: number, body: string, { endpoint, provider }: Callee): string | undefined {
  // LiteLLM looks a key that it does not know up in its database, and has none.
  if (status === 401 || status === 403 || /no connected db/i.test(body)) return endpoint.keyHint;
  // A proxy may answer 400 for it.
  if (status === 404 || /model_not_found|(invalid|unknown) model/i.test(body))
    return provider?.unknownModelHint ?? "check the model's id and baseUrl";
  const [, unsupported] = /unsupported (?:parameter|value): '(\w+)'/i.exec(body) ?? [];
  if (unsupported !== undefined)
    return `the model does not take "${unsupported}": pass extra: { ${unsupported}: null }`;
  if (status === 429) return "the provider's limit is reached: wait, or raise it";
  return undefined;
}

const longestQuote = 2_000;

/** The provider's message: the one in its JSON, or else the text it sent. */
function saidBy(body: string, redact: Redact): string {
  const parsed = parsedJson(body);
  // Redacted after parsing: the message's own escapes must not hide the key.
  return cut(redact(messageIn(parsed) ?? body.trim()), longestQuote) || "nothing";
}

function messageIn(body: unknown): string | undefined {
  // A list with one error is known, too.
  const fields = objectIn(Array.isArray(body) ? body[0] : body);
  const error = fields["error"];
  const [firstDetail] = listIn(fields["detail"]);
  return (
    (isObject(error) ? messageIn(error) : textIn(error)) ??
    textIn(fields["message"]) ??
    textIn(fields["detail"]) ??
    textIn(objectIn(firstDetail)["msg"])
  );
}

function statusIn(chunk: unknown): number | undefined {
  const fields = objectIn(chunk);
  const error = objectIn(fields["error"] ?? fields);
  const status = Number(error["code"] ?? error["status"]);
  if (Number.isInteger(status) && status >= 400 && status < 600) return status;
  return statusOfType.get(textIn(error["type"]) ?? "");
}

/** Anthropic names no status in a stream. */
const statusOfType: ReadonlyMap<string, number> = new Map([
  ["rate_limit_error", 429],
  ["api_error", 500],
  ["timeout_error", 504],
  ["overloaded_error", 529],
]);

function tellsOfOverflow(status: number, body: string): boolean {
  if (![400, 413, 422, 500].includes(status)) return false;
  return /context_length_exceeded|context (length|window|size)|maximum context|prompt is too long|input (length )?(is too long|exceeds)|input length and/i.test(
    body,
  );
}

function codeDown(error: unknown): string | undefined {
  for (let current = error, depth = 0; isObject(current) && depth < 6; current = current["cause"], depth++) {
    const code = textIn(current["code"]);
    if (code !== undefined) return code;
  }
  return undefined;
}

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length)} [cut]`);
