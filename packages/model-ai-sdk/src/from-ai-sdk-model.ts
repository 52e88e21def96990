import { type Retries, retrying, type Timeouts } from "@smolts/models";
import {
  adapterOptions,
  brokeOffError,
  type Callee,
  createSecrets,
  createStallWatch,
  cutAtStop,
  isCertainSecret,
  learnRefusedField,
  redactAnswer,
  type StallWatch,
  timeoutError,
} from "@smolts/models/adapting";
import {
  type AgentError,
  invalidOption,
  type JsonValue,
  type Model,
  type ModelEvent,
  type OptionTable,
  readOptions,
} from "@smolts/protocol";
import { type AiSdkModel, type AiSdkStream, type PartStream, specificationOf } from "./ai-sdk-model.ts";
import { type CallOptions, callOptions, dispensableOptions } from "./call-options.ts";
import { calleeFor, failureOf, knownSecrets } from "./failure.ts";
import { createPartReader, type PartReader } from "./part-reader.ts";

/** Options of {@link fromAiSdkModel}. */
export interface AiSdkOptions {
  /** The temperature and the maximum output for requests that do not set their own. */
  readonly defaults?: { readonly temperature?: number; readonly maxOutputTokens?: number };
  /**
   * Options that are passed to the provider unchanged, under the provider's name: `{ anthropic: {
   * thinking: { type: "enabled" } } }`.
   */
  readonly providerOptions?: { readonly [provider: string]: { readonly [option: string]: JsonValue } };
  /**
   * The maximum waiting time for the start of an answer, and between two pieces of the answer, in
   * ms.
   */
  readonly timeouts?: Timeouts;
  /** How often a failed request is repeated, and how long to wait before each repetition. */
  readonly retries?: Retries;
}

/**
 * Creates a model from a model object of the AI SDK, such as `anthropic("...")` or `google("...")`.
 * Supports the specifications v2, v3 and v4 (AI SDK 5, 6 and 7).
 *
 * The provider package handles keys, addresses and redirects. Retries and time-outs are handled
 * here, and retries are shown as events. If the provider reports unsupported settings, the settings
 * are in the `details` of the answer's `end` event. If the provider does not support stop
 * sequences, the answer is cut here.
 *
 * @throws AgentError `invalid-option` if the object is not such a model
 * @example
 * ```ts
 * import { fromAiSdkModel } from "@smolts/model-ai-sdk";
 *
 * const languageModel = {
 *   specificationVersion: "v3",
 *   provider: "example",
 *   modelId: "example-1",
 *   doStream: async () => ({ stream: new ReadableStream<unknown>() }),
 * };
 * console.log(fromAiSdkModel(languageModel).id); // example/example-1
 * ```
 */
export function fromAiSdkModel(languageModel: AiSdkModel, given: AiSdkOptions = {}): Model {
  const specification = specificationOf(languageModel);
  if (specification === undefined) throw notAModel(languageModel);
  const { provider, modelId } = languageModel;
  const options = readOptions(given, "fromAiSdkModel()", aiSdkOptions);
  const { timeouts = {}, retries } = options;
  const refused = new Set<string>();
  const model: Model = {
    id: `${provider}/${modelId}`,
    async *stream(request, { signal, readBlob }) {
      signal.throwIfAborted();
      const watch = createStallWatch(signal);
      const settingsFor = (): Promise<CallOptions> => callOptions(request, specification, options, readBlob, refused);
      const secrets = await watch.race(knownSecrets(languageModel));
      const callee = calleeFor(languageModel, secrets);
      const events = answer({ languageModel, callee, refused, settingsFor }, watch, timeouts, signal);
      yield* cutAtStop(redactAnswer(events, createSecrets(secrets.filter(isCertainSecret))), request.stop);
    },
  };
  return retrying(model, retries);
}

const { defaults, timeouts, retries } = adapterOptions;

const aiSdkOptions: OptionTable<AiSdkOptions> = { defaults, providerOptions: "object", timeouts, retries };

function notAModel(value: unknown): AgentError {
  // A JavaScript caller may pass a string, which the AI SDK uses for models of its gateway.
  const version = (value as Partial<AiSdkModel> | null | undefined)?.specificationVersion;
  const what = version === undefined ? `a ${typeof value}` : `a model of specification "${version}"`;
  return invalidOption(
    `${what} is not an AI SDK model of specification v2, v3 or v4`,
    'pass a model of a provider package, such as anthropic("model-id")',
  );
}

/** A call of a model object, and the options that its server is known to refuse. */
interface Call {
  readonly languageModel: AiSdkModel;
  readonly callee: Callee;
  readonly refused: Set<string>;
  readonly settingsFor: () => Promise<CallOptions>;
}

async function* answer(
  call: Call,
  watch: StallWatch,
  { firstEventMs = 120_000, idleMs = 60_000 }: Timeouts,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { languageModel, callee } = call;
  const reader = createPartReader(languageModel.provider, callee);
  try {
    watch.start(firstEventMs, () =>
      timeoutError(callee, `did not begin to answer within ${firstEventMs} ms`, "firstEventMs"),
    );
    const { stream } = yield* openStream(call, watch);
    for await (const part of partsOf(stream, watch)) {
      watch.stop();
      yield* eventsOf(reader, part, signal);
      if (reader.hasEnded) return;
      watch.start(idleMs, () => timeoutError(callee, `fell silent for ${idleMs} ms`, "idleMs"));
    }
    throw brokeOffError(callee);
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : failureOf(error, callee, reader.hasBegun);
  } finally {
    watch.close();
  }
}

/**
 * Opens a stream. If the server refuses an option, repeats the call without it. Each option can be
 * refused only once.
 */
async function* openStream(
  { languageModel, callee, refused, settingsFor }: Call,
  watch: StallWatch,
): AsyncGenerator<ModelEvent, AiSdkStream> {
  for (;;) {
    const settings = await settingsFor();
    try {
      // The cast is safe: the settings have the format of this model's specification.
      return await watch.race(languageModel.doStream({ ...settings, abortSignal: watch.signal } as never));
    } catch (error) {
      watch.signal.throwIfAborted();
      const failure = failureOf(error, { ...callee, fields: dispensableOptions(settings, refused) }, false);
      const learned = learnRefusedField(failure, refused);
      if (learned === null) throw failure;
      yield learned;
    }
  }
}

function* eventsOf(reader: PartReader, part: unknown, signal: AbortSignal): Generator<ModelEvent> {
  for (const event of reader.read(part)) {
    // The events of one part follow each other without a wait, so the signal is checked before each
    // of them.
    signal.throwIfAborted();
    yield event;
  }
}

/**
 * Yields the parts of a stream. Reading stops on an abort, even if the provider ignores the signal.
 */
async function* partsOf(stream: PartStream, watch: StallWatch): AsyncGenerator<unknown> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await watch.race(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    // The stream is no longer read, so its errors do not matter.
    reader.cancel().catch(() => {});
  }
}
