import { AgentError, type Model, type ModelEvent, type ModelRequest, type ModelStreamOptions } from "@smolts/protocol";
import type { AdapterOptions, Retries } from "./adapter-options.ts";
import { type PreparedRequest, streamAnswer } from "./answer-stream.ts";
import { chooseEndpoint, type Endpoint } from "./endpoint.ts";
import type { Callee } from "./failure.ts";
import { createMessageWriter } from "./message-wire.ts";
import type { Provider } from "./provider.ts";
import { createRedact } from "./redact.ts";
import { type BodySettings, requestBody } from "./request-body.ts";
import { retryDelay } from "./retry.ts";

/** Options of {@link openAICompatible}: those of every adapter, and what a preset knows of its provider. */
export interface OpenAICompatibleOptions extends AdapterOptions {
  readonly provider?: Provider;
}

/**
 * A model of any server that speaks OpenAI's Chat Completions: vLLM, LM Studio, llama.cpp, gateways. The presets are this with an address.
 *
 * Answers are streamed. A whole answer to a streaming request is taken, too. Requests go out by the platform's `fetch`, never follow a redirect, and are
 * repeated as `retries` says as long as nothing of an answer was shown. Errors are `generation` or `context-overflow` with {@link FailureDetails}; no key
 * stands in any of them.
 *
 * @param modelId - as the server knows it
 * @throws AgentError `invalid-option`: no address, a missing key, a key that would travel in the clear, an option out of range
 * @example
 * ```ts
 * import { openAICompatible } from "@smolts/models";
 *
 * const model = openAICompatible("Qwen/Qwen3-8B", { baseUrl: "http://127.0.0.1:8000/v1" });
 * console.log(model.id); // 127.0.0.1:8000/Qwen/Qwen3-8B
 * ```
 */
export function openAICompatible(modelId: string, options: OpenAICompatibleOptions = {}): Model {
  checkOptions(modelId, options);
  const { provider, defaults, extra, retries = {} } = options;
  const endpoint = chooseEndpoint(options, provider);
  const body: BodySettings = {
    modelId,
    maxTokensField: provider?.maxTokensField ?? "max_tokens",
    messages: createMessageWriter(options),
    ...(defaults && { defaults }),
    ...(extra && { extra }),
  };
  return {
    id: `${provider?.name ?? new URL(endpoint.url).host}/${modelId}`,
    async *stream(request, streamOptions) {
      streamOptions.signal.throwIfAborted();
      const prepared = await prepare(request, body, options, endpoint, streamOptions);
      streamOptions.signal.throwIfAborted();
      yield* withRetries(prepared.request, prepared.callee, retries, streamOptions.signal);
    },
  };
}

function checkOptions(modelId: string, { extra, retries = {}, timeouts = {} }: OpenAICompatibleOptions): void {
  if (modelId.trim() === "") throw invalidOption("the model id is empty", "write the id as the server knows it");
  if (extra && "messages" in extra) throw invalidOption("extra has messages", "pass messages with the request");
  const { attempts = 1 } = retries;
  if (!Number.isInteger(attempts) || attempts < 1) {
    throw invalidOption(`retries.attempts is ${attempts}; expected a whole number >= 1`, "write 1 for no retry");
  }
  for (const [name, value] of Object.entries({ ...retries, ...timeouts })) {
    if (typeof value === "number" && value >= 0) continue;
    throw invalidOption(
      `${name} is ${JSON.stringify(value)}; expected a number >= 0`,
      "write it in ms, without quotes",
    );
  }
}

async function prepare(
  request: ModelRequest,
  settings: BodySettings,
  { headers = {}, organization, project, fetch = globalThis.fetch, timeouts = {}, provider }: OpenAICompatibleOptions,
  endpoint: Endpoint,
  { readBlob }: ModelStreamOptions,
): Promise<{ readonly request: PreparedRequest; readonly callee: Callee }> {
  const key = await endpoint.readKey();
  const own = {
    "content-type": "application/json",
    accept: "text/event-stream, application/json",
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(organization === undefined ? {} : { "openai-organization": organization }),
    ...(project === undefined ? {} : { "openai-project": project }),
  };
  const named = [...Object.entries(headers), ...new URL(endpoint.url).searchParams];
  const secrets = [...(key === undefined ? [] : [key]), ...secretValues(named)];
  return {
    request: {
      headers: { ...own, ...lowerCased(headers) },
      body: await requestBody(request, settings, readBlob),
      fetch,
      timeouts,
    },
    callee: { modelId: settings.modelId, endpoint, provider, redact: createRedact(secrets) },
  };
}

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Values whose names say that they are secret, and their words: of "Bearer x", also "x". */
function secretValues(named: readonly (readonly [name: string, value: string])[]): readonly string[] {
  return named
    .filter(([name]) => /auth|key|token|secret|cookie|sig/i.test(name))
    .flatMap(([, value]) => [value, ...value.split(/\s+/)]);
}

async function* withRetries(
  request: PreparedRequest,
  callee: Callee,
  retries: Retries,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  for (let attempt = 1; ; attempt++) {
    let wasShown = false;
    try {
      for await (const event of streamAnswer(request, callee, signal)) {
        // Events of one piece of the answer come without a wait in which an abort would show.
        signal.throwIfAborted();
        wasShown = true;
        yield event;
      }
      return;
    } catch (error) {
      if (signal.aborted || wasShown || !AgentError.is(error)) throw error;
      const delayMs = retryDelay(error, attempt, retries);
      if (delayMs === null) throw error;
      yield { type: "retry", attempt, delayMs, error: error.toJSON() };
      await wait(delayMs, signal);
    }
  }
}

/** Waits, or throws the signal's reason as soon as it aborts. */
async function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const onTime = (): void => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    };
    const timer = setTimeout(onTime, delayMs);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

const invalidOption = (message: string, hint: string): AgentError =>
  new AgentError("invalid-option", message, { hint });
