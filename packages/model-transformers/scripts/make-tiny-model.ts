// Creates a real model of about 100 kB that always writes the same text. It has two decoder layers
// with a cache of keys and values, a byte-level tokenizer and a chat template. Its weights are
// random and hardly affect the result. Instead, a table decides which byte follows at each distance
// from the last `<|assistant|>` mark. The model finds that distance as any model would: the first
// layer writes the position of the mark into a channel, and the model attends to that channel
// through the cache.
//
//   tsx packages/model-transformers/scripts/make-tiny-model.ts <folder> <text>

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Graph, type GraphNode, type GraphValue, onnxFile, type Tensor } from "./onnx-file.ts";

/** The behaviour of the model. */
export interface TinyModelOptions {
  /** The model's answer to every prompt. */
  readonly text: string;
  /** Whether the model makes the engine fail instead of ending its answer. Default: false. */
  readonly breaksOff?: boolean;
  /** The maximum number of tokens in the prompt and the answer together. Default: 2,048. */
  readonly contextTokens?: number;
}

/** Writes the model's files in the format that `@huggingface/transformers` reads. */
export async function makeTinyModel(
  folder: string,
  { text, breaksOff = false, contextTokens = 2_048 }: TinyModelOptions,
): Promise<void> {
  const answer = [...new TextEncoder().encode(text)];
  await mkdir(join(folder, "onnx"), { recursive: true });
  await writeFile(join(folder, "onnx", "model.onnx"), onnxFile(graphOf(breaksOff ? answer : [...answer, endToken])));
  const files = { "config.json": config(contextTokens), "tokenizer.json": tokenizer(), ...smallFiles };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content));
}

const specialTokens = ["<|system|>", "<|user|>", "<|assistant|>", "<|tool|>", "<|end|>"];
const assistantToken = 256 + specialTokens.indexOf("<|assistant|>");
const endToken = 256 + specialTokens.indexOf("<|end|>");
const vocabularySize = 256 + specialTokens.length;
const layers = [0, 1];
const heads = 2;
const headSize = 16;
const width = heads * headSize;

function config(contextTokens: number): object {
  return {
    model_type: "llama",
    architectures: ["LlamaForCausalLM"],
    hidden_size: width,
    num_hidden_layers: layers.length,
    num_attention_heads: heads,
    num_key_value_heads: heads,
    head_dim: headSize,
    vocab_size: vocabularySize,
    max_position_embeddings: contextTokens,
    eos_token_id: endToken,
  };
}

const smallFiles = {
  "generation_config.json": { eos_token_id: endToken },
  "tokenizer_config.json": {
    tokenizer_class: "GPT2Tokenizer",
    eos_token: "<|end|>",
    chat_template:
      "{% for message in messages %}{{ '<|' + message.role + '|>' + message.content }}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}",
  },
};

function tokenizer(): object {
  const vocabulary = Object.fromEntries(byteCharacters().map((character, byte) => [character, byte]));
  return {
    version: "1.0",
    added_tokens: specialTokens.map((content, index) => ({
      id: 256 + index,
      content,
      special: true,
      normalized: false,
    })),
    normalizer: null,
    pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, use_regex: true },
    post_processor: null,
    decoder: { type: "ByteLevel" },
    model: { type: "BPE", vocab: vocabulary, merges: [] },
  };
}

/**
 * Returns a visible character for each byte, as byte-level tokenizers write it: the byte's own
 * character, or a character from U+0100 on.
 */
function byteCharacters(): readonly string[] {
  const isVisible = (byte: number): boolean =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isVisible(byte) ? byte : next++));
}

