// This file needs Node's file system, so it is exported only as `@smolts/models/recorded`.

import { appendFile, readFile, writeFile } from "node:fs/promises";
import {
  AgentError,
  type Fetch,
  invalidOption,
  type OptionTable,
  readOptions,
  thrownText,
  wrongArgument,
} from "@smolts/protocol";
import { createRedact, type Redact } from "../http/redact.ts";
import {
  describeRequest,
  type Exchange,
  isSecretName,
  listedHeaders,
  type RecordedRequest,
  type RecordedResponse,
  recordingFormat,
  requestKey,
} from "./http-recording.ts";

/** Options of {@link recorded}. */
export interface RecordOptions {
  /** The `fetch` that sends the requests. Default: the platform's. */
  readonly fetch?: Fetch;
  /**
   * The names of further headers to record. `accept`, `content-type`, `retry-after` and
   * `retry-after-ms` are always recorded. Headers that may hold secrets are refused.
   */
  readonly headers?: readonly string[];
}

/**
 * Creates a `fetch` that records each exchange with a server in a file. Pass it as the option
 * `fetch` of any adapter, or of an SDK that has this option.
 *
 * An existing file is overwritten. Few headers are recorded (see the option `headers`). Secrets
 * from the other headers and from the address are replaced everywhere, even where a server repeats
 * them in plain, base64 or escaped form. The rest of the conversation is recorded unchanged. An
 * exchange is written when its answer has ended.
 *
 * @throws AgentError `invalid-option` if `headers` names a header that may hold a secret
 * @example
 * ```ts
 * import { openAICompatible } from "@smolts/models";
 * import { recorded } from "@smolts/models/recorded";
 *
 * const fetch = recorded("answers.jsonl");
 * const model = openAICompatible("qwen", { baseUrl: "http://127.0.0.1:8000/v1", fetch });
 * console.log(model.id); // 127.0.0.1:8000/qwen
 * ```
 */
export function recorded(file: string, options: RecordOptions = {}): Fetch {
  if (typeof file !== "string") throw wrongArgument("recorded()", file, "a path", 'write recorded("answers.jsonl")');
  const { fetch = globalThis.fetch, headers = [] } = readOptions(options, "recorded()", recordOptions);
  const names = [...keptHeaders, ...headers.map((name) => name.toLowerCase())];
  const refused = headers.find(isSecretName);
  if (refused !== undefined) {
    throw invalidOption(`the header "${refused}" may contain a secret and is not recorded`, "leave it off the list");
  }
  let begun: Promise<void> | undefined;
  const write = async (exchange: Exchange): Promise<void> => {
    begun ??= writeFile(file, `${JSON.stringify(recordingFormat)}\n`);
    await begun;
    await appendFile(file, `${JSON.stringify(exchange)}\n`);
  };
  return async (input, init) => {
    const redact = redactFor(input, init);
    const request = await describeRequest(input, init, names, redact);
    let response: Response;
    try {
      response = await fetch(input, init);
    } catch (error) {
      const message = redact(thrownText(error));
      await write({ type: "exchange", request, outcome: { type: "failure", message } });
      throw error;
    }
    return observed(response, (pieces, end) => {
      const { status } = response;
      const outcome = { type: "response", status, headers: listedHeaders(response.headers, names), end } as const;
      return write({ type: "exchange", request, outcome: { ...outcome, pieces: redactedPieces(pieces, redact) } });
    });
  };
}

/**
 * Creates a `fetch` that answers from a recording and sends nothing. Each exchange is used once,
 * for a request with the same method, path and body. The host may differ.
 *
 * A request that is not in the recording is answered with status 400 and a message that says so,
 * which adapters throw as `generation`.
 *
 * @throws AgentError `log`, at the first request, if the file is not a recording
 * @example
 * ```ts
 * import { openAICompatible } from "@smolts/models";
 * import { replayed } from "@smolts/models/recorded";
 *
 * const model = openAICompatible("qwen", { baseUrl: "http://127.0.0.1:1/v1", fetch: replayed("answers.jsonl") });
 * console.log(model.id); // 127.0.0.1:1/qwen
 * ```
 */
export function replayed(file: string): Fetch {
  let left: Promise<Exchange[]> | undefined;
  return async (input, init) => {
    left ??= readRecording(file);
    const exchanges = await left;
    const request = await describeRequest(input, init, []);
    const place = exchanges.findIndex((exchange) => requestKey(exchange.request) === requestKey(request));
    const [exchange] = place < 0 ? [] : exchanges.splice(place, 1);
    if (exchange === undefined) return notRecorded(file, request);
    const { outcome } = exchange;
    if (outcome.type === "failure") throw new TypeError(outcome.message);
    return new Response(bodyOf(outcome), { status: outcome.status, headers: outcome.headers });
  };
}

const recordOptions: OptionTable<RecordOptions> = { fetch: "function", headers: "texts" };

const keptHeaders = ["accept", "content-type", "retry-after", "retry-after-ms"];

function redactFor(input: string | URL | Request, init: RequestInit | undefined): Redact {
  const url = new URL(input instanceof Request ? input.url : input);
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
  const named = [...headers, ...url.searchParams].filter(([name]) => isSecretName(name));
  return createRedact(named.flatMap(([, value]) => [value, ...value.split(/\s+/)]));
}

/** Returns a copy of the response that collects the pieces of its body while they are read. */
function observed(
  response: Response,
  onEnd: (pieces: readonly string[], end: RecordedResponse["end"]) => Promise<void>,
): Response {
  const pieces: string[] = [];
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const reader = response.body?.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value, error } = await nextPiece(reader);
      if (value) {
        pieces.push(decoder.decode(value, { stream: true }));
        controller.enqueue(value);
      } else if (done) {
        await onEnd([...pieces, decoder.decode()], "whole");
        controller.close();
      } else {
        await onEnd(pieces, "broken");
        controller.error(error);
      }
    },
    async cancel(reason) {
      await onEnd(pieces, "left");
      await reader?.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(bodiless.has(status) ? null : body, { status, statusText, headers });
}

async function nextPiece(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined; readonly error?: unknown }> {
  if (!reader) return { done: true };
  try {
    return await reader.read();
  } catch (error) {
    return { done: false, error };
  }
}

const bodiless = new Set([101, 204, 205, 304]);

/**
 * Removes secrets from the pieces of a body. A secret may be split over several pieces. If so, the
 * pieces are joined into one.
 */
function redactedPieces(pieces: readonly string[], redact: Redact): readonly string[] {
  const text = pieces.join("");
  const redacted = redact(text);
  return redacted === text ? pieces.filter((piece) => piece !== "") : [redacted];
}

async function readRecording(file: string): Promise<Exchange[]> {
  const [first = "", ...lines] = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  if (first !== JSON.stringify(recordingFormat)) {
    throw new AgentError("log", `"${file}" is not a recording of this version`, { hint: "record it again" });
  }
  // The cast is safe: the function `recorded` wrote these lines.
  return lines.map((line) => JSON.parse(line) as Exchange);
}

function notRecorded(file: string, { method, url }: RecordedRequest): Response {
  const message = `${method} ${new URL(url).pathname} with this body is not in the recording "${file}", or was served already`;
  return Response.json({ error: { message } }, { status: 400 });
}

function bodyOf({ status, pieces, end }: RecordedResponse): ReadableStream<Uint8Array> | null {
  if (bodiless.has(status)) return null;
  const waiting = pieces.values();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = waiting.next();
      if (!done) controller.enqueue(new TextEncoder().encode(value));
      else if (end === "broken") controller.error(new TypeError("terminated"));
      else controller.close();
    },
  });
}
