import { openai } from "@smolts/model-openai";
import { modelContract } from "@smolts/testing";
import { startModelServer } from "@smolts/testing/server";
import { describe, test } from "vitest";
import { contractFetch } from "./responses-fetch.ts";

const retries = { attempts: 1 };

describe("Responses keeps the contract of models", () => {
  const cases = modelContract(async (reply) => ({
    model: openai("test", { apiKey: "sk-contract", fetch: contractFetch(reply), retries }),
  }));
  for (const { title, run } of cases) test(title, run);
});

describe("Chat Completions keeps the contract of models", () => {
  const cases = modelContract(async ({ type, text, whenShown }) => {
    const reply = {
      text,
      ...(type === "broken" && { cutAfterBytes: 900, cutWhen: whenShown }),
      ...(type === "slow" && { delayMs: 60_000 }),
    };
    const server = await startModelServer([reply, reply]);
    return { model: openai("test", { api: "chat", baseUrl: server.url, retries }), close: server.close };
  });
  for (const { title, run } of cases) test(title, run);
});
