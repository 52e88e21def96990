// Declares the parts of `@huggingface/transformers` that this package uses. The library is loaded
// at the first use, and its types are not imported. So this package can be built and tested without
// the library's half a gigabyte of native code.

import { AgentError } from "@smolts/protocol";

/** The shape of the module `@huggingface/transformers`. */
export interface TransformersLibrary {
  readonly AutoTokenizer: { from_pretrained(modelId: string, options?: never): Promise<unknown> };
  readonly AutoModelForCausalLM: { from_pretrained(modelId: string, options?: never): Promise<unknown> };
  readonly TextStreamer: new (tokenizer: never, options?: never) => object;
  readonly InterruptableStoppingCriteria: new () => { interrupt(): void };
  pipeline(task: never, modelId?: never, options?: never): Promise<unknown>;
}

/** A tokenizer of the library. */
export interface Tokenizer {
  apply_chat_template(messages: readonly object[], options: object): ModelInputs;
}

/** The inputs of a model, as tensors. */
export interface ModelInputs {
  readonly input_ids: Tensor;
  readonly [name: string]: Tensor;
}

/** A tensor of the library. */
export interface Tensor {
  readonly dims: readonly number[];
  tolist(): readonly (readonly bigint[])[];
}

/** A model of the library. */
export interface LoadedModel {
  readonly config: { readonly max_position_embeddings?: number };
  readonly generation_config?: { readonly eos_token_id?: number | readonly number[] | null } | null;
  generate(options: object): Promise<Tensor>;
}

/** The options of the library's `TextStreamer`. */
export interface StreamerOptions {
  readonly skip_prompt: boolean;
  readonly skip_special_tokens: boolean;
  readonly callback_function: (text: string) => void;
}

/**
 * Imports the library.
 *
 * @throws AgentError `invalid-option` if it is not installed
 */
export async function importLibrary(): Promise<TransformersLibrary> {
  // The name is in a variable, so that TypeScript does not look for the library's types.
  const name = "@huggingface/transformers";
  try {
    return await import(/* @vite-ignore */ name);
  } catch (error) {
    throw new AgentError("invalid-option", `"${name}" cannot be imported`, {
      hint: `install it next to this package ("npm install ${name}"), or pass { library: () => import("${name}") }`,
      cause: error,
    });
  }
}
