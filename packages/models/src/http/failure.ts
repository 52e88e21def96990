// The errors of requests to a provider. Each one names the model and the address, and says what to
// do. Secrets are removed from all texts of the provider before they are quoted.

import { AgentError, type AgentErrorCode, isRecord } from "@smolts/protocol";
import type { Provider } from "../provider.ts";
import { choiceIn } from "../wires/chat-answer.ts";
import { wireEndOf } from "../wires/finish-reason.ts";
import { type LooseObject, listIn, objectIn, parsedJson, textIn } from "../wires/loose-json.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Redact, redactError } from "./redact.ts";
import { refusedField } from "./refused-field.ts";

/**
 * The `details` of an adapter's `generation` or `context-overflow` error.
 *
 * `reason` is one of these:
 * - `unreachable`: the connection failed, or was lost before the answer began
 * - `timeout`: a limit of `Timeouts` was reached
 * - `status`: the server answered with an HTTP error status
 * - `stream-error`: the server reported an error in the middle of the answer
 * - `broke-off`: the answer is incomplete
 * - `flawed`: the answer contradicts itself
 * - `no-answer`: the response is not a chat completion
 */
export type FailureDetails = {
  readonly reason: "unreachable" | "timeout" | "status" | "stream-error" | "broke-off" | "flawed" | "no-answer";
  /** The HTTP status, or the status that the server reports inside its stream. */
  readonly status?: number;
  /** The wait that the server asks for, in ms. */
  readonly retryAfterMs?: number;
  /**
   * The field of the request that the server does not accept, or the change to the request that may
   * help (one of `concessions`).
   */
  readonly field?: string;
};

/** The model and server that an error is about. */
export interface Callee {
  readonly modelId: string;
  readonly endpoint: Endpoint;
  readonly provider: Provider | undefined;
  readonly redact: Redact;
  /** The fields that the request could be sent without. */
  readonly fields?: readonly string[];
}

/** Creates the error for a connection that failed or was lost. */
export function unreachableError({ modelId, endpoint, provider, redact }: Callee, error: unknown): AgentError {
  const cause = redactError(error, redact);
  const code = codeInCauses(cause);
  const why = code === "UND_ERR_CONNECT_TIMEOUT" ? "it did not connect in time" : (code ?? cause.message);
  const hint = provider?.unreachableHint ?? "check the address and the network, and whether the server is running";
  return failure(
    `model "${modelId}" is unreachable at ${endpoint.shownUrl}: ${why}`,
    { reason: "unreachable" },
    { hint, cause },
  );
}

/** Creates the error for a wait that was too long. */
export function timeoutError({ modelId, endpoint }: Callee, what: string, option: string): AgentError {
  return failure(
    `model "${modelId}" at ${endpoint.shownUrl} ${what}`,
    { reason: "timeout" },
    { hint: `raise the option timeouts.${option}, or look at the server's load` },
  );
}

/** Creates the error for an HTTP error status. */
export function statusError(
  callee: Callee,
  status: number,
  body: string,
  retryAfterMs: number | undefined,
): AgentError {
  const message = `model "${callee.modelId}" at ${callee.endpoint.shownUrl} answered ${status}: ${providerMessage(body, callee.redact)}`;
  const field = reportsOverflow(status, body) ? undefined : refusedField(status, body, callee.fields ?? []);
  const details = {
    reason: "status" as const,
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(field === undefined ? {} : { field }),
  };
  if (reportsOverflow(status, body)) return overflow(message, details);
  return failure(message, details, { hint: hintFor(status, body, callee) });
}

/**
 * Creates the error for a redirect. Redirects are never followed, because they would send the key
 * and the conversation to another address.
 */
export function redirectError({ modelId, endpoint }: Callee): AgentError {
  return failure(
    `model "${modelId}" at ${endpoint.shownUrl} answered with a redirect, which is not followed`,
    { reason: "no-answer" },
    { hint: "set baseUrl to the server's real address" },
  );
}

/** Creates the error for an error object in the stream. */
export function streamError(callee: Callee, chunk: unknown): AgentError {
  const body = JSON.stringify(chunk);
  const status = statusIn(chunk);
  const message = `model "${callee.modelId}" at ${callee.endpoint.shownUrl} failed while answering: ${providerMessage(body, callee.redact)}`;
  const field = reportsOverflow(status ?? 400, body)
    ? undefined
    : refusedField(status ?? 400, body, callee.fields ?? []);
  const details = {
    reason: "stream-error" as const,
    ...(status === undefined ? {} : { status }),
    ...(field === undefined ? {} : { field }),
  };
  return reportsOverflow(status ?? 400, body) ? overflow(message, details) : failure(message, details, {});
}

/**
 * Says whether a piece of an answer reports a failure. Servers report failures in different places:
 * in a field for errors, as the whole object, or as the finish reason.
 */
export function reportsFailure(piece: LooseObject): boolean {
  const reason = choiceIn(piece)["finish_reason"] ?? piece["done_reason"] ?? objectIn(piece["delta"])["stop_reason"];
  return (
    Boolean(piece["error"]) ||
    piece["object"] === "error" ||
    (typeof reason === "string" && wireEndOf(reason) === "error")
  );
}

