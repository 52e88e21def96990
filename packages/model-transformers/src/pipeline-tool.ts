import { AgentError, type JsonValue, type OptionTable, readOptions, type Tool } from "@smolts/protocol";
import { importLibrary, type TransformersLibrary } from "./library.ts";

/** Options of {@link pipelineTool}. */
export interface PipelineToolOptions {
  /** The name of the tool. Must be a JavaScript identifier. */
  readonly name: string;
  /** Tells the model what the tool does. */
  readonly description: string;
  /**
   * The task's name in the library, such as `translation`, `summarization`, `sentiment-analysis`.
   */
  readonly task: string;
  /** The id of the model. Default: the library's choice for the task. */
  readonly modelId?: string;
  /**
   * Settings that are passed to the pipeline with each text, such as `{ src_lang: "eng_Latn" }`.
   */
  readonly settings?: { readonly [name: string]: JsonValue };
  /** The number format of the weights, such as `"q4"`. Default: the library's choice. */
  readonly dtype?: string;
  /** The device on which the pipeline runs, such as `"webgpu"`. Default: the library's choice. */
  readonly device?: string;
  /** See `TransformersOptions`. */
  readonly library?: () => Promise<TransformersLibrary>;
}

/**
 * Creates a tool from a pipeline of `@huggingface/transformers` that takes text, such as
 * translation, classification or summaries with a small local model.
 *
 * The model is loaded at the first call. The tool returns the pipeline's result as plain data.
 *
 * @example
 * ```ts
 * import { pipelineTool } from "@smolts/model-transformers";
 *
 * const mood = pipelineTool({ name: "mood", description: "Whether a text is positive or negative.", task: "sentiment-analysis" });
 * console.log(mood.name); // mood
 * ```
 */
export function pipelineTool(given: PipelineToolOptions): Tool<{ readonly text: string }, JsonValue> {
  const options = readOptions(given, "pipelineTool()", pipelineToolOptions);
  const { name, description, settings = {} } = options;
  let loading: Promise<Pipeline> | undefined;
  const load = (): Promise<Pipeline> => {
    loading ??= loadPipeline(options).catch((error: unknown) => {
      // The next call tries to load the model again, because the network may be back by then.
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    name,
    description,
    inputSchema: {
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
      additionalProperties: false,
    },
    effects: "none",
    positional: ["text"],
    parseInput: (input) => parseText(name, input),
    async execute({ text }) {
      const run = await load();
      // Converts tensors and typed arrays to lists.
      return JSON.parse(JSON.stringify(await run(text, settings), plainNumbers)) as JsonValue;
    },
  };
}

const pipelineToolOptions: OptionTable<PipelineToolOptions> = {
  name: "required text",
  description: "required text",
  task: "required text",
  modelId: "text",
  settings: "object",
  dtype: "text",
  device: "text",
  library: "function",
};

type Pipeline = (text: string, settings: object) => Promise<unknown>;

async function loadPipeline({
  library: loadLibrary = importLibrary,
  task,
  modelId,
  dtype,
  device,
}: PipelineToolOptions): Promise<Pipeline> {
  const library = await loadLibrary();
  const settings = { ...(dtype === undefined ? {} : { dtype }), ...(device === undefined ? {} : { device }) };
  // The casts are needed because the library's own types are not imported.
  return (await library.pipeline(task as never, modelId as never, settings as never)) as Pipeline;
}

function parseText(name: string, input: unknown): { readonly text: string } {
  const { text } = (typeof input === "object" && input !== null ? input : {}) as { readonly text?: unknown };
  if (typeof text === "string") return { text };
  throw new AgentError("tool-input", `tool "${name}" got no "text"; expected { text: string }`);
}

function plainNumbers(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  return ArrayBuffer.isView(value) && !(value instanceof DataView)
    ? Array.from(value as unknown as ArrayLike<unknown>)
    : value;
}
