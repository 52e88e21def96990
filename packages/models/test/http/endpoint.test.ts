import {
  type AdapterOptions,
  anthropic,
  hf,
  litellm,
  ollama,
  openAICompatible,
  openai,
  presets,
  resolveModel,
} from "@smolts/models";
import { AgentError, type Model } from "@smolts/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sentFor } from "../ask.ts";

const environment = {
  OPENAI_API_KEY: "openai-environment-key",
  OPENAI_BASE_URL: "https://elsewhere.example/v1",
  HF_TOKEN: "hf-environment-key",
  LITELLM_API_KEY: "litellm-environment-key",
};

beforeEach(() => {
  vi.stubEnv("LITELLM_BASE_URL", "");
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

type Make = (modelId: string, options?: AdapterOptions) => Model;

/** Uses Ollama's OpenAI-compatible API, which the server of these tests imitates. */
const ollamaByChat: Make = (modelId, options) => ollama(modelId, { ...options, api: "openai" });

const sentKeys: [what: string, make: Make, options: AdapterOptions, url: string, key: string | null][] = [
  ["OpenAI's to OpenAI", openai, {}, "https://api.openai.com/v1", "openai-environment-key"],
  [
    "OpenAI's to another path of OpenAI",
    openai,
    { baseUrl: "https://api.openai.com/v2/" },
    "https://api.openai.com/v2",
    "openai-environment-key",
  ],
  ["none to another host", openai, { baseUrl: "https://elsewhere.example/v1" }, "https://elsewhere.example/v1", null],
  [
    "none to another port",
    openai,
    { baseUrl: "https://api.openai.com:8443/v1" },
    "https://api.openai.com:8443/v1",
    null,
  ],
  [
    "none to a host that begins like OpenAI's",
    openai,
    { baseUrl: "https://api.openai.com.example/v1" },
    "https://api.openai.com.example/v1",
    null,
  ],
  [
    "none to OpenAI without encryption",
    openai,
    { baseUrl: "http://api.openai.com/v1" },
    "http://api.openai.com/v1",
    null,
  ],
  [
    "a key in code to another host",
    openai,
    { baseUrl: "https://elsewhere.example/v1", apiKey: "code-key" },
    "https://elsewhere.example/v1",
    "code-key",
  ],
  [
    "a key in code instead of the environment's",
    openai,
    { apiKey: " code-key\n" },
    "https://api.openai.com/v1",
    "code-key",
  ],
  ["a key from a function", openai, { apiKey: async () => "fresh-key" }, "https://api.openai.com/v1", "fresh-key"],
  ["Hugging Face's to its router", hf, {}, "https://router.huggingface.co/v1", "hf-environment-key"],
  ["LiteLLM's to its default address", litellm, {}, "http://127.0.0.1:4000/v1", "litellm-environment-key"],
  ["none to another address of LiteLLM", litellm, { baseUrl: "https://proxy.example" }, "https://proxy.example", null],
  ["none to Ollama", ollamaByChat, {}, "http://127.0.0.1:11434/v1", null],
  [
    "a key in code to this machine",
    ollamaByChat,
    { baseUrl: "http://[::1]:1/v1", apiKey: "k" },
    "http://[::1]:1/v1",
    "k",
  ],
  [
    "none to a server without a preset",
    openAICompatible,
    { baseUrl: "http://localhost:8000/v1" },
    "http://localhost:8000/v1",
    null,
  ],
];
test.each(sentKeys)("sends %s", async (_what, make, options, url, key) => {
  const sent = await sentFor({ messages: [] }, options, (all) => make("test-model", all));
  expect(sent.url).toBe(`${url}/chat/completions`);
  expect(sent.headers.get("authorization")).toBe(key === null ? null : `Bearer ${key}`);
  expect(sent.init.redirect).toBe("manual");
});

test("sends LiteLLM's key to the address in LITELLM_BASE_URL, even if code sets the same address", async () => {
  vi.stubEnv("LITELLM_BASE_URL", "https://proxy.example/v1");
  for (const options of [{}, { baseUrl: "https://proxy.example/v1" }]) {
    const { url, headers } = await sentFor({ messages: [] }, options, (all) => litellm("m", all));
    expect([url, headers.get("authorization")]).toEqual([
      "https://proxy.example/v1/chat/completions",
      "Bearer litellm-environment-key",
    ]);
  }
});

test("needs no key for LiteLLM", async () => {
  vi.stubEnv("LITELLM_API_KEY", "");
  expect((await sentFor({ messages: [] }, {}, (all) => litellm("m", all))).headers.has("authorization")).toBe(false);
});

test("keeps the query of an address, and leaves it out of messages", async () => {
  const options = { baseUrl: "https://azure.example/v1?api-version=1" };
  const { url } = await sentFor({ messages: [] }, options, (all) => openAICompatible("m", all));
  expect(url).toBe("https://azure.example/v1/chat/completions?api-version=1");
});

const refusals: [what: string, make: () => Model, message: string, hint: string][] = [
  ["no key for OpenAI", () => openai("m"), "OPENAI_API_KEY is not set", "set OPENAI_API_KEY"],
  ["no key for Hugging Face", () => hf("m"), "HF_TOKEN is not set", "set HF_TOKEN"],
  ["no address", () => openAICompatible("m"), "baseUrl is missing", "such as"],
  ["no scheme", () => openAICompatible("m", { baseUrl: "localhost:8000/v1" }), "is not an http(s) address", "scheme"],
  [
    "a password in the address",
    () => openAICompatible("m", { baseUrl: "https://u:hunter2@h/v1" }),
    "user name or password",
    "apiKey",
  ],
  [
    "a key without encryption",
    () => openAICompatible("m", { baseUrl: "http://10.0.0.1/v1", apiKey: "k" }),
    "without encryption",
    "https",
  ],
  [
    "a key that is not allowed in a header",
    () => openai("m", { apiKey: "hunter2\nhunter3" }),
    "not allowed in a header",
    "pass the key",
  ],
  ["no model", () => openai(" ", { apiKey: "k" }), "a blank text as its model id", 'write openai("gpt-5-mini")'],
  ["no attempts", () => openai("m", { apiKey: "k", retries: { attempts: 0 } }), "retries.attempts is 0", "no retry"],
  [
    "a limit as a string",
    () => openai("m", { apiKey: "k", timeouts: { idleMs: "60s" as never } }),
    'the option "timeouts.idleMs" of openai() is a string; expected a number',
    "idleMs: 10",
  ],
  ["a context as a string", () => ollama("m", { contextTokens: "16k" as never }), 'contextTokens is "16k"', "16_384"],
  [
    "a thinking budget that is too small",
    () => anthropic("m", { apiKey: "k", thinking: { budgetTokens: 100 } }),
    "budgetTokens is 100",
    "adaptive",
  ],
  [
    "messages in extra",
    () => openai("m", { apiKey: "k", extra: { messages: [] } }),
    "extra has messages",
    "with the request",
  ],
];
test.each(refusals)("refuses %s", (_what, make, message, hint) => {
  for (const name of Object.keys(environment)) vi.stubEnv(name, "");
  let error: unknown;
  try {
    make();
  } catch (thrown) {
    error = thrown;
  }
  if (!AgentError.is(error)) throw new Error("it was not refused");
  expect(error.code).toBe("invalid-option");
  expect(error.message).toContain(message);
  expect(error.hint).toContain(hint);
  expect(JSON.stringify(error)).not.toMatch(/hunter/);
});

const names: [name: string, id: string][] = [
  ["openai:gpt-5-mini", "openai/gpt-5-mini"],
  ["hf:Qwen/Qwen3-8B:novita", "hf/Qwen/Qwen3-8B:novita"],
  ["ollama:qwen3:8b", "ollama/qwen3:8b"],
  ["litellm:any", "litellm/any"],
];
test.each(names)("resolves %s", (name, id) => {
  expect(resolveModel(name).id).toBe(id);
});

const presetNames = presets.map(({ provider }) => provider.name).join(", ");
test.each(["gpt-5-mini", "nobody:gpt-5-mini", "openai:", ""])(
  "the error about the name %j lists the presets",
  (name) => {
    let error: unknown;
    try {
      resolveModel(name);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      code: "invalid-option",
      message: expect.stringContaining('"preset:model-id"'),
      hint: expect.stringContaining(`known presets: ${presetNames};`),
    });
  },
);
