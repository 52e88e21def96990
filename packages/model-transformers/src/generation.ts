// Generates one answer with a loaded model. The library pushes text while it computes, but the
// consumer pulls it. A list holds the text that has not been pulled yet.

import type { FailureDetails } from "@smolts/models";
import { AgentError, type FinishReason, type ModelEvent, thrownText } from "@smolts/protocol";
import type { ChatTemplateMessage } from "./chat.ts";
import type { LoadedModel, ModelInputs, StreamerOptions, Tensor, Tokenizer, TransformersLibrary } from "./library.ts";

/** A loaded model, and everything that is needed to run it. */
export interface Engine {
  readonly modelId: string;
  readonly library: TransformersLibrary;
  readonly tokenizer: Tokenizer;
  readonly model: LoadedModel;
}

/** Settings for generating an answer. */
export interface GenerationSettings {
  readonly maxOutputTokens: number;
  /** The sampling temperature. Without it, decoding is greedy. */
  readonly temperature?: number | undefined;
}

/**
 * Generates one answer. If the consumer leaves or the signal aborts, the engine stops at its next
 * token.
 *
 * @throws AgentError `context-overflow` if the prompt leaves no room for an answer; `generation` if
 *   the engine fails; if the signal aborts, its reason is thrown
 */
export async function* generateAnswer(
  engine: Engine,
  chat: readonly ChatTemplateMessage[],
  settings: GenerationSettings,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { library, tokenizer, model } = engine;
  const inputs = tokenizer.apply_chat_template(chat, { add_generation_prompt: true, return_dict: true });
  const room = roomFor(engine, inputs, settings.maxOutputTokens);
  const pieces = createPieces();
  const stopping = new library.InterruptableStoppingCriteria();
  const generating = model
    .generate({
      ...inputs,
      ...sampling(settings),
      max_new_tokens: room,
      streamer: streamer(engine, pieces),
      stopping_criteria: stopping,
    })
    .finally(() => pieces.close());
  // If the consumer leaves early, nothing awaits this promise. This handler prevents that its error
  // is then reported as an unhandled rejection.
  generating.catch(() => {});
  const onAbort = (): void => {
    stopping.interrupt();
    pieces.close();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    for await (const text of pieces) {
      signal.throwIfAborted();
      yield { type: "text-delta", text };
    }
    signal.throwIfAborted();
    yield* endOf(await output(generating, engine), inputs, model);
  } finally {
    signal.removeEventListener("abort", onAbort);
    stopping.interrupt();
    // The engine computes one answer at a time, so the next answer must wait until this answer has
    // stopped.
    await generating.catch(() => {});
  }
}

function roomFor({ modelId, model }: Engine, { input_ids }: ModelInputs, maxOutputTokens: number): number {
  const promptTokens = input_ids.dims[1] ?? 0;
  const contextTokens = model.config.max_position_embeddings ?? Number.POSITIVE_INFINITY;
  if (promptTokens < contextTokens) return Math.min(maxOutputTokens, contextTokens - promptTokens);
  throw new AgentError(
    "context-overflow",
    `the prompt has ${promptTokens} tokens, but the local model "${modelId}" accepts at most ${contextTokens}`,
    { hint: "use fewer steps, shorter observations, or a model with a larger context" },
  );
}

const sampling = ({ temperature = 0 }: GenerationSettings): object =>
  temperature > 0 ? { do_sample: true, temperature } : { do_sample: false };

function streamer({ library, tokenizer }: Engine, pieces: Pieces): object {
  const options: StreamerOptions = { skip_prompt: true, skip_special_tokens: true, callback_function: pieces.push };
  // The casts are needed because the library's own types are not imported.
  return new library.TextStreamer(tokenizer as never, options as never);
}

async function output(generating: Promise<Tensor>, { modelId }: Engine): Promise<Tensor> {
  try {
    return await generating;
  } catch (error) {
    const message = thrownText(error);
    const details: FailureDetails = { reason: "broke-off" };
    throw new AgentError("generation", `the local model "${modelId}" failed: ${message}`, { cause: error, details });
  }
}

function endOf(tokens: Tensor, { input_ids }: ModelInputs, model: LoadedModel): readonly ModelEvent[] {
  const inputTokens = input_ids.dims[1] ?? 0;
  const totalTokens = tokens.dims[1] ?? inputTokens;
  const usage = { inputTokens, outputTokens: totalTokens - inputTokens, totalTokens };
  return [
    { type: "usage", usage },
    { type: "end", finishReason: finishReasonOf(tokens, model) },
  ];
}

function finishReasonOf(tokens: Tensor, { generation_config }: LoadedModel): FinishReason {
  const ends = [generation_config?.eos_token_id ?? []].flat().map(BigInt);
  const last = tokens.tolist()[0]?.at(-1);
  return last !== undefined && ends.includes(BigInt(last)) ? "stop" : "length";
}

/** A list of text pieces. One side pushes text, the other side iterates. */
interface Pieces extends AsyncIterable<string> {
  readonly push: (text: string) => void;
  /** Ends the list. Text that was already pushed can still be read. */
  close(): void;
}

function createPieces(): Pieces {
  const waiting: string[] = [];
  let isClosed = false;
  let wake = (): void => {};
  return {
    push(text) {
      if (text !== "") waiting.push(text);
      wake();
    },
    close() {
      isClosed = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* waiting.splice(0);
        if (waiting.length > 0) continue;
        if (isClosed) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
