import { type AdapterOptions, azure } from "@smolts/models";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sentFor } from "../ask.ts";
import { answerIn, keepsContract } from "../preset.ts";

beforeEach(() => {
  vi.stubEnv("AZURE_OPENAI_ENDPOINT", "https://mine.openai.azure.com/");
  vi.stubEnv("AZURE_OPENAI_API_KEY", "azure-environment-key");
  vi.stubEnv("OPENAI_API_VERSION", "");
});
afterEach(() => vi.unstubAllEnvs());

keepsContract(azure);

const addresses: [what: string, options: object, url: string, key: string | null][] = [
  [
    "the endpoint of the environment",
    {},
    "https://mine.openai.azure.com/openai/v1/chat/completions",
    "azure-environment-key",
  ],
  [
    "a dated version",
    { apiVersion: "2024-10-21" },
    "https://mine.openai.azure.com/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21",
    "azure-environment-key",
  ],
  [
    "an endpoint in code, without the environment's key",
    { baseUrl: "https://other.openai.azure.com/openai/v1" },
    "https://other.openai.azure.com/openai/v1/chat/completions",
    null,
  ],
];
test.each(addresses)("asks %s", async (_what, options, url, key) => {
  const sent = await sentFor({ messages: [] }, options, (all?: AdapterOptions) =>
    azure("my-gpt", { ...options, ...all }),
  );
  expect(sent.url).toBe(url);
  expect(sent.headers.get("api-key")).toBe(key);
  expect(sent.headers.has("authorization")).toBe(false);
  expect(sent.body["model"]).toBe("my-gpt");
});

test("the error about a missing endpoint names the variable", () => {
  vi.stubEnv("AZURE_OPENAI_ENDPOINT", "");
  expect(() => azure("my-gpt")).toThrow("baseUrl is missing");
});

test("reads a stream that begins with the results of a content filter", async () => {
  const { message, finishReason } = await answerIn("azure-filter.documented.sse", azure);
  expect(message.content).toEqual([{ type: "text", text: "42" }]);
  expect(finishReason).toBe("content-filter");
});
