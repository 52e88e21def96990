// A model behind an HTTP server, for any wire format. Handles keys, retries, refused fields, stop
// sequences and costs.

import {
  AgentError,
  type Model,
  type ModelCapabilities,
  type ModelEvent,
  type ModelRequest,
  type ModelStreamOptions,
  untilAborted,
  wait,
} from "@smolts/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { explainModel } from "../explain-model.ts";
import { modelReference } from "../model-reference.ts";
import type { Provider } from "../provider.ts";
import type { Wire } from "../wires/wire.ts";
import { streamAnswer } from "./answer-stream.ts";
import { checkOptions } from "./check-options.ts";
import { cutAtStop } from "./cut-at-stop.ts";
import { type AddressOf, chooseEndpoint, type Endpoint } from "./endpoint.ts";
import type { Callee } from "./failure.ts";
import { learnRefusedField } from "./learn-refused-field.ts";
import { createPace, type Pace } from "./pace.ts";
import { priced } from "./price.ts";
import { createRedact, createSecrets, isCertainSecret } from "./redact.ts";
import { redactAnswer } from "./redact-answer.ts";
import { retryDelay } from "./retry.ts";
import { withTextCalls } from "./text-calls.ts";

/** The settings of a model that is called over HTTP. */
export interface HttpModelSettings {
  readonly modelId: string;
  readonly options: AdapterOptions;
  readonly provider?: Provider | undefined;
  readonly wire: Wire;
  /** Returns the address for requests. Default: `chat/completions` below the base URL. */
  readonly addressOf?: AddressOf;
  readonly capabilities?: Partial<ModelCapabilities>;
}

/**
 * Creates a model that is called over HTTP.
 *
 * @throws AgentError `invalid-option` if there is no address, if a key is missing or would be sent
 *   unencrypted, or if an option is out of range
 */
export function httpModel(settings: HttpModelSettings): Model {
  const { modelId, options, provider, addressOf, capabilities } = settings;
  checkOptions(options);
  const endpoint = chooseEndpoint(options, provider, addressOf);
  const reference = modelReference(provider, modelId, options);
  const state: ModelState = { endpoint, refused: new Set(), pace: createPace(options.requestsPerMinute) };
  return explainModel({
    id: `${provider?.name ?? new URL(endpoint.url).host}/${modelId}`,
    ...(capabilities && { capabilities }),
    ...(reference && { reference }),
    async *stream(given, streamOptions) {
      streamOptions.signal.throwIfAborted();
      const { responseFormat = options.responseFormat, ...rest } = given;
      const request: ModelRequest = responseFormat === undefined ? rest : { ...rest, responseFormat };
      const key = await untilAborted(endpoint.readKey(), streamOptions.signal);
      const answer = cutAtStop(ask({ request, key, settings, state, streamOptions }), request.stop);
      const { toolCallKeys } = options;
      const hasTools = (request.tools ?? []).length > 0;
      yield* toolCallKeys === undefined || !hasTools ? answer : withTextCalls(answer, toolCallKeys);
    },
  });
}

/** The state that a model keeps between requests. */
interface ModelState {
  readonly endpoint: Endpoint;
  /** The names of fields that the server has refused. */
  readonly refused: Set<string>;
  readonly pace: Pace;
}

/** One call of the model, and everything that it needs. */
interface Call {
  readonly request: ModelRequest;
  readonly key: string | undefined;
  readonly settings: HttpModelSettings;
  readonly state: ModelState;
  readonly streamOptions: ModelStreamOptions;
}

async function* ask(call: Call): AsyncGenerator<ModelEvent> {
  const { settings, state, streamOptions } = call;
  const { retries = {} } = settings.options;
  const { signal } = streamOptions;
  for (let attempt = 1; ; ) {
    let wasShown = false;
    try {
      for await (const event of attemptOf(call)) {
        // One chunk of the answer can contain many events. They arrive without a pause, so the
        // signal is checked before each of them.
        signal.throwIfAborted();
        wasShown = true;
        yield priced(event, settings.options.pricing);
      }
      return;
    } catch (error) {
      if (signal.aborted || wasShown || !AgentError.is(error)) throw error;
      const learned = learnRefusedField(error, state.refused);
      if (learned !== null) {
        yield learned;
        continue;
      }
      const delayMs = retryDelay(error, attempt, retries);
      if (delayMs === null) throw error;
      yield { type: "retry", attempt, delayMs, error: error.toJSON() };
      await wait(delayMs, signal);
      attempt++;
    }
  }
}

async function* attemptOf({ request, key, settings, state, streamOptions }: Call): AsyncGenerator<ModelEvent> {
  const { modelId, options, provider, wire } = settings;
  const { endpoint, refused } = state;
  const { headers = {}, fetch = globalThis.fetch, timeouts = {} } = options;
  const { signal, readBlob } = streamOptions;
  const values = secretValues(options, endpoint, key);
  const callee: Callee = {
    modelId,
    endpoint,
    provider,
    redact: createRedact(values),
    fields: wire.fields(request, refused),
  };
  const body = await wire.body(request, refused, readBlob);
  await state.pace(signal);
  signal.throwIfAborted();
  const sent = { ...ownHeaders(options), ...wire.headers(key), ...lowerCased(headers) };
  const answer = streamAnswer({ headers: sent, body, fetch, timeouts, wire }, callee, signal);
  yield* redactAnswer(answer, createSecrets(values.filter(isCertainSecret)));
}

function ownHeaders({ organization, project }: AdapterOptions): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    accept: "text/event-stream, application/json",
    ...(organization === undefined ? {} : { "openai-organization": organization }),
    ...(project === undefined ? {} : { "openai-project": project }),
  };
}

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/**
 * Returns the secrets of a request: the key, and the values of those headers and URL parameters
 * whose names suggest a secret. Each value is listed whole and word by word, so that "Bearer x"
 * also adds "x".
 */
function secretValues(
  { headers = {} }: AdapterOptions,
  endpoint: Endpoint,
  key: string | undefined,
): readonly string[] {
  const named = [...Object.entries(headers), ...new URL(endpoint.url).searchParams];
  const values = named
    .filter(([name]) => /auth|key|token|secret|cookie|sig/i.test(name))
    .flatMap(([, value]) => [value, ...value.split(/\s+/)])
    .filter((value) => !/^(bearer|basic|digest|token|apikey|negotiate)$/i.test(value));
  return [...(key === undefined ? [] : [key]), ...values];
}
