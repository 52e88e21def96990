import type { FailureDetails } from "@smolts/models";
import { adapterOptions, cutAtStop, readModelOptions } from "@smolts/models/adapting";
import { AgentError, type Model, type OptionTable, thrownText, untilAborted } from "@smolts/protocol";
import { toChat } from "./chat.ts";
import { type Engine, generateAnswer } from "./generation.ts";
import { importLibrary, type LoadedModel, type Tokenizer, type TransformersLibrary } from "./library.ts";
import { createTurns } from "./turns.ts";

/** Options of {@link transformers}. All of them are optional. */
export interface TransformersOptions {
  /**
   * The number format of the weights, such as `q4` or `fp32`, which decides which of the model's
   * files are loaded. Default: the library's choice for the device.
   */
  readonly dtype?: string;
  /**
   * The device on which the model runs, such as `cpu`, `webgpu` or `wasm`. Default: the library's
   * choice.
   */
  readonly device?: string;
  /** The revision of the model's repository. Default: `main`. */
  readonly revision?: string;
  /** Used if a request sets no value of its own. Default: 4,096 tokens, and greedy decoding. */
  readonly defaults?: { readonly temperature?: number; readonly maxOutputTokens?: number };
  /** Called with the progress of each file, while the model is downloaded and loaded. */
  readonly onProgress?: (progress: LoadProgress) => void;
  /**
   * Returns the library. Set this option if a bundler must see the import, or to change the
   * library's settings first. Default: `import("@huggingface/transformers")`.
   */
  readonly library?: () => Promise<TransformersLibrary>;
}

/** The progress of one file. */
export interface LoadProgress {
  readonly file: string;
  readonly loadedBytes: number;
  readonly totalBytes: number;
}

/**
 * Creates a model that runs in this process with `@huggingface/transformers`, in Node or in a
 * browser. It needs no server and no key.
 *
 * At the first call, the model is downloaded from the Hugging Face Hub and loaded. Answers are
 * computed one at a time. The model accepts text, and its answers are cut at stop sequences. It
 * does not support native tools and response formats, so use it with a `CodeAgent`.
 *
 * @param modelId - the id of a repository with ONNX files, such as `onnx-community/Qwen3-0.6B-ONNX`
 * @throws AgentError `invalid-option` if the id is empty; at the first call, if the library is not
 *   installed
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
      // The next call tries to load the model again, because the network may be back by then.
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
  { library: loadLibrary = importLibrary, dtype, device, revision, onProgress }: TransformersOptions,
): Promise<Engine> {
  const library = await loadLibrary();
  const settings = {
    ...(dtype === undefined ? {} : { dtype }),
    ...(device === undefined ? {} : { device }),
    ...(revision === undefined ? {} : { revision }),
    ...(onProgress && { progress_callback: progressListener(onProgress) }),
  };
  try {
    // The cast is needed because the library's own types are not imported.
    const tokenizer = (await library.AutoTokenizer.from_pretrained(modelId, settings as never)) as Tokenizer;
    const model = (await library.AutoModelForCausalLM.from_pretrained(modelId, settings as never)) as LoadedModel;
    return { modelId, library, tokenizer, model };
  } catch (error) {
    const message = thrownText(error);
    const details: FailureDetails = { reason: "unreachable" };
    throw new AgentError("generation", `the local model "${modelId}" could not be loaded: ${message}`, {
      hint: "check the id (its repository needs ONNX files), the network, and dtype and device",
      cause: error,
      details,
    });
  }
}

/**
 * Returns a listener for the library's progress events. It reports how much of each file is
 * downloaded, and ignores the other kinds of events.
 */
function progressListener(
  onProgress: (progress: LoadProgress) => void,
): (event: Readonly<Record<string, unknown>>) => void {
  return ({ status, file, loaded, total }) => {
    if (status !== "progress") return;
    onProgress({ file: String(file), loadedBytes: Number(loaded), totalBytes: Number(total) });
  };
}