/** Creates the error for a stream that stopped without an end mark. */
export function brokeOffError({ modelId, endpoint, redact }: Callee, error?: unknown): AgentError {
  const cause = error === undefined ? undefined : redactError(error, redact);
  return failure(
    `the answer of model "${modelId}" at ${endpoint.shownUrl} broke off`,
    { reason: "broke-off" },
    { hint: "the connection was lost or the server stopped; run again", ...(cause && { cause }) },
  );
}

/** Creates the error for an answer that is complete but contradicts itself. */
export function flawedError({ modelId, endpoint }: Callee, flaw: string): AgentError {
  return failure(
    `the answer of model "${modelId}" at ${endpoint.shownUrl} is invalid: ${flaw}`,
    { reason: "flawed" },
    { hint: "run again; if the error persists, the server does not keep to its format" },
  );
}

/** Creates the error for a response that is not a chat completion, such as an HTML page. */
export function noAnswerError({ modelId, endpoint, redact }: Callee, body: string): AgentError {
  return failure(
    `model "${modelId}" at ${endpoint.shownUrl} answered with something other than a chat completion: ${cut(redact(body), 200)}`,
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
  const hint = "use fewer steps, shorter observations, or a model with a larger context";
  return failure(message, details, { hint }, "context-overflow");
}

function hintFor(status: number, body: string, { endpoint, provider }: Callee): string | undefined {
  // Without a database, LiteLLM reports this error for an unknown key, because it cannot look up
  // the key.
  if (status === 401 || status === 403 || /no connected db/i.test(body)) return endpoint.keyHint;
  // A proxy may answer with status 400 for an unknown model, so the text is checked, too.
  if (status === 404 || /model_not_found|(invalid|unknown) model/i.test(body))
    return provider?.unknownModelHint ?? "check the model's id and baseUrl";
  const [, unsupported] = /unsupported (?:parameter|value): '(\w+)'/i.exec(body) ?? [];
  if (unsupported !== undefined)
    return `the model does not accept "${unsupported}": pass extra: { ${unsupported}: null }`;
  if (status === 429) return "the provider's limit is reached: wait, or raise it";
  return undefined;
}

const maxQuoteLength = 2_000;

/**
 * Returns the provider's message: the message in its JSON, if there is one, or else the whole text.
 */
function providerMessage(body: string, redact: Redact): string {
  const parsed = parsedJson(body);
  // Secrets are removed after parsing, because JSON escapes in the text could hide them.
  return cut(redact(messageIn(parsed) ?? body.trim()), maxQuoteLength) || "nothing";
}

function messageIn(body: unknown): string | undefined {
  // Some servers send the error object inside a list.
  const fields = objectIn(Array.isArray(body) ? body[0] : body);
  const error = fields["error"];
  const [firstDetail] = listIn(fields["detail"]);
  return (
    (isRecord(error) ? messageIn(error) : textIn(error)) ??
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
  const words = [error["type"], error["code"], error["status"]].map((word) => textIn(word) ?? "");
  const plain = words.map((word) => word.toLowerCase().replaceAll(/[^a-z]/g, ""));
  return plain.map((word) => statusOfWord.get(word)).find((known) => known !== undefined);
}

/**
 * The HTTP status for each kind of failure that servers name in a stream, because many of them send
 * only the name there. The names are written in lower case, without `_` or spaces.
 */
const statusOfWord: ReadonlyMap<string, number> = new Map([
  ...["ratelimiterror", "ratelimitexceeded", "toomanyrequests", "resourceexhausted"].map(
    (word) => [word, 429] as const,
  ),
  ...["apierror", "servererror", "internalservererror", "internalerror"].map((word) => [word, 500] as const),
  ...["serviceunavailable", "serviceunavailableerror", "unavailable", "overloaded"].map((word) => [word, 503] as const),
  ...["timeouterror", "deadlineexceeded"].map((word) => [word, 504] as const),
  ["overloadederror", 529],
]);

function reportsOverflow(status: number, body: string): boolean {
  return [400, 413, 422, 500].includes(status) && overflowWords.test(body);
}

/** Matches what servers write when a prompt does not fit the model's context. */
const overflowWords = new RegExp(
  [
    "context_length_exceeded",
    "context (?:length|window|size|limit)",
    "(?:maximum|max) (?:context|prompt length|model length)",
    "prompt (?:is too long|exceeds max)",
    "input (?:length )?(?:is too long|exceeds)",
    "input length and",
    "input length should be",
    "input token count .{0,40}exceeds",
    "`inputs` .{0,40}must (?:be <=|have less than)",
    "exceeded model token limit",
    "tokens in the prompt cannot exceed",
  ].join("|"),
  "i",
);

function codeInCauses(error: unknown): string | undefined {
  for (let current = error, depth = 0; isRecord(current) && depth < 6; current = current["cause"], depth++) {
    const code = textIn(current["code"]);
    if (code !== undefined) return code;
  }
  return undefined;
}

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length)} [cut]`);
