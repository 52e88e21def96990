import { type Retries, retrying, type Timeouts } from "@smolts/models";
import {
  adapterOptions,
  brokeOff,
  type Callee,
  createSecrets,
  createStallWatch,
  cutAtStop,
  isUnmistakable,
  learn,
  redactAnswer,
  type StallWatch,
  timedOut,
} from "@smolts/models/adapting";
import {
  AgentError,
  type JsonValue,
  type Model,
  type ModelEvent,
  type OptionTable,
  readOptions,
} from "@smolts/protocol";
import { type AiSdkModel, type AiSdkStream, specificationOf } from "./ai-sdk-model.ts";
import { type CallOptions, callOptions, dispensableOptions } from "./call-options.ts";
import { calleeFor, failureOf, knownSecrets } from "./failure.ts";
import { createPartReader, type PartReader } from "./part-reader.ts";

/** Options of {@link fromAiSdkModel}. */
export interface AiSdkOptions {
  /** For requests that do not say. */
  readonly defaults?: { readonly temperature?: number; readonly maxOutputTokens?: number };
  /**
   * Handed to the provider as they are, by its name:
   * `{ anthropic: { thinking: { type: "enabled" } } }`.
   */
  readonly providerOptions?: { readonly [provider: string]: { readonly [option: string]: JsonValue } };
  /** How long the model may take to begin, and between two pieces, in ms. */
  readonly timeouts?: Timeouts;
  /** How often and how late a failed request is sent again. */
  readonly retries?: Retries;
}

/**
 * A model object of the AI SDK as a model of smolts: `anthropic("...")`, `google("...")` and the
 * like, of specification v2, v3 or v4 (AI SDK 5, 6 and 7).
 *
 * Keys, addresses and redirects are the provider package's own business. Retries and time-outs are
 * done here and shown as events. What the provider says it does not support is in the `details` of
 * the answer's `end`; stop texts are cut here when it does not know them.
 *
 * @throws AgentError `invalid-option` when the object is no such model
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
      yield* cutAtStop(redactAnswer(events, createSecrets(secrets.filter(isUnmistakable))), request.stop);
    },
  };
  return retrying(model, retries);
}

const { defaults, timeouts, retries } = adapterOptions;

const aiSdkOptions: OptionTable<AiSdkOptions> = { defaults, providerOptions: "object", timeouts, retries };

function notAModel(value: unknown): AgentError {
  // A caller without types: a string names a model of the AI SDK's gateway.
  const version = (value as Partial<AiSdkModel> | null | undefined)?.specificationVersion;
  const what = version === undefined ? `a ${typeof value}` : `a model of specification "${version}"`;
  return new AgentError("invalid-option", `${what} is no AI SDK model of specification v2, v3 or v4`, {
    hint: 'pass what a provider package gives, such as anthropic("model-id")',
  });
}

/** A call of a model object, and what its server is known to refuse. */
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
      timedOut(callee, `did not begin to answer within ${firstEventMs} ms`, "firstEventMs"),
    );
    const { stream } = yield* openLearning(call, watch);
    for await (const part of partsOf(stream, watch)) {
      watch.stop();
      yield* eventsOf(reader, part, signal);
      if (reader.hasEnded) return;
      watch.start(idleMs, () => timedOut(callee, `fell silent for ${idleMs} ms`, "idleMs"));
    }
    throw brokeOff(callee);
  } catch (error) {
    throw watch.signal.aborted ? watch.signal.reason : failureOf(error, callee, reader.hasBegun);
  } finally {
    watch.close();
  }
}

/** Repeats a call without what the server refused; each thing is refused once at most. */
async function* openLearning(
  { languageModel, callee, refused, settingsFor }: Call,
  watch: StallWatch,
): AsyncGenerator<ModelEvent, AiSdkStream> {
  for (;;) {
    const settings = await settingsFor();
    try {
      // The settings are those of the object's own specification.
      return await watch.race(languageModel.doStream({ ...settings, abortSignal: watch.signal } as never));
    } catch (error) {
      watch.signal.throwIfAborted();
      const failure = failureOf(error, { ...callee, fields: dispensableOptions(settings, refused) }, false);
      const learned = learn(failure, refused);
      if (learned === null) throw failure;
      yield learned;
    }
  }
}

function* eventsOf(reader: PartReader, part: unknown, signal: AbortSignal): Generator<ModelEvent> {
  for (const event of reader.read(part)) {
    // Events of one part come without a wait in which an abort would show.
    signal.throwIfAborted();
    yield event;
  }
}

/** The parts of a stream. Reading stops on an abort, even if the provider ignores the signal. */
async function* partsOf(stream: ReadableStream<unknown>, watch: StallWatch): AsyncGenerator<unknown> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await watch.race(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    // Nothing depends on an error of a stream that was already left.
    reader.cancel().catch(() => {});
  }
}