function graphOf(answer: readonly number[]): Graph {
  const random = seededRandom(7);
  const constants: Tensor[] = [
    { name: "answer", dims: [answer.length], values: BigInt64Array.from(answer, BigInt) },
    floats("embedding", [vocabularySize, width], random),
    floats("unembedding", [width, vocabularySize], random),
    ...layers.flatMap((layer) =>
      ["query", "key", "value", "output"].map((part) => floats(`${part}_weight_${layer}`, [width, width], random)),
    ),
    integers("zero", [], [0]),
    integers("one", [], [1]),
    integers("assistant", [], [assistantToken]),
    integers("depth", [], [vocabularySize]),
    integers("heads_shape", [4], [0, 0, heads, headSize]),
    integers("joined_shape", [3], [0, 0, width]),
    integers("axis_1", [1], [1]),
    integers("axis_2", [1], [2]),
    integers("axis_3", [1], [3]),
    { name: "scale", dims: [], values: new Float32Array([headSize ** -0.5]) },
    { name: "small", dims: [], values: new Float32Array([0.01]) },
    { name: "hidden", dims: [], values: new Float32Array([-1e9]) },
    { name: "visible", dims: [], values: new Float32Array([0]) },
    { name: "off_on", dims: [2], values: new Float32Array([0, 20]) },
    {
      name: "first_channel",
      dims: [headSize],
      values: Float32Array.from({ length: headSize }, (_, i) => (i === 0 ? 1 : 0)),
    },
    {
      name: "other_channels",
      dims: [headSize],
      values: Float32Array.from({ length: headSize }, (_, i) => (i === 0 ? 0 : 1)),
    },
  ];
  return {
    nodes: [...beginning(), ...layers.flatMap(layerNodes), ...ending()],
    constants,
    inputs: inputs(),
    outputs: outputs(),
  };
}

const node = (operator: string, inputs: string[], output: string, attributes = {}): GraphNode => ({
  operator,
  inputs,
  outputs: [output],
  attributes,
});

/**
 * Returns the first nodes of the model's graph. They compute what the first layer needs: the
 * embeddings, the mask that hides later tokens, and the positions of the `<|assistant|>` mark.
 */
function beginning(): readonly GraphNode[] {
  return [
    node("Gather", ["embedding", "input_ids"], "stream_0"),
    node("Shape", ["attention_mask"], "mask_shape"),
    node("Gather", ["mask_shape", "one"], "total"),
    node("Range", ["zero", "total", "one"], "key_positions"),
    node("Unsqueeze", ["position_ids", "axis_2"], "query_positions"),
    node("LessOrEqual", ["key_positions", "query_positions"], "is_past"),
    node("Where", ["is_past", "visible", "hidden"], "mask_3"),
    node("Unsqueeze", ["mask_3", "axis_1"], "mask"),
    node("Equal", ["input_ids", "assistant"], "is_mark"),
    node("Where", ["is_mark", "position_ids", "zero"], "mark_positions"),
    node("Cast", ["mark_positions"], "mark_floats", { to: 1 }),
    node("Unsqueeze", ["mark_floats", "axis_1"], "marks_2"),
    node("Unsqueeze", ["marks_2", "axis_3"], "marks_4"),
    node("Mul", ["marks_4", "first_channel"], "notes"),
  ];
}

