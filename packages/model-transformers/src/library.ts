// `@huggingface/transformers`, as much of it as is used. It is loaded at first use, and its types
// are not imported: it brings half a gigabyte of native code, which whoever only builds or tests
// this package need not have.

import { AgentError } from "@smolts/protocol";

/** The module `@huggingface/transformers`, by its shape. */
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

/** What goes into a model, as tensors. */
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

/** The options of a streamer of the library. */
export interface StreamerOptions {
  readonly skip_prompt: boolean;
  readonly skip_special_tokens: boolean;
  readonly callback_function: (text: string) => void;
}

/**
 * Imports the library.
 *
 * @throws AgentError `invalid-option` when it is not installed
 */
export async function importLibrary(): Promise<TransformersLibrary> {
  // Not a literal: the package is not there where this one is built.
  const name = "@huggingface/transformers";
  try {
    return await import(/* @vite-ignore */ name);
  } catch (error) {
    throw new AgentError("invalid-option", `"${name}" cannot be imported`, {
      hint: `install it beside this package ("npm install ${name}"), or pass { library: () => import("${name}") }`,
      cause: error,
    });
  }
}
