import { presets, resolveModel } from "@smolts/models";
import { expect, test } from "vitest";

const key = { apiKey: "example-key" };

const names: readonly (readonly [name: string, id: string])[] = [
  ["openai:gpt-5-mini", "openai/gpt-5-mini"],
  ["ollama:qwen3:8b", "ollama/qwen3:8b"],
  ["hf:Qwen/Qwen3-8B:novita", "hf/Qwen/Qwen3-8B:novita"],
  ["google:gemini-2.5-flash", "gemini/gemini-2.5-flash"],
  ["claude:claude-sonnet-4-5", "anthropic/claude-sonnet-4-5"],
  ["LM_Studio:qwen3", "lmstudio/qwen3"],
  ["together_ai:qwen3", "together/qwen3"],
  ["HfApiModel:Qwen/Qwen3-8B", "hf/Qwen/Qwen3-8B"],
  ["InferenceClientModel:Qwen/Qwen3-8B", "hf/Qwen/Qwen3-8B"],
  ["openai/gpt-5-mini", "openai/gpt-5-mini"],
  ["anthropic/claude-sonnet-4-5", "anthropic/claude-sonnet-4-5"],
  ["google/gemini-2.5-flash", "gemini/gemini-2.5-flash"],
];
test.each(names)("%s is the model %s", (name, id) => {
  expect(resolveModel(name, key).id).toBe(id);
});

const unknown: readonly (readonly [name: string, hint: string])[] = [
  ["opnai:gpt-5", 'did you mean "openai:gpt-5"?'],
  ["antropic:claude-sonnet-4-5", 'did you mean "anthropic:claude-sonnet-4-5"?'],
  ["gpt-5-mini", 'write "openai:gpt-5-mini"'],
  ["claude-sonnet-4-5", 'write "anthropic:claude-sonnet-4-5"'],
  ["Qwen/Qwen3-8B", 'write "hf:Qwen/Qwen3-8B"'],
  ["openai/gpt-oss-20b", 'write "hf:openai/gpt-oss-20b"'],
  ["mistralai/Mistral-7B", 'write "hf:mistralai/Mistral-7B"'],
  ["google/gemma-3-4b", 'write "hf:google/gemma-3-4b"'],
  ["openai", 'write the model\'s id, too: "openai:model-id"'],
  ["openai:", 'write the model\'s id after the colon: "openai:model-id"'],
  ["something", `known presets: ${presets.map(({ provider }) => provider.name).join(", ")};`],
];
test.each(unknown)("%s is refused with a hint", (name, hint) => {
  let error: unknown;
  try {
    resolveModel(name, key);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ code: "invalid-option", hint: expect.stringContaining(hint) });
});

test("a preset's reference creates the same model again", () => {
  for (const { provider, create } of presets) {
    const given = { ...key, ...(provider.baseUrl === undefined ? { baseUrl: "https://example.org" } : {}) };
    const { id, reference } = create("some-model", given);
    expect(reference, provider.name).toBeDefined();
    if (reference === undefined) continue;
    // The options must not contain an address: an agent with an address could only be loaded with
    // `trustCode`.
    if (provider.baseUrl !== undefined) expect(reference.options ?? {}, provider.name).not.toHaveProperty("baseUrl");
    expect(resolveModel(reference.name, { ...key, ...reference.options }).id).toBe(id);
  }
});
