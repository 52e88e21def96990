import type { FailureDetails } from "@smolts/models";
import { adapterOptions, cutAtStop, readModelOptions } from "@smolts/models/adapting";
import { AgentError, type Model, type OptionTable } from "@smolts/protocol";
import { toChat } from "./chat.ts";
import { type Engine, generateAnswer } from "./generation.ts";
import { importLibrary, type LoadedModel, type Tokenizer, type TransformersLibrary } from "./library.ts";
import { createTurns, untilAborted } from "./turns.ts";

/** Options of {@link transformers}; all optional. */
export interface TransformersOptions {
  /**
   * Which of the model's files to load, such as `q4` or `fp32`. Default: the library's choice for
   * the device.
   */
  readonly dtype?: string;
  /** Such as `cpu`, `webgpu`, `wasm`. Default: the library's choice. */
  readonly device?: string;
  /** The revision of the model's repository. Default: `main`. */
  readonly revision?: string;
  /** For requests that do not say. Default: 4,096 tokens, always the likeliest one. */
  readonly defaults?: { readonly temperature?: number; readonly maxOutputTokens?: number };
  /** Told how far each file is, while the model is fetched and loaded. */
  readonly onProgress?: (progress: LoadProgress) => void;
  /**
   * Gives the library, for bundlers and to change its settings first. Default:
   * `import("@huggingface/transformers")`.
   */
  readonly library?: () => Promise<TransformersLibrary>;
}

/** How far a file is. */
export interface LoadProgress {
  readonly file: string;
  readonly loadedBytes: number;
  readonly totalBytes: number;
}

/**
 * A model that runs in this process, through `@huggingface/transformers`: in Node or in a browser,
 * with no server and no key.
 *
 * The model is fetched from the Hugging Face hub and loaded at the first call, once; answers are
 * computed one at a time. It takes text, and cuts at stop texts by itself; native tools and
 * response formats it has none: use it with a `CodeAgent`.
 *
 * @param modelId - of a repository with ONNX files, such as `onnx-community/Qwen3-0.6B-ONNX`
 * @throws AgentError `invalid-option` when the id is empty; at the first call, when the library is
 *   not installed
 * @example
 * ```ts
 * import { transformers } from "@smolts/model-transformers";
 *
 * const model = transformers("onnx-community/Qwen3-0.6B-ONNX", { dtype: "q4" });
 * console.log(model.id); // transformers/onnx-community/Qwen3-0.6B-ONNX
 * ```
 */
export function transformers(modelId: string, given: TransformersOptions = {}): Model {
  const provider = { name: "transformers", exampleModel: "onnx-community/Qwen3-0.6B-ONNX" };
  const options = readModelOptions(provider, { modelId, options: given, table: transformersOptions });
  const { defaults = {} } = options;
  const turns = createTurns();
  let loading: Promise<Engine> | undefined;
  const load = (): Promise<Engine> => {
    loading ??= loadEngine(modelId, options).catch((error: unknown) => {
      // The next call tries again: the network may be back.
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    id: `transformers/${modelId}`,
    capabilities: { tools: false, stop: true, structuredOutput: false, vision: false, audio: false },
    async *stream(request, { signal }) {
      signal.throwIfAborted();
      const chat = toChat(request);
      const { temperature = defaults.temperature, maxOutputTokens = defaults.maxOutputTokens ?? 4_096 } = request;
      const engine = await untilAborted(load(), signal);
      const endTurn = await turns.take(signal);
      try {
        const answer = generateAnswer(engine, chat, { temperature, maxOutputTokens }, signal);
        yield* cutAtStop(answer, request.stop);
      } finally {
        endTurn();
      }
    },
  };
}

const transformersOptions: OptionTable<TransformersOptions> = {
  dtype: "text",
  device: "text",
  revision: "text",
  defaults: adapterOptions.defaults,
  onProgress: "function",
  library: "function",
};

async function loadEngine(
  modelId: string,
  { library: giveLibrary = importLibrary, dtype, device, revision, onProgress }: TransformersOptions,
): Promise<Engine> {
  const library = await giveLibrary();
  const settings = {
    ...(dtype === undefined ? {} : { dtype }),
    ...(device === undefined ? {} : { device }),
    ...(revision === undefined ? {} : { revision }),
    ...(onProgress && { progress_callback: progressListener(onProgress) }),
  };
  try {
    // The library's own types, which are not imported.
    const tokenizer = (await library.AutoTokenizer.from_pretrained(modelId, settings as never)) as Tokenizer;
    const model = (await library.AutoModelForCausalLM.from_pretrained(modelId, settings as never)) as LoadedModel;
    return { modelId, library, tokenizer, model };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const details: FailureDetails = { reason: "unreachable" };
    throw new AgentError("generation", `the local model "${modelId}" could not be loaded: ${message}`, {
      hint: "check the id (its repository needs ONNX files), the network, and dtype and device",
      cause: error,
      details,
    });
  }
}

/** The library reports many things; the growth of files is one of them. */
function progressListener(
  onProgress: (progress: LoadProgress) => void,
): (told: Readonly<Record<string, unknown>>) => void {
  return ({ status, file, loaded, total }) => {
    if (status !== "progress") return;
    onProgress({ file: String(file), loadedBytes: Number(loaded), totalBytes: Number(total) });
  };
}
