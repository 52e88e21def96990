// Imitates `@huggingface/transformers` without its engine. The only model always writes the same
// text, five characters per token.

import type { TransformersLibrary } from "@smolts/model-transformers";

/** The behaviour of the fake. */
export interface FakeOptions {
  readonly text: string;
  /** The number of tokens after which the engine fails. */
  readonly failsAfter?: number;
  /** Whether loading never ends. */
  readonly hangs?: boolean;
  readonly contextTokens?: number;
}

/** A {@link TransformersLibrary} that records its calls. */
export interface FakeLibrary {
  readonly library: () => Promise<TransformersLibrary>;
  readonly prompts: (readonly object[])[];
  readonly settings: GenerateOptions[];
  /** Returns the highest number of answers that were computed at the same time. */
  readonly mostAtOnce: () => number;
  readonly tokensComputed: () => number;
}

interface GenerateOptions {
  readonly max_new_tokens: number;
  readonly do_sample: boolean;
  readonly temperature?: number;
  readonly streamer: FakeStreamer;
  readonly stopping_criteria: FakeStopping;
}

class FakeStreamer {
  readonly say: (text: string) => void;
  constructor(_tokenizer: never, options?: never) {
    // The cast is safe: the package calls the library with this option.
    this.say = (options as unknown as { callback_function: (text: string) => void }).callback_function;
  }
}

class FakeStopping {
  isInterrupted = false;
  interrupt(): void {
    this.isInterrupted = true;
  }
}

const promptTokens = 8;
const endToken = 7n;

/** Creates a {@link FakeLibrary}. */
export function fakeLibrary({ text, failsAfter, hangs = false, contextTokens = 4_096 }: FakeOptions): FakeLibrary {
  const prompts: (readonly object[])[] = [];
  const settings: GenerateOptions[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  let computed = 0;
  const tokens = text.match(/.{1,5}/gsu) ?? [];
  const tokenizer = {
    apply_chat_template(messages: readonly object[]) {
      prompts.push(messages);
      return { input_ids: { dims: [1, promptTokens] } };
    },
  };
  const generate = async (options: GenerateOptions) => {
    settings.push(options);
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    const said = tokens.slice(0, options.max_new_tokens);
    let count = 0;
    try {
      for (const token of said) {
        await new Promise((resolve) => setImmediate(resolve));
        if (options.stopping_criteria.isInterrupted) break;
        if (count === failsAfter) throw new Error("the engine is out of memory");
        count++;
        computed++;
        options.streamer.say(token);
      }
    } finally {
      atOnce--;
    }
    const hasEnded = count === tokens.length;
    return { dims: [1, promptTokens + count], tolist: () => [[hasEnded ? endToken : 1n]] };
  };
  const library: TransformersLibrary = {
    AutoTokenizer: { from_pretrained: async () => tokenizer },
    AutoModelForCausalLM: {
      from_pretrained: async () => ({
        config: { max_position_embeddings: contextTokens },
        generation_config: { eos_token_id: Number(endToken) },
        generate,
      }),
    },
    TextStreamer: FakeStreamer,
    InterruptableStoppingCriteria: FakeStopping,
    pipeline: async () => async (asked: string) => [
      { label: asked.includes("good") ? "POSITIVE" : "NEGATIVE", score: 1n },
    ],
  };
  return {
    library: () => (hangs ? new Promise(() => {}) : Promise.resolve(library)),
    prompts,
    settings,
    mostAtOnce: () => mostAtOnce,
    tokensComputed: () => computed,
  };
}