function layerNodes(layer: number): readonly GraphNode[] {
  const n = (name: string): string => `${name}_${layer}`;
  const split = (part: string): readonly GraphNode[] => [
    node("MatMul", [`stream_${layer}`, n(`${part}_weight`)], n(`${part}_flat`)),
    node("Reshape", [n(`${part}_flat`), "heads_shape"], n(`${part}_split`)),
    node("Transpose", [n(`${part}_split`)], n(part), { perm: [0, 2, 1, 3] }),
  ];
  const noted = layer === 0 ? n("noted_value") : n("value");
  const note = [
    node("Mul", [n("value"), "other_channels"], n("free_value")),
    node("Add", [n("free_value"), "notes"], n("noted_value")),
  ];
  return [
    ...["query", "key", "value"].flatMap(split),
    ...(layer === 0 ? note : []),
    node("Concat", [`past_key_values.${layer}.key`, n("key")], `present.${layer}.key`, { axis: 2 }),
    node("Concat", [`past_key_values.${layer}.value`, noted], `present.${layer}.value`, { axis: 2 }),
    node("Transpose", [`present.${layer}.key`], n("keys"), { perm: [0, 1, 3, 2] }),
    node("MatMul", [n("query"), n("keys")], n("raw_scores")),
    node("Mul", [n("raw_scores"), "scale"], n("scores")),
    node("Add", [n("scores"), "mask"], n("masked")),
    node("Softmax", [n("masked")], n("weights"), { axis: -1 }),
    node("MatMul", [n("weights"), `present.${layer}.value`], n("mixed")),
    node("Transpose", [n("mixed")], n("mixed_split"), { perm: [0, 2, 1, 3] }),
    node("Reshape", [n("mixed_split"), "joined_shape"], n("mixed_flat")),
    node("MatMul", [n("mixed_flat"), n("output_weight")], n("change")),
    node("Mul", [n("change"), "small"], n("small_change")),
    node("Add", [`stream_${layer}`, n("small_change")], `stream_${layer + 1}`),
  ];
}

/**
 * Returns the last nodes of the model's graph. For each position, they look up the byte for the
 * distance between the position and the `<|assistant|>` mark. Positions before the mark are in the
 * prompt, so their bytes do not matter.
 */
function ending(): readonly GraphNode[] {
  return [
    node("Gather", ["present.0.value", "zero"], "notes_of_head", { axis: 1 }),
    node("Gather", ["notes_of_head", "zero"], "noted_marks", { axis: 2 }),
    node("ReduceMax", ["noted_marks"], "mark_float", { axes: [1], keepdims: 1 }),
    node("Cast", ["mark_float"], "mark", { to: 7 }),
    node("Sub", ["position_ids", "mark"], "distance"),
    node("Max", ["distance", "zero"], "place"),
    node("Gather", ["answer", "place"], "next_bytes"),
    node("OneHot", ["next_bytes", "depth", "off_on"], "said", { axis: -1 }),
    node("MatMul", [`stream_${layers.length}`, "unembedding"], "thought"),
    node("Mul", ["thought", "small"], "small_thought"),
    node("Add", ["said", "small_thought"], "logits"),
  ];
}

function inputs(): readonly GraphValue[] {
  return [
    { name: "input_ids", type: "int64", dims: ["batch", "sequence"] },
    { name: "attention_mask", type: "int64", dims: ["batch", "total"] },
    { name: "position_ids", type: "int64", dims: ["batch", "sequence"] },
    ...cacheValues("past_key_values", "past"),
  ];
}

function outputs(): readonly GraphValue[] {
  const logits: GraphValue = { name: "logits", type: "float", dims: ["batch", "sequence", vocabularySize] };
  return [logits, ...cacheValues("present", "all")];
}

function cacheValues(prefix: string, length: string): readonly GraphValue[] {
  return layers.flatMap((layer) =>
    ["key", "value"].map(
      (part): GraphValue => ({
        name: `${prefix}.${layer}.${part}`,
        type: "float",
        dims: ["batch", heads, length, headSize],
      }),
    ),
  );
}

function floats(name: string, dims: readonly number[], random: () => number): Tensor {
  const length = dims.reduce((product, dim) => product * dim, 1);
  return { name, dims, values: Float32Array.from({ length }, () => (random() - 0.5) / 4) };
}

const integers = (name: string, dims: readonly number[], values: readonly number[]): Tensor => ({
  name,
  dims,
  values: BigInt64Array.from(values, BigInt),
});

/** Returns a random generator (mulberry32) with a seed, so that the weights are always the same. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const [, script, folder, text] = process.argv;
if (script !== undefined && import.meta.url === pathToFileURL(script).href) {
  if (folder === undefined || text === undefined) throw new Error("usage: make-tiny-model.ts <folder> <text>");
  await makeTinyModel(folder, { text });
}
