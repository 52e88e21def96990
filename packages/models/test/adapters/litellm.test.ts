import { type AdapterOptions, generate, litellm } from "@smolts/models";
import { startModelServer } from "@smolts/testing/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { message, sentFor } from "../ask.ts";
import { keepsContract } from "../preset.ts";

beforeEach(() => vi.stubEnv("LITELLM_BASE_URL", ""));
afterEach(() => vi.unstubAllEnvs());

keepsContract(litellm);

const names: [name: string, options: AdapterOptions, id: string][] = [
  ["gpt-4o", { apiKey: "k" }, "openai/gpt-4o"],
  ["openai/gpt-4o", { apiKey: "k" }, "openai/gpt-4o"],
  ["anthropic/claude-3-5-sonnet-latest", { apiKey: "k" }, "anthropic/claude-3-5-sonnet-latest"],
  ["huggingface/together/deepseek-ai/DeepSeek-R1", { apiKey: "k" }, "hf/deepseek-ai/DeepSeek-R1:together"],
  ["together_ai/meta-llama/Llama-3.3-70B", { apiKey: "k" }, "together/meta-llama/Llama-3.3-70B"],
  ["ollama_chat/llama3.2", {}, "ollama/llama3.2"],
  ["ollama_chat/llama3.2", { baseUrl: "http://localhost:11434", apiKey: "your-api-key" }, "ollama/llama3.2"],
  ["litellm_proxy/ollama_chat/llama3.2", { baseUrl: "http://localhost:4000" }, "litellm/ollama_chat/llama3.2"],
  ["anthropic/claude", { baseUrl: "http://localhost:4000" }, "litellm/anthropic/claude"],
  ["my-model", {}, "litellm/my-model"],
];
test.each(names)("%s with %o is the model %s", (name, options, id) => {
  expect(litellm(name, options).id).toBe(id);
});

test("uses the proxy of the environment for every prefix", () => {
  vi.stubEnv("LITELLM_BASE_URL", "http://127.0.0.1:4000");
  expect(litellm("anthropic/claude").id).toBe("litellm/anthropic/claude");
  expect(litellm("ollama_chat/llama3.2").id).toBe("litellm/ollama_chat/llama3.2");
});

test("sends options that only the proxy has", async () => {
  const added = { metadata: { team: "fish" }, fallbacks: ["other"], dropParams: true };
  const { body } = await sentFor({ messages: [] }, { baseUrl: "http://127.0.0.1:4000/v1" }, (all) =>
    litellm("my-model", { ...all, ...added }),
  );
  expect(body).toMatchObject({ metadata: { team: "fish" }, fallbacks: ["other"], drop_params: true });
});

test("reports the cost from the proxy's header", async () => {
  const completion = {
    choices: [{ message: { content: "ok" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  };
  const headers = { "x-litellm-response-cost": "0.0125" };
  await using server = await startModelServer([{ status: 200, headers, body: completion }]);
  const { usage } = await generate(litellm("m", { baseUrl: server.url }), { messages: [message("user", "hi")] });
  expect(usage?.costUsd).toBe(0.0125);
});

test("passes on the context of an Ollama model", async () => {
  await using server = await startModelServer(["ok"]);
  const model = litellm("ollama_chat/llama3.2", { baseUrl: server.url, apiKey: "YOUR_API_KEY", contextTokens: 8_192 });
  await generate(model, { messages: [message("user", "hi")] });
  expect(server.requests[0]?.body).toMatchObject({ model: "llama3.2", options: { num_ctx: 8_192 } });
});
